"""Scenes as a data set; the ground truth is the object or the part that discriminates between look-alikes."""

import hashlib
from dataclasses import dataclass

from torch import Tensor

from seewhy.data.items import ImageItem, Sample
from seewhy.data.regions import Mask
from seewhy.errors import OptionError
from seewhy.models.preprocess import Preprocess
from seewhy.zoo.scenes import Cue, Scenes

TRUTHS = ("object", "part")


@dataclass(frozen=True)
class ScenesData:
    """Items of `Scenes` with regions; images are drawn on demand."""

    split: str = "test"
    size: int = 2000
    objects: int = 1
    truth: str = "object"
    contrast: bool = False
    shortcut: tuple[str | int, Cue] | None = None

    def __post_init__(self) -> None:
        if self.truth not in TRUTHS:
            raise OptionError(f"truth must be one of {', '.join(TRUTHS)}, got {self.truth!r}")
        self.scenes  # noqa: B018 - raises for wrong options

    def __len__(self) -> int:
        return self.size

    @property
    def scenes(self) -> Scenes:
        return Scenes(self.split, self.size, objects=self.objects, shortcut=self.shortcut)

    def __getitem__(self, index: int) -> "SceneItem":
        return SceneItem(self, range(self.size)[index])


@dataclass(frozen=True)
class SceneItem:
    """An image of Scenes; its labels are known before it is drawn."""

    data: ScenesData
    index: int

    @property
    def name(self) -> str:
        return f"scenes/{self.data.split}/{self.index}"

    @property
    def labels(self) -> tuple[int, ...]:
        labels = self.data.scenes.labels(self.index)
        return (*labels, labels[0] ^ 1) if self.data.contrast else labels

    def image_key(self) -> str:
        """A hash of the image alone; it is drawn from these settings."""
        settings = "scenes", self.data.split, self.index, self.data.objects, *self._cue
        return hashlib.blake2b(repr(settings).encode(), digest_size=10).hexdigest()

    @property
    def _cue(self) -> tuple[Cue, ...]:
        """The cue of the image, if it has one."""
        scenes = self.data.scenes
        return (scenes.cue,) if scenes.has_cue(self.index) else ()

    def stamp(self) -> str:
        return self.image_key()

    def pixels(self, preprocess: Preprocess) -> Tensor:
        """The image alone, as the model sees it."""
        return ImageItem(self.name, self.data.scenes[self.index].image).pixels(preprocess)

    def key(self) -> str:
        settings = self.data.split, self.index, self.data.objects, self.data.truth, self.data.contrast, *self._cue
        return hashlib.blake2b(repr(settings).encode(), digest_size=10).hexdigest()

    def read(self, preprocess: Preprocess) -> Sample:
        scene = self.data.scenes[self.index]
        regions = [Mask(mask.numpy()) for mask in (scene.parts if self.data.truth == "part" else scene.objects)]
        regions += regions[:1] * self.data.contrast
        return ImageItem(self.name, scene.image, self.labels, tuple(regions)).read(preprocess)
