"""IoU: overlap of the selected pixels with the region, over their union.

differs from the paper: VAR never says what selects a pixel; here a positive value does, unless the protocol says
otherwise (`selection`, `select_from`).
"""

import torch

from seewhy.ops.localization import Counts
from seewhy.registry import register_metric
from seewhy.types import Scores


@register_metric("iou", higher_is_better=True, undefined="the region is empty")
def iou(overlaps: Counts) -> Scores:
    """Intersection over union of the pixels the map selects and the region."""
    return overlaps.iou().where(overlaps.has_region(), torch.nan)
