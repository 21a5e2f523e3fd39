"""AUPR: how well the map separates the object from the background, in both directions.

differs from the paper (CAAP): the estimator is not stated; the default is average precision with equal values taken
together, `rule="trapezoid"` the alternative.
"""

from typing import Literal

from seewhy.ops.localization import precision_recall_area
from seewhy.registry import register_metric
from seewhy.types import Maps, Regions, Scores

AreaRule = Literal["average", "trapezoid"]
UNDEFINED = "the region is empty or the whole image"


@register_metric("aupr_foreground", higher_is_better=True, undefined=UNDEFINED, headline=5)
def aupr_foreground(heatmaps: Maps, regions: Regions, *, rule: AreaRule = "average") -> Scores:
    """Precision-recall area of the map as a detector of the region; chance level is the region's area."""
    return precision_recall_area(heatmaps.flatten(2), regions.flatten(2), rule=rule)


@register_metric("aupr_background", higher_is_better=True, undefined=UNDEFINED)
def aupr_background(heatmaps: Maps, regions: Regions, *, rule: AreaRule = "average") -> Scores:
    """Precision-recall area of the reversed map as a detector of everything else."""
    return precision_recall_area(-heatmaps.flatten(2), ~regions.flatten(2), rule=rule)
