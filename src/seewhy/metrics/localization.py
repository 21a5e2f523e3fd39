"""Localization: the pixels that the map selects against the region of the object.

differs from the paper: VAR does not define which pixels are selected; by default those with a positive value
(`overlaps.selection`, `overlaps.select_from`).
"""

from typing import Annotated, Literal

import torch
from torch import Tensor

from seewhy.ops.localization import ConfusionCounts, confusion_counts
from seewhy.ops.references import blur, gaussian_kernel
from seewhy.registry import register_evidence, register_metric
from seewhy.runtime.options import at_least
from seewhy.types import Maps, Regions, Scores

Selection = Literal["positive", "mean", "median"]
SelectFrom = Literal["map", "clip_blur", "blur_clip"]
Taps = Annotated[int, at_least(0)]
UNDEFINED = "the region is empty"


@register_evidence("overlaps")
def overlaps(
    heatmaps: Maps,
    regions: Regions,
    *,
    selection: Selection = "positive",
    select_from: SelectFrom = "map",
    smoothing: Taps = 0,
) -> ConfusionCounts:
    """Pixel counts of the selection against the region."""
    selected = select(heatmaps, selection=selection, select_from=select_from, smoothing=smoothing)
    return confusion_counts(selected.flatten(2), regions.flatten(2), dtype=heatmaps.dtype)


@register_metric("iou", higher_is_better=True, undefined=UNDEFINED)
def iou(overlaps: ConfusionCounts) -> Scores:
    """Intersection over union of the selected pixels and the region."""
    return _defined(overlaps.iou(), overlaps)


@register_metric("precision", higher_is_better=True, undefined=UNDEFINED)
def precision(overlaps: ConfusionCounts) -> Scores:
    """Fraction of the selected pixels that are in the region; 0 if none is selected."""
    return _defined(overlaps.precision(), overlaps)


@register_metric("recall", higher_is_better=True, undefined=UNDEFINED)
def recall(overlaps: ConfusionCounts) -> Scores:
    """Fraction of the region that is selected."""
    return _defined(overlaps.recall(), overlaps)


@register_metric("f1", higher_is_better=True, undefined=UNDEFINED)
def f1(overlaps: ConfusionCounts) -> Scores:
    """2·P·R / (P + R), which is 2·IoU / (1 + IoU)."""
    return _defined(overlaps.f1(), overlaps)


def _defined(scores: Tensor, counts: ConfusionCounts) -> Scores:
    return scores.where(counts.has_region(), torch.nan)


def select(
    maps: Maps, *, selection: Selection = "positive", select_from: SelectFrom = "map", smoothing: int = 0
) -> Regions:
    """Pixels above 0, or above the mean or median of the positive part of the map, which may be smoothed first."""
    if select_from == "blur_clip":
        maps = smooth(maps, smoothing)
    maps = maps.clamp(min=0)
    if select_from == "clip_blur":
        maps = smooth(maps, smoothing)
    if selection == "positive":
        return maps > 0
    values = maps.flatten(2)
    middle = values.mean(dim=-1) if selection == "mean" else values.median(dim=-1).values
    return maps > middle[..., None, None]


def smooth(maps: Maps, taps: int) -> Maps:
    """Gaussian blur with a kernel of `taps` (0 for none) and the sigma that OpenCV derives from it."""
    if taps == 0:
        return maps
    sigma = 0.3 * ((taps - 1) * 0.5 - 1) + 0.8
    return blur(maps, gaussian_kernel(taps, sigma))
