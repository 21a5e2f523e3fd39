"""Pictures of the report: crops of the cue, where it lies, images with its outline, and charts of effects."""

import base64
import io
from collections.abc import Sequence

import numpy as np
from jaxtyping import Bool, UInt8
from numpy import ndarray
from PIL import Image

from seewhy.audits.judge import Effect

CROP, SIDE = 92, 150  # pixels of a crop, and of an image
OUTLINE = np.array([255, 0, 200], np.uint8)
PAD = 6  # pixels around a crop

Pixels = UInt8[ndarray, "height width 3"]
Mask = Bool[ndarray, "height width"]


def data_url(pixels: Pixels, side: int) -> str:
    """A JPEG of a given width, inlined."""
    image = Image.fromarray(pixels)
    image = image.resize((side, round(side * image.height / image.width)), Image.Resampling.LANCZOS)
    buffer = io.BytesIO()
    image.save(buffer, "JPEG", quality=86)
    return f"data:image/jpeg;base64,{base64.b64encode(buffer.getvalue()).decode()}"


def outline(pixels: Pixels, mask: Mask) -> Pixels:
    """The image with a line around the mask."""
    from scipy.ndimage import binary_dilation

    line = binary_dilation(mask, iterations=3) & ~binary_dilation(mask, iterations=1)
    return np.where(line[..., None], OUTLINE, pixels)


def crop(pixels: Pixels, mask: Mask) -> UInt8[ndarray, "side side 3"]:
    """A square around the mask."""
    rows, cols = (np.flatnonzero(mask.any(axis=axis)) for axis in (1, 0))
    middle = (rows[0] + rows[-1]) // 2, (cols[0] + cols[-1]) // 2
    half = max(np.ptp(rows), np.ptp(cols)) // 2 + PAD
    half = min(half, min(mask.shape) // 2)
    top, left = (int(np.clip(m - half, 0, side - 2 * half)) for m, side in zip(middle, mask.shape, strict=True))
    return pixels[top : top + 2 * half, left : left + 2 * half]


def where_map(masks: Sequence[Mask]) -> Pixels:
    """How many of the images have the cue at a position: white none, dark all."""
    share = np.mean(masks, axis=0)[..., None]
    shade = np.array([255, 255, 255]) + (np.array([16, 42, 67]) - 255) * np.sqrt(share)
    return shade.round().astype(np.uint8)


def effects_chart(effects: Sequence[tuple[str, Effect]]) -> str:
    """An SVG of effects with their intervals on one axis from -1 to 1."""
    width, row, left = 380, 30, 190
    scale = (width - left - 20) / 1.5

    def x(value: float) -> float:
        return left + (min(max(value, -0.5), 1.0) + 0.5) * scale

    height = row * len(effects) + 26
    parts = [f'<svg viewBox="0 0 {width} {height}" role="img" class="chart">']
    for tick in (-0.5, 0.0, 0.5, 1.0):
        kind, at = "zero" if tick == 0 else "tick", f"{x(tick):.0f}"
        parts.append(f'<line x1="{at}" x2="{at}" y1="4" y2="{height - 18}" class="{kind}"/>')
        parts.append(f'<text x="{x(tick):.0f}" y="{height - 4}" text-anchor="middle">{tick:+.1f}</text>')
    for number, (name, effect) in enumerate(effects):
        y = row * number + 18
        low, high = x(effect.low), x(effect.high)
        parts.append(f'<text x="0" y="{y + 4}" class="name">{name}</text>')
        parts.append(f'<line x1="{low:.1f}" x2="{high:.1f}" y1="{y}" y2="{y}" class="interval"/>')
        parts.append(f'<circle cx="{x(effect.mean):.1f}" cy="{y}" r="5"/>')
    return "".join(parts) + "</svg>"
