"""Blank images: pictures without evidence, in which patches of the explained one are placed.

| name         | what it is                                                                   |
|--------------|------------------------------------------------------------------------------|
| `white`      | every pixel 1                                                                |
| `black`      | every pixel 0                                                                |
| `mean`       | the mean color of the training set, 0 after normalization                   |
| `noise`      | Gaussian noise, standard normal after normalization; always the same         |
| `blur_noise` | the same noise, blurred (sigma 7, 31 pixels)                                 |
"""

from typing import Literal

import torch
from jaxtyping import Float
from torch import Tensor
from torch.nn.functional import conv2d, pad

from seewhy.errors import OptionError, ShapeError, or_list

Blank = Literal["white", "black", "mean", "noise", "blur_noise"]
BLANKS = ("white", "black", "mean", "noise", "blur_noise")
Color = tuple[float, float, float]
OneImage = Float[Tensor, "1 3 height width"]


def blank_image(
    blank: Blank | Tensor, like: Float[Tensor, "batch 3 height width"], *, mean: Color, std: Color
) -> OneImage:
    """One blank image in [0, 1] terms (noise may leave the range), for images like these; or the user's own."""
    size = like.shape[-2:]
    if isinstance(blank, Tensor):
        if blank.shape not in {(3, *size), (1, 3, *size)}:
            raise ShapeError(f"blank must be one image of shape (3, {size[0]}, {size[1]}), got {tuple(blank.shape)}")
        return blank.to(like).reshape(1, 3, *size)
    if blank not in BLANKS:
        raise OptionError(f"blank must be {or_list(BLANKS)} or a tensor, got {blank!r}")
    if blank in ("white", "black"):
        return like.new_full((1, 3, *size), float(blank == "white"))
    center, spread = (like.new_tensor(color).view(1, 3, 1, 1) for color in (mean, std))
    if blank == "mean":
        return center.expand(1, 3, *size).clone()
    generator = torch.Generator().manual_seed(0)
    noise = torch.randn(1, 3, *size, generator=generator, dtype=torch.float64).to(like)
    return center + spread * (noise if blank == "noise" else _blur(noise))


def _blur(images: OneImage, *, sigma: float = 7.0, radius: int = 15) -> Tensor:
    steps = torch.arange(-radius, radius + 1, dtype=torch.float64)
    kernel = torch.exp(-0.5 * (steps / sigma) ** 2).to(images)
    kernel = (kernel / kernel.sum()).expand(3, 1, 1, -1)
    wide = conv2d(pad(images, (radius, radius, 0, 0), mode="replicate"), kernel, groups=3)
    return conv2d(pad(wide, (0, 0, radius, radius), mode="replicate"), kernel.transpose(2, 3), groups=3)
