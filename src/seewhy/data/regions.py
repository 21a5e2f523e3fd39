"""Regions: which part of a picture belongs to a class, carried through the model's crop.

A region answers for places, given as fractions of the picture's width and height: so boxes, masks of any size and
polygons are asked in the same way, and the crop is nothing but a choice of places.
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

SIDES = ("xmin", "ymin", "xmax", "ymax")
Down, Across = Float[ndarray, " height"], Float[ndarray, " width"]  # fractions of the picture


@runtime_checkable
class Region(Protocol):
    """Part of a picture."""

    def at(self, down: Down, across: Across) -> Bool[ndarray, "height width"]:
        """Whether the places belong to it; every combination of the two is asked for."""
        ...

    def digest(self) -> bytes:
        """A name for its content."""
        ...


@dataclass(frozen=True)
class Boxes:
    """Rectangles: left, top, right, bottom as fractions of width and height; together they are the region."""

    boxes: tuple[Box, ...]

    def at(self, down: Down, across: Across) -> Bool[ndarray, "height width"]:
        inside = np.zeros((len(down), len(across)), dtype=bool)
        for left, top, right, bottom in self.boxes:
            rows, cols = (down >= top) & (down < bottom), (across >= left) & (across < right)
            inside |= np.logical_and.outer(rows, cols)
        return inside

    def digest(self) -> bytes:
        return repr(self.boxes).encode()


@dataclass(frozen=True)
class BoxFile:
    """Boxes in a file of ILSVRC's annotations (XML, pixels); no file, no boxes."""

    path: Path

    def at(self, down: Down, across: Across) -> Bool[ndarray, "height width"]:
        return Boxes(self._read() if self.path.is_file() else ()).at(down, across)

    def digest(self) -> bytes:
        return hashlib.blake2b(self.path.read_bytes() if self.path.is_file() else b"missing").digest()

    def _read(self) -> tuple[Box, ...]:
        try:
            tree = ElementTree.parse(self.path)
            width, height = (float(tree.findtext(f"size/{side}") or 1) for side in ("width", "height"))
            sides = [[float(box.findtext(side) or 0) for side in SIDES] for box in tree.iter("bndbox")]
        except (ElementTree.ParseError, ValueError) as error:
            raise ImageError(f"{self.path}: not ILSVRC's annotations: {error}") from error
        return tuple((x0 / width, y0 / height, x1 / width, y1 / height) for x0, y0, x1, y1 in sides)


@dataclass(frozen=True, eq=False)
class Mask:
    """One value per pixel of a mask, which need not have the picture's size."""

    mask: Bool[ndarray, "rows cols"]

    def at(self, down: Down, across: Across) -> Bool[ndarray, "height width"]:
        rows, cols = self.mask.shape
        row, col = (down * rows).astype(int).clip(0, rows - 1), (across * cols).astype(int).clip(0, cols - 1)
        return self.mask[row][:, col]

    def digest(self) -> bytes:
        return hashlib.blake2b(np.packbits(self.mask).tobytes()).digest() + repr(self.mask.shape).encode()


@dataclass(frozen=True)
class MaskFile:
    """A mask in a file. Pixels belong to the region if their value is one of `values`; None: anything but 0.

    `wide` masks spread their value over two channels, red + 256 green, as those of ImageNet-S do.
    """

    path: Path
    values: tuple[int, ...] | None = None
    wide: bool = False

    def at(self, down: Down, across: Across) -> Bool[ndarray, "height width"]:
        if not self.path.is_file():
            raise ImageError(f"{self.path}: there is no such mask.")
        with decoding(str(self.path)), Image.open(self.path) as picture:
            pixels = np.array(picture.convert("RGB") if self.wide else picture, dtype=np.int64)
        pixels = pixels[..., 0] + 256 * pixels[..., 1] if self.wide else pixels
        pixels = pixels.max(axis=-1) if pixels.ndim == 3 else pixels
        return Mask(pixels != 0 if self.values is None else np.isin(pixels, self.values)).at(down, across)

    def digest(self) -> bytes:
        content = self.path.read_bytes() if self.path.is_file() else b"missing"
        return hashlib.blake2b(content).digest() + repr((self.values, self.wide)).encode()


def cut(region: Region, box: Box, original: tuple[int, int], size: tuple[int, int]) -> Bool[Tensor, "height width"]:
    """The region as the model sees it: `box` is its part of the `original` (width, height), `size` height and width.

    >>> cut(Boxes(((0.0, 0.0, 0.5, 1.0),)), (0, 0, 4, 2), (4, 2), (2, 4)).int().tolist()
    [[1, 1, 0, 0], [1, 1, 0, 0]]
    """
    left, top, right, bottom = box
    down = (top + (np.arange(size[0]) + 0.5) * (bottom - top) / size[0]) / original[1]
    across = (left + (np.arange(size[1]) + 0.5) * (right - left) / size[1]) / original[0]
    return torch.from_numpy(region.at(down, across))
