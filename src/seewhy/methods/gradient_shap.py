"""GradientSHAP (expected gradients): difference from a reference times the gradient, averaged over random points.

| symbol of the paper | name here    | shape                          |
|---------------------|--------------|--------------------------------|
| x', D               | start        | references 3 height width      |
| α ~ U(0, 1)         | alphas       | samples                        |
| ∂f / ∂x             | gradients    | samples classes 3 height width |

formula: map = E[(x - x') ∂f/∂x at x' + α (x - x')], over x' from D, α ~ U(0, 1) and noise on x

Every sample draws a reference, a copy of the image with Gaussian noise, and a point on the line between them. The
values of a map sum to the expected difference of the scores, up to sampling error; with one reference and no noise this
is Integrated Gradients.

differs from the paper: the reference is one image unless several are given as a tensor (`references 3 height width`;
the paper draws from the training data). All images of a call get the same draws, so a batch equals its single images.
"""

from typing import Annotated

import torch
from jaxtyping import Float
from torch import Tensor

from seewhy.models.classifier import Classifier
from seewhy.ops.references import AnyReference, reference_image
from seewhy.registry import register_method
from seewhy.runtime.options import at_least
from seewhy.runtime.progress import track
from seewhy.types import Images, Maps, Targets


@register_method("gradient_shap", paper="erion2021")
def gradient_shap(
    model: Classifier,
    images: Images,
    targets: Targets,
    *,
    samples: Annotated[int, at_least(1)] = 50,
    noise: Annotated[float, at_least(0)] = 0.1,
    reference: AnyReference = "model_mean",
    seed: int = 0,
) -> Maps:
    """Difference from random references times the gradient at random points between, summed over the colors."""
    if isinstance(reference, Tensor) and reference.ndim == 4:
        start = reference.to(images)
    else:
        start = reference_image(reference, images, mean=model.mean, std=model.std)
    generator = torch.Generator().manual_seed(seed)
    chosen = torch.randint(len(start), (samples,), generator=generator)
    alphas = torch.rand(samples, 1, 1, 1, generator=generator).to(images)
    shifts = torch.randn(samples, *images.shape[1:], generator=generator).to(images)
    begin = start[chosen.to(start.device)]

    def expect(rows: slice) -> Float[Tensor, "images classes height width"]:
        part = images[rows]
        sigma = noise * (part.amax(dim=(1, 2, 3)) - part.amin(dim=(1, 2, 3))).view(-1, 1, 1, 1, 1)
        away = part.unsqueeze(1) + sigma * shifts - begin  # images samples 3 height width
        points = (begin + alphas * away).flatten(0, 1)
        gradients = model.image_gradients(points, targets[rows].repeat_interleave(samples, dim=0)).to(images)
        products = away.unsqueeze(2) * gradients.unflatten(0, (-1, samples))
        return products.mean(dim=1).sum(dim=2)  # E[(x - x') ∂f/∂x]

    groups = track(model.groups(len(images), samples), "gradient_shap")
    return torch.cat([expect(rows) for rows in groups])
