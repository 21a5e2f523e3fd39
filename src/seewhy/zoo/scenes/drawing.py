"""Anti-aliased, shaded shapes for Scenes, drawn from signed distances.

A shape is an array of signed distances on a pixel grid: negative inside, zero on the edge. That one array gives the
coverage (anti-aliasing), the outline (a thin shell inside the edge) and the bevel (its gradient is the surface normal).
Everything is float32 numpy without fonts or rasterizers, so a picture does not depend on the machine that draws it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

SIZE = 224


@dataclass(frozen=True)
class Frame:
    """A window of the picture; `x`, `y` are its pixels in a shape's own units of `scale` pixels."""

    window: tuple[slice, slice]
    x: np.ndarray
    y: np.ndarray
    scale: float


def place(center, *, scale, angle=0.0, mirror=False, reach=1.4) -> Frame:
    """The frame of a shape put at `center` (x, y in pixels); it covers `reach` units around the center."""
    extent = scale * reach
    columns, rows = (np.arange(max(0, int(c - extent)), min(SIZE, int(c + extent) + 2)) for c in center)
    dx = (columns[None, :] + 0.5 - center[0]).astype(np.float32) / np.float32(scale)
    dy = (rows[:, None] + 0.5 - center[1]).astype(np.float32) / np.float32(scale)
    cos, sin = np.float32(np.cos(angle)), np.float32(np.sin(angle))
    x, y = cos * dx + sin * dy, cos * dy - sin * dx
    window = (slice(rows[0], rows[-1] + 1), slice(columns[0], columns[-1] + 1))
    return Frame(window, -x if mirror else x, y, float(scale))


# Signed distances, in the units of the frame.


def disc(frame, cx, cy, radius):
    return np.hypot(frame.x - np.float32(cx), frame.y - np.float32(cy)) - np.float32(radius)


def ellipse(frame, cx, cy, rx, ry, *, angle=0.0):
    """Not the exact distance, but exact on the edge and smooth: enough for coverage and shading."""
    cos, sin = np.float32(np.cos(angle)), np.float32(np.sin(angle))
    dx, dy = frame.x - np.float32(cx), frame.y - np.float32(cy)
    u, v = (cos * dx + sin * dy) / np.float32(rx), (cos * dy - sin * dx) / np.float32(ry)
    radius = np.hypot(u, v)
    slope = np.hypot(u / np.float32(rx), v / np.float32(ry)) / np.maximum(radius, np.float32(1e-3))
    return (radius - 1) / np.maximum(slope, np.float32(1 / max(rx, ry)))


def box(frame, cx, cy, half_width, half_height, *, corner=0.0):
    dx = np.abs(frame.x - np.float32(cx)) - np.float32(half_width - corner)
    dy = np.abs(frame.y - np.float32(cy)) - np.float32(half_height - corner)
    outside = np.hypot(np.maximum(dx, 0), np.maximum(dy, 0))
    return outside + np.minimum(np.maximum(dx, dy), 0) - np.float32(corner)


def stick(frame, start, end, radius):
    """A line with round ends."""
    start, end = np.array(start, np.float32), np.array(end, np.float32)
    edge = end - start
    dx, dy = frame.x - start[0], frame.y - start[1]
    along = np.clip((dx * edge[0] + dy * edge[1]) / (edge @ edge), 0, 1)
    return np.hypot(dx - along * edge[0], dy - along * edge[1]) - np.float32(radius)


def polygon(frame, corners, *, corner=0.0):
    """Any simple polygon, optionally grown by a round `corner`."""
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


def star(frame, cx, cy, radius, *, points=5, inner=0.45):
    angles = np.pi * np.arange(2 * points) / points - np.pi / 2
    radii = np.where(np.arange(2 * points) % 2, radius * inner, radius)
    return polygon(frame, np.stack([cx + radii * np.cos(angles), cy + radii * np.sin(angles)], axis=1))


def union(*distances):
    return np.minimum.reduce(distances)


