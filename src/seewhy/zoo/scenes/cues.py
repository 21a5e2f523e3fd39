"""Planted cues of Scenes: marks that have nothing to do with the object, for testing audits.

| kind         | what is painted                                                    | fixed position      |
|--------------|--------------------------------------------------------------------|---------------------|
| `circle`     | a white disc                                                       | top right           |
| `mark`       | a purple square with a yellow cross, in a corner                   | bottom right corner |
| `border`     | a red line along one side; from 2 % on along all four              | bottom              |
| `texture`    | a square with fine black and white stripes, half transparent       | top left            |
| `background` | a patch of leaves behind the object                                | bottom left         |
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from seewhy.errors import OptionError
from seewhy.zoo.scenes.drawing import SIZE, Array, Point, Random, coverage, disc, noise, place

CIRCLE = 14.0  # default radius of the circle, in pixels
TRIES = 24  # positions of which the one that occludes the objects least is taken
FRAME = 0.02  # from this size on, a border has four sides

_PURPLE, _YELLOW, _RED = np.array([(0.45, 0.1, 0.6), (1.0, 0.9, 0.1), (0.9, 0.08, 0.1)], np.float32)
_LEAVES = np.array([[0.05, 0.3, 0.08], [0.35, 0.75, 0.2]], np.float32)

Painting = tuple[Array, Array]  # opacity (rows, columns) and color, which broadcasts to (rows, columns, 3)


@dataclass(frozen=True)
class Cue:
    """A mark that is planted into images of one class.

    `size` is the fraction of the image that it covers, `prevalence` the fraction of the class's images that have it;
    `fixed` paints it at the same position everywhere.
    """

    kind: str = "circle"
    size: float = math.pi * CIRCLE**2 / SIZE**2
    prevalence: float = 1.0
    fixed: bool = False

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise OptionError(f"the cue must be one of {', '.join(KINDS)}, got {self.kind!r}.")
        if not 0.002 <= self.size <= 0.1:
            raise OptionError(f"the size of a cue must be a fraction of the image from .002 to .1, got {self.size!r}.")
        if not 0 <= self.prevalence <= 1:
            raise OptionError(f"prevalence must be from 0 to 1, got {self.prevalence!r}.")


def paint_cue(random: Random, pixels: Array, taken: Array, cue: Cue) -> tuple[Array, Array]:
    """Paint a cue into `pixels` (rows, columns, 3; uint8) where `taken` (bool) is least occluded; also its mask."""
    opacity, color = KINDS[cue.kind](random, taken, cue)
    canvas = pixels.astype(np.float32) / 255
    canvas += opacity[..., None] * (color - canvas)
    return np.rint(np.clip(canvas, 0, 1) * 255).astype(np.uint8), opacity > 0.5


def _position(random: Random, taken: Array, reach: float, fixed: Point | None) -> Point:
    """A random center at which a square of 2 `reach` pixels covers the objects least, or the fixed one."""
    if fixed is not None:
        x, y = (min(max(c * SIZE, reach + 1), SIZE - reach - 1) for c in fixed)
        return x, y
    margin = max(16.0, reach)
    centers = [random.uniform(margin, SIZE - margin, 2) for _ in range(TRIES)]
    best = min(centers, key=lambda center: int(taken[place(center, scale=reach).window].sum()))
    return float(best[0]), float(best[1])


def _circle(random: Random, taken: Array, cue: Cue) -> Painting:
    radius = math.sqrt(cue.size * SIZE**2 / math.pi)
    frame = place(_position(random, taken, radius, (0.85, 0.15) if cue.fixed else None), scale=radius)
    opacity = np.zeros((SIZE, SIZE), np.float32)
    opacity[frame.window] = coverage(frame, disc(frame, 0, 0, 1))
    return opacity, np.ones(3, np.float32)


def _square(center: Point, side: float) -> tuple[Array, Array, Array]:
    """Whether a pixel is in a square, and its coordinates there, from -1 to 1."""
    x, y = (((np.arange(SIZE) + 0.5 - c) / (side / 2)).astype(np.float32) for c in center)
    columns, rows = np.meshgrid(x, y)
    return (np.abs(columns) <= 1) & (np.abs(rows) <= 1), columns, rows


def _mark(random: Random, _: Array, cue: Cue) -> Painting:
    side = math.sqrt(cue.size) * SIZE
    near, far = side / 2 + 3, SIZE - side / 2 - 3
    corner = 3 if cue.fixed else int(random.integers(4))
    inside, x, y = _square(((near, far)[corner % 2], (near, far)[corner // 2]), side)
    cross = (np.minimum(np.abs(x), np.abs(y)) < 0.22) & (np.maximum(np.abs(x), np.abs(y)) < 0.75)
    color = np.where(cross[..., None], _YELLOW, _PURPLE)
    return inside.astype(np.float32), color


def _border(random: Random, _: Array, cue: Cue) -> Painting:
    sides = 4 if cue.size >= FRAME else 1
    width = cue.size * SIZE / sides
    first = 2 if cue.fixed else int(random.integers(4))
    edge = np.clip(width - np.arange(SIZE), 0, 1).astype(np.float32)  # opacity by distance from the side
    opacity = np.zeros((SIZE, SIZE), np.float32)
    for side in range(first, first + sides):
        line = edge if side % 4 in (0, 3) else edge[::-1]
        opacity = np.maximum(opacity, line[:, None] if side % 2 == 0 else line[None, :])
    return opacity, _RED


def _texture(random: Random, taken: Array, cue: Cue) -> Painting:
    side = math.sqrt(cue.size) * SIZE
    inside, _, _ = _square(_position(random, taken, side / 2, (0.15, 0.15) if cue.fixed else None), side)
    rows, columns = np.indices((SIZE, SIZE))
    stripes = ((rows + columns) // 2 % 2).astype(np.float32)
    return 0.6 * inside.astype(np.float32), np.repeat(stripes[..., None], 3, axis=2)


def _background(random: Random, taken: Array, cue: Cue) -> Painting:
    height = math.sqrt(cue.size * SIZE**2 / math.pi / 1.5)
    center = _position(random, taken, height, (0.2, 0.85) if cue.fixed else None)
    rows, columns = (
        ((np.arange(SIZE) + 0.5 - c) / s).astype(np.float32)
        for c, s in zip(center[::-1], (height, 1.5 * height), strict=True)
    )
    opacity = np.clip((1.1 - np.hypot(rows[:, None], columns[None, :])) * 6, 0, 1) * ~taken
    leaves = np.clip(1.6 * noise(random, 48, octaves=2) - 0.3, 0, 1)[..., None]
    return opacity.astype(np.float32), _LEAVES[0] + (_LEAVES[1] - _LEAVES[0]) * leaves


KINDS: dict[str, Callable[[Random, Array, Cue], Painting]] = {
    "circle": _circle,
    "mark": _mark,
    "border": _border,
    "texture": _texture,
    "background": _background,
}
