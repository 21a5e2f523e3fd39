"""Negative perturbation: how long top-1 stays right while the least important pixels are removed first."""

import torch

from seewhy.metrics._sweep import Curves, Ends
from seewhy.ops.curves import Area, area
from seewhy.registry import register_metric
from seewhy.types import Targets


@register_metric("negative", higher_is_better=True, paper="chefer2021", undefined="no blur hides the class")
def negative(curves: Curves, judged: Targets, *, rule: Area = "trapezoid") -> Ends:
    """Area under "top-1 is right" along the insertion sweep, read backwards.

    Taking the k least important pixels away is the same picture as putting the N - k most important ones in.
    """
    right = curves.insertion_top1.flip(-1) == judged[..., None, None]
    scores = area(right.to(curves.insertion.dtype), rule=rule)
    return scores.where(curves.insertion_floor.isfinite(), torch.nan)
