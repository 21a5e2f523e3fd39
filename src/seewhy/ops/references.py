"""Reference images: uninformative images that replace pixels of the explained one or serve as its context.

| name            | image                                                                     |
|-----------------|---------------------------------------------------------------------------|
| `white`         | every pixel 1                                                             |
| `black`         | every pixel 0                                                             |
| `model_mean`    | the mean color that the model subtracts: 0 after its normalization        |
| `imagenet_mean` | the mean color of ImageNet, regardless of the model's normalization       |
| `noise`         | Gaussian noise with a fixed seed, standard normal after normalization     |
| `blur_noise`    | the same noise, blurred (sigma 7, 31 pixels)                              |

Or a color (red, green, blue in [0, 1], or a name of CSS such as `teal` or `#0080ff`), or any image.

Every blur is separable: one pass along the rows, one along the columns.
"""

import math
from pathlib import Path
from typing import Annotated, Any, Literal, get_args

import torch
from jaxtyping import Float
from PIL import ImageColor
from torch import Tensor
from torch.nn.functional import conv2d, pad

from seewhy.errors import OptionError, ShapeError, or_list
from seewhy.runtime.options import Limit
from seewhy.types import IMAGENET_MEAN, Color, Images

Border = Literal["reflect", "zero", "replicate"]
Kernel = Float[Tensor, " taps"]
TOLERANCE = 1e-4  # rounding errors beyond [0, 1]
OneImage = Float[Tensor, "1 colors height width"]
IMAGE_SUFFIXES = (".png", ".jpg", ".jpeg", ".webp", ".bmp", ".tif", ".tiff")
ReferenceName = Literal["white", "black", "model_mean", "imagenet_mean", "noise", "blur_noise"]


def _is_color_or_file(value: Any) -> bool:
    return named_color(value) is not None or Path(value).suffix.lower() in IMAGE_SUFFIXES


def named_color(name: str) -> Color | None:
    """Red, green and blue in [0, 1] of a CSS color; None for other texts.

    >>> named_color("#ff0000"), named_color("white noise")
    ((1.0, 0.0, 0.0), None)
    """
    try:
        return tuple(value / 255 for value in ImageColor.getrgb(name)[:3])
    except ValueError:
        return None


ColorOrFile = Annotated[str, Limit("with the name of a color or of an image file", _is_color_or_file)]
AnyReference = ReferenceName | Color | ColorOrFile | Tensor  # the type of an option; `explain` reads the file


def reference_image(reference: AnyReference, like: Images, *, mean: Color, std: Color) -> OneImage:
    """The reference image of a name, a color or the user's own image, in the shape of `like`.

    `mean` and `std` are those of the model. Values are in [0, 1], except for noise.
    """
    size = like.shape[-2:]
    if isinstance(reference, (tuple, list)):
        check_color(reference, like.shape[1])
        return like.new_tensor(reference).view(1, -1, 1, 1).repeat(1, 1, *size)
    if isinstance(reference, Tensor):
        if reference.shape not in {(like.shape[1], *size), (1, like.shape[1], *size)}:
            raise ShapeError(
                f"reference must be one image of shape {(like.shape[1], *size)}, got {tuple(reference.shape)}"
            )
        _check_range(float(reference.min()), float(reference.max()))
        return reference.to(like).reshape(1, -1, *size)
    color = {"model_mean": mean, "imagenet_mean": IMAGENET_MEAN}.get(reference) or named_color(reference)
    if color is not None:
        return one_color(like[:1], color).contiguous()
    if reference not in get_args(ReferenceName):
        raise OptionError(
            f"reference must be {or_list(get_args(ReferenceName))}, a color (a name, or red, green, blue in [0, 1]), "
            f"an image file or a tensor, got {reference!r}"
        )
    generator = torch.Generator().manual_seed(0)
    noise = torch.randn(1, like.shape[1], *size, generator=generator, dtype=torch.float64).to(like)
    center, scale = (like.new_tensor(color).view(1, -1, 1, 1) for color in (mean, std))
    if reference == "blur_noise":
        noise = blur(noise, gaussian_kernel(31, 7.0), border="replicate")
    return center + scale * noise


