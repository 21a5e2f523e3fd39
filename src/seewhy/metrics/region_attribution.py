"""Region attribution (RA, grid pointing): the fraction of the map's positive part inside the region of the class.

differs from the paper: VAR smooths the map (11 taps; sigma is not stated, OpenCV's is 2), Rao et al. do not; no
smoothing is our default.
"""

import torch

from seewhy.metrics.localization import Taps, smooth
from seewhy.ops.localization import mass_inside
from seewhy.registry import register_metric
from seewhy.types import Maps, Regions, Scores


@register_metric(
    "region_attribution", higher_is_better=True, paper="rao2022", undefined="the region is empty", headline=7
)
def region_attribution(heatmaps: Maps, regions: Regions, *, smoothing: Taps = 0) -> Scores:
    """Positive mass inside the region over all positive mass; chance level is the region's area."""
    positive = smooth(heatmaps.clamp(min=0), smoothing)
    share = mass_inside(positive.flatten(2), regions.flatten(2))
    return share.where(regions.any(dim=-1).any(dim=-1), torch.nan)
