"""IxG+: input times gradient on the tokens that enter each block, summed over blocks.

| symbol of the paper | name here | shape                     |
|---------------------|-----------|---------------------------|
| h^l                 | states    | batch tokens dim          |
| ∂y/∂h^l             | gradients | batch classes tokens dim  |

differs from the paper: nothing known; `from_block` leaves out the first blocks' terms (`skip_plus` does so by itself).

known: on DeiT-Tiny about as much against the class as for it, in neighboring patches; supposedly because a layer norm
leaves token times gradient little to show. `libra_ixg_plus`, which holds the norm's variance constant, is cleaner.
"""

from seewhy.models.vit import ViT
from seewhy.ops.attention import weigh_tokens
from seewhy.registry import register_method
from seewhy.types import Images, Maps, Targets


@register_method("ixg_plus", paper="mehri2024")
def ixg_plus(model: ViT, images: Images, targets: Targets, *, from_block: int = 0) -> Maps:
    """Token times gradient, over the channels and all blocks' inputs."""
    trace = model.trace(images.detach().requires_grad_())
    states = trace.tokens[from_block:-1]  # h^l enters block l + 1; the last block's output is left out
    walked = len(states) / len(model.blocks)
    gradients = model.gradients(model.scores(trace.logits, targets), states, share=walked)
    products = weigh_tokens(states, gradients)
    return model.to_grid(products.sum(dim=0)[..., model.prefix :])
