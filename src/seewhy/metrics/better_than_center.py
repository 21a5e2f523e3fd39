"""Better than center: the lead over a Gaussian in the middle, in insertion minus deletion."""

from seewhy.metrics._sweep import Curves, Ends
from seewhy.metrics.ins_del import ins_del
from seewhy.ops.curves import Area
from seewhy.registry import register_metric


@register_metric("better_than_center", higher_is_better=True, undefined="no blur hides the class")
def better_than_center(
    curves: Curves, center_curves: Curves, *, rule: Area = "trapezoid", relative: bool = False
) -> Ends:
    """Insertion minus deletion of the map, less that of a centered Gaussian; photographs put things in the middle."""
    return ins_del(curves, rule=rule, relative=relative) - ins_del(center_curves, rule=rule, relative=relative)
