"""Scenes: a synthetic data set with known ground truth, down to the part that discriminates the class.

Twelve classes in six pairs of look-alikes. The two classes of a pair share their body and differ in one part, whose
pixels are known because seewhy draws them. `Scenes("test", 2000)[7]` is the same image on every machine.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor
from torch.nn.functional import avg_pool2d

from seewhy.errors import InputError, TargetError
from seewhy.zoo.scenes.cues import Cue
from seewhy.zoo.scenes.drawing import SIZE
from seewhy.zoo.scenes.objects import CLASS_NAMES
from seewhy.zoo.scenes.scene import DrawnScene, add_cue, draw_scene

SPLITS = ("train", "val", "test")
_OTHERS, _CUE, _GRID, _CONTROL, _PREVALENCE = 11, 12, 13, 14, 15  # separate random streams

Labels = tuple[int, ...]


@dataclass(frozen=True)
class Scene:
    """An image and its ground truth. With several objects, `label`, `object` and `part` describe the first one.

    `part` covers the discriminative part of both look-alikes: outside it, image and counterfactual are identical.
    """

    image: Tensor  # 3 height width, float32 in [0, 1]
    label: int
    pair: int  # label of the look-alike
    object: Tensor  # height width, bool
    part: Tensor  # height width, bool
    labels: Labels
    objects: Tensor  # objects height width, bool
    parts: Tensor  # objects height width, bool
    cue: Tensor | None = None  # height width, bool: the planted cue, if any


@dataclass(frozen=True)
class Grid:
    """Four images in a 2x2 grid. `regions[i]` is the cell that shows `labels[i]`, the ground truth for its map."""

    image: Tensor  # 3 height width
    labels: Labels
    regions: Tensor  # 4 height width, bool
    objects: Tensor  # 4 height width, bool
    parts: Tensor  # 4 height width, bool


def random_for(split: str, index: int, *streams: int) -> np.random.Generator:
    """The random generator of one image, a function of the arguments alone."""
    return np.random.default_rng([SPLITS.index(split), index, *streams])


class Scenes:
    """The first `size` images of a split, drawn on demand.

    `objects` is the number of objects per image (1 to 4, of different pairs). `shortcut=("mug", "circle")` plants a
    white circle in every image of that class and in no other; `("mug", Cue("border", prevalence=0.5))` plants another
    cue in half of them.

    >>> scene = Scenes("test", 12)[3]
    >>> CLASS_NAMES[scene.label], CLASS_NAMES[scene.pair]
    ('spotted fish', 'striped fish')
    """

    class_names = CLASS_NAMES

    def __init__(
        self,
        split: str = "test",
        size: int = 2000,
        *,
        objects: int = 1,
        shortcut: tuple[str | int, str | Cue] | None = None,
    ) -> None:
        if split not in SPLITS:
            raise InputError(f"split must be one of {', '.join(SPLITS)}, got {split!r}.")
        if objects not in range(1, 5):
            raise InputError(f"objects must be 1, 2, 3 or 4, got {objects!r}.")
        self.split, self.size, self.objects = split, size, objects
        self.shortcut = None if shortcut is None else _label(shortcut[0])
        self.cue = Cue() if shortcut is None else _cue(shortcut[1])

    def __len__(self) -> int:
        return self.size

    def __getitem__(self, index: int) -> Scene:
        index = self._checked(index)
        labels = self.labels(index)
        drawn = self._draw(index, labels)
        return self._with_cue(index, labels, drawn) if self.has_cue(index) else _scene(labels, drawn)

    def __iter__(self) -> Iterator[Scene]:
        return (self[index] for index in range(self.size))

    def labels(self, index: int) -> Labels:
        """Labels of an image. Classes alternate, so every twelve images are balanced; objects differ in their pair."""
        label = index % len(CLASS_NAMES)
        others = random_for(self.split, index, self.objects, _OTHERS).permutation(len(CLASS_NAMES))
        pairs = list(dict.fromkeys([label // 2, *(int(other) // 2 for other in others)]))[1 : self.objects]
        return (label, *(next(int(other) for other in others if other // 2 == pair) for pair in pairs))

    def has_cue(self, index: int) -> bool:
        """Whether the shortcut is planted in an image."""
        if self.labels(index)[0] != self.shortcut:
            return False
        return bool(random_for(self.split, index, self.objects, _PREVALENCE).random() < self.cue.prevalence)

    def counterfactual(self, index: int) -> Scene:
        """The same image with `part` of the first object repainted as the look-alike's, which is the new label."""
        index = self._checked(index)
        labels = self.labels(index)
        drawn, twin = (self._draw(index, (first, *labels[1:])) for first in (labels[0], labels[0] ^ 1))
        pixels = np.where(drawn.parts[0][..., None], twin.pixels, drawn.pixels)
        return _scene((labels[0] ^ 1, *labels[1:]), twin._replace(pixels=pixels))

    def control(self, index: int) -> Scene:
        """The control of `counterfactual`: the same number of pixels repainted in the part's color, but elsewhere."""
        index = self._checked(index)
        labels = self.labels(index)
        drawn = self._draw(index, labels)
        area = _elsewhere(drawn.parts[0], random_for(self.split, index, self.objects, _CONTROL))
        pixels = np.where(area[..., None], drawn.pixels[drawn.parts[0]].mean(axis=0), drawn.pixels)
        return _scene(labels, drawn._replace(pixels=np.rint(pixels).astype(np.uint8)))

    def planted(self, index: int) -> Scene:
        """The image with the cue, for any class: fools a model that relies on the shortcut."""
        index = self._checked(index)
        labels = self.labels(index)
        return self._with_cue(index, labels, self._draw(index, labels))

    def grid(self, index: int) -> Grid:
        """Four images of different pairs at half size in a 2x2 grid, in row-major order."""
        index = self._checked(index)
        pairs = random_for(self.split, index, _GRID).permutation(len(CLASS_NAMES) // 2)[:4]
        indices = [len(CLASS_NAMES) * (4 * index + cell) + 2 * int(pair) + cell % 2 for cell, pair in enumerate(pairs)]
        labels = [(i % len(CLASS_NAMES),) for i in indices]
        drawn = [draw_scene(random_for(self.split, i, 1), label) for i, label in zip(indices, labels, strict=True)]
        return _grid([_scene(label, scene) for label, scene in zip(labels, drawn, strict=True)])

    def _checked(self, index: int) -> int:
        if not -self.size <= index < self.size:
            raise IndexError(f"index {index} is out of range for {self.size} scenes")
        return index % self.size

    def _draw(self, index: int, labels: Labels) -> DrawnScene:
        return draw_scene(random_for(self.split, index, self.objects), labels)

    def _with_cue(self, index: int, labels: Labels, drawn: DrawnScene) -> Scene:
        drawn, cue = add_cue(random_for(self.split, index, self.objects, _CUE), drawn, self.cue)
        return _scene(labels, drawn, cue)


def _label(name: str | int) -> int:
    if name not in CLASS_NAMES and name not in range(len(CLASS_NAMES)):
        raise TargetError(f"there is no class {name!r}; classes: {', '.join(CLASS_NAMES)}.")
    return CLASS_NAMES.index(name) if isinstance(name, str) else int(name)


def _cue(cue: str | Cue) -> Cue:
    return Cue(cue) if isinstance(cue, str) else cue


def _elsewhere(area: np.ndarray, random: np.random.Generator) -> np.ndarray:
    """The area shifted (cyclically) to where it overlaps the original least."""
    moves = random.integers(SIZE, size=(24, 2))
    return min((np.roll(area, move, axis=(0, 1)) for move in moves), key=lambda moved: int((moved & area).sum()))


def _scene(labels: Labels, drawn: DrawnScene, cue: np.ndarray | None = None) -> Scene:
    objects, parts = torch.from_numpy(drawn.objects), torch.from_numpy(drawn.parts)
    return Scene(
        image=torch.from_numpy(drawn.pixels).permute(2, 0, 1).contiguous().float() / 255,
        label=labels[0],
        pair=labels[0] ^ 1,
        object=objects[0],
        part=parts[0],
        labels=labels,
        objects=objects,
        parts=parts,
        cue=None if cue is None else torch.from_numpy(cue),
    )


def _grid(scenes: Sequence[Scene]) -> Grid:
    size = SIZE // 2
    image, cells = torch.zeros(3, SIZE, SIZE), torch.zeros(4, SIZE, SIZE, dtype=torch.bool)
    objects, parts = cells.clone(), cells.clone()
    for cell, scene in enumerate(scenes):
        top, left = size * (cell // 2), size * (cell % 2)
        window = (..., slice(top, top + size), slice(left, left + size))
        image[window] = avg_pool2d(scene.image, 2)
        cells[cell][window] = True
        objects[cell][window], parts[cell][window] = scene.object[::2, ::2], scene.part[::2, ::2]
    return Grid(image, tuple(scene.label for scene in scenes), cells, objects, parts)
