"""Activation patching between two images: patch tokens of a donor in the forward pass of a recipient."""

import torch
from jaxtyping import Bool
from torch import Tensor
from torch.nn.functional import adaptive_max_pool2d

from seewhy.interventions.patched import block_range
from seewhy.models.vit import ViT
from seewhy.types import Images, Logits


def transplanted_logits(
    model: ViT,
    donors: Images,
    recipients: Images,
    regions: Bool[Tensor, "batch height width"],
    *,
    blocks: tuple[int, int] | None = None,
) -> Logits:
    """Logits of the recipients, with the tokens of a region replaced by the donor's from h^l_s to h^l_e.

    All patches that overlap the region are replaced; unlike in CAAP, all other tokens propagate. Default of `blocks`:
    as in CAAP, from 1 to two thirds of the blocks.
    """
    l_s, l_e = block_range(blocks, len(model.blocks))
    patches = adaptive_max_pool2d(regions.float().unsqueeze(1), model.grid).flatten(1) > 0
    prefix = torch.zeros(len(patches), model.prefix, dtype=torch.bool, device=patches.device)
    replaced = torch.cat([prefix, patches], dim=1).unsqueeze(2)
    with torch.no_grad(), model.frozen_eval():
        source, tokens = model.embed(donors), model.embed(recipients)
        for index, block in enumerate(model.blocks):
            if l_s <= index <= l_e:
                tokens = torch.where(replaced, source, tokens)
            if index < l_e:
                source = block.plain_forward(source)
            tokens = block.plain_forward(tokens)
        model.count_tokens(tokens[..., 0].numel() * (len(model.blocks) + l_e))
        return model.read_out(tokens)
