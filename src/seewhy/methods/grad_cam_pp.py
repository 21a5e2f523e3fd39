"""Grad-CAM++: Grad-CAM with gradients weighted per position, so that all objects of a class appear in the map.

| symbol of the paper | name here | shape                            |
|---------------------|-----------|----------------------------------|
| A^k                 | features  | batch channels rows cols         |
| ∂S^c / ∂A^k         | gradients | batch classes channels rows cols |
| α_ij^kc             | shares    | batch classes channels rows cols |
| w_k^c               | weights   | batch classes channels           |

formula: α_ij^kc = 1 / (2 + ΣA^k · ∂S^c/∂A_ij^k); w_k^c = Σ_ij α_ij^kc ReLU(∂S^c/∂A_ij^k); map = ReLU(Σ_k w_k^c A^k)

With Y = exp(S) the derivatives in α are powers of ∂S/∂A, and its fraction, divided by (∂S/∂A)², becomes
1 / (2 + ΣA · ∂S/∂A).

differs from the paper: the factor exp(S) is omitted (one positive number per map). The reduced fraction needs no
epsilon against 0/0, which in other code makes the result depend on the scale of the gradients. ΣA sums positive values
only, as after the ReLU that the paper assumes: with signed features the denominator could cross zero. The map is not
scaled.
"""

import torch

from seewhy.models.classifier import Classifier
from seewhy.registry import register_method
from seewhy.types import Images, Maps, Targets


@register_method("grad_cam_pp", paper="chattopadhay2018", forward_first=True, features=True)
def grad_cam_pp(model: Classifier, images: Images, targets: Targets, *, relu: bool = True) -> Maps:
    """Last feature maps weighted by their positive gradients, each position by its share in the class score."""
    features, gradients = model.feature_gradients(images, targets)
    total = features.relu().sum(dim=(-2, -1), keepdim=True).unsqueeze(1)  # ΣA^k
    shares = 1 / (2 + total * gradients.relu())  # α_ij^kc
    weights = (shares * gradients.relu()).sum(dim=(-2, -1))  # w_k^c
    maps = torch.einsum("bck,bkij->bcij", weights, features)  # L^c
    return maps.relu() if relu else maps
