"""Which pixels a map selects, and how that agrees with the regions."""

from typing import Literal

from seewhy.ops.references import blur, gaussian_kernel
from seewhy.ops.resize import unit_range
from seewhy.types import Maps, Regions


def smooth(maps: Maps, taps: int) -> Maps:
    """Gaussian of so many taps (0 for none), with the sigma that common libraries derive from them."""
    if taps == 0:
        return maps
    sigma = 0.3 * ((taps - 1) * 0.5 - 1) + 0.8
    return blur(maps, gaussian_kernel(taps, sigma))


def select(
    maps: Maps,
    *,
    selection: Literal["positive", "mean", "median"] = "positive",
    select_from: Literal["map", "clip_blur", "blur_clip"] = "map",
    region_smoothing: int = 0,
) -> Regions:
    """Pixels above 0, the mean or the median of the positive part, smoothed after, before or not at all."""
    if select_from == "blur_clip":
        maps = smooth(maps, region_smoothing)
    maps = maps.clamp(min=0)
    if select_from == "clip_blur":
        maps = smooth(maps, region_smoothing)
    if selection == "positive":
        return maps > 0
    values = maps.flatten(2)
    middle = values.mean(dim=-1) if selection == "mean" else values.median(dim=-1).values
    return maps > middle[..., None, None]


def above_mean(maps: Maps) -> Regions:
    """The map cut at its mean; what equals the mean is background."""
    scaled = unit_range(maps)
    return scaled > scaled.mean(dim=(-2, -1), keepdim=True)
