"""XGrad-CAM: the last feature maps, each weighted by the gradient at the positions where the map is active.

| symbol of the paper | name here | shape                            |
|---------------------|-----------|----------------------------------|
| F^lk                | features  | batch channels rows cols         |
| ∂S_c / ∂F^lk        | gradients | batch classes channels rows cols |
| α_c^k               | weights   | batch classes channels           |

formula: α_c^k = Σ_ij F_ij^lk ∂S_c/∂F_ij^lk / Σ_ij F_ij^lk; map = ReLU(Σ_k α_c^k F^lk)

The weights are those for which the values of a map sum to Σ F ∂S/∂F, as in HiResCAM (before `relu`).

differs from the paper: the map stays on the grid of the features and is not scaled. A feature map that sums to zero
gets the weight zero.

known: designed for feature maps after a ReLU. Where they are signed, as in a ViT, a channel whose sum is close to zero
can dominate the map.
"""

import torch

from seewhy.models.classifier import Classifier
from seewhy.registry import register_method
from seewhy.types import Images, Maps, Targets


@register_method("xgrad_cam", paper="fu2020", forward_first=True, features=True)
def xgrad_cam(model: Classifier, images: Images, targets: Targets, *, relu: bool = True) -> Maps:
    """Last feature maps weighted by their gradients where they are active; `relu=False` keeps negative evidence."""
    features, gradients = model.feature_gradients(images, targets)
    total = features.sum(dim=(-2, -1)).unsqueeze(1)  # batch 1 channels
    products = torch.einsum("bckij,bkij->bck", gradients, features)
    weights = torch.where(total == 0, 0.0, products / total)  # α_c^k
    maps = torch.einsum("bck,bkij->bcij", weights, features)
    return maps.relu() if relu else maps
