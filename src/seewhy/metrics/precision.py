"""Precision: the share of the selected pixels that lies in the region.

differs from the paper: VAR never says what selects a pixel; here a positive value does, unless the protocol says
otherwise (`selection`, `select_from`).
"""

import torch

from seewhy.ops.localization import Counts
from seewhy.registry import register_metric
from seewhy.types import Scores


@register_metric("precision", higher_is_better=True, undefined="the region is empty")
def precision(overlaps: Counts) -> Scores:
    """Selected pixels in the region over all selected pixels; 0 if none is selected."""
    return overlaps.precision().where(overlaps.has_region(), torch.nan)
