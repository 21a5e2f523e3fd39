"""Guided Backpropagation: the gradient, with ReLUs that backpropagate positive gradients only.

| symbol of the paper | name here                  | shape                        |
|---------------------|----------------------------|------------------------------|
| f_i > 0             | gradient of ReLU           |                              |
| R_i > 0             | `backward.guided`          |                              |
| R at the input      | gradients                  | batch classes 3 height width |

formula: R_i^l = 1[f_i^l > 0] · 1[R_i^(l+1) > 0] · R_i^(l+1) at every ReLU; map = Σ_colors R at the input

Sharp, and nearly independent of the class: the maps show the edges that the network detects.

differs from the paper: the color channels are summed. The rule applies to every call of ReLU (as a function, in place,
one module used twice), which module hooks miss. Networks without ReLU raise an error, because the result would be their
plain gradient; `activations="all"` applies the rule to GELU, SiLU and similar activations as well, which is not a
published method. `unit`: see `gradient`.
"""

from typing import Literal

from seewhy.backward.guided import guided
from seewhy.backward.rules import RECTIFIERS, SMOOTH, Rules, named
from seewhy.errors import UnsupportedModel
from seewhy.models.classifier import Classifier, GradientUnit
from seewhy.registry import register_method
from seewhy.types import Images, Maps, Targets


@register_method("guided_backprop", may_refuse=True, paper="springenberg2015", forward_first=True)
def guided_backprop(
    model: Classifier,
    images: Images,
    targets: Targets,
    *,
    activations: Literal["relu", "all"] = "relu",
    unit: GradientUnit = "pixel",
) -> Maps:
    """Gradient of the class logit through ReLUs that backpropagate positive gradients only."""
    names = RECTIFIERS if activations == "relu" else RECTIFIERS + SMOOTH
    images = images.detach().requires_grad_()
    with Rules(named(guided, *names)) as network:
        logits = model.logits(images)
    if not network.seen:
        raise UnsupportedModel(
            f"guided_backprop needs ReLU, and {model.name} calls none. Use smooth_grad or integrated_gradients, "
            "or activations='all' to apply the rule to GELU and SiLU instead (not a published method)."
        )
    (gradients,) = model.gradients(model.scores(logits, targets), [images])
    return model.in_unit(gradients, unit).sum(dim=2)
