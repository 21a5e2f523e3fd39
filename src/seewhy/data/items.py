"""The protocol of data sets: a length, and `[index]` returns an item, an image with its labels and regions.

Items are lazy: nothing is read before `read`. An item's key is a hash of its content (image, labels, regions), so it
does not change when files move.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

import numpy as np
import torch
from jaxtyping import Bool, Float
from PIL import Image
from torch import Tensor

from seewhy.data.read import ImageSource, read_images
from seewhy.data.regions import Region, crop_region
from seewhy.errors import ImageError
from seewhy.models.preprocess import Preprocess
from seewhy.runtime.copies import local_path

MIN_SIDE = 8  # pixels


@dataclass(frozen=True)
class Sample:
    """An item as the model sees it. `regions[i]` belongs to `labels[i]`; a single region belongs to every class."""

    name: str
    image: Float[Tensor, "colors height width"]
    labels: tuple[int, ...] = ()
    regions: Bool[Tensor, "regions height width"] | None = None
    original: Image.Image | None = None

    def regions_of(self, targets: Sequence[int]) -> Bool[Tensor, "classes height width"] | None:
        """Ground truth for each target: the region of that label, or the only region; empty if the class is absent."""
        if self.regions is None:
            return None
        if len(self.regions) == 1:
            return self.regions.expand(len(targets), -1, -1)
        by_label = dict(zip(self.labels, self.regions, strict=True))
        empty = torch.zeros_like(self.regions[0])
        return torch.stack([by_label.get(int(target), empty) for target in targets])


@runtime_checkable
class Item(Protocol):
    """An image of a data set, with its name and labels."""

    @property
    def name(self) -> str: ...

    @property
    def labels(self) -> tuple[int, ...]: ...

    def key(self) -> str:
        """A hash of the content."""
        ...

    def read(self, preprocess: Preprocess) -> Sample:
        """The item as a model with this preprocessing sees it; raises `ImageError` if it cannot be read."""
        ...


@runtime_checkable
class Dataset(Protocol):
    """A sequence of items."""

    def __len__(self) -> int: ...

    def __getitem__(self, index: int) -> Item: ...


@dataclass(frozen=True, eq=False)
class ImageItem:
    """An item whose image is a file, a PIL image or a tensor."""

    name: str
    source: ImageSource
    labels: tuple[int, ...] = ()
    regions: tuple[Region, ...] = ()

    def image_key(self) -> str:
        """A hash of the image alone."""
        return hashlib.blake2b(_content(self.source), digest_size=10).hexdigest()

    def stamp(self) -> str:
        """Size and modification time of the file, to detect changes; empty if the image is not a file."""
        return file_stamp(self.source) if isinstance(self.source, (str, Path)) else ""

    def pixels(self, preprocess: Preprocess) -> Tensor:
        """The image alone, as the model sees it."""
        return read_images(self.source, preprocess, originals=False).images[0]

    def key(self) -> str:
        parts = [_content(self.source), repr(self.labels).encode(), *(region.digest() for region in self.regions)]
        return hashlib.blake2b(b"|".join(parts), digest_size=10).hexdigest()

    def read(self, preprocess: Preprocess) -> Sample:
        batch = read_images(self.source, preprocess)
        original = batch.originals[0]
        width, height = original.size if original else (_shape(self.source)[-1], _shape(self.source)[-2])
        if min(width, height) < MIN_SIDE:
            raise ImageError(
                f"{self.name}: images must have at least {MIN_SIDE}x{MIN_SIDE} pixels, got {width}x{height}."
            )
        regions = [crop_region(region, batch.boxes[0], (width, height), preprocess.size) for region in self.regions]
        return Sample(self.name, batch.images[0], self.labels, torch.stack(regions) if regions else None, original)


def image_key(item: Item) -> str:
    """A hash of an item's image alone; of an item without `image_key`, also of its labels and regions."""
    return item.image_key() if hasattr(item, "image_key") else item.key()


@dataclass(frozen=True)
class Subset:
    """Some items of a data set, in a given order."""

    dataset: Sequence[Item] | Dataset
    indices: tuple[int, ...]

    def __len__(self) -> int:
        return len(self.indices)

    def __getitem__(self, index: int) -> Item:
        return self.dataset[self.indices[index]]


def take(dataset: Dataset, limit: int | None = None, *, seed: int | None = None) -> Dataset:
    """The first `limit` items or, with a seed, `limit` random ones."""
    if limit is None and seed is None:
        return dataset
    order = np.arange(len(dataset)) if seed is None else np.random.default_rng(seed).permutation(len(dataset))
    return Subset(dataset, tuple(int(index) for index in order[:limit]))


def file_stamp(path: str | Path) -> str:
    """Size and modification time of a file; empty if it cannot be read."""
    try:
        status = local_path(path).stat()
    except OSError:
        return ""
    return f"{status.st_size}:{status.st_mtime_ns}"


def _content(source: ImageSource) -> bytes:
    if isinstance(source, (str, Path)):
        path = Path(source)
        try:
            return hashlib.blake2b(local_path(path).read_bytes()).digest()
        except OSError:
            return f"cannot be read: {path.name}".encode()
    values = source.numpy(force=True) if isinstance(source, Tensor) else np.asarray(source)
    return hashlib.blake2b(np.ascontiguousarray(values).tobytes()).digest() + repr(values.shape).encode()


def _shape(source: Any) -> tuple[int, ...]:
    return tuple(source.shape)