def check_color(color: Any, channels: int) -> None:
    """Raise unless the color has a value in [0, 1] per channel."""
    if len(color) != channels:
        raise OptionError(f"reference must have a value for each of the {channels} channels, got {tuple(color)}")
    _check_range(min(color), max(color))


def _check_range(low: float, high: float) -> None:
    if not (low >= -TOLERANCE and high <= 1 + TOLERANCE):
        raise OptionError(f"reference must be in [0, 1], as images are, got {low:.4g} to {high:.4g}")


def one_color(images: Images, color: Color) -> Images:
    """Images of one color, in the shape of `images`; its mean in every channel if the number of channels differs."""
    fitted = color if len(color) == images.shape[1] else (sum(color) / len(color),) * images.shape[1]
    return images.new_tensor(fitted).view(1, -1, 1, 1).expand_as(images)


def gaussian_kernel(size: int, sigma: float) -> Float[Tensor, " size"]:
    """A Gaussian kernel of `size` taps, normalized to sum to one.

    >>> gaussian_kernel(3, 1.0)
    tensor([0.2741, 0.4519, 0.2741], dtype=torch.float64)
    """
    positions = torch.arange(size, dtype=torch.float64) - (size - 1) / 2
    weights = torch.exp(-positions.square() / (2 * sigma**2))
    return weights / weights.sum()


def folded_kernel(size: int, sigma: float) -> Float[Tensor, " size"]:
    """RISE's `gkern`: a Gaussian reflected into its window at both ends, hence nearly a box for a large sigma.

    The impulse response, in a window of `size`, of a Gaussian filter truncated at four sigma with symmetric padding.
    """
    reach = int(4 * sigma + 0.5)
    weights = gaussian_kernel(2 * reach + 1, sigma)
    landing = torch.arange(-reach, reach + 1) + size // 2  # where each tap falls, then folded
    landing = landing % (2 * size)
    landing = torch.minimum(landing, 2 * size - 1 - landing)
    return torch.zeros(size, dtype=torch.float64).index_add_(0, landing, weights)


def blur(images: Float[Tensor, "n channels height width"], kernel: Kernel, *, border: Border = "reflect") -> Tensor:
    """Separable blur; `reflect` falls back to `replicate` where the kernel is wider than the image."""
    kernel, half = kernel.to(images), len(kernel) // 2
    n, channels, height, width = images.shape
    mode = {"zero": "constant", "reflect": "reflect", "replicate": "replicate"}[border]
    mode = "replicate" if mode == "reflect" and half >= min(height, width) else mode
    planes = pad(images.reshape(n * channels, 1, height, width), (half,) * 4, mode=mode)
    planes = conv2d(conv2d(planes, kernel.view(1, 1, 1, -1)), kernel.view(1, 1, -1, 1))
    return planes.view(n, channels, height, width)


def gaussian_blur(images: Images, *, size: int = 37, sigma: float = 37.0) -> Images:
    """AHA's blurred reference: raw colors, reflected border."""
    return blur(images, gaussian_kernel(size, sigma))


def folded_blur(images: Images, mean: Color, *, size: int, sigma: float) -> Images:
    """RISE's blurred reference: `gkern` on zero-padded normalized colors, so the border fades to the mean color."""
    color = images.new_tensor(mean).view(1, -1, 1, 1)
    return blur(images - color, folded_kernel(size, sigma), border="zero") + color


def center_bump(height: int, width: int, *, sigma: float = 0.25) -> Float[Tensor, "height width"]:
    """A centered Gaussian; `sigma` is a fraction of the height and of the width."""
    rows, cols = (torch.linspace(-0.5, 0.5, size, dtype=torch.float64) for size in (height, width))
    return torch.exp(-(rows.view(-1, 1).square() + cols.view(1, -1).square()) / (2 * math.pow(sigma, 2)))
