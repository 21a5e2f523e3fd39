"""MDA's adaptive blur: the weakest that removes a class from an image."""

from collections.abc import Callable
from typing import NamedTuple

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from seewhy.ops.references import folded_blur
from seewhy.types import Color, Images

Rows = Int[Tensor, " rows"]
Probability = Callable[[Images, Rows, int], Float[Tensor, " rows"]]  # of blurred images, their cases, the blur's size


class BlurSearch(NamedTuple):
    """Every case's image under the blur that was chosen, the side of its kernel, and whether it removes the class."""

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
    """The first blur of `start`, `start` + 2, … `stop` pixels that leaves a class at most this probability, per image.

    The widest where none does.
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
