"""The preprocessing of a model: geometry of crop and resize, mean and std."""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from seewhy.types import IMAGENET_MEAN, IMAGENET_STD, Color

Box = tuple[float, float, float, float]  # left, top, right, bottom in pixels of the original


@dataclass(frozen=True)
class Preprocess:
    """Center crop of the fraction `crop` of the shorter side (with `squash`: of both sides), resized to `size`.

    `transform`, a function from a PIL image to the normalized tensor, replaces all of that; `mean` and `std` undo its
    normalization. An image that already has the model's size is neither cropped nor resized.
    """

    size: tuple[int, int]  # height, width
    mean: Color = IMAGENET_MEAN
    std: Color = IMAGENET_STD
    crop: float = 0.875
    squash: bool = False
    interpolation: str = "bicubic"
    transform: Callable[[Any], Any] | None = field(default=None, repr=False)

    @cached_property
    def channels(self) -> int:
        return len(self.mean)

    def box(self, width: int, height: int) -> Box:
        """The crop of an image of this size that the model sees.

        >>> Preprocess((224, 224), crop=0.5).box(400, 200)
        (150.0, 50.0, 250.0, 150.0)
        >>> Preprocess((224, 224), crop=0.5, squash=True).box(400, 200)
        (100.0, 50.0, 300.0, 150.0)
        >>> Preprocess((224, 224), crop=0.5).box(224, 224)
        (0.0, 0.0, 224.0, 224.0)
        """
        if (height, width) == tuple(self.size):
            return 0.0, 0.0, float(width), float(height)
        if self.squash:
            half_width, half_height = self.crop * width / 2, self.crop * height / 2
        else:
            scale = self.crop * min(width / self.size[1], height / self.size[0])
            half_width, half_height = self.size[1] * scale / 2, self.size[0] * scale / 2
        return (
            width / 2 - half_width,
            height / 2 - half_height,
            width / 2 + half_width,
            height / 2 + half_height,
        )

    @cached_property
    def description(self) -> str:
        """The preprocessing in words.

        >>> Preprocess((224, 224)).description
        'center crop of 87.5% of the shorter side, resized to 224x224 pixels (bicubic)'
        """
        size = f"{self.size[0]}x{self.size[1]} pixels"
        if self.transform is not None:
            return f"own transform to {size}"
        part = "whole image" if self.crop == 1 else f"center crop of {100 * self.crop:.4g}% of both sides"
        if not self.squash:
            part = f"center crop of {100 * self.crop:.4g}% of the shorter side"
        return f"{part}, {'stretched' if self.squash else 'resized'} to {size} ({self.interpolation})"
