"""`smooth:METHOD`: the mean of a method's maps over noisy, or mirrored, copies of the image.

| symbol of the paper | name here | shape                          |
|---------------------|-----------|--------------------------------|
| n                   | samples   |                                |
| σ / (x_max - x_min) | noise     |                                |
| M_c(x + N(0, σ²))   | maps      | batch classes rows cols        |

formula: map = 1/n Σ_n M_c(x + N(0, σ²))

differs from the paper: SmoothGrad averages gradients, this any method's maps; `by="flip"` averages the map of the image
and that of its mirror image, mirrored back, in two runs. All images of a call get the same noise, so a batch equals its
single images. The extras of the base are dropped.
"""

from collections.abc import Callable
from typing import Annotated, Literal

import torch

from seewhy.models.classifier import Classifier
from seewhy.registry import register_method
from seewhy.runtime.options import at_least
from seewhy.runtime.progress import track
from seewhy.types import Attribution, Images, Maps, Targets


@register_method("smooth", paper="smilkov2017")
def smooth(
    model: Classifier,
    images: Images,
    targets: Targets,
    base: Callable[..., Attribution],
    *,
    by: Literal["noise", "flip"] = "noise",
    samples: Annotated[int, at_least(1)] = 10,
    noise: Annotated[float, at_least(0)] = 0.15,
    seed: int = 0,
) -> Maps:
    """Mean of the base's maps over copies of the image with Gaussian noise, or over the image and its mirror image."""
    if by == "flip":
        return (base(model, images, targets).maps + base(model, images.flip(-1), targets).maps.flip(-1)) / 2
    generator = torch.Generator().manual_seed(seed)
    sigma = noise * (images.amax(dim=(1, 2, 3), keepdim=True) - images.amin(dim=(1, 2, 3), keepdim=True))
    runs = []
    for _ in track(range(samples), "smooth"):
        shift = torch.randn(1, *images.shape[1:], generator=generator).to(images)
        runs.append(base(model, images + sigma * shift, targets).maps)
    return torch.stack(runs).mean(dim=0)  # M̂_c
