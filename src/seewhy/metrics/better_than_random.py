"""Better than random: the lead over a map of noise, in insertion minus deletion."""

from seewhy.metrics._sweep import Curves, Ends
from seewhy.metrics.ins_del import ins_del
from seewhy.ops.curves import Area
from seewhy.registry import register_metric


@register_metric("better_than_random", higher_is_better=True, undefined="no blur hides the class")
def better_than_random(
    curves: Curves, random_curves: Curves, *, rule: Area = "trapezoid", relative: bool = False
) -> Ends:
    """Insertion minus deletion of the map, less that of smooth noise; above 0 the map knows something."""
    return ins_del(curves, rule=rule, relative=relative) - ins_del(random_curves, rule=rule, relative=relative)
