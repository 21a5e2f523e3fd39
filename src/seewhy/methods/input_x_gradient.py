"""Input × Gradient: the contribution of each pixel if the network were linear around the image.

| symbol of the paper | name here | shape                        |
|---------------------|-----------|------------------------------|
| x                   | inputs    | batch 3 height width         |
| ∂S_c / ∂x           | gradients | batch classes 3 height width |

formula: map = Σ_colors x ⊙ ∂S_c/∂x

The input is the normalized image, as in published code: a pixel of the mean color contributes nothing.
"""

from seewhy.models.classifier import Classifier
from seewhy.registry import register_method
from seewhy.types import Images, Maps, Targets


@register_method("input_x_gradient", paper="shrikumar2016", forward_first=True)
def input_x_gradient(model: Classifier, images: Images, targets: Targets) -> Maps:
    """Normalized pixel times the gradient of the class logit, summed over the color channels."""
    images = images.detach().requires_grad_()
    scores = model.scores(model.logits(images), targets)
    (gradients,) = model.gradients(scores, [images])
    inputs = images.detach() - images.new_tensor(model.mean).view(-1, 1, 1)  # the std cancels: x/std · std·∂S/∂x
    return (inputs.unsqueeze(1) * gradients).sum(dim=2)
