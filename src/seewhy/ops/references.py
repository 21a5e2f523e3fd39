"""Pictures that stand for "nothing to see here": one color, or the image out of focus.

Every blur is separable: one pass along the rows, one along the columns.
"""

import math
from typing import Literal

import torch
from jaxtyping import Float
from torch import Tensor
from torch.nn.functional import conv2d, pad

from seewhy.types import Color, Images

Border = Literal["reflect", "zero", "replicate"]
Kernel = Float[Tensor, " taps"]


def one_color(images: Images, color: Color) -> Images:
    """Every image replaced by one color."""
    return images.new_tensor(color).view(1, 3, 1, 1).expand_as(images)


ReferenceColor = Literal["model_mean", "black", "white"]


def solid_reference(name: ReferenceColor, images: Images, mean: Color) -> Float[Tensor, "1 3 height width"]:
    """One image of a single color, of the size of these images; `mean` is the model's mean color."""
    colors = {"model_mean": mean, "black": (0.0, 0.0, 0.0), "white": (1.0, 1.0, 1.0)}
    return one_color(images[:1], colors[name])


def gaussian_kernel(size: int, sigma: float) -> Float[Tensor, " size"]:
    """A Gaussian cut off at `size` taps, of sum one.

    >>> gaussian_kernel(3, 1.0)
    tensor([0.2741, 0.4519, 0.2741], dtype=torch.float64)
    """
    places = torch.arange(size, dtype=torch.float64) - (size - 1) / 2
    weights = torch.exp(-places.square() / (2 * sigma**2))
    return weights / weights.sum()


def folded_kernel(size: int, sigma: float) -> Float[Tensor, " size"]:
    """RISE's `gkern`: a Gaussian folded back into its window at both ends, hence nearly a box for a large sigma.

    It is what comes out when a point in a window of `size` is smoothed with mirrored borders (the border pixel
    repeated) and a Gaussian that ends at four sigma.
    """
    reach = int(4 * sigma + 0.5)
    weights = gaussian_kernel(2 * reach + 1, sigma)
    landing = torch.arange(-reach, reach + 1) + size // 2  # where each tap falls, then folded
    landing = landing % (2 * size)
    landing = torch.minimum(landing, 2 * size - 1 - landing)
    return torch.zeros(size, dtype=torch.float64).index_add_(0, landing, weights)


def blur(pictures: Float[Tensor, "n channels height width"], kernel: Kernel, *, border: Border = "reflect") -> Tensor:
    """Smooth rows and columns with one kernel; a mirrored border wider than the picture becomes a repeated one."""
    kernel, half = kernel.to(pictures), len(kernel) // 2
    n, channels, height, width = pictures.shape
    mode = {"zero": "constant", "reflect": "reflect", "replicate": "replicate"}[border]
    mode = "replicate" if mode == "reflect" and half >= min(height, width) else mode
    planes = pad(pictures.reshape(n * channels, 1, height, width), (half,) * 4, mode=mode)
    planes = conv2d(conv2d(planes, kernel.view(1, 1, 1, -1)), kernel.view(1, 1, -1, 1))
    return planes.view(n, channels, height, width)


def gaussian_blur(images: Images, *, size: int = 37, sigma: float = 37.0) -> Images:
    """AHA's blurred reference: raw colors, mirrored border."""
    return blur(images, gaussian_kernel(size, sigma))


def folded_blur(images: Images, mean: Color, *, size: int, sigma: float) -> Images:
    """RISE's blurred reference: `gkern` on normalized colors with zeros around, so the border drifts to the mean."""
    color = images.new_tensor(mean).view(1, 3, 1, 1)
    return blur(images - color, folded_kernel(size, sigma), border="zero") + color


def center_bump(height: int, width: int, *, sigma: float = 0.25) -> Float[Tensor, "height width"]:
    """A Gaussian in the middle; `sigma` is a share of the height and of the width."""
    rows, cols = (torch.linspace(-0.5, 0.5, size, dtype=torch.float64) for size in (height, width))
    return torch.exp(-(rows.view(-1, 1).square() + cols.view(1, -1).square()) / (2 * math.pow(sigma, 2)))
