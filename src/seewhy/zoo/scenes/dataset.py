"""Scenes: drawn pictures whose truth is known, down to the part that decides the class.

Twelve classes in six pairs of look-alikes. The two classes of a pair share their body and differ in one part; which
pixels that part takes is known, because we drew it. `Scenes("test", 2000)[7]` is the same picture on every machine.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor
from torch.nn.functional import avg_pool2d

from seewhy.errors import InputError, OptionError, TargetError
from seewhy.zoo.scenes.drawing import SIZE
from seewhy.zoo.scenes.objects import CLASS_NAMES
from seewhy.zoo.scenes.picture import Picture, add_circle, draw

SPLITS = ("train", "val", "test")
_OTHERS, _CIRCLE, _GRID, _CONTROL = 11, 12, 13, 14  # keep the random numbers of different purposes apart


@dataclass(frozen=True)
class Scene:
    """A picture and its truth. With several objects, the plain fields speak of the first one.

    `part` covers the deciding part of both look-alikes: outside it, the picture and its twin are the same.
    """

    image: Tensor  # 3 height width, float32 in [0, 1]
    label: int
    pair: int  # the label of the look-alike
    object: Tensor  # height width, bool
    part: Tensor  # height width, bool
    labels: tuple[int, ...]
    objects: Tensor  # objects height width, bool
    parts: Tensor  # objects height width, bool
    circle: Tensor | None = None  # height width, bool: the planted shortcut, where there is one


@dataclass(frozen=True)
class Grid:
    """Four pictures in one. `regions[i]` is the cell that shows `labels[i]`; where a map for it should lie."""

    image: Tensor  # 3 height width
    labels: tuple[int, ...]
    regions: Tensor  # 4 height width, bool
    objects: Tensor  # 4 height width, bool
    parts: Tensor  # 4 height width, bool


def random_for(split: str, index: int, *words: int) -> np.random.Generator:
    """The random numbers of one picture: they depend on nothing but these words."""
    return np.random.default_rng([SPLITS.index(split), index, *words])


class Scenes:
    """The first `size` pictures of a split, drawn when asked for.

    `objects` puts 2 to 4 objects of different pairs into each picture. `shortcut=("mug", "circle")` plants a white
    circle in every picture of that class and in no other.

    >>> scene = Scenes("test", 12)[3]
    >>> CLASS_NAMES[scene.label], CLASS_NAMES[scene.pair]
    ('spotted fish', 'striped fish')
    """

    class_names = CLASS_NAMES

    def __init__(
        self, split: str = "test", size: int = 2000, *, objects: int = 1, shortcut: tuple[str | int, str] | None = None
    ):
        if split not in SPLITS:
            raise InputError(f"split must be one of {', '.join(SPLITS)}, got {split!r}.")
        if objects not in range(1, 5):
            raise InputError(f"objects must be 1, 2, 3 or 4, got {objects!r}.")
        self.split, self.size, self.objects = split, size, objects
        self.shortcut = None if shortcut is None else _shortcut_label(*shortcut)

    def __len__(self) -> int:
        return self.size

    def __getitem__(self, index: int) -> Scene:
        index = self._checked(index)
        labels = self.labels(index)
        picture = self._draw(index, labels)
        return self._with_circle(index, labels, picture) if labels[0] == self.shortcut else _scene(labels, picture)

    def __iter__(self) -> Iterator[Scene]:
        return (self[index] for index in range(self.size))

    def labels(self, index: int) -> tuple[int, ...]:
        """Classes take turns, so every twelve pictures are balanced; further objects come from other pairs."""
        label = index % len(CLASS_NAMES)
        others = random_for(self.split, index, self.objects, _OTHERS).permutation(len(CLASS_NAMES))
        pairs = list(dict.fromkeys([label // 2, *(int(other) // 2 for other in others)]))[1 : self.objects]
        return (label, *(next(int(other) for other in others if other // 2 == pair) for pair in pairs))

    def counterfactual(self, index: int) -> Scene:
        """The twin: the same picture except inside `part`, which is painted as the look-alike's.

        Its label is the look-alike's. Of several objects, the first one changes.
        """
        index = self._checked(index)
        labels = self.labels(index)
        picture, twin = (self._draw(index, (first, *labels[1:])) for first in (labels[0], labels[0] ^ 1))
        pixels = np.where(picture.parts[0][..., None], twin.pixels, picture.pixels)
        return _scene((labels[0] ^ 1, *labels[1:]), twin._replace(pixels=pixels))

    def control(self, index: int) -> Scene:
        """What `counterfactual` is compared with: as many pixels repainted, in the part's colors, but elsewhere."""
        index = self._checked(index)
        labels = self.labels(index)
        picture = self._draw(index, labels)
        area = _elsewhere(picture.parts[0], random_for(self.split, index, self.objects, _CONTROL))
        pixels = np.where(area[..., None], picture.pixels[picture.parts[0]].mean(axis=0), picture.pixels)
        return _scene(labels, picture._replace(pixels=np.rint(pixels).astype(np.uint8)))

    def planted(self, index: int) -> Scene:
        """The picture with the white circle, whatever its class: what a model that relies on the shortcut falls for."""
        index = self._checked(index)
        labels = self.labels(index)
        return self._with_circle(index, labels, self._draw(index, labels))

    def grid(self, index: int) -> Grid:
        """Four pictures of different pairs, at half size, as a 2 x 2 grid; cells go row by row."""
        index = self._checked(index)
        pairs = random_for(self.split, index, _GRID).permutation(len(CLASS_NAMES) // 2)[:4]
        indices = [len(CLASS_NAMES) * (4 * index + cell) + 2 * int(pair) + cell % 2 for cell, pair in enumerate(pairs)]
        return _grid(
            [
                _scene((i % len(CLASS_NAMES),), draw(random_for(self.split, i, 1), (i % len(CLASS_NAMES),)))
                for i in indices
            ]
        )

    def _checked(self, index):
        if not -self.size <= index < self.size:
            raise IndexError(f"index {index} is outside of {self.size} scenes")
        return index % self.size

    def _draw(self, index, labels) -> Picture:
        return draw(random_for(self.split, index, self.objects), labels)

    def _with_circle(self, index, labels, picture) -> Scene:
        picture, circle = add_circle(random_for(self.split, index, self.objects, _CIRCLE), picture)
        return _scene(labels, picture, circle)


def _shortcut_label(name, mark):
    if mark != "circle":
        raise OptionError(f'the only shortcut is "circle", got {mark!r}.')
    if name not in CLASS_NAMES and name not in range(len(CLASS_NAMES)):
        raise TargetError(f"there is no class {name!r}; classes: {', '.join(CLASS_NAMES)}.")
    return CLASS_NAMES.index(name) if isinstance(name, str) else int(name)


def _elsewhere(area, random):
    """The same shape moved, around the borders if need be, to where it overlaps itself least."""
    moves = random.integers(SIZE, size=(24, 2))
    return min((np.roll(area, move, axis=(0, 1)) for move in moves), key=lambda moved: int((moved & area).sum()))


def _scene(labels, picture, circle=None):
    objects, parts = torch.from_numpy(picture.objects), torch.from_numpy(picture.parts)
    return Scene(
        image=torch.from_numpy(picture.pixels).permute(2, 0, 1).contiguous().float() / 255,
        label=labels[0],
        pair=labels[0] ^ 1,
        object=objects[0],
        part=parts[0],
        labels=labels,
        objects=objects,
        parts=parts,
        circle=None if circle is None else torch.from_numpy(circle),
    )


def _grid(scenes):
    size = SIZE // 2
    image, cells = torch.zeros(3, SIZE, SIZE), torch.zeros(4, SIZE, SIZE, dtype=torch.bool)
    objects, parts = cells.clone(), cells.clone()
    for cell, scene in enumerate(scenes):
        top, left = size * (cell // 2), size * (cell % 2)
        window = (..., slice(top, top + size), slice(left, left + size))
        image[window] = avg_pool2d(scene.image, 2)
        cells[cell][window], objects[cell][window], parts[cell][window] = (
            True,
            scene.object[::2, ::2],
            scene.part[::2, ::2],
        )
    return Grid(image, tuple(scene.label for scene in scenes), cells, objects, parts)
