"""Scenes as a data set: the truth is the object, or the part that decides between look-alikes."""

from dataclasses import dataclass

from seewhy.data.items import PictureItem
from seewhy.data.regions import Mask
from seewhy.errors import OptionError
from seewhy.zoo.scenes import Scenes

TRUTHS = ("object", "part")


@dataclass(frozen=True)
class ScenesData:
    """`Scenes` whose items carry regions; pictures are drawn when asked for."""

    split: str = "test"
    size: int = 2000
    objects: int = 1
    truth: str = "object"
    contrast: bool = False

    def __post_init__(self) -> None:
        if self.truth not in TRUTHS:
            raise OptionError(f"truth must be one of {', '.join(TRUTHS)}, got {self.truth!r}")
        Scenes(self.split, self.size, objects=self.objects)

    def __len__(self) -> int:
        return self.size

    def __getitem__(self, index: int) -> PictureItem:
        scene = Scenes(self.split, self.size, objects=self.objects)[index]
        truth = scene.parts if self.truth == "part" else scene.objects
        labels, regions = scene.labels, [Mask(mask.numpy()) for mask in truth]
        if self.contrast:
            labels, regions = (*labels, scene.pair), [*regions, regions[0]]
        return PictureItem(f"scenes/{self.split}/{index}", scene.image, labels, tuple(regions))
