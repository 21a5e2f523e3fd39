"""AUPR: how well the map's values separate the object from the rest, for both sides.

differs from the paper (CAAP): the estimator is not stated; the default is average precision with equal values taken
together, `rule="trapezoid"` the alternative.
"""

from typing import Literal

from seewhy.ops.localization import precision_recall_area
from seewhy.registry import register_metric
from seewhy.types import Maps, Regions, Scores

Rule = Literal["average", "trapezoid"]


@register_metric("aupr_foreground", higher_is_better=True, undefined="the region is empty or the whole image")
def aupr_foreground(heatmaps: Maps, regions: Regions, *, rule: Rule = "average") -> Scores:
    """Precision-recall area of the map as a detector of the region; a random map scores the region's share."""
    return precision_recall_area(heatmaps.flatten(2), regions.flatten(2), rule=rule)


@register_metric("aupr_background", higher_is_better=True, undefined="the region is empty or the whole image")
def aupr_background(heatmaps: Maps, regions: Regions, *, rule: Rule = "average") -> Scores:
    """Precision-recall area of the reversed map as a detector of everything else."""
    return precision_recall_area(-heatmaps.flatten(2), ~regions.flatten(2), rule=rule)
