"""Libra IxG+: IxG+ with a balanced backward pass, in which no contribution is lost or counted twice.

Plain gradients of attention, norms and gates cancel or repeat parts of the forward signal. Libra treats one factor of
each such product as a constant (`seewhy.backward.libra`); without biases, token times gradient then sums to the logit
at every block.

| symbol of the paper | name here | shape                     |
|---------------------|-----------|---------------------------|
| h^l                 | states    | batch tokens dim          |
| pruned ∂y/∂h^l      | gradients | batch classes tokens dim  |

formula: map_i = Σ_l h_i^l · ∂y/∂h_i^l, with the pruned gradient

differs from the paper: the rules apply to the operations that a network calls, not to a list of its modules, so that
they work for networks of every library; nothing else known.
"""

from typing import Annotated

from seewhy.backward.libra import libra_rules
from seewhy.models.vit import ViT
from seewhy.ops.attention import weigh_tokens
from seewhy.registry import register_method
from seewhy.runtime.options import at_least
from seewhy.types import Images, Maps, Targets


@register_method("libra_ixg_plus", paper="mehri2025", forward_first=True)
def libra_ixg_plus(
    model: ViT, images: Images, targets: Targets, *, from_block: Annotated[int, at_least(0)] = 0
) -> Maps:
    """Token times balanced gradient, summed over the channels and the inputs of all blocks."""
    with libra_rules():
        trace = model.trace(images.detach().requires_grad_())
    states = trace.tokens[from_block:-1]  # h^l enters block l + 1
    share = len(states) / len(model.blocks)
    gradients = model.gradients(model.scores(trace.logits, targets), states, share=share)
    products = weigh_tokens(states, gradients)
    return model.to_grid(products.sum(dim=0)[..., model.prefix :])
