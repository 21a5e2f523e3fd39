"""Grad-CAM: the last feature maps, each weighted by the mean gradient of the class score.

| symbol of the paper | name here | shape                         |
|---------------------|-----------|-------------------------------|
| A^k                 | features  | batch channels rows cols      |
| ∂y^c / ∂A^k         | gradients | batch classes channels rows cols |
| α_k^c               | weights   | batch classes channels        |

formula: α_k^c = mean_ij ∂y^c / ∂A_ij^k; map = ReLU(Σ_k α_k^c A^k)

differs from the paper: the map stays on the grid of the features and is not scaled. For a ViT the features are the
tokens after the first norm of the last block, the last layer whose patches still reach the class token; attention-based
variants are separate methods (`grad_cam_attention`, `grad_cam_attention_mean`).
"""

import torch

from seewhy.models.classifier import Classifier
from seewhy.registry import register_method
from seewhy.types import Images, Maps, Targets


@register_method("grad_cam", paper="selvaraju2017", forward_first=True, features=True)
def grad_cam(model: Classifier, images: Images, targets: Targets, *, relu: bool = True) -> Maps:
    """Last feature maps weighted by their mean gradient; `relu=False` keeps negative evidence."""
    features, gradients = model.feature_gradients(images, targets)
    weights = gradients.mean(dim=(-2, -1))  # α_k^c
    maps = torch.einsum("bck,bkij->bcij", weights, features)
    return maps.relu() if relu else maps
