"""Anti-aliased, shaded shapes for Scenes, drawn from signed distance fields.

A shape is an array of signed distances on a pixel grid: negative inside, zero on the edge. The same array gives the
coverage (anti-aliasing), the outline (a thin shell inside the edge) and the bevel (its gradient is the surface normal).
Everything is float32 NumPy without fonts or rasterizers, so images do not depend on the machine that draws them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import SupportsInt

import numpy as np

SIZE = 224

Array = np.ndarray
Random = np.random.Generator
Point = tuple[float, float]  # x, y; y points down


@dataclass(frozen=True)
class Frame:
    """A window of the image; `x`, `y` are its pixel coordinates in a shape's units of `scale` pixels."""

    window: tuple[slice, slice]
    x: Array
    y: Array
    scale: float


def place(
    center: Point | Array, *, scale: float, angle: float = 0.0, mirror: bool = False, reach: float = 1.4
) -> Frame:
    """The frame of a shape at `center` (x, y in pixels) that extends `reach` units around it."""
    extent = scale * reach
    columns, rows = (np.arange(max(0, int(c - extent)), min(SIZE, int(c + extent) + 2)) for c in center)
    dx = (columns[None, :] + 0.5 - center[0]).astype(np.float32) / np.float32(scale)
    dy = (rows[:, None] + 0.5 - center[1]).astype(np.float32) / np.float32(scale)
    cos, sin = np.float32(np.cos(angle)), np.float32(np.sin(angle))
    x, y = cos * dx + sin * dy, cos * dy - sin * dx
    window = (slice(rows[0], rows[-1] + 1), slice(columns[0], columns[-1] + 1))
    return Frame(window, -x if mirror else x, y, float(scale))


# Signed distances, in the units of the frame.


def disc(frame: Frame, cx: float, cy: float, radius: float) -> Array:
    return np.hypot(frame.x - np.float32(cx), frame.y - np.float32(cy)) - np.float32(radius)


def ellipse(frame: Frame, cx: float, cy: float, rx: float, ry: float, *, angle: float = 0.0) -> Array:
    """An approximate distance, exact and smooth at the edge: enough for coverage and shading."""
    cos, sin = np.float32(np.cos(angle)), np.float32(np.sin(angle))
    dx, dy = frame.x - np.float32(cx), frame.y - np.float32(cy)
    u, v = (cos * dx + sin * dy) / np.float32(rx), (cos * dy - sin * dx) / np.float32(ry)
    radius = np.hypot(u, v)
    slope = np.hypot(u / np.float32(rx), v / np.float32(ry)) / np.maximum(radius, np.float32(1e-3))
    return (radius - 1) / np.maximum(slope, np.float32(1 / max(rx, ry)))


def box(frame: Frame, cx: float, cy: float, half_width: float, half_height: float, *, corner: float = 0.0) -> Array:
    dx = np.abs(frame.x - np.float32(cx)) - np.float32(half_width - corner)
    dy = np.abs(frame.y - np.float32(cy)) - np.float32(half_height - corner)
    outside = np.hypot(np.maximum(dx, 0), np.maximum(dy, 0))
    return outside + np.minimum(np.maximum(dx, dy), 0) - np.float32(corner)


def stick(frame: Frame, start: Point, end: Point, radius: float) -> Array:
    """A line segment with round caps."""
    first, last = np.array(start, np.float32), np.array(end, np.float32)
    edge = last - first
    dx, dy = frame.x - first[0], frame.y - first[1]
    along = np.clip((dx * edge[0] + dy * edge[1]) / (edge @ edge), 0, 1)
    return np.hypot(dx - along * edge[0], dy - along * edge[1]) - np.float32(radius)


def polygon(frame: Frame, corners: Sequence[Point] | Array, *, corner: float = 0.0) -> Array:
    """A simple polygon, optionally dilated by the radius `corner`."""
    points = np.array(corners, np.float32)
    nearest = np.full(frame.x.shape, np.inf, np.float32)
    inside = np.zeros(frame.x.shape, bool)
    for a, b in zip(points, np.roll(points, -1, axis=0), strict=True):
        edge, dx, dy = b - a, frame.x - a[0], frame.y - a[1]
        along = np.clip((dx * edge[0] + dy * edge[1]) / (edge @ edge), 0, 1)
        nearest = np.minimum(nearest, (dx - along * edge[0]) ** 2 + (dy - along * edge[1]) ** 2)
        if edge[1] != 0:
            crosses = (a[1] <= frame.y) != (b[1] <= frame.y)
            inside ^= crosses & (dx < dy * (edge[0] / edge[1]))
    distance = np.sqrt(nearest)
    return np.where(inside, -distance, distance) - np.float32(corner)


def star(frame: Frame, cx: float, cy: float, radius: float, *, points: int = 5, inner: float = 0.45) -> Array:
    angles = np.pi * np.arange(2 * points) / points - np.pi / 2
    radii = np.where(np.arange(2 * points) % 2, radius * inner, radius)
    return polygon(frame, np.stack([cx + radii * np.cos(angles), cy + radii * np.sin(angles)], axis=1))


