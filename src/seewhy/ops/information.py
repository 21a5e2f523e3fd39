"""Performance information curves: performance over the share of the image's information that is shown (AIC, SIC).

Missing pixels are interpolated linearly between the pixels that are shown, and "information" is the length of a
lossless file. Files and triangulations need the CPU: numpy here, not torch.
"""

import io

import numpy as np
from jaxtyping import Bool, Float, UInt8
from PIL import Image
from scipy.spatial import Delaunay

Pixels = UInt8[np.ndarray, "height width 3"]
Mask = Bool[np.ndarray, "height width"]
Points = Float[np.ndarray, " points"]

GRID = 1000  # intervals between the positions of a curve


def fill_in(image: Pixels, mask: Mask) -> Pixels:
    """The image with all pixels outside the mask interpolated from those inside; the corners always count as inside.

    One triangulation serves the three colors.
    """
    mask = mask.copy()
    mask[[0, 0, -1, -1], [0, -1, 0, -1]] = True
    missing = ~mask
    if not missing.any():
        return image.copy()
    rows, cols, values = _linear(np.argwhere(mask), image[mask].astype(np.float64), missing)
    filled = np.where(mask[..., None], image, image.reshape(-1, 3).mean(axis=0))
    filled[rows, cols] = values
    return np.clip(np.round(filled), 0, 255).astype(np.uint8)


def _linear(known: np.ndarray, colors: np.ndarray, missing: Mask) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Row, column and color of the missing pixels, interpolated in the Delaunay triangle around each.

    Every triangle is drawn: all pixels of its bounding box are tested at once in integers. Searching the triangle
    of each pixel instead (as scipy does) takes minutes on a grid, where most neighbors lie on common circles.
    """
    triangles = Delaunay(known).simplices
    corners = known[triangles]  # triangles 3 2
    low, size = corners.min(axis=1), np.ptp(corners, axis=1) + 1
    boxes = size.prod(axis=1)
    which = np.repeat(np.arange(len(triangles)), boxes)
    offset = np.arange(boxes.sum()) - np.repeat(boxes.cumsum() - boxes, boxes)
    rows, cols = low[which, 0] + offset // size[which, 1], low[which, 1] + offset % size[which, 1]
    wanted = missing[rows, cols]
    which, rows, cols = which[wanted], rows[wanted], cols[wanted]
    a, b, c = (corners[which, corner] - np.stack([rows, cols], axis=1) for corner in range(3))
    weights = np.stack([_cross(b, c), _cross(c, a), _cross(a, b)], axis=1)  # barycentric, times twice the area
    weights = weights * np.sign(weights.sum(axis=1, keepdims=True))
    inside = (weights >= 0).all(axis=1) & (weights.sum(axis=1) > 0)
    weights, which = weights[inside], which[inside]
    mixed = (weights[..., None] * colors[triangles[which]]).sum(axis=1) / weights.sum(axis=1, keepdims=True)
    return rows[inside], cols[inside], mixed


def _cross(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    return first[:, 0] * second[:, 1] - first[:, 1] * second[:, 0]


def file_size(image: Pixels) -> int:
    """Information of an image: its length in bytes as lossless WebP."""
    buffer = io.BytesIO()
    Image.fromarray(image).save(buffer, format="WEBP", lossless=True, quality=100)
    return len(buffer.getvalue())


def top_share(values: Float[np.ndarray, "height width"], share: float) -> Mask:
    """Pixels at or above the quantile; ties with the last one are included."""
    return values >= np.quantile(values, 1 - share)


def relative(values: Points, low: float, high: float) -> Points:
    """From 0 at `low` to 1 at `high`, clipped."""
    return np.clip((values - low) / (high - low), 0.0, 1.0)


def information_curve(x: Points, y: Points) -> Float[np.ndarray, " grid"]:
    """Performance y over information x, from (0, 0) to (1, 1), at 1001 equidistant positions.

    y becomes its running maximum in the order given (by threshold). Of several points at one position the highest
    counts.
    """
    x = np.concatenate([[0.0], x, [1.0]])
    y = np.concatenate([[0.0], np.maximum.accumulate(y), [1.0]])
    positions, where = np.unique(x, return_inverse=True)
    heights = np.full(len(positions), -np.inf)
    np.maximum.at(heights, where, y)
    heights[0] = max(heights[0], 0.0)
    return np.interp(np.linspace(0.0, 1.0, GRID + 1), positions, heights)


def information_area(curve: Float[np.ndarray, " grid"]) -> float:
    """Area under a curve at equidistant positions.

    >>> x, y = np.array([0.2, 0.5]), np.array([0.4, 0.8])
    >>> round(information_area(information_curve(x, y)), 6)
    0.67
    """
    return float((curve.sum() - (curve[0] + curve[-1]) / 2) / (len(curve) - 1))
