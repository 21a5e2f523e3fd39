"""Transformer attribution ("T-Attr"): relevance of each attention weight times its gradient, rolled out.

Relevance (layer-wise propagation, positive part) starts as 1 at the class and is backpropagated through every operation
by the rules of `seewhy.backward.relevance`. The relevance of attention, times its gradient, replaces raw attention in
rollout.

| symbol of the paper | name here       | shape                            |
|---------------------|-----------------|----------------------------------|
| A^(b)               | attention       | batch heads queries keys         |
| ∇A^(b)              | gradients       | batch classes heads queries keys |
| R^(n_b)             | relevance       | batch classes heads queries keys |
| Ā^(b)               | blocks          | batch classes queries keys       |
| C                   | flow(blocks)    | batch classes queries keys       |

formula: Ā^(b) = 1 + mean_h ReLU(∇A^(b) ⊙ R^(n_b)); map = C = Ā^(B) … Ā^(1), the row of the class token

differs from the original code: the sums at a residual connection are per image (the code sums over the batch, which
must be 1). Rows of Ā are not normalized, as in the original file; the versions in MDA and InFlow normalize them
(`normalize_rows`). LayerScale, q/k-norm, rotary embeddings and gated MLPs, which the code does not support, follow the
rules in `seewhy.backward.relevance`. Relevance needs a separate graph: two forward passes instead of one.
"""

from typing import Annotated

from seewhy.backward.relevance import relevance_rules
from seewhy.models.vit import ViT
from seewhy.ops.attention import add_identity, flow
from seewhy.registry import register_method
from seewhy.runtime.options import at_least
from seewhy.types import Images, Maps, Targets


@register_method("t_attr", paper="chefer2021", forward_first=True)
def t_attr(
    model: ViT,
    images: Images,
    targets: Targets,
    *,
    from_block: Annotated[int, at_least(0)] = 0,
    normalize_rows: bool = False,
) -> Maps:
    """Positive part of gradient times relevance of every attention weight, multiplied over all blocks."""
    images = images.detach().requires_grad_()
    plain = model.trace(images)
    with relevance_rules():
        propagated = model.trace(images)
    share = 1 - from_block / len(model.blocks)
    gradients, relevance = (
        model.gradients(model.scores(trace.logits, targets), trace.attention[from_block:], share=share)
        for trace in (plain, propagated)
    )
    blocks = [
        add_identity((gradient * relevances).clamp(min=0).mean(dim=2), normalize=normalize_rows)  # Ā^(b)
        for gradient, relevances in zip(gradients, relevance, strict=True)
    ]
    return model.to_grid(model.read_rows(flow(blocks)))  # C
