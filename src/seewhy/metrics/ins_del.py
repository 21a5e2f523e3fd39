"""Insertion minus deletion: one number for both directions."""

from seewhy.metrics._sweep import Curves, Ends
from seewhy.metrics.deletion import deletion
from seewhy.metrics.insertion import insertion
from seewhy.ops.curves import Area
from seewhy.registry import register_metric


@register_metric(
    "ins_del",
    higher_is_better=True,
    paper="petsiuk2018",
    undefined="no blur hides the class, or reference and clean image score the same",
)
def ins_del(curves: Curves, *, rule: Area = "trapezoid", relative: bool = False) -> Ends:
    """Insertion area minus deletion area; 0 for a map that knows nothing, where both use one reference."""
    return insertion(curves, rule=rule, relative=relative) - deletion(curves, rule=rule, relative=relative)
