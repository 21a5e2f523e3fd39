"""Deletion and insertion: how fast the class disappears, or appears, with the map's most important pixels.

The map ranks the pixels, highest first; ties are broken by their index. Deletion replaces the first of them by those of
a reference image, insertion puts them into the reference. With p(x) the probability of the class once the fraction x of
the pixels has been treated so, the score is the area ∫ p(x) dx from 0 to 1, and `ins_del` the difference of both areas.

`relative` is MDA's curve between reference and clean image; its areas cannot be compared with plain ones.
"""

from seewhy.metrics.cases import PerReference
from seewhy.metrics.sweep import Curves
from seewhy.ops.curves import Area, area, falling_response, rising_response
from seewhy.registry import register_metric

UNDEFINED = "no blur removes the class, or reference and clean image score the same"


@register_metric("deletion", higher_is_better=False, paper="petsiuk2018", undefined=UNDEFINED, headline=3)
def deletion(curves: Curves, *, rule: Area = "trapezoid", relative: bool = False) -> PerReference:
    """Area under the target probability while the most important pixels are deleted first.

    Between 0 and 1; an uninformative map scores about the mean of such curves, not 0.5.
    """
    sweep = curves.deletion
    curve = falling_response(sweep.probability, sweep.bare, sweep.clean) if relative else sweep.probability
    return area(curve, rule=rule)


@register_metric("insertion", higher_is_better=True, paper="petsiuk2018", undefined=UNDEFINED, headline=2)
def insertion(curves: Curves, *, rule: Area = "trapezoid", relative: bool = False) -> PerReference:
    """Area under the target probability while the most important pixels are inserted first."""
    sweep = curves.insertion
    curve = rising_response(sweep.probability, sweep.bare, sweep.clean) if relative else sweep.probability
    return area(curve, rule=rule)


@register_metric("ins_del", higher_is_better=True, paper="petsiuk2018", undefined=UNDEFINED, headline=1)
def ins_del(curves: Curves, *, rule: Area = "trapezoid", relative: bool = False) -> PerReference:
    """Insertion area minus deletion area; 0 for an uninformative map, where both use one reference."""
    return insertion(curves, rule=rule, relative=relative) - deletion(curves, rule=rule, relative=relative)


@register_metric("better_than_random", higher_is_better=True, undefined=UNDEFINED)
def better_than_random(
    curves: Curves, random_curves: Curves, *, rule: Area = "trapezoid", relative: bool = False
) -> PerReference:
    """Insertion minus deletion of the map, minus that of smooth noise; above 0 the map is informative."""
    return ins_del(curves, rule=rule, relative=relative) - ins_del(random_curves, rule=rule, relative=relative)


@register_metric("better_than_center", higher_is_better=True, undefined=UNDEFINED)
def better_than_center(
    curves: Curves, center_curves: Curves, *, rule: Area = "trapezoid", relative: bool = False
) -> PerReference:
    """Insertion minus deletion of the map, minus that of a centered Gaussian; photos tend to be centered."""
    return ins_del(curves, rule=rule, relative=relative) - ins_del(center_curves, rule=rule, relative=relative)
