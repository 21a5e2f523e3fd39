"""Grad-CAM: the last feature maps, weighted by how much the class score rises with each of them.

| symbol of the paper | name here | shape                         |
|---------------------|-----------|-------------------------------|
| A^k                 | features  | batch channels rows cols      |
| ∂y^c / ∂A^k         | gradients | batch classes channels rows cols |
| α_k^c               | weights   | batch classes channels        |

differs from the paper: the map stays on its own grid and is not scaled. For a ViT the features are the tokens behind
the first norm of the last block, the last place where patches still reach the class token; attention-based variants
are methods of their own (`grad_cam_attention`, `grad_cam_attention_mean`).
"""

import torch

from seewhy.models.classifier import Classifier
from seewhy.registry import register_method
from seewhy.types import Images, Maps, Targets


@register_method("grad_cam", paper="selvaraju2017")
def grad_cam(model: Classifier, images: Images, targets: Targets, *, relu: bool = True) -> Maps:
    """Last feature maps weighted by their mean gradient; `relu=False` keeps what speaks against the class."""
    features, gradients = model.feature_gradients(images, targets)
    weights = gradients.mean(dim=(-2, -1))  # α_k^c
    maps = torch.einsum("bck,bkij->bcij", weights, features)
    return maps.relu() if relu else maps
