"""GradientSHAP (expected gradients): difference from a reference times the gradient, averaged over random points.

| symbol of the paper | name here    | shape                          |
|---------------------|--------------|--------------------------------|
| x', D               | start        | references 3 height width      |
| α ~ U(0, 1)         | alphas       | samples                        |
| ∂f / ∂x             | gradients    | samples classes 3 height width |

Every sample draws a reference, a copy of the image with Gaussian noise, and a point on the line between them. The
values of a map sum to the expected difference of the scores, up to the error of sampling; with one reference and no
noise they are Integrated Gradients.

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

    def one_image(image: Tensor, wanted: Tensor) -> Float[Tensor, "classes height width"]:
        noisy = image + noise * (image.max() - image.min()) * shifts
        points = begin + alphas * (noisy - begin)
        gradients = model.image_gradients(points, wanted.expand(samples, -1)).to(images)
        return ((noisy - begin).unsqueeze(1) * gradients).mean(dim=0).sum(dim=1)  # E[(x - x') ∂f/∂x]

    pairs = track(zip(images, targets, strict=True), "gradient_shap", total=len(images))
    return torch.stack([one_image(image, wanted) for image, wanted in pairs])
