"""Transformer attribution ("T-Attr"): relevance of each attention weight times its gradient, rolled out.

Relevance (layer-wise propagation, positive part) starts as 1 at the class and is walked back through every operation;
`seewhy.backward.relevance` has the rules. What reaches a block's attention, times the gradient, replaces raw attention.

| symbol of the paper | name here       | shape                            |
|---------------------|-----------------|----------------------------------|
| A^(b)               | attention       | batch heads queries keys         |
| ∇A^(b)              | gradients       | batch classes heads queries keys |
| R^(n_b)             | relevance       | batch classes heads queries keys |
| Ā^(b)               | blocks          | batch classes queries keys       |
| C                   | flow(blocks)    | batch classes queries keys       |

differs from the original code: sums of a residual join are taken image by image (it takes them over the batch, which
must be 1 there). Rows of Ā are not normalized, as in the original file; the copies in MDA and InFlow do
(`normalize_rows`). LayerScale, q/k-norm, rotation and gated MLPs, which it does not know, have the rules given in
`seewhy.backward.relevance`. Relevance needs a graph of its own: two forward passes instead of one.
"""

from seewhy.backward.relevance import relevance_rules
from seewhy.models.vit import ViT
from seewhy.ops.attention import add_identity, flow
from seewhy.registry import register_method
from seewhy.types import Images, Maps, Targets


@register_method("t_attr", paper="chefer2021")
def t_attr(model: ViT, images: Images, targets: Targets, *, from_block: int = 0, normalize_rows: bool = False) -> Maps:
    """Positive part of gradient times relevance of every attention weight, followed down to the patches."""
    images = images.detach().requires_grad_()
    plain = model.trace(images)
    with relevance_rules():
        ruled = model.trace(images)
    walked = 1 - from_block / len(model.blocks)
    gradients, relevance = (
        model.gradients(model.scores(trace.logits, targets), trace.attention[from_block:], share=walked)
        for trace in (plain, ruled)
    )
    blocks = [
        add_identity((slope * part).clamp(min=0).mean(dim=2), normalize=normalize_rows)  # Ā^(b)
        for slope, part in zip(gradients, relevance, strict=True)
    ]
    return model.to_grid(model.read_rows(flow(blocks)))  # C
