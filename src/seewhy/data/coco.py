"""COCO's instances: per picture and category one region, the union of its objects."""

import json
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from jaxtyping import Bool
from numpy import ndarray
from PIL import Image, ImageDraw

from seewhy.data.items import PictureItem
from seewhy.data.regions import Across, Down, Mask, Region
from seewhy.errors import InputError, UnknownName


@dataclass(frozen=True, eq=False)
class Outlines:
    """Objects as COCO writes them, drawn when asked: polygons, or for crowds the lengths of runs."""

    width: int
    height: int
    segmentations: tuple[Any, ...]

    def at(self, down: Down, across: Across) -> Bool[ndarray, "height width"]:
        mask = np.zeros((self.height, self.width), dtype=bool)
        for segmentation in self.segmentations:
            mask |= self._runs(segmentation["counts"]) if isinstance(segmentation, dict) else self._drawn(segmentation)
        return Mask(mask).at(down, across)

    def digest(self) -> bytes:
        return repr((self.width, self.height, self.segmentations)).encode()

    def _drawn(self, polygons: list[list[float]]) -> Bool[ndarray, "rows cols"]:
        canvas = Image.new("1", (self.width, self.height))
        for polygon in polygons:
            ImageDraw.Draw(canvas).polygon(polygon, fill=1)
        return np.array(canvas, dtype=bool)

    def _runs(self, counts: Any) -> Bool[ndarray, "rows cols"]:
        """Lengths of runs, outside first, column by column."""
        if not isinstance(counts, list):
            raise InputError("compressed masks are not read; use COCO's own instances_*.json")
        values = np.repeat(np.arange(len(counts)) % 2 == 1, counts)
        return values.reshape(self.width, self.height).T


def read_coco(images: Path, annotations: Path, classes: dict[str, int], *, smallest: float) -> Iterator[PictureItem]:
    """Pictures that show a category of `classes`; objects below the share `smallest` of the picture are left out."""
    if not annotations.is_file():
        raise InputError(f"{annotations}: there is no such file. Expected COCO's instances_*.json")
    try:
        listed = json.loads(annotations.read_text())
        categories = {each["name"]: each["id"] for each in listed["categories"]}
        yield from _items(images, listed, _numbered(categories, classes), smallest)
    except InputError:
        raise
    except (ValueError, KeyError, TypeError) as error:
        raise InputError(f"{annotations}: not COCO's instances_*.json: {type(error).__name__}: {error}") from error


def _numbered(categories: dict[str, int], classes: dict[str, int]) -> dict[int, int]:
    """The model's class by the category's id."""
    for name in classes:
        if name not in categories:
            raise UnknownName("category", name, categories)
    return {categories[name]: label for name, label in classes.items()}


def _items(images: Path, listed: dict[str, Any], labels: dict[int, int], smallest: float) -> Iterator[PictureItem]:
    pictures = {each["id"]: each for each in listed["images"]}
    objects: dict[int, dict[int, list[Any]]] = defaultdict(lambda: defaultdict(list))
    for each in listed["annotations"]:
        picture = pictures[each["image_id"]]
        if each["category_id"] in labels and each["area"] >= smallest * picture["width"] * picture["height"]:
            objects[each["image_id"]][labels[each["category_id"]]].append(each["segmentation"])
    for number, by_label in sorted(objects.items()):
        picture = pictures[number]
        size = picture["width"], picture["height"]
        regions: list[Region] = [Outlines(*size, tuple(by_label[label])) for label in sorted(by_label)]
        yield PictureItem(picture["file_name"], images / picture["file_name"], tuple(sorted(by_label)), tuple(regions))
