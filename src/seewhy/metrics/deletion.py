"""Deletion: how fast the class goes away when the map's most important pixels are replaced first."""

from seewhy.metrics._sweep import Curves, Ends
from seewhy.ops.curves import Area, area, falling_response
from seewhy.registry import register_metric


@register_metric(
    "deletion",
    higher_is_better=False,
    paper="petsiuk2018",
    undefined="no blur hides the class, or reference and clean image score the same",
)
def deletion(curves: Curves, *, rule: Area = "trapezoid", relative: bool = False) -> Ends:
    """Area under the target probability while the most important pixels disappear first.

    Between 0 and 1; a map that knows nothing scores about the mean of such curves, not 0.5. `relative` is MDA's
    normalized curve, whose areas cannot be compared with plain ones.
    """
    clean = curves.clean.unsqueeze(-1).expand_as(curves.deletion_floor)
    curve = falling_response(curves.deletion, curves.deletion_floor, clean) if relative else curves.deletion
    return area(curve, rule=rule)
