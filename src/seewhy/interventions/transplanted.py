"""Transplanted activations: patch tokens of one image in the forward pass of another (activation patching, CAAP)."""

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
    """Logits of recipients in which the tokens of a region are the donor's between h^l_s and h^l_e.

    The patches that a region touches are replaced; all other tokens run on in their own context. Default of `blocks`:
    that of CAAP, 1 to two thirds of the blocks.
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
