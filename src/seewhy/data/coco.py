"""COCO instances: one region per image and category, the union of its objects.

Categories are not the classes of a classifier: `classes` maps categories to classes, which share the category's
region. A benchmark keeps those that the model predicts with `min_confidence`.
"""

import json
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from jaxtyping import Bool
from numpy import ndarray
from PIL import Image, ImageDraw

from seewhy.data.items import ImageItem
from seewhy.data.regions import Cols, Mask, Region, Rows
from seewhy.errors import InputError, UnknownName


@dataclass(frozen=True, eq=False)
class Segmentations:
    """COCO segmentations, rasterized on demand: polygons or, for crowds, run-length encodings."""

    width: int
    height: int
    segmentations: tuple[Any, ...]

    def at(self, rows: Rows, cols: Cols) -> Bool[ndarray, "height width"]:
        mask = np.zeros((self.height, self.width), dtype=bool)
        for segmentation in self.segmentations:
            mask |= self._decode(segmentation["counts"]) if isinstance(segmentation, dict) else self._draw(segmentation)
        return Mask(mask).at(rows, cols)

    def digest(self) -> bytes:
        return repr((self.width, self.height, self.segmentations)).encode()

    def _draw(self, polygons: list[list[float]]) -> Bool[ndarray, "rows cols"]:
        canvas = Image.new("1", (self.width, self.height))
        for polygon in polygons:
            ImageDraw.Draw(canvas).polygon(polygon, fill=1)
        return np.array(canvas, dtype=bool)

    def _decode(self, counts: Any) -> Bool[ndarray, "rows cols"]:
        """A run-length encoding: background first, column by column."""
        if not isinstance(counts, list):
            raise InputError("compressed run-length encodings are not supported; use COCO's instances_*.json")
        values = np.repeat(np.arange(len(counts)) % 2 == 1, counts)
        return values.reshape(self.width, self.height).T


ClassNames = int | str | list[int | str]


def read_coco(
    images: Path, annotations: Path, classes: dict[str, ClassNames] | None, *, min_area: float
) -> Iterator[ImageItem]:
    """Images that show a category of `classes` (None: all); objects below the fraction `min_area` are ignored."""
    if not annotations.is_file():
        raise InputError(f"{annotations}: there is no such file. Expected COCO's instances_*.json")
    try:
        content = json.loads(annotations.read_text())
        if classes is None:
            yield from (ImageItem(each["file_name"], images / each["file_name"]) for each in content["images"])
            return
        categories = {each["name"]: each["id"] for each in content["categories"]}
        yield from _items(images, content, _labels(categories, classes), min_area)
    except InputError:
        raise
    except (ValueError, KeyError, TypeError) as error:
        raise InputError(f"{annotations}: not COCO's instances_*.json: {type(error).__name__}: {error}") from error


def _labels(categories: dict[str, int], classes: dict[str, ClassNames]) -> dict[int, list[int]]:
    """The model's class indices for each category id."""
    for name in classes:
        if name not in categories:
            raise UnknownName("category", name, categories)
    return {categories[name]: parse_class_indices(chosen) for name, chosen in classes.items()}


def parse_class_indices(chosen: ClassNames) -> list[int]:
    """Indices of classes given by index, ImageNet-1k name, a range of indices as text, or several of these.

    >>> parse_class_indices(["340", 339, "zebra", "281-285"])
    [281, 282, 283, 284, 285, 339, 340]
    """
    parts = chosen if isinstance(chosen, list) else [chosen]
    return sorted({index for part in parts for index in _parse_class(part)})


def _parse_class(text: int | str) -> range:
    first, _, last = str(text).partition("-")
    if first.isdecimal() and (last or first).isdecimal():
        return range(int(first), int(last or first) + 1)
    known = _imagenet_names()
    if str(text).casefold() not in known:
        raise UnknownName("ImageNet class", str(text), known)
    index = known[str(text).casefold()]
    return range(index, index + 1)


@cache
def _imagenet_names() -> dict[str, int]:
    """Index of every name and synonym of the ImageNet-1k classes; a name of two classes means the first."""
    from seewhy.models.timm import import_timm

    import_timm()
    from timm.data import ImageNetInfo

    classes = ImageNetInfo()
    names: dict[str, int] = {}
    for index in range(classes.num_classes()):
        for name in classes.index_to_description(index).split(","):
            names.setdefault(name.strip().casefold(), index)
    return names


def _items(folder: Path, content: dict[str, Any], labels: dict[int, list[int]], min_area: float) -> Iterator[ImageItem]:
    images = {each["id"]: each for each in content["images"]}
    objects: dict[int, dict[int, list[Any]]] = defaultdict(lambda: defaultdict(list))
    for each in content["annotations"]:
        image = images[each["image_id"]]
        if each["category_id"] in labels and each["area"] >= min_area * image["width"] * image["height"]:
            for label in labels[each["category_id"]]:
                objects[each["image_id"]][label].append(each["segmentation"])
    for number, by_label in sorted(objects.items()):
        image = images[number]
        size = image["width"], image["height"]
        regions: list[Region] = [Segmentations(*size, tuple(by_label[label])) for label in sorted(by_label)]
        yield ImageItem(image["file_name"], folder / image["file_name"], tuple(sorted(by_label)), tuple(regions))
