"""HiResCAM: feature times gradient at every position, so that the map shows only positions that raise the class score.

| symbol of the paper | name here | shape                            |
|---------------------|-----------|----------------------------------|
| A^f                 | features  | batch channels rows cols         |
| ∂s_m / ∂A^f         | gradients | batch classes channels rows cols |

formula: map = ReLU(Σ_f A^f ⊙ ∂s_m/∂A^f)

Where the head is global average pooling and one linear layer, this is Grad-CAM times a constant (the number of
positions), because the gradient is the same everywhere.

differs from the paper: `relu` is on by default, as in all CAM methods here; the paper shows the signed map
(`relu=False`).

known: designed for convolutional networks. On a ViT half of the gradient comes through the keys: it is proportional to
the attention logits, whose zero is arbitrary. On DeiT-Tiny they are negative, so that this half counts against attended
patches, and only a few patches remain in the map. `grad_cam` and `grad_cam_attention` do not have this problem.
"""

import torch

from seewhy.models.classifier import Classifier
from seewhy.registry import register_method
from seewhy.types import Images, Maps, Targets


@register_method("hires_cam", paper="draelos2020", forward_first=True, features=True)
def hires_cam(model: Classifier, images: Images, targets: Targets, *, relu: bool = True) -> Maps:
    """Last feature maps times their gradients at every position, summed over channels."""
    features, gradients = model.feature_gradients(images, targets)
    maps = torch.einsum("bckij,bkij->bcij", gradients, features)
    return maps.relu() if relu else maps
