"""Eigen-CAM: the last feature maps projected on their first principal direction; no gradient, no class.

| symbol of the paper | name here | shape                           |
|---------------------|-----------|---------------------------------|
| O                   | features  | batch positions channels        |
| V_1                 | direction | batch channels                  |
| L_Eigen-CAM         | maps      | batch rows cols                 |

formula: O = U Σ V^T; map = O V_1

differs from the paper: the sign of a principal direction is arbitrary; here it is the one for which the map has a
positive sum.

known: the same map for every class. It shows salient regions of the image, not evidence for a class.
"""

import torch

from seewhy.models.classifier import Classifier
from seewhy.registry import register_method
from seewhy.types import Images, Maps, Targets


@register_method("eigen_cam", paper="muhammad2020", class_agnostic=True, forward_first=True, features=True)
def eigen_cam(model: Classifier, images: Images, targets: Targets) -> Maps:
    """Last feature maps projected on their first principal direction; the same map for every class."""
    split = model.split(images)
    model.notify(images, split.logits)
    features = split.features.detach().flatten(2).transpose(1, 2)  # batch positions channels
    *_, directions = torch.linalg.svd(features.double(), full_matrices=False)  # O = U Σ V^T
    maps = torch.einsum("bpk,bk->bp", features.double(), directions[:, 0]).to(features)  # L = O V_1
    maps = maps * torch.where(maps.sum(dim=1, keepdim=True) < 0, -1.0, 1.0)
    maps = maps.unflatten(1, tuple(split.features.shape[-2:]))
    return maps.unsqueeze(1).expand(-1, targets.shape[1], -1, -1)
