"""Positive perturbation: how long top-1 stays right while the most important pixels are removed first."""

import torch

from seewhy.metrics._sweep import Curves, Ends
from seewhy.ops.curves import Area, area
from seewhy.registry import register_metric
from seewhy.types import Targets


@register_metric("positive", higher_is_better=False, paper="chefer2021", undefined="no blur hides the class")
def positive(curves: Curves, judged: Targets, *, rule: Area = "trapezoid") -> Ends:
    """Area under "top-1 is right" along the deletion sweep.

    `judged` is the class that counts as right: the explained one, or the data set's label where the protocol says so.
    """
    right = curves.deletion_top1 == judged[..., None, None]
    scores = area(right.to(curves.deletion.dtype), rule=rule)
    return scores.where(curves.deletion_floor.isfinite(), torch.nan)
