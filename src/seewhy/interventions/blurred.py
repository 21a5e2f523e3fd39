"""MDA's adaptive blur: the weakest blur that removes a class from an image."""

from collections.abc import Callable
from typing import NamedTuple

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from seewhy.ops.references import folded_blur
from seewhy.types import Color, Images

CaseIndex = Int[Tensor, " rows"]
Probability = Callable[[Images, CaseIndex, int], Float[Tensor, " rows"]]  # of (blurred images, their cases, blur size)


class BlurSearch(NamedTuple):
    """The blurred image of every case, the kernel size, and whether the blur removes the class."""

    images: Images
    sizes: Int[Tensor, " cases"]
    found: Bool[Tensor, " cases"]


def weakest_blur(
    images: Images,
    mean: Color,
    probability: Probability,
    *,
    start: int = 31,
    stop: int = 101,
    max_probability: float = 0.01,
) -> BlurSearch:
    """Per case, the first kernel size of `start`, `start` + 2, … `stop` at which p(class) <= `max_probability`.

    Where there is none, the largest.
    """
    blurred, cases = images.clone(), torch.arange(len(images), device=images.device)
    sizes, visible = torch.full_like(cases, stop), cases
    for size in range(start, stop + 1, 2):
        blurred[visible] = folded_blur(images[visible], mean, size=size, sigma=size)
        sizes[visible] = size
        visible = visible[probability(blurred[visible], visible, size) > max_probability]
        if len(visible) == 0:
            break
    return BlurSearch(blurred, sizes, torch.isin(cases, visible, invert=True))
