"""Insertion: how fast the class appears when the map's most important pixels are put into the reference first."""

from seewhy.metrics._sweep import Curves, Ends
from seewhy.ops.curves import Area, area, rising_response
from seewhy.registry import register_metric


@register_metric(
    "insertion",
    higher_is_better=True,
    paper="petsiuk2018",
    undefined="no blur hides the class, or reference and clean image score the same",
)
def insertion(curves: Curves, *, rule: Area = "trapezoid", relative: bool = False) -> Ends:
    """Area under the target probability while the most important pixels appear first.

    `relative` is MDA's normalized curve, systematically higher than the plain one.
    """
    clean = curves.clean.unsqueeze(-1).expand_as(curves.insertion_floor)
    curve = rising_response(curves.insertion, curves.insertion_floor, clean) if relative else curves.insertion
    return area(curve, rule=rule)
