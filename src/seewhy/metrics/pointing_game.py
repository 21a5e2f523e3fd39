"""Pointing game: is the map's highest pixel on the object?

differs from the paper: the classic version allows 15 pixels around the peak; CAAP states none, and none is our default.
"""

from typing import Annotated

import torch
from torch.nn.functional import max_pool2d

from seewhy.ops.curves import pixel_order
from seewhy.registry import register_metric
from seewhy.runtime.options import at_least
from seewhy.types import Maps, Regions, Scores


@register_metric(
    "pointing_game",
    higher_is_better=True,
    paper="zhang2016",
    undefined="the region is empty",
    headline=6,
)
def pointing_game(heatmaps: Maps, regions: Regions, *, tolerance: Annotated[int, at_least(0)] = 0) -> Scores:
    """1 if the peak is in the region (or within `tolerance` pixels of it, up, down and diagonally), else 0.

    Of several equal peaks the first in reading order counts.
    """
    hit = regions.to(heatmaps.dtype)
    hit = max_pool2d(hit, 2 * tolerance + 1, stride=1, padding=tolerance) if tolerance else hit
    peak = pixel_order(heatmaps)[..., :1]
    return hit.flatten(2).gather(2, peak).squeeze(2).where(regions.any(dim=-1).any(dim=-1), torch.nan)
