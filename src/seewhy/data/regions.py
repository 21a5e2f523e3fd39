"""Ground-truth regions (boxes, masks, polygons) of a class, cropped as the model crops the image.

A region is sampled at positions given as fractions of the image's height and width. Boxes, masks of any size and
polygons are therefore cropped and resized by the same code: the crop only selects the positions.
"""

import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, runtime_checkable
from xml.etree import ElementTree

import numpy as np
import torch
from jaxtyping import Bool, Float
from numpy import ndarray
from PIL import Image
from torch import Tensor

from seewhy.data.decode import decoding
from seewhy.errors import ImageError
from seewhy.models.preprocess import Box
from seewhy.runtime.copies import local_path

SIDES = ("xmin", "ymin", "xmax", "ymax")
Rows = Float[ndarray, " height"]  # vertical positions, as fractions of the image
Cols = Float[ndarray, " width"]


@runtime_checkable
class Region(Protocol):
    """The pixels of an image that belong to a class."""

    def at(self, rows: Rows, cols: Cols) -> Bool[ndarray, "height width"]:
        """Whether each position of the grid `rows x cols` belongs to the region."""
        ...

    def digest(self) -> bytes:
        """A hash of the content."""
        ...


@dataclass(frozen=True)
class Boxes:
    """The union of rectangles: left, top, right, bottom as fractions of width and height."""

    boxes: tuple[Box, ...]

    def at(self, rows: Rows, cols: Cols) -> Bool[ndarray, "height width"]:
        inside = np.zeros((len(rows), len(cols)), dtype=bool)
        for left, top, right, bottom in self.boxes:
            inside |= np.logical_and.outer((rows >= top) & (rows < bottom), (cols >= left) & (cols < right))
        return inside

    def digest(self) -> bytes:
        return repr(self.boxes).encode()


@dataclass(frozen=True)
class BoxFile:
    """Boxes of an ILSVRC annotation file (XML, in pixels); empty if the file does not exist."""

    path: Path

    def at(self, rows: Rows, cols: Cols) -> Bool[ndarray, "height width"]:
        return Boxes(self._read() if local_path(self.path).is_file() else ()).at(rows, cols)

    def digest(self) -> bytes:
        return hashlib.blake2b(_content(self.path)).digest()

    def _read(self) -> tuple[Box, ...]:
        try:
            tree = ElementTree.parse(local_path(self.path))
            width, height = (float(tree.findtext(f"size/{side}") or 1) for side in ("width", "height"))
            sides = [[float(box.findtext(side) or 0) for side in SIDES] for box in tree.iter("bndbox")]
        except (ElementTree.ParseError, ValueError) as error:
            raise ImageError(f"{self.path}: not an ILSVRC annotation file: {error}") from error
        return tuple((x0 / width, y0 / height, x1 / width, y1 / height) for x0, y0, x1, y1 in sides)


@dataclass(frozen=True, eq=False)
class Mask:
    """A binary mask; its size may differ from the image's."""

    mask: Bool[ndarray, "rows cols"]

    def at(self, rows: Rows, cols: Cols) -> Bool[ndarray, "height width"]:
        height, width = self.mask.shape
        y, x = (rows * height).astype(int).clip(0, height - 1), (cols * width).astype(int).clip(0, width - 1)
        return self.mask[np.ix_(y, x)]

    def digest(self) -> bytes:
        return hashlib.blake2b(np.packbits(self.mask).tobytes()).digest() + repr(self.mask.shape).encode()


@dataclass(frozen=True)
class MaskFile:
    """A mask file; the region is where pixels have one of `values`. Default: any value but 0.

    With `wide`, values are encoded in two channels as red + 256 * green, as in ImageNet-S.
    """

    path: Path
    values: tuple[int, ...] | None = None
    wide: bool = False

    def at(self, rows: Rows, cols: Cols) -> Bool[ndarray, "height width"]:
        file = local_path(self.path)
        if not file.is_file():
            raise ImageError(f"{self.path}: there is no such mask file.")
        with decoding(str(self.path)), Image.open(file) as image:
            pixels = np.array(image.convert("RGB") if self.wide else image, dtype=np.int64)
        pixels = pixels[..., 0] + 256 * pixels[..., 1] if self.wide else pixels
        pixels = pixels.max(axis=-1) if pixels.ndim == 3 else pixels
        return Mask(pixels != 0 if self.values is None else np.isin(pixels, self.values)).at(rows, cols)

    def digest(self) -> bytes:
        return hashlib.blake2b(_content(self.path)).digest() + repr((self.values, self.wide)).encode()


def _content(path: Path) -> bytes:
    file = local_path(path)
    return file.read_bytes() if file.is_file() else b"missing"


def crop_region(
    region: Region, box: Box, original: tuple[int, int], size: tuple[int, int]
) -> Bool[Tensor, "height width"]:
    """The region as the model sees it: cropped to `box` of an `original` (width, height), at `size` (height, width).

    >>> crop_region(Boxes(((0.0, 0.0, 0.5, 1.0),)), (0, 0, 4, 2), (4, 2), (2, 4)).int().tolist()
    [[1, 1, 0, 0], [1, 1, 0, 0]]
    """
    left, top, right, bottom = box
    rows = (top + (np.arange(size[0]) + 0.5) * (bottom - top) / size[0]) / original[1]
    cols = (left + (np.arange(size[1]) + 0.5) * (right - left) / size[1]) / original[0]
    return torch.from_numpy(region.at(rows, cols))
