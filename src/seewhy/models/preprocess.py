"""The preprocessing of a model: geometry of crop and resize, mean and std."""

from dataclasses import dataclass

from seewhy.types import IMAGENET_MEAN, IMAGENET_STD, Color

Box = tuple[float, float, float, float]  # left, top, right, bottom in pixels of the original


@dataclass(frozen=True)
class Preprocess:
    """`crop` is the fraction of the shorter side that is kept; with `squash` of both sides, stretched to `size`."""

    size: tuple[int, int]  # height, width
    mean: Color = IMAGENET_MEAN
    std: Color = IMAGENET_STD
    crop: float = 0.875
    squash: bool = False
    interpolation: str = "bicubic"

    def box(self, width: int, height: int) -> Box:
        """The part of an image of this size that the model sees.

        >>> Preprocess((224, 224), crop=0.5).box(400, 200)
        (150.0, 50.0, 250.0, 150.0)
        >>> Preprocess((224, 224), crop=0.5, squash=True).box(400, 200)
        (100.0, 50.0, 300.0, 150.0)
        """
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
