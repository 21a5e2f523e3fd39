"""Libra IxG+: IxG+ with a balanced backward pass, in which nothing is counted twice or lost.

Plain gradients of attention, norms and gates cancel or repeat parts of what flows forward. Libra treats one side
of each such product as a constant (`seewhy.backward.libra`); without biases, token times gradient then adds up to the
logit at every block.

| symbol of the paper | name here | shape                     |
|---------------------|-----------|---------------------------|
| h^l                 | states    | batch tokens dim          |
| pruned ∂y/∂h^l      | gradients | batch classes tokens dim  |

differs from the paper: the rules are found by the operations a network calls, not by a list of its modules, so that
networks of every library have them; nothing else known.
"""

from seewhy.backward.libra import libra_rules
from seewhy.models.vit import ViT
from seewhy.ops.attention import weigh_tokens
from seewhy.registry import register_method
from seewhy.types import Images, Maps, Targets


@register_method(
    "libra_ixg_plus",
    paper="mehri2025",
)
def libra_ixg_plus(model: ViT, images: Images, targets: Targets, *, from_block: int = 0) -> Maps:
    """Token times balanced gradient, over the channels and all blocks' inputs."""
    with libra_rules():
        trace = model.trace(images.detach().requires_grad_())
    states = trace.tokens[from_block:-1]  # h^l enters block l + 1
    walked = len(states) / len(model.blocks)
    gradients = model.gradients(model.scores(trace.logits, targets), states, share=walked)
    products = weigh_tokens(states, gradients)
    return model.to_grid(products.sum(dim=0)[..., model.prefix :])
