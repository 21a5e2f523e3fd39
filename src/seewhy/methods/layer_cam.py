"""LayerCAM: feature times positive gradient at every position; fine enough for earlier layers as well.

| symbol of the paper | name here | shape                            |
|---------------------|-----------|----------------------------------|
| A^k                 | features  | batch channels rows cols         |
| g_ij^kc             | gradients | batch classes channels rows cols |

formula: map = ReLU(Σ_k ReLU(g^kc) ⊙ A^k)

differs from the paper: the map of the last layer is not fused with those of earlier layers, and is not scaled.

known: on a ViT only a few patches remain in the map, for the reason given in `hires_cam`.
"""

import torch

from seewhy.models.classifier import Classifier
from seewhy.registry import register_method
from seewhy.types import Images, Maps, Targets


@register_method("layer_cam", paper="jiang2021", forward_first=True, features=True)
def layer_cam(model: Classifier, images: Images, targets: Targets, *, relu: bool = True) -> Maps:
    """Last feature maps times the positive part of their gradients at every position, summed over channels."""
    features, gradients = model.feature_gradients(images, targets)
    weights = gradients.relu()  # w_ij^kc
    maps = torch.einsum("bckij,bkij->bcij", weights, features)
    return maps.relu() if relu else maps