def union(*distances: Array) -> Array:
    return np.minimum.reduce(distances)


def overlap(*distances: Array) -> Array:
    return np.maximum.reduce(distances)


# Paint.


def coverage(frame: Frame, distance: Array) -> Array:
    """Fraction of each pixel that the shape covers."""
    return np.clip(np.float32(0.5) - distance * np.float32(frame.scale), 0, 1)


def paint(
    canvas: Array,
    frame: Frame,
    distance: Array,
    color: Array,
    *,
    light: Point,
    outline: float = 0.035,
    bevel: float = 0.2,
) -> None:
    """Paint one shape on `canvas` (rows, columns, 3), lit from the direction `light`."""
    tight = _bounds(distance * np.float32(frame.scale) < 1)
    if tight is None:
        return
    distance, region = distance[tight], canvas[frame.window][tight]
    shade = _shade(distance, light=light, bevel=bevel)
    if outline:
        width = np.float32(max(outline, 0.8 / frame.scale))
        shade *= 1 - np.float32(0.62) * np.clip(np.float32(0.5) + (distance + width) * np.float32(frame.scale), 0, 1)
    region += coverage(frame, distance)[..., None] * (np.minimum(shade[..., None] * np.float32(color), 1) - region)


def _bounds(mask: Array) -> tuple[slice, slice] | None:
    """The bounding window of `mask` with a margin of one pixel, at least 2 x 2; None if the mask is empty."""
    rows, columns = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
    if not len(rows) or min(mask.shape) < 2:
        return None
    top, left = (slice(max(0, line[0] - 1), line[-1] + 2) for line in (rows, columns))
    return top, left


def _shade(distance: Array, *, light: Point, bevel: float) -> Array:
    """Brightness of a beveled surface: slopes near the edge, lit by the direction they face, and a soft gradient."""
    down, right = np.gradient(distance)
    norm = np.maximum(np.hypot(down, right), np.float32(1e-6))
    facing = (right * np.float32(light[0]) + down * np.float32(light[1])) / norm
    slope = np.clip(1 + distance / np.float32(bevel), 0, 1) ** 2
    down, right = (np.linspace(-1, 1, count, dtype=np.float32) for count in distance.shape)
    across = right[None, :] * np.float32(light[0]) + down[:, None] * np.float32(light[1])
    return 1 + np.float32(0.32) * slope * facing + np.float32(0.14) * across


def cast_shadow(canvas: Array, frame: Frame, distance: Array, *, light: Point, strength: float = 0.4) -> None:
    """Darken the canvas softly where the shape casts its shadow."""
    shift = 0.14
    rows, columns = (round(-component * shift * frame.scale) for component in (light[1], light[0]))
    soft = np.clip(np.float32(0.5) - np.roll(distance, (rows, columns), axis=(0, 1)) / np.float32(0.22), 0, 1)
    canvas[frame.window] *= 1 - np.float32(strength) * (soft * soft * (3 - 2 * soft))[..., None]


# Color and texture.


def hsv(hue: float, saturation: float, value: float) -> Array:
    """Red, green, blue in [0, 1]."""
    sector = (hue * 6 + np.array([5.0, 3.0, 1.0])) % 6
    return (value - value * saturation * np.clip(np.minimum(sector, 4 - sector), 0, 1)).astype(np.float32)


def vivid(random: Random) -> Array:
    return hsv(random.uniform(), random.uniform(0.3, 0.82), random.uniform(0.55, 1.0))


def muted(random: Random) -> Array:
    return hsv(random.uniform(), random.uniform(0.05, 0.5), random.uniform(0.25, 0.95))


def distinct(random: Random, *others: Array, tries: int = 5) -> Array:
    """The vivid color, of a few random ones, with the largest distance to `others`."""
    candidates = [vivid(random) for _ in range(tries)]
    return max(candidates, key=lambda color: min(float(np.abs(color - other).sum()) for other in others))


@lru_cache(maxsize=64)
def _interpolation(cells: int) -> np.ndarray:
    """Matrix (SIZE, cells + 1) of smooth interpolation between values on a coarse grid."""
    position = (np.arange(SIZE) + 0.5) / SIZE * cells
    left = position.astype(int)
    part = position - left
    part = part * part * (3 - 2 * part)
    matrix = np.zeros((SIZE, cells + 1), np.float32)
    matrix[np.arange(SIZE), left] = 1 - part
    matrix[np.arange(SIZE), left + 1] += part
    return matrix


def noise(random: Random, rows: SupportsInt, columns: SupportsInt | None = None, *, octaves: int = 1) -> Array:
    """Value noise in [0, 1] on `rows` x `columns` cells; each octave doubles the frequency and halves the amplitude."""
    columns = columns or rows
    total, weight = np.zeros((SIZE, SIZE), np.float32), 0.0
    for octave in range(octaves):
        cells = (int(rows) << octave, int(columns) << octave)
        values = random.random((cells[0] + 1, cells[1] + 1)).astype(np.float32)
        total += (_interpolation(cells[0]) @ values @ _interpolation(cells[1]).T) * np.float32(0.5**octave)
        weight += 0.5**octave
    return total / np.float32(weight)
