"""SmoothGrad: the mean gradient over noisy copies of the image, in which local fluctuations average out.

| symbol of the paper | name here  | shape                        |
|---------------------|------------|------------------------------|
| n                   | samples    |                              |
| σ / (x_max - x_min) | noise      |                              |
| M_c(x + N(0, σ²))   | gradients  | batch samples classes 3 height width |

formula: map = Σ_colors 1/n Σ_n M_c(x + N(0, σ²)), M_c = ∂S_c/∂x

differs from the paper: the color channels are summed, which keeps the sign (`channels="max"`: the largest absolute
value, which the paper takes before averaging). All images of a call get the same noise, so a batch equals its single
images. `unit`: see `gradient`.
"""

from typing import Annotated, Literal

import torch
from jaxtyping import Float
from torch import Tensor

from seewhy.models.classifier import Classifier, GradientUnit
from seewhy.registry import register_method
from seewhy.runtime.options import at_least
from seewhy.runtime.progress import track
from seewhy.types import Images, Maps, Targets


@register_method("smooth_grad", paper="smilkov2017")
def smooth_grad(
    model: Classifier,
    images: Images,
    targets: Targets,
    *,
    samples: Annotated[int, at_least(1)] = 50,
    noise: Annotated[float, at_least(0)] = 0.15,
    channels: Literal["sum", "max"] = "sum",
    unit: GradientUnit = "pixel",
    seed: int = 0,
) -> Maps:
    """Gradient of the class logit, averaged over copies of the image with Gaussian noise."""
    generator = torch.Generator().manual_seed(seed)
    shifts = torch.randn(samples, *images.shape[1:], generator=generator).to(images)

    def smooth(rows: slice) -> Float[Tensor, "images classes height width"]:
        part = images[rows]
        sigma = noise * (part.amax(dim=(1, 2, 3)) - part.amin(dim=(1, 2, 3))).view(-1, 1, 1, 1, 1)
        noisy = part.unsqueeze(1) + sigma * shifts
        gradients = model.image_gradients(noisy.flatten(0, 1), targets[rows].repeat_interleave(samples, dim=0))
        mean = model.in_unit(gradients, unit).unflatten(0, (-1, samples)).mean(dim=1)  # M̂_c, the formula of section 2
        return mean.sum(dim=2) if channels == "sum" else mean.abs().amax(dim=2)

    groups = track(model.groups(len(images), samples), "smooth_grad")
    return torch.cat([smooth(rows) for rows in groups])
