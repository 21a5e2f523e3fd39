"""F1: harmonic mean of precision and recall of the selected pixels.

differs from the paper: VAR never says what selects a pixel; here a positive value does, unless the protocol says
otherwise (`selection`, `select_from`).
"""

import torch

from seewhy.ops.localization import Counts
from seewhy.registry import register_metric
from seewhy.types import Scores


@register_metric("f1", higher_is_better=True, undefined="the region is empty")
def f1(overlaps: Counts) -> Scores:
    """2·P·R / (P + R), which is 2·IoU / (1 + IoU)."""
    return overlaps.f1().where(overlaps.has_region(), torch.nan)
