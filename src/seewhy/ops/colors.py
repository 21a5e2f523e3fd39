"""Maps as colors, for display. Only here are maps scaled: stored maps stay raw."""

import numpy as np
import torch
from jaxtyping import Float, UInt8
from numpy import ndarray
from torch import Tensor
from torch.nn.functional import avg_pool2d

from seewhy.ops.references import blur, gaussian_kernel

SPIKES = 0.995  # pixel-level maps have a few extreme values; values beyond this quantile are clipped
POSITIVE, NEGATIVE = (228, 60, 42), (44, 112, 200)  # red and blue
SIGNED = 0.05  # negative evidence below this fraction of the positive is not drawn in a second color
CLASS_COLORS = (  # distinguishable with any color vision: a CIEDE2000 difference of at least 16 among the first five
    (228, 116, 0),  # orange
    (0, 114, 178),  # blue
    (240, 228, 66),  # yellow
    (102, 204, 238),  # sky
    (51, 34, 136),  # indigo
    (17, 119, 51),  # green
    (170, 51, 119),  # purple
)
SPOT = 28  # class colors are averaged over 1/28 of the image's side
PIXEL_LEVEL = 64  # least side of a pixel-level map
SMOOTH_SHARE = 0.6  # a map that keeps more of its standard deviation than this when blurred is smooth
BRIGHTNESS, SATURATION = 0.9, 0.3  # of the image under a map
UNSEEN = 0.45  # brightness of the image outside the model's crop


Range = tuple[float, float]  # lowest and highest value that are drawn


def display_range(maps: Float[Tensor, "classes height width"]) -> Range:
    """One scale for several maps: their extreme values, without the spikes of each."""
    ranges = [_range(values) for values in _finite(maps)]
    return min(low for low, _ in ranges), max(high for _, high in ranges)


def strength(heatmap: Float[Tensor, "height width"], limits: Range | None = None) -> Float[ndarray, "height width"]:
    """Values from -1 to 1 for display: zero stays zero if the scale is signed, else its low end becomes zero.

    `limits` is the scale. Default: that of the map itself.
    """
    values = _finite(heatmap)
    low, high = limits or _range(values)
    if is_signed(low, high):
        return np.clip(values / max(high, -low), -1, 1)
    return np.clip((values - low) / (high - low), 0, 1) if high > low else np.zeros_like(values)


def smooth_pixel_maps(
    maps: Float[Tensor, "classes height width"],
) -> tuple[Float[Tensor, "classes height width"], float]:
    """Noisy pixel-level maps blurred, with the sigma of the blur; all other maps unchanged, with sigma 0."""
    side = min(maps.shape[-2:])
    if side < PIXEL_LEVEL:
        return maps, 0.0
    sigma = side / SPOT / 1.4
    known = torch.nan_to_num(maps, nan=0.0, posinf=0.0, neginf=0.0)
    blurred = blur(known.unsqueeze(0), gaussian_kernel(2 * round(3 * sigma) + 1, sigma))[0]
    return (maps, 0.0) if blurred.std() > SMOOTH_SHARE * known.std() else (blurred, sigma)


def _finite(maps: Float[Tensor, "*batch height width"]) -> Float[ndarray, "*batch height width"]:
    return np.nan_to_num(maps.detach().double().cpu().numpy(), nan=0.0, posinf=0.0, neginf=0.0)


def _range(values: Float[ndarray, "height width"]) -> Range:
    """Lowest and highest value, without spikes."""
    low, high = np.quantile(values, [1 - SPIKES, SPIKES])
    return (float(low), float(high)) if high > low else (float(values.min()), float(values.max()))


def is_signed(low: float, high: float) -> bool:
    """Whether a scale with these limits has enough negative values to be drawn in two colors."""
    return bool(low < 0 and -low > SIGNED * max(high, 0.0))


def paint(values: Float[ndarray, "height width"]) -> UInt8[ndarray, "height width 3"]:
    """Colors of display values: dark to bright; for signed maps red (positive) and blue (negative)."""
    from matplotlib import colormaps

    if values.min() < 0:
        return np.where(values[..., None] > 0, POSITIVE, NEGATIVE).astype(np.uint8)
    return (colormaps["inferno"](values)[..., :3] * 255).round().astype(np.uint8)


def blend(
    image: UInt8[ndarray, "height width 3"], values: Float[ndarray, "height width"], *, opacity: float
) -> UInt8[ndarray, "height width 3"]:
    """The image, faded, under the colors of the map; stronger evidence is more opaque.

    NaN marks pixels outside the model's crop, which are darkened.
    """
    seen = np.isfinite(values)[..., None]
    values = np.nan_to_num(values)
    share = (opacity * np.abs(values) ** (0.6 if values.min() < 0 else 0.9))[..., None]
    mixed = (1 - share) * faded(image) + share * paint(values)
    return np.where(seen, mixed, UNSEEN * image).round().astype(np.uint8)


def class_strength(won: Float[Tensor, "classes height width"]) -> Float[ndarray, "classes height width"]:
    """Evidence won by each class, on a common scale from 0 to 1; pixel-level maps are smoothed."""
    side = min(won.shape[-2:]) // SPOT // 2
    won = avg_pool2d(won, 2 * side + 1, stride=1, padding=side, count_include_pad=False)
    values = np.nan_to_num(won.detach().double().cpu().numpy(), nan=0.0, posinf=0.0, neginf=0.0)
    high = np.quantile(values.max(axis=0), SPIKES) or values.max()
    return np.clip(values / high, 0, 1) if high > 0 else np.zeros_like(values)


def blend_classes(
    image: UInt8[ndarray, "height width 3"], values: Float[ndarray, "classes height width"], *, opacity: float
) -> UInt8[ndarray, "height width 3"]:
    """Every pixel in the color of its winning class, over the image in gray. NaN as in `blend`."""
    seen = np.isfinite(values[0])[..., None]
    values = np.nan_to_num(values)
    share = (opacity * values.max(axis=0) ** 0.75)[..., None]
    colors = np.array([class_color(k) for k in range(len(values))])[values.argmax(axis=0)]
    gray = BRIGHTNESS * image.mean(axis=-1, keepdims=True)
    return np.where(seen, (1 - share) * gray + share * colors, UNSEEN * image).round().astype(np.uint8)


def class_color(number: int) -> tuple[int, int, int]:
    """The color of the n-th class; colors repeat if there are more classes than colors."""
    return CLASS_COLORS[number % len(CLASS_COLORS)]


def faded(image: UInt8[ndarray, "height width 3"]) -> Float[ndarray, "height width 3"]:
    """An image with reduced saturation, so that its colors are not mistaken for those of the map."""
    gray = image.mean(axis=-1, keepdims=True)
    return BRIGHTNESS * (gray + SATURATION * (image - gray))
