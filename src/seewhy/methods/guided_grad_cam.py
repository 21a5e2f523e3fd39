"""Guided Grad-CAM: the fine edges of Guided Backpropagation, weighted by Grad-CAM.

| symbol of the paper     | name here | shape                            |
|-------------------------|-----------|----------------------------------|
| L^c of Grad-CAM         | coarse    | batch classes rows cols          |
| Guided Backpropagation  | fine      | batch classes height width       |

formula: map = Guided Backpropagation ⊙ L^c of Grad-CAM, resized to the image

differs from the paper: nothing is scaled; the coarse map is resized bilinearly as in the paper (other code uses
nearest-neighbor interpolation: `resize="nearest"`). Networks without ReLU: see `guided_backprop`; `unit`: see
`gradient`.
"""

from typing import Literal

import torch
from torch import Tensor

from seewhy.backward.guided import guided
from seewhy.backward.rules import RECTIFIERS, SMOOTH, Rules, named
from seewhy.errors import UnsupportedModel
from seewhy.models.classifier import Classifier, GradientUnit
from seewhy.ops.resize import resize_maps
from seewhy.registry import register_method
from seewhy.types import Images, Maps, Targets


@register_method("guided_grad_cam", paper="selvaraju2017", may_refuse=True, forward_first=True, features=True)
def guided_grad_cam(
    model: Classifier,
    images: Images,
    targets: Targets,
    *,
    activations: Literal["relu", "all"] = "relu",
    resize: Literal["bilinear", "nearest"] = "bilinear",
    unit: GradientUnit = "pixel",
) -> Maps:
    """Guided Backpropagation times Grad-CAM, at the resolution of the image."""
    names = RECTIFIERS if activations == "relu" else RECTIFIERS + SMOOTH
    fine = model.in_unit(guided_gradients(model, images, targets, names), unit).sum(dim=2)
    features, gradients = model.feature_gradients(images, targets)
    weights = gradients.mean(dim=(-2, -1))  # α_k^c
    coarse = torch.einsum("bck,bkij->bcij", weights, features).relu()  # L^c
    return fine * resize_maps(coarse.to(fine), model.image_size, mode=resize)  # section 3.2


def guided_gradients(model: Classifier, images: Images, targets: Targets, names: tuple[str, ...]) -> Tensor:
    images = images.detach().requires_grad_()
    with Rules(named(guided, *names)) as network:
        logits = model.logits(images)
    if not network.seen:
        raise UnsupportedModel(
            f"guided_grad_cam needs ReLU, and {model.name} calls none. Use grad_cam or hires_cam, "
            "or activations='all' to apply the rule to GELU and SiLU instead (not a published method)."
        )
    (gradients,) = model.gradients(model.scores(logits, targets), [images])
    return gradients
