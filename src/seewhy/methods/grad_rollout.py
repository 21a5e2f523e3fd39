"""Gradient rollout: attention rollout in which each block's attention is weighted by its gradient.

| symbol         | name here         | shape                            |
|----------------|-------------------|----------------------------------|
| A              | trace.attention   | batch heads queries keys         |
| ∂y/∂A          | gradients         | batch classes heads queries keys |
| mean_h (A·∂y/∂A) | fused           | batch classes queries keys       |

formula: M_l = 1 + the largest entries of ReLU(mean_h A·∂y/∂A), rows summing to 1; map = M_L … M_1, class token's row

differs from the original code ("vit-explain"): (1) it pairs the first block's attention with the last block's gradient,
because backward hooks fire last block first; here each block is paired with its own gradient. (2) Its row sums lack
`keepdim`, so that it divides by columns; here rows are divided by their own sum. (3) It discards entries in the first
image only.
"""

from typing import Annotated

from seewhy.models.vit import ViT
from seewhy.ops.attention import add_identity, flow, keep_largest
from seewhy.registry import register_method
from seewhy.runtime.options import between
from seewhy.types import Images, Maps, Targets


@register_method("grad_rollout", paper="gildenblat2020", forward_first=True)
def grad_rollout(
    model: ViT, images: Images, targets: Targets, *, discard: Annotated[float, between(0, 1)] = 0.9
) -> Maps:
    """Rollout of attention times gradient; the fraction `discard` of the smallest entries is set to zero."""
    trace = model.trace(images.detach().requires_grad_())
    gradients = model.gradients(model.scores(trace.logits, targets), trace.attention)
    matrices = []
    for weights, slope in zip(trace.attention, gradients, strict=True):
        fused = (weights.detach().unsqueeze(1) * slope).mean(dim=2).clamp(min=0)
        matrices.append(add_identity(keep_largest(fused, discard=discard)))
    return model.to_grid(model.read_rows(flow(matrices)))
