"""Image inputs of any kind, flattened into single images.

| source                              | images                                                                     |
|-------------------------------------|----------------------------------------------------------------------------|
| a folder                            | those in it and its subfolders, sorted by path, without hidden ones        |
| a pattern (`photos/*.jpg`, `**`)    | the files that match                                                       |
| a list, a generator                 | its elements, of any kind                                                  |
| a batch (4 dimensions)              | its images                                                                 |
| a DataLoader, a pair (x, y)         | the images of each batch, without the labels                               |
| a Dataset of torch or seewhy        | the image of each item, without its label                                  |
"""

import glob
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from torch import Tensor
from torch.utils.data import DataLoader, Dataset

from seewhy.data.decode import SUFFIXES, images_below
from seewhy.errors import ImageError


def single_images(source: Any) -> Iterator[Any]:
    """The single images of a source; a folder or pattern without any is represented by its error."""
    if isinstance(source, (str, Path)):
        yield from _files(source)
    elif isinstance(source, (tuple, list)) and _is_labeled(source):
        yield from single_images(source[0])
    elif isinstance(source, Dataset):
        yield from _items(source)
    elif isinstance(source, (Tensor, np.ndarray)):
        yield from source if source.ndim == 4 else [source]
    elif isinstance(source, (list, tuple, DataLoader)) or (hasattr(source, "__next__") and not hasattr(source, "read")):
        for part in source:
            yield from single_images(part)
    else:
        yield source


def _files(source: str | Path) -> Iterator[Any]:
    path, found = Path(source), [Path(source)]
    if path.is_dir():
        found = images_below(path)
    elif not path.exists() and glob.has_magic(str(source)):
        matches = sorted(glob.glob(str(path.expanduser()), recursive=True))
        found = [Path(each) for each in matches if SUFFIXES.search(each)]
    yield from found
    if not found and path.is_dir():
        yield ImageError(f"{path}: no images in this folder. Expected files such as .jpg, .png or .webp.")
    elif not found:
        yield ImageError(f"{source}: no image matches this pattern.")


def _is_labeled(source: Sequence[Any]) -> bool:
    """Whether this is a pair of images and labels: the second part holds numbers, not pixels."""
    if len(source) != 2 or not isinstance(source[0], (Tensor, np.ndarray)) or source[0].ndim != 4:
        return False
    labels = source[1]
    return isinstance(labels, (int, float)) or (isinstance(labels, (Tensor, np.ndarray, list)) and np.ndim(labels) <= 2)


def _items(dataset: Any) -> Iterator[Any]:
    for index in range(len(dataset)):
        item = dataset[index]
        item = item[0] if isinstance(item, (tuple, list)) else item
        yield item["image"] if isinstance(item, dict) and "image" in item else item
