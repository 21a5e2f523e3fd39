"""SkipPLUS: input times gradient on the tokens that enter each block, summed over the second half of the blocks.

The gradients of early blocks are noisy; the method simply omits them.

| symbol of the paper | name here | shape                     |
|---------------------|-----------|---------------------------|
| h^l                 | states    | batch tokens dim          |
| ∂y/∂h^l             | gradients | batch classes tokens dim  |

formula: map_i = Σ_l h_i^l · ∂y/∂h_i^l over the blocks after the fraction `skip`

differs from the paper: nothing known. Only the second half of the network is in the graph and backpropagated.

known: on DeiT-Tiny about as much negative as positive evidence, as with `ixg_plus`.
"""

from typing import Annotated

import torch

from seewhy.models.vit import ViT
from seewhy.ops.attention import weigh_tokens
from seewhy.registry import register_method
from seewhy.runtime.options import between
from seewhy.types import Images, Maps, Targets


@register_method("skip_plus", paper="mehri2024")
def skip_plus(model: ViT, images: Images, targets: Targets, *, skip: Annotated[float, between(0, 1)] = 0.5) -> Maps:
    """Token times gradient, summed over the channels and the inputs of all blocks after the fraction `skip`."""
    depth = len(model.blocks)
    start = min(int(depth * skip), depth - 1)
    with torch.no_grad():
        tokens = model.run(model.embed(images), stop=start)[0][-1]
    states, _ = model.run(tokens.detach().requires_grad_(), start=start)
    scores = model.scores(model.read_out(states[-1]), targets)
    gradients = model.gradients(scores, states[:-1], share=1 - start / depth)
    products = weigh_tokens(states[:-1], gradients)
    return model.to_grid(products.sum(dim=0)[..., model.prefix :])
