"""Negative minus positive perturbation."""

from seewhy.metrics._sweep import Curves, Ends
from seewhy.metrics.negative import negative
from seewhy.metrics.positive import positive
from seewhy.ops.curves import Area
from seewhy.registry import register_metric
from seewhy.types import Targets


@register_metric("neg_pos", higher_is_better=True, paper="chefer2021", undefined="no blur hides the class")
def neg_pos(curves: Curves, judged: Targets, *, rule: Area = "trapezoid") -> Ends:
    """Negative area minus positive area."""
    return negative(curves, judged, rule=rule) - positive(curves, judged, rule=rule)
