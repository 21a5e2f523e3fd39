"""Draw one image of Scenes: background, clutter, shadow, objects, then blur, exposure and noise."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from seewhy.zoo.scenes.backgrounds import background, clutter
from seewhy.zoo.scenes.cues import Cue, paint_cue
from seewhy.zoo.scenes.drawing import (
    SIZE,
    Array,
    Frame,
    Point,
    Random,
    cast_shadow,
    coverage,
    noise,
    paint,
    place,
    union,
)
from seewhy.zoo.scenes.objects import PAIRS, Layer, Pair, palette

SMALLEST, LARGEST = 0.055, 0.38  # fraction of the image that an object covers

Cell = tuple[int, int, int, int]  # left, top, width, height


class DrawnScene(NamedTuple):
    """`pixels` (rows, columns, 3) as uint8, and per object its mask and that of its discriminative part."""

    pixels: Array
    objects: Array
    parts: Array


def draw_scene(random: Random, labels: Sequence[int]) -> DrawnScene:
    """Draw objects of the classes `labels`. Look-alikes consume the same random numbers: only their part differs."""
    light = _light(random)
    canvas = background(random)
    clutter(random, canvas, light=light)
    tone = canvas.mean(axis=(0, 1))
    masks = [
        _draw_object(random, canvas, label, cell, light=light, tone=tone) for label, cell in _cells(random, labels)
    ]
    blur = np.float32(random.uniform(0, 0.22))
    pixels = _finish(random, _blur(canvas, blur))
    objects = np.stack([_blur(alpha, blur) > 0.5 for alpha, _ in masks])
    parts = np.stack([_blur(alpha, blur) > 0.02 for _, alpha in masks])
    return DrawnScene(pixels, objects, parts)


def add_cue(random: Random, scene: DrawnScene, cue: Cue) -> tuple[DrawnScene, Array]:
    """Paint a cue where it occludes the objects least; also returns its mask."""
    taken = np.logical_or(scene.objects.any(axis=0), scene.parts.any(axis=0))
    pixels, mask = paint_cue(random, scene.pixels, taken, cue)
    return scene._replace(pixels=pixels), mask


def _light(random: Random) -> Point:
    angle = random.uniform(-0.85, -0.15) * np.pi  # from above
    return float(np.cos(angle)), float(np.sin(angle))


def _cells(random: Random, labels: Sequence[int]) -> list[tuple[int, Cell]]:
    """Assign a cell to each label: the whole image, a half, or a quarter."""
    half = SIZE // 2
    quarters = [(x, y, half, half) for x in (0, half) for y in (0, half)]
    halves = (
        [(0, 0, half, SIZE), (half, 0, half, SIZE)]
        if random.uniform() < 0.5
        else [(0, 0, SIZE, half), (0, half, SIZE, half)]
    )
    cells = {1: [(0, 0, SIZE, SIZE)], 2: halves}.get(len(labels), quarters)
    return [(label, cells[i]) for label, i in zip(labels, random.permutation(len(cells)), strict=False)]


def _draw_object(
    random: Random, canvas: Array, label: int, cell: Cell, *, light: Point, tone: Array
) -> tuple[Array, Array]:
    """Paint one object; returns the coverage of the object and of its part (of either look-alike)."""
    pair, member = PAIRS[label // 2], label % 2
    frame, colors = _pose(random, pair, cell), palette(random, tone)
    layers = list(pair.layers(frame, colors))
    body = union(*(layer.distance for layer in layers if layer.member is None and layer.color is not None))
    cast_shadow(canvas, frame, body, light=light, strength=random.uniform(0.2, 0.55))
    whole, part = (np.zeros((SIZE, SIZE), np.float32) for _ in range(2))
    for layer in layers:
        _draw_layer(canvas, frame, layer, member, whole, part, light=light)
    return whole, part


def _draw_layer(
    canvas: Array, frame: Frame, layer: Layer, member: int, whole: Array, part: Array, *, light: Point
) -> None:
    alpha = coverage(frame, layer.distance)
    view = part[frame.window]
    if layer.member is None and layer.color is not None:
        view *= 1 - alpha  # a shared layer in front occludes the part
    else:
        np.maximum(view, alpha, out=view)
    if layer.color is not None and layer.member in (None, member):
        paint(canvas, frame, layer.distance, layer.color, light=light, bevel=layer.bevel)
        np.maximum(whole[frame.window], alpha, out=whole[frame.window])


def _pose(random: Random, pair: Pair, cell: Cell) -> Frame:
    left, top, width, height = cell
    smallest, largest = (np.sqrt(share * SIZE * SIZE / pair.area) for share in (SMALLEST, LARGEST))
    scale = random.uniform(smallest, max(smallest, min(largest, min(width, height) / 2 / pair.reach)))
    margin = min(scale * pair.reach, min(width, height) / 2)
    center = (
        random.uniform(left + margin, left + width - margin),
        random.uniform(top + margin, top + height - margin),
    )
    return place(center, scale=scale, angle=random.uniform(-0.35, 0.35), mirror=random.uniform() < 0.5)


def _blur(canvas: Array, amount: np.float32) -> Array:
    """Three-tap blur along rows and columns; `amount` is the weight of each neighbor."""
    for axis in (0, 1):
        lines = np.swapaxes(canvas, 0, axis)
        step = np.diff(lines, axis=0) * amount
        canvas = np.swapaxes(lines.copy(), 0, axis)
        lines = np.swapaxes(canvas, 0, axis)
        lines[:-1] += step
        lines[1:] -= step
    return canvas


def _finish(random: Random, canvas: Array) -> Array:
    """Add uneven exposure and sensor noise, and convert to uint8."""
    exposure = np.float32(random.uniform(0.85, 1.1)) * (0.9 + 0.2 * noise(random, 1))
    grain = random.standard_normal(canvas.shape, dtype=np.float32) * np.float32(random.uniform(0.0, 0.025))
    return _to_bytes(canvas * exposure[..., None] + grain)


def _to_bytes(canvas: Array) -> Array:
    return np.rint(np.clip(canvas, 0, 1) * 255).astype(np.uint8)
