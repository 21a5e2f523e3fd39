"""LayerCAM: feature times positive gradient, place by place; fine enough for earlier layers as well.

| symbol of the paper | name here | shape                            |
|---------------------|-----------|----------------------------------|
| A^k                 | features  | batch channels rows cols         |
| g_ij^kc             | gradients | batch classes channels rows cols |

differs from the paper: the map of the last layer is not joined with those of earlier ones, and is not scaled.

known: on a ViT the map keeps a few patches only, for the reason given in `hires_cam`.
"""

import torch

from seewhy.models.classifier import Classifier
from seewhy.registry import register_method
from seewhy.types import Images, Maps, Targets


@register_method(
    "layer_cam",
    paper="jiang2021",
)
def layer_cam(model: Classifier, images: Images, targets: Targets, *, relu: bool = True) -> Maps:
    """Last feature maps times the positive part of their gradients at every place, summed over channels."""
    features, gradients = model.feature_gradients(images, targets)
    weights = gradients.relu()  # w_ij^kc
    maps = torch.einsum("bckij,bkij->bcij", weights, features)
    return maps.relu() if relu else maps
