"""Grad-CAM on attention: the last block's attention of the class token to each patch, times its gradient.

| symbol        | name here | shape                             |
|---------------|-----------|-----------------------------------|
| A             | weights   | batch heads queries keys          |
| ∂y^c / ∂A     | gradients | batch classes heads queries keys  |

formula: map = ReLU(mean_h A_h ⊙ ∂y^c/∂A_h), the row of the class token, last block

This is "GC" in the tables of MDA: an elementwise product, then the mean over heads. `grad_cam_attention_mean` averages
the gradient over patches first; `grad_cam` works on tokens instead of attention.

differs from the original: no min-max scaling (which divides by zero on a constant map). Networks that pool their
patches instead of reading a class token use the mean over the rows of the patches.
"""

from seewhy.models.vit import ViT
from seewhy.registry import register_method
from seewhy.types import Images, Maps, Targets


@register_method("grad_cam_attention", paper="walker2025", forward_first=True)
def grad_cam_attention(model: ViT, images: Images, targets: Targets, *, relu: bool = True) -> Maps:
    """Last block's attention times its gradient, mean over heads, read at the class token."""
    weights, logits = model.last_attention(images)
    (gradients,) = model.gradients(model.scores(logits, targets), [weights], share=1 / len(model.blocks))
    joint = (weights.detach().unsqueeze(1) * gradients).mean(dim=2)  # mean_h A_h ∘ ∂y/∂A_h
    maps = model.to_grid(model.read_rows(joint))
    return maps.relu() if relu else maps
