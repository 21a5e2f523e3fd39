"""The initialization of the ViT."""

import numpy as np
import torch

from seewhy.zoo.scenes.batches import Phase, make_batch
from seewhy.zoo.scenes.student import Student


def test_attention_starts_at_neighbors(drawn_scenes):
    """In the first block, each head but the last looks mostly at one fixed offset."""
    student, images = Student(), make_batch(drawn_scenes, 0, Phase(1, 2, 14)).images
    block = student.vit.blocks[0]
    with torch.no_grad():
        tokens = block.norm1(student.vit.patch_embed(images) + student.vit.pos_embed[:, 1:])
        queries, keys, _ = block.attn.qkv(tokens).unflatten(2, (3, 8, 16)).permute(2, 0, 3, 1, 4)
        seen = (queries @ keys.transpose(-1, -2)).argmax(dim=-1)[0]
    inner = np.add.outer(np.arange(2, 12) * 14, np.arange(2, 12)).ravel()
    offsets = (seen[:7, inner] - torch.from_numpy(inner)).mode(dim=1)
    assert set(offsets.values.tolist()) <= {-15, -14, -13, -1, 0, 1, 13, 14, 15}
    assert len(set(offsets.values.tolist())) == 7
