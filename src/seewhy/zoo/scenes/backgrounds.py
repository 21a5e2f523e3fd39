"""Backgrounds of Scenes: eight kinds of texture, and clutter that belongs to no class."""

from __future__ import annotations

import numpy as np

from seewhy.zoo.scenes.drawing import (
    SIZE,
    Array,
    Frame,
    Point,
    Random,
    box,
    disc,
    ellipse,
    muted,
    noise,
    overlap,
    paint,
    place,
    polygon,
    stick,
    union,
)

_ROWS, _COLUMNS = np.meshgrid(*[np.linspace(-1, 1, SIZE, dtype=np.float32)] * 2, indexing="ij")


def background(random: Random) -> Array:
    """A texture (rows, columns, 3) of two or three muted colors."""
    texture = _TEXTURES[random.integers(len(_TEXTURES))]
    first = muted(random)
    second = first + (muted(random) - first) * np.float32(random.uniform(0.35, 0.9))
    return texture(random, first, second)


def _mix(first: Array, second: Array, share: Array) -> Array:
    return first + (second - first) * share[..., None]


def _direction(random: Random) -> Array:
    angle = random.uniform(0, 2 * np.pi)
    return np.float32(np.cos(angle)) * _COLUMNS + np.float32(np.sin(angle)) * _ROWS


def _clouds(random: Random, first: Array, second: Array) -> Array:
    return _mix(first, second, noise(random, random.integers(2, 7), octaves=4))


def _gradient(random: Random, first: Array, second: Array) -> Array:
    share = 0.5 + 0.4 * _direction(random) + 0.15 * (noise(random, 24) - 0.5)
    return _mix(first, second, np.clip(share, 0, 1))


def _waves(random: Random, first: Array, second: Array) -> Array:
    stripes = _direction(random) * np.float32(random.uniform(8, 32))
    bends = noise(random, 3) * np.float32(random.uniform(0, 12))
    return _mix(first, second, 0.5 + 0.45 * np.sin(stripes + bends))


def _wood(random: Random, first: Array, second: Array) -> Array:
    rings = noise(random, random.integers(2, 5), 2) * np.float32(random.uniform(15, 40))
    grain = noise(random, 80, 6) - 0.5
    return _mix(first, second, np.clip(0.5 + 0.35 * np.sin(rings) + 0.5 * grain, 0, 1))


def _tiles(random: Random, first: Array, second: Array) -> Array:
    count = int(random.integers(4, 11))
    tone = random.random((count + 1, count + 1)).astype(np.float32)
    rows, columns = ((axis + 1) * np.float32(count / 2) for axis in (_ROWS, _COLUMNS))
    rows = rows + np.float32(random.uniform())
    columns = columns + np.float32(random.uniform()) * (rows.astype(int) % 2)
    joint = (np.minimum(rows % 1, columns % 1) < 0.07).astype(np.float32)
    share = tone[rows.astype(int) % count, columns.astype(int) % count] * (1 - joint)
    return _mix(first, second, share) * (1 - np.float32(0.3) * joint[..., None])


def _bokeh(random: Random, first: Array, second: Array) -> Array:
    canvas = _clouds(random, first, second)
    for _ in range(14):
        frame = place(random.uniform(0, SIZE, 2), scale=random.uniform(8, 30), reach=1.2)
        soft = np.clip(-disc(frame, 0, 0, 1) * 6, 0, 1)[..., None] * np.float32(random.uniform(0.1, 0.4))
        canvas[frame.window] += soft * (muted(random) + np.float32(0.2) - canvas[frame.window])
    return np.clip(canvas, 0, 1)


def _hills(random: Random, first: Array, second: Array) -> Array:
    canvas = _mix(first, np.array([1, 1, 1], np.float32), np.clip(0.3 - 0.4 * _ROWS, 0, 1))
    for level in (0.0, 0.35, 0.65):
        ridge = noise(random, 1, random.integers(2, 6))[:1] * np.float32(0.7) + np.float32(level - 0.4)
        ground = np.clip((_ROWS - ridge) * 60, 0, 1)
        canvas = _mix(
            canvas, second * np.float32(1 - 0.5 * level) * (0.85 + 0.3 * noise(random, 20))[..., None], ground
        )
    return np.clip(canvas, 0, 1)


def _fabric(random: Random, first: Array, second: Array) -> Array:
    threads = np.float32(random.integers(10, 36))
    weave = np.sin(_ROWS * threads * np.float32(np.pi)) * np.sin(_COLUMNS * threads * np.float32(np.pi))
    return _mix(first, second, np.clip(noise(random, 3, octaves=2) + 0.22 * weave, 0, 1))


_TEXTURES = (_clouds, _gradient, _waves, _wood, _tiles, _bokeh, _hills, _fabric)


def clutter(random: Random, canvas: Array, *, light: Point) -> None:
    """Paint a few small objects that belong to no class."""
    for _ in range(random.integers(2, 8)):
        frame = place(random.uniform(0, SIZE, 2), scale=random.uniform(7, 20), angle=random.uniform(0, 2 * np.pi))
        shape = _CLUTTER[random.integers(len(_CLUTTER))]
        paint(canvas, frame, shape(random, frame), muted(random), light=light, outline=0.06)


def _pebble(random: Random, frame: Frame) -> Array:
    return ellipse(frame, 0, 0, 1, random.uniform(0.6, 1))


def _shard(random: Random, frame: Frame) -> Array:
    angles = np.sort(random.uniform(0, 2 * np.pi, 5)) + 0.2 * np.arange(5)
    return polygon(frame, np.stack([np.cos(angles), np.sin(angles)], axis=1))


def _twig(random: Random, frame: Frame) -> Array:
    bend = random.uniform(-0.6, 0.6)
    return union(stick(frame, (-1.2, 0), (0, bend), 0.16), stick(frame, (0, bend), (1.2, 0), 0.16))


def _leaf(random: Random, frame: Frame) -> Array:
    offset = random.uniform(0.45, 0.8)
    return overlap(disc(frame, 0, offset, 1.15), disc(frame, 0, -offset, 1.15))


def _cross(random: Random, frame: Frame) -> Array:
    width = random.uniform(0.2, 0.4)
    return union(box(frame, 0, 0, 1, width), box(frame, 0, 0, width, 1))


def _dice(random: Random, frame: Frame) -> Array:
    return box(frame, 0, 0, 0.8, random.uniform(0.4, 0.8), corner=0.15)


_CLUTTER = (_pebble, _shard, _twig, _leaf, _cross, _dice)
