"""Recall: the share of the region that the map selects.

differs from the paper: VAR never says what selects a pixel; here a positive value does, unless the protocol says
otherwise (`selection`, `select_from`).
"""

import torch

from seewhy.ops.localization import Counts
from seewhy.registry import register_metric
from seewhy.types import Scores


@register_metric("recall", higher_is_better=True, undefined="the region is empty")
def recall(overlaps: Counts) -> Scores:
    """Selected pixels in the region over the region."""
    return overlaps.recall().where(overlaps.has_region(), torch.nan)
