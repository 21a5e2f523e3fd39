"""Performance information curves (AIC, SIC): performance over the fraction of the image's information that is shown.

Missing pixels are interpolated linearly between the pixels that are shown, and "information" is the size of a
losslessly compressed file. Compression and triangulation run on the CPU: numpy here, not torch.
"""

import io

import numpy as np
from jaxtyping import Bool, Float, UInt8
from PIL import Image
from scipy.spatial import Delaunay

Pixels = UInt8[np.ndarray, "height width 3"]
ShownMask = Bool[np.ndarray, "height width"]
CurvePoints = Float[np.ndarray, " points"]

INTERVALS = 1000  # of a curve, evenly spaced


def interpolate_missing(image: Pixels, mask: ShownMask) -> Pixels:
    """The image with all pixels outside the mask interpolated from those inside; the corners are always inside.

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


def _linear(known: np.ndarray, colors: np.ndarray, missing: ShownMask) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Row, column and color of the missing pixels, interpolated in the Delaunay triangle around each.

    Every triangle is rasterized: all pixels of its bounding box are tested at once, in integers. Searching the triangle
    of each pixel instead (as scipy does) takes minutes on a grid, whose triangulation is degenerate.
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
    """Information of an image: its size in bytes as lossless WebP."""
    buffer = io.BytesIO()
    Image.fromarray(image).save(buffer, format="WEBP", lossless=True, quality=100)
    return len(buffer.getvalue())


def top_share(values: Float[np.ndarray, "height width"], share: float) -> ShownMask:
    """The fraction `share` of pixels with the highest values; ties are included."""
    return values >= np.quantile(values, 1 - share)


def relative(values: CurvePoints, low: float, high: float) -> CurvePoints:
    """From 0 at `low` to 1 at `high`, clipped."""
    return np.clip((values - low) / (high - low), 0.0, 1.0)


def information_curve(x: CurvePoints, y: CurvePoints) -> Float[np.ndarray, " grid"]:
    """Performance y over information x, from (0, 0) to (1, 1), at 1001 evenly spaced positions.

    y is replaced by its running maximum in the order given (by threshold). Where several points share an x, the
    highest counts.
    """
    x = np.concatenate([[0.0], x, [1.0]])
    y = np.concatenate([[0.0], np.maximum.accumulate(y), [1.0]])
    positions, where = np.unique(x, return_inverse=True)
    heights = np.full(len(positions), -np.inf)
    np.maximum.at(heights, where, y)
    heights[0] = max(heights[0], 0.0)
    return np.interp(np.linspace(0.0, 1.0, INTERVALS + 1), positions, heights)


def information_area(curve: Float[np.ndarray, " grid"]) -> float:
    """Area under an evenly sampled curve.

    >>> x, y = np.array([0.2, 0.5]), np.array([0.4, 0.8])
    >>> round(information_area(information_curve(x, y)), 6)
    0.67
    """
    return float((curve.sum() - (curve[0] + curve[-1]) / 2) / (len(curve) - 1))
