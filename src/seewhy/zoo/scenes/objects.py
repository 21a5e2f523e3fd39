"""The six look-alike pairs of Scenes: a shared body, and two variants of one discriminative part.

A pair is a function of a frame and a palette that yields layers from back to front. Both members of a pair share all
layers except those marked with a member, so nothing else tells them apart. Coordinates: about [-1, 1], y points down.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from seewhy.zoo.scenes.drawing import (
    Array,
    Frame,
    Random,
    box,
    disc,
    distinct,
    ellipse,
    overlap,
    polygon,
    star,
    stick,
    union,
)

FIRST, SECOND = 0, 1
INK = np.array([0.12, 0.1, 0.14], np.float32)
CREAM = np.array([0.97, 0.95, 0.88], np.float32)


class Layer(NamedTuple):
    """One shape of an object; `member` is the look-alike that has it (None: both). Without color it is not painted."""

    distance: Array
    color: Array | None
    member: int | None = None
    bevel: float = 0.2


class Palette(NamedTuple):
    """Colors of one object; the same for both members of a pair."""

    body: Array
    trim: Array
    part: Array


@dataclass(frozen=True)
class Pair:
    """Two classes and how to draw them; `area` (square units) and `reach` (from the center) limit their size."""

    names: tuple[str, str]
    layers: Callable[[Frame, Palette], Iterator[Layer]]
    area: float
    reach: float


def palette(random: Random, background: Array) -> Palette:
    body = distinct(random, background)
    trim = distinct(random, background, body)
    return Palette(body, trim, distinct(random, body, trim, background, tries=12))


def cup(frame: Frame, colors: Palette) -> Iterator[Layer]:
    """Mug: a handle. Pitcher: a spout at the same position."""
    ring = np.abs(ellipse(frame, 0.4, -0.02, 0.4, 0.44)) - np.float32(0.12)
    yield Layer(ring, colors.part, FIRST, 0.12)
    yield Layer(polygon(frame, [(0.2, -0.42), (0.92, -0.62), (0.2, 0.45)], corner=0.05), colors.part, SECOND)
    yield Layer(
        polygon(frame, [(-0.82, -0.72), (0.32, -0.72), (0.2, 0.8), (-0.7, 0.8)], corner=0.06), colors.body, None, 0.4
    )
    yield Layer(polygon(frame, [(-0.78, 0.2), (0.28, 0.2), (0.25, 0.48), (-0.75, 0.48)]), colors.trim)
    yield Layer(ellipse(frame, -0.25, -0.74, 0.65, 0.17), CREAM)
    yield Layer(ellipse(frame, -0.25, -0.72, 0.52, 0.1), colors.body * np.float32(0.45))


def fish(frame: Frame, colors: Palette) -> Iterator[Layer]:
    """Stripes or spots on the flank."""
    body = ellipse(frame, 0.1, 0, 0.85, 0.54)
    yield Layer(polygon(frame, [(-0.6, 0), (-1.1, -0.48), (-0.98, 0), (-1.1, 0.48)], corner=0.05), colors.trim)
    yield Layer(polygon(frame, [(-0.35, -0.35), (-0.15, -0.78), (0.45, -0.4)], corner=0.04), colors.trim)
    yield Layer(polygon(frame, [(-0.2, 0.35), (-0.1, 0.7), (0.25, 0.4)], corner=0.04), colors.trim)
    yield Layer(body, colors.body, None, 0.4)
    flank = overlap(body + np.float32(0.07), box(frame, -0.13, 0, 0.44, 0.6))
    stripes = union(*(box(frame, x, 0, 0.075, 0.6) for x in (-0.42, -0.13, 0.16)))
    spots = union(*(disc(frame, x, y, 0.115) for x, y in _FLANK_SPOTS))
    yield Layer(flank, None)
    yield Layer(overlap(flank, stripes), colors.part, FIRST, 0.1)
    yield Layer(overlap(flank, spots), colors.part, SECOND, 0.1)
    yield Layer(disc(frame, 0.62, -0.12, 0.12), CREAM)
    yield Layer(disc(frame, 0.65, -0.12, 0.06), INK)
    yield Layer(stick(frame, (0.72, 0.2), (0.9, 0.14), 0.025), INK)


_FLANK_SPOTS = [(-0.4, -0.14), (-0.4, 0.18), (-0.13, -0.32), (-0.13, 0.02), (-0.13, 0.34), (0.15, -0.18), (0.15, 0.16)]


def house(frame: Frame, colors: Palette) -> Iterator[Layer]:
    """A chimney or a flag on the roof."""
    yield Layer(box(frame, 0.46, -0.55, 0.19, 0.4), colors.part, FIRST)
    yield Layer(box(frame, 0.46, -0.94, 0.26, 0.1), colors.part * np.float32(0.8), FIRST, 0.1)
    yield Layer(stick(frame, (0.34, -0.1), (0.34, -1.1), 0.05), INK + np.float32(0.3), SECOND, 0.1)
    yield Layer(polygon(frame, [(0.38, -1.1), (1.04, -0.8), (0.38, -0.5)]), colors.part, SECOND)
    yield Layer(box(frame, 0, 0.45, 0.68, 0.47), colors.body, None, 0.4)
    yield Layer(polygon(frame, [(-0.88, 0.02), (0, -0.72), (0.88, 0.02)], corner=0.05), colors.trim, None, 0.3)
    yield Layer(box(frame, -0.26, 0.6, 0.17, 0.32), colors.trim * np.float32(0.6))
    yield Layer(disc(frame, -0.16, 0.62, 0.035), CREAM)
    yield Layer(box(frame, 0.32, 0.42, 0.2, 0.2), CREAM)
    yield Layer(union(box(frame, 0.32, 0.42, 0.2, 0.025), box(frame, 0.32, 0.42, 0.025, 0.2)), INK + np.float32(0.2))


def truck(frame: Frame, colors: Palette) -> Iterator[Layer]:
    """A crate or logs on the bed."""
    yield from _crate(frame, colors.part)
    yield from _logs(frame, colors.part)
    yield Layer(box(frame, -0.02, 0.44, 1.08, 0.09, corner=0.04), colors.trim)
    yield Layer(
        polygon(frame, [(0.52, -0.5), (0.82, -0.5), (1.08, -0.05), (1.08, 0.5), (0.52, 0.5)], corner=0.04),
        colors.body,
        None,
        0.3,
    )
    yield Layer(
        polygon(frame, [(0.62, -0.38), (0.78, -0.38), (0.98, -0.02), (0.62, -0.02)]),
        np.array([0.75, 0.88, 0.95], np.float32),
    )
    for x in (-0.72, -0.2, 0.72):
        yield Layer(disc(frame, x, 0.58, 0.22), INK + np.float32(0.08))
        yield Layer(disc(frame, x, 0.58, 0.1), CREAM * np.float32(0.85))


def _crate(frame: Frame, color: Array) -> Iterator[Layer]:
    side, dark = box(frame, -0.3, -0.07, 0.66, 0.42), color * np.float32(0.55)
    braces = union(stick(frame, (-0.92, -0.45), (0.32, 0.31), 0.055), stick(frame, (-0.92, 0.31), (0.32, -0.45), 0.055))
    yield Layer(side, color, FIRST)
    yield Layer(overlap(side, braces), dark, FIRST, 0.05)
    yield Layer(overlap(side, -side - np.float32(0.09)), dark, FIRST, 0.05)


def _logs(frame: Frame, color: Array) -> Iterator[Layer]:
    for x, y in ((-0.74, 0.14), (-0.3, 0.14), (0.14, 0.14), (-0.52, -0.25), (-0.08, -0.25)):
        yield Layer(disc(frame, x, y, 0.22), color, SECOND)
        yield Layer(np.abs(disc(frame, x, y, 0.11)) - np.float32(0.025), color * np.float32(0.5), SECOND, 0.05)


def boat(frame: Frame, colors: Palette) -> Iterator[Layer]:
    """A star or a moon on the sail."""
    yield Layer(stick(frame, (0, -0.98), (0, 0.5), 0.045), INK + np.float32(0.25))
    sail = polygon(frame, [(-0.58, -0.86), (0.58, -0.86), (0.72, 0.26), (-0.72, 0.26)], corner=0.05)
    yield Layer(sail, colors.trim, None, 0.5)
    yield Layer(disc(frame, 0, -0.3, 0.47), None)
    yield Layer(star(frame, 0, -0.27, 0.47), colors.part, FIRST, 0.15)
    bite = disc(frame, 0.2, -0.38, 0.34)
    yield Layer(overlap(disc(frame, 0, -0.3, 0.44), -bite), colors.part, SECOND, 0.15)
    yield Layer(
        polygon(frame, [(-0.95, 0.42), (0.95, 0.42), (0.6, 0.86), (-0.6, 0.86)], corner=0.05), colors.body, None, 0.3
    )
    yield Layer(box(frame, 0, 0.53, 0.78, 0.05), CREAM)


def head(frame: Frame, colors: Palette) -> Iterator[Layer]:
    """The ears of a cat or of a rabbit."""
    for side in (-1, 1):
        yield Layer(
            polygon(frame, [(side * 0.68, 0.1), (side * 0.7, -0.62), (side * 0.08, -0.12)], corner=0.04),
            colors.part,
            FIRST,
        )
        yield Layer(ellipse(frame, side * 0.27, -0.52, 0.19, 0.5, angle=side * 0.16), colors.part, SECOND)
    yield Layer(ellipse(frame, 0, 0.32, 0.78, 0.62), colors.body, None, 0.5)
    for side in (-1, 1):
        yield Layer(ellipse(frame, side * 0.3, 0.16, 0.13, 0.16), CREAM)
        yield Layer(ellipse(frame, side * 0.28, 0.18, 0.065, 0.1), INK)
        for tilt in (0, 0.12):
            yield Layer(stick(frame, (side * 0.3, 0.5 + tilt / 2), (side * 0.68, 0.44 + tilt), 0.02), INK)
    yield Layer(ellipse(frame, 0, 0.54, 0.24, 0.19), CREAM)
    yield Layer(ellipse(frame, 0, 0.45, 0.1, 0.07), INK + np.array([0.5, 0.15, 0.2], np.float32))


PAIRS = (
    Pair(("mug", "pitcher"), cup, area=2.1, reach=1.18),
    Pair(("striped fish", "spotted fish"), fish, area=1.9, reach=1.2),
    Pair(("chimney house", "flag house"), house, area=2.1, reach=1.25),
    Pair(("crate truck", "log truck"), truck, area=2.2, reach=1.2),
    Pair(("star boat", "moon boat"), boat, area=2.4, reach=1.12),
    Pair(("cat", "rabbit"), head, area=2.0, reach=1.08),
)
CLASS_NAMES = tuple(name for pair in PAIRS for name in pair.names)