def overlap(*distances):
    return np.maximum.reduce(distances)


# Paint.


def coverage(frame, distance):
    """Share of each pixel that the shape covers."""
    return np.clip(np.float32(0.5) - distance * np.float32(frame.scale), 0, 1)


def paint(canvas, frame, distance, color, *, light, outline=0.035, bevel=0.2):
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


def _bounds(mask):
    """The smallest window, at least 2 x 2 and one pixel wider than `mask`, that holds it; None if it is empty."""
    rows, columns = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
    if not len(rows) or min(mask.shape) < 2:
        return None
    return tuple(slice(max(0, line[0] - 1), line[-1] + 2) for line in (rows, columns))


def _shade(distance, *, light, bevel):
    """Brightness of a puffy surface: a slope near the edge that faces the light or not, and a soft overall gradient."""
    down, right = np.gradient(distance)
    norm = np.maximum(np.hypot(down, right), np.float32(1e-6))
    facing = (right * np.float32(light[0]) + down * np.float32(light[1])) / norm
    slope = np.clip(1 + distance / np.float32(bevel), 0, 1) ** 2
    down, right = (np.linspace(-1, 1, count, dtype=np.float32) for count in distance.shape)
    across = right[None, :] * np.float32(light[0]) + down[:, None] * np.float32(light[1])
    return 1 + np.float32(0.32) * slope * facing + np.float32(0.14) * across


def cast_shadow(canvas, frame, distance, *, light, strength=0.4):
    """Darken the canvas away from the light, softly, where the shape would cast its shadow."""
    shift = 0.14
    rows, columns = (round(-component * shift * frame.scale) for component in (light[1], light[0]))
    soft = np.clip(np.float32(0.5) - np.roll(distance, (rows, columns), axis=(0, 1)) / np.float32(0.22), 0, 1)
    canvas[frame.window] *= 1 - np.float32(strength) * (soft * soft * (3 - 2 * soft))[..., None]


# Color and texture.


def hsv(hue, saturation, value):
    """Red, green, blue in [0, 1]."""
    sector = (hue * 6 + np.array([5.0, 3.0, 1.0])) % 6
    return np.float32(value - value * saturation * np.clip(np.minimum(sector, 4 - sector), 0, 1))


def vivid(random):
    return hsv(random.uniform(), random.uniform(0.3, 0.82), random.uniform(0.55, 1.0))


def muted(random):
    return hsv(random.uniform(), random.uniform(0.05, 0.5), random.uniform(0.25, 0.95))


def distinct(random, *others, tries=5):
    """The vivid color, out of a few random ones, that stands out most from `others`."""
    candidates = [vivid(random) for _ in range(tries)]
    return max(candidates, key=lambda color: min(float(np.abs(color - other).sum()) for other in others))


@lru_cache(maxsize=64)
def _interpolation(cells: int) -> np.ndarray:
    """Matrix (SIZE, cells + 1) that interpolates smoothly between values on a coarse line."""
    position = (np.arange(SIZE) + 0.5) / SIZE * cells
    left = position.astype(int)
    part = position - left
    part = part * part * (3 - 2 * part)
    matrix = np.zeros((SIZE, cells + 1), np.float32)
    matrix[np.arange(SIZE), left] = 1 - part
    matrix[np.arange(SIZE), left + 1] += part
    return matrix


def noise(random, rows, columns=None, *, octaves=1):
    """Smooth random field in [0, 1] with `rows` x `columns` bumps; each octave adds finer, weaker ones."""
    columns = columns or rows
    total, weight = np.zeros((SIZE, SIZE), np.float32), 0.0
    for octave in range(octaves):
        cells = (int(rows) << octave, int(columns) << octave)
        values = random.random((cells[0] + 1, cells[1] + 1)).astype(np.float32)
        total += (_interpolation(cells[0]) @ values @ _interpolation(cells[1]).T) * np.float32(0.5**octave)
        weight += 0.5**octave
    return total / np.float32(weight)
