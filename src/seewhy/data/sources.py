"""Image inputs of any kind, flattened into single images.

| source                              | images                                                                     |
|-------------------------------------|----------------------------------------------------------------------------|
| a folder                            | those in it and its subfolders, by path; neither hidden nor seewhy's own   |
| a pattern (`photos/*.jpg`, `**`)    | the files that match                                                       |
| a list, a generator, any iterable   | its elements, of any kind                                                  |
| a batch (4 dimensions)              | its images                                                                 |
| a DataLoader, a pair (x, y)         | the images of each batch, without the labels                               |
| a Dataset of torch, HF or seewhy    | the image of each item, without its label                                  |
| a dict                              | its "image" or "images"                                                    |
"""

import glob
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from torch import Tensor
from torch.utils.data import IterableDataset as Streaming

from seewhy.data.decode import BYTES, SUFFIXES, images_below
from seewhy.errors import ImageError


def single_images(source: Any) -> Iterator[Any]:
    """The single images of a source; a folder or pattern without any is represented by its error."""
    if isinstance(source, (str, Path)):
        yield from _files(source)
    elif isinstance(source, Mapping):
        yield from _named(source)
    elif isinstance(source, (tuple, list)):
        for part in source[:1] if _is_labeled(source) else source:
            yield from single_images(part)
    elif isinstance(source, (Tensor, np.ndarray)) and source.dtype != object:
        yield from source if source.ndim == 4 else [source]
    elif hasattr(source, "__len__") and hasattr(source, "__getitem__") and not isinstance(source, (*BYTES, Streaming)):
        for index in range(len(source)):  # a data set, which need not be iterable
            item = source[index]
            yield from single_images(item[0] if isinstance(item, (tuple, list)) else item)
    elif isinstance(source, Iterable) and not isinstance(source, BYTES) and not hasattr(source, "read"):
        for part in source:
            yield from single_images(part)
    else:
        yield source.image if hasattr(source, "image") else source


def _files(source: str | Path) -> Iterator[Any]:
    path, found = Path(source), [Path(source)]
    if not str(source):
        found = []
    elif path.is_dir():
        found = images_below(path)
    elif not path.exists() and glob.has_magic(str(source)) and not str(source).startswith(("http:/", "https:/")):
        matches = sorted(glob.glob(str(path.expanduser()), recursive=True))
        found = [Path(each) for each in matches if SUFFIXES.search(each)]
    yield from found
    if not found and not str(source):
        yield ImageError("the path is empty.")
    elif not found and path.is_dir():
        yield ImageError(f"{path}: no images in this folder. Expected files such as .jpg, .png or .webp.")
    elif not found:
        yield ImageError(f"{source}: no image matches this pattern.")


def _named(source: Mapping[Any, Any]) -> Iterator[Any]:
    """The images of a dict, such as an example of Hugging Face or a batch of a loader."""
    found = [source[name] for name in ("image", "images") if name in source]
    if found:
        yield from single_images(found[0])
    else:
        yield ImageError(f"a dict must hold an 'image', this one has the keys {', '.join(map(str, source)) or 'none'}.")


def _is_labeled(source: Sequence[Any]) -> bool:
    """Whether this is a pair of images and labels: the second part holds numbers, not pixels."""
    if len(source) != 2:
        return False
    images, labels = source
    if isinstance(images, (Tensor, np.ndarray)) and images.ndim == 4:
        return isinstance(labels, (int, float, Tensor, np.ndarray, list)) and np.ndim(labels) <= 2
    if isinstance(labels, (list, tuple)):
        return bool(labels) and all(isinstance(label, (int, float)) for label in labels)
    return isinstance(labels, (int, float, np.generic)) or (
        isinstance(labels, (Tensor, np.ndarray)) and labels.ndim < 2
    )
