"""IxG+: input times gradient on the tokens that enter each block, summed over blocks.

| symbol of the paper | name here | shape                     |
|---------------------|-----------|---------------------------|
| h^l                 | states    | batch tokens dim          |
| ∂y/∂h^l             | gradients | batch classes tokens dim  |

formula: map_i = Σ_l h_i^l · ∂y/∂h_i^l

differs from the paper: nothing known; `from_block` omits the terms of the first blocks (by default `skip_plus` does).

known: on DeiT-Tiny about as much negative as positive evidence, in neighboring patches; presumably because a layer norm
makes token times gradient nearly vanish. `libra_ixg_plus`, which holds the variance of the norm constant, is cleaner.
"""

from typing import Annotated

from seewhy.models.vit import ViT
from seewhy.ops.attention import weigh_tokens
from seewhy.registry import register_method
from seewhy.runtime.options import at_least
from seewhy.types import Images, Maps, Targets


@register_method("ixg_plus", paper="mehri2024", forward_first=True)
def ixg_plus(model: ViT, images: Images, targets: Targets, *, from_block: Annotated[int, at_least(0)] = 0) -> Maps:
    """Token times gradient, summed over the channels and the inputs of all blocks."""
    trace = model.trace(images.detach().requires_grad_())
    states = trace.tokens[from_block:-1]  # h^l enters block l + 1; the output of the last block is excluded
    share = len(states) / len(model.blocks)
    gradients = model.gradients(model.scores(trace.logits, targets), states, share=share)
    products = weigh_tokens(states, gradients)
    return model.to_grid(products.sum(dim=0)[..., model.prefix :])
