"""Sources of many images (folders, tar files, lists, data sets of other libraries) as data sets of seewhy.

| source                                            | items                                   | names               |
|---------------------------------------------------|-----------------------------------------|---------------------|
| folder                                            | its images, also in subfolders          | paths below it      |
| … with an index, or one folder per WNID           | the same, with labels                   | paths below it      |
| `labels.csv`, `labels.jsonl`                      | the files that it lists, with labels    | paths in it         |
| `shards/*.tar`                                    | images of WebDataset tar files          | names in the tar    |
| `scenes:size=500`, `coco:images=…,annotations=…`  | those of `open_dataset`                 | its names           |
| list of paths or patterns                         | these files                             | paths as given      |
| `open_dataset(…)`                                 | its items                               | their names         |
| data set of Hugging Face or torch, `Scenes`       | its images                              | `image 0` …         |
| tensor, list of images                            | its images                              | `image 0` …         |
"""

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from glob import has_magic
from pathlib import Path
from typing import Any

from torch import Tensor

from seewhy.data.items import Dataset, ImageItem, Item, Sample, Subset
from seewhy.data.read import read_images
from seewhy.data.sets import KINDS, WNID, index_in, open_dataset
from seewhy.data.sources import single_images
from seewhy.errors import ImageError, InputError
from seewhy.models.preprocess import Preprocess
from seewhy.runtime.options import from_text

TAR = re.compile(r"\.(tar(\.\w+)?|tgz)$", re.IGNORECASE)  # also compressed ones, which are refused with a reason

LISTINGS = (".csv", ".jsonl")


def open_source(source: Any) -> Dataset:
    """Open a source of many images as a data set; see the table above."""
    if isinstance(source, (str, Path)):
        return _open_path(source)
    if isinstance(source, (list, tuple)) and source and all(_is_tar(each) for each in source):
        return open_dataset("webdataset", path=list(source))
    if isinstance(source, (list, tuple)):
        _check_no_listing(source)
    if isinstance(source, (list, tuple, Tensor)):
        return _images(source)
    if isinstance(source, Mapping):
        raise InputError(f"expected one data set, got a dict of {', '.join(map(str, source))}. Pass one of them.")
    if hasattr(source, "__len__") and hasattr(source, "__getitem__"):
        if not len(source):
            raise InputError("the data set is empty: no images were found")
        return source if isinstance(_first(source), Item) else ForeignDataset(source)
    raise InputError(
        f"expected a folder, tar files, a list of images or a data set with a length, got {type(source).__name__}"
    )


def _first(source: Any) -> Any:
    """The first example; None if it cannot be read, which its row will say. Raises if examples have no image."""
    try:
        example = source[0]
    except Exception:
        return None
    unpack_example(example)
    return example


def _open_path(source: str | Path) -> Dataset:
    path = Path(source)
    kind, colon, words = str(source).partition(":")
    if not path.exists() and colon and kind in KINDS:
        return open_dataset(kind, **_parse_options(words))
    if _is_tar(source) and not path.is_dir():
        return open_dataset("webdataset", path=str(source))
    if path.suffix.lower() in LISTINGS:
        return open_dataset("index", path=path)
    if not path.exists() and not has_magic(str(source)):
        kinds = f", nor a data set called {kind!r} (there are {', '.join(KINDS)})" if colon else ""
        raise InputError(f"{source}: there is no such file or folder{kinds}.")
    if not path.is_dir():
        return _images([source])
    if index_in(path):
        return open_dataset("index", path=path)
    classes = [each.name for each in path.iterdir() if each.is_dir() and not each.name.startswith(".")]
    if classes and all(WNID.match(name) for name in classes):
        return open_dataset("imagenet", path=path)
    return open_dataset("folder", path=path)


def _check_no_listing(sources: Any) -> None:
    """Raise if tar files or CSVs are listed together with images."""
    for each in sources:
        if _is_tar(each) or (isinstance(each, (str, Path)) and Path(each).suffix.lower() in LISTINGS):
            raise InputError(
                f"{each}: among several sources, only images, folders and patterns are expected, or tar files alone. "
                "Explain one after the other: a store takes them all."
            )


def _is_tar(source: Any) -> bool:
    return isinstance(source, (str, Path)) and TAR.search(str(source)) is not None


def _parse_options(text: str) -> dict[str, Any]:
    """Parse `size=500,split=test` into options: numbers, bools and text."""
    pairs = [word.partition("=") for word in text.split(",") if word]
    return {name.strip(): _parse_value(value.strip()) for name, _, value in pairs}


def _parse_value(text: str) -> Any:
    for kind in (int, float, bool):
        try:
            return from_text(text, kind)
        except ValueError:
            continue
    return text


def _images(sources: Any) -> Dataset:
    """Files and images, one item each; an unreadable file fails when it is read, not here."""
    items = []
    for number, source in enumerate(single_images(sources)):
        if isinstance(source, ImageError):
            raise source
        name = str(source) if isinstance(source, (str, Path)) else f"image {number}"
        items.append(ImageItem(name, source))
    if not items:
        raise InputError("there are no images: the list is empty")
    return Subset(items, tuple(range(len(items))))


@dataclass(frozen=True)
class ForeignDataset:
    """A data set whose examples are dicts, pairs, or objects with an image: of Hugging Face, torch, or `Scenes`."""

    examples: Any

    def __len__(self) -> int:
        return len(self.examples)

    def __getitem__(self, index: int) -> "ForeignItem":
        return ForeignItem(self.examples, range(len(self))[index])


@dataclass(frozen=True)
class ForeignItem:
    """One example of a foreign data set; even its label is known only after it is read."""

    examples: Any
    index: int

    @property
    def name(self) -> str:
        return f"image {self.index}"

    @property
    def labels(self) -> tuple[int, ...]:
        return self._loaded[1]

    def stamp(self) -> str:
        """The data set's own fingerprint (Hugging Face); empty if it has none."""
        known = getattr(self.examples, "_fingerprint", "")
        return f"{known}:{self.index}" if known else ""

    def image_key(self) -> str:
        return ImageItem(self.name, self._loaded[0]).image_key()

    def key(self) -> str:
        image, labels = self._loaded
        return hashlib.blake2b(
            f"{ImageItem(self.name, image).image_key()}|{labels}".encode(), digest_size=10
        ).hexdigest()

    def pixels(self, preprocess: Preprocess) -> Tensor:
        return read_images(self._loaded[0], preprocess, originals=False).images[0]

    def read(self, preprocess: Preprocess) -> Sample:
        image, labels = self._loaded
        return ImageItem(self.name, image, labels).read(preprocess)

    @cached_property
    def _loaded(self) -> tuple[Any, tuple[int, ...]]:
        image, label = unpack_example(self.examples[self.index])
        return image, _class_numbers(label)


def unpack_example(example: Any) -> tuple[Any, Any]:
    """Image and label (None if there is none) of an example: a dict, a pair, an object with `image`, or the image."""
    if isinstance(example, Mapping):
        if "image" not in example:
            keys = ", ".join(map(str, example))
            raise InputError(f"examples must have an image, this one has the keys {keys}. Rename one to 'image'.")
        return example["image"], example.get("label")
    if isinstance(example, Sequence) and not isinstance(example, str):
        return example[0], example[1] if len(example) > 1 else None
    return getattr(example, "image", example), getattr(example, "label", None)


def _class_numbers(label: Any) -> tuple[int, ...]:
    """A label as the number of a class; empty if it is none, such as a text."""
    try:
        return (int(label),)
    except (TypeError, ValueError, RuntimeError):
        return ()
