"""One picture of Scenes: background, clutter, shadow, objects, then light, a little blur and noise."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from seewhy.zoo.scenes.backgrounds import background, clutter
from seewhy.zoo.scenes.drawing import SIZE, Frame, cast_shadow, coverage, disc, noise, paint, place, union
from seewhy.zoo.scenes.objects import PAIRS, Pair, palette

SMALLEST, LARGEST = 0.055, 0.38  # share of the picture that an object covers
CIRCLE = 14.0  # radius of the planted circle, in pixels


class Picture(NamedTuple):
    """`pixels` (rows, columns, 3) as bytes, and for each object its mask and the mask of its deciding part."""

    pixels: np.ndarray
    objects: np.ndarray
    parts: np.ndarray


def draw(random: np.random.Generator, labels: Sequence[int]) -> Picture:
    """Draw the classes `labels`. Look-alikes use up the same random numbers: swapping them changes the part alone."""
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
    return Picture(pixels, objects, parts)


def add_circle(random: np.random.Generator, picture: Picture, *, radius=CIRCLE) -> tuple[Picture, np.ndarray]:
    """Put a white circle where it hides the objects least; returns its mask as well."""
    taken = np.logical_or(picture.objects.any(axis=0), picture.parts.any(axis=0))
    candidates = [place(random.uniform(16, SIZE - 16, 2), scale=radius) for _ in range(24)]
    frame = min(candidates, key=lambda frame: int(taken[frame.window].sum()))
    canvas = picture.pixels.astype(np.float32) / 255
    alpha = np.zeros((SIZE, SIZE), np.float32)
    alpha[frame.window] = coverage(frame, disc(frame, 0, 0, 1))
    canvas += alpha[..., None] * (1 - canvas)
    return picture._replace(pixels=_to_bytes(canvas)), alpha > 0.5


def _light(random):
    angle = random.uniform(-0.85, -0.15) * np.pi  # from above
    return float(np.cos(angle)), float(np.sin(angle))


def _cells(random, labels):
    """Pair each label with a box (left, top, width, height): all of the picture, halves, or quarters."""
    half = SIZE // 2
    quarters = [(x, y, half, half) for x in (0, half) for y in (0, half)]
    halves = (
        [(0, 0, half, SIZE), (half, 0, half, SIZE)]
        if random.uniform() < 0.5
        else [(0, 0, SIZE, half), (0, half, SIZE, half)]
    )
    cells = {1: [(0, 0, SIZE, SIZE)], 2: halves}.get(len(labels), quarters)
    return [(label, cells[i]) for label, i in zip(labels, random.permutation(len(cells)), strict=False)]


def _draw_object(random, canvas, label, cell, *, light, tone):
    """Paint one object; returns how much of each pixel belongs to it and to its part (of either look-alike)."""
    pair, member = PAIRS[label // 2], label % 2
    frame, colors = _pose(random, pair, cell), palette(random, tone)
    layers = list(pair.layers(frame, colors))
    body = union(*(layer.distance for layer in layers if layer.member is None and layer.color is not None))
    cast_shadow(canvas, frame, body, light=light, strength=random.uniform(0.2, 0.55))
    whole, part = (np.zeros((SIZE, SIZE), np.float32) for _ in range(2))
    for layer in layers:
        _draw_layer(canvas, frame, layer, member, whole, part, light=light)
    return whole, part


def _draw_layer(canvas, frame, layer, member, whole, part, *, light):
    alpha = coverage(frame, layer.distance)
    view = part[frame.window]
    if layer.member is None and layer.color is not None:
        view *= 1 - alpha  # a shared layer in front hides the part
    else:
        np.maximum(view, alpha, out=view)
    if layer.color is not None and layer.member in (None, member):
        paint(canvas, frame, layer.distance, layer.color, light=light, bevel=layer.bevel)
        np.maximum(whole[frame.window], alpha, out=whole[frame.window])


def _pose(random, pair: Pair, cell) -> Frame:
    left, top, width, height = cell
    smallest, largest = (np.sqrt(share * SIZE * SIZE / pair.area) for share in (SMALLEST, LARGEST))
    scale = random.uniform(smallest, max(smallest, min(largest, min(width, height) / 2 / pair.reach)))
    margin = min(scale * pair.reach, min(width, height) / 2)
    center = (
        random.uniform(left + margin, left + width - margin),
        random.uniform(top + margin, top + height - margin),
    )
    return place(center, scale=scale, angle=random.uniform(-0.35, 0.35), mirror=random.uniform() < 0.5)


def _blur(canvas, amount):
    """Three-point blur along rows and columns; `amount` is the share taken from each neighbor."""
    for axis in (0, 1):
        lines = np.swapaxes(canvas, 0, axis)
        step = np.diff(lines, axis=0) * amount
        canvas = np.swapaxes(lines.copy(), 0, axis)
        lines = np.swapaxes(canvas, 0, axis)
        lines[:-1] += step
        lines[1:] -= step
    return canvas


def _finish(random, canvas):
    """Uneven exposure and sensor noise, then bytes."""
    exposure = np.float32(random.uniform(0.85, 1.1)) * (0.9 + 0.2 * noise(random, 1))
    grain = random.standard_normal(canvas.shape, dtype=np.float32) * np.float32(random.uniform(0.0, 0.025))
    return _to_bytes(canvas * exposure[..., None] + grain)


def _to_bytes(canvas):
    return np.rint(np.clip(canvas, 0, 1) * 255).astype(np.uint8)
