"""Gradient (saliency): the sensitivity of the class score to each pixel.

| symbol of the paper | name here    | shape                       |
|---------------------|--------------|-----------------------------|
| S_c(I)              | scores       | batch classes               |
| w = ∂S_c / ∂I       | gradients    | batch classes 3 height width |

formula: map = Σ_colors ∂S_c / ∂I

differs from the paper: it takes the largest absolute value over the color channels (`channels="max"`); the default here
sums them, which keeps the sign that contrasts between classes need.

Gradients are with respect to pixels in [0, 1]; published code takes them with respect to the normalized input, which
multiplies them by the std (`unit="normalized"`). This matters where magnitudes do, as in `var:`.

known: on a ViT the map shows the patch grid, because all patches are embedded by the same filters, which are strongest
in the middle. The same holds for all methods that backpropagate to the pixels.
"""

from typing import Literal

from seewhy.models.classifier import Classifier, GradientUnit
from seewhy.registry import register_method
from seewhy.types import Images, Maps, Targets


@register_method("gradient", paper="simonyan2014", forward_first=True)
def gradient(
    model: Classifier,
    images: Images,
    targets: Targets,
    *,
    channels: Literal["sum", "max"] = "sum",
    unit: GradientUnit = "pixel",
) -> Maps:
    """Gradient of the class logit with respect to the pixels."""
    images = images.detach().requires_grad_()
    scores = model.scores(model.logits(images), targets)
    (gradients,) = model.gradients(scores, [images])
    gradients = model.in_unit(gradients, unit)  # w
    return gradients.sum(dim=2) if channels == "sum" else gradients.abs().amax(dim=2)
