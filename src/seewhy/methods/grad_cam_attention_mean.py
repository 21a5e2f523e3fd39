"""Grad-CAM on attention, heads as channels: the class token's attention, each head weighted by its mean gradient.

| symbol of Grad-CAM | name here | shape                            |
|--------------------|-----------|----------------------------------|
| A^k                | rows      | batch heads patches              |
| ∂y^c / ∂A^k        | slopes    | batch classes heads patches      |
| α_k^c              | weights   | batch classes heads              |

formula: α_k^c = mean over patches of ∂y^c/∂A^k; map = ReLU(mean_k α_k^c A^k), k: heads of the last block

The "GradCAM" baseline of Chefer et al. and of work that builds on their code. Where heads with a negative mean gradient
outweigh the others in every patch the map is zero (DeiT-Tiny, three heads: 3 of 20 photos); `relu=False` keeps the
negative values.

differs from the original: no min-max scaling. Networks that pool their patches instead of reading a class token use
the mean over the rows of the patches.
"""

import torch

from seewhy.models.vit import ViT
from seewhy.registry import register_method
from seewhy.types import Images, Maps, Targets


@register_method("grad_cam_attention_mean", paper="chefer2021", forward_first=True)
def grad_cam_attention_mean(model: ViT, images: Images, targets: Targets, *, relu: bool = True) -> Maps:
    """Last block's attention of the class token, each head weighted by its mean gradient over patches."""
    attention, logits = model.last_attention(images)
    (gradients,) = model.gradients(model.scores(logits, targets), [attention], share=1 / len(model.blocks))
    rows, slopes = model.read_rows(attention.detach()), model.read_rows(gradients)
    weights = slopes.mean(dim=-1)  # α_k^c, heads as channels
    maps = model.to_grid(torch.einsum("bch,bhp->bcp", weights, rows) / rows.shape[1])
    return maps.relu() if relu else maps
