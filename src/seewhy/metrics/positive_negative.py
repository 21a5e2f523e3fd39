"""Positive and negative perturbation: how long top-1 stays correct while pixels are removed.

Positive removes the most important ones first, negative the least important ones.
"""

from typing import Literal

import torch
from jaxtyping import Int
from torch import Tensor

from seewhy.metrics.cases import PerReference
from seewhy.metrics.evidence import MissingInput
from seewhy.metrics.sweep import Curves, Top1
from seewhy.ops.curves import Area, area
from seewhy.registry import register_evidence, register_metric
from seewhy.types import Targets

UNDEFINED = "no blur removes the class"


@register_evidence("expected_class")
def expected_class(
    targets: Targets, labels: Int[Tensor, " batch"] | None = None, *, source: Literal["target", "label"] = "target"
) -> Targets:
    """The class that top-1 must be: the explained one, or the data set's label."""
    if source == "target":
        return targets
    if labels is None:
        raise MissingInput("labels")
    return labels.view(-1, 1).to(targets).expand_as(targets)


@register_metric("positive", higher_is_better=False, paper="chefer2021", undefined=UNDEFINED)
def positive(curves: Curves, expected_class: Targets, *, rule: Area = "trapezoid") -> PerReference:
    """Area under "top-1 is correct" along the deletion sweep."""
    sweep = curves.deletion
    return _accuracy(sweep.top1, expected_class, sweep.bare, rule)


@register_metric("negative", higher_is_better=True, paper="chefer2021", undefined=UNDEFINED)
def negative(curves: Curves, expected_class: Targets, *, rule: Area = "trapezoid") -> PerReference:
    """Area under "top-1 is correct" along the insertion sweep, read backwards.

    Removing the k least important pixels gives the same image as inserting the N - k most important ones.
    """
    sweep = curves.insertion
    return _accuracy(sweep.top1.flip(-1), expected_class, sweep.bare, rule)


@register_metric("neg_pos", higher_is_better=True, paper="chefer2021", undefined=UNDEFINED, headline=4)
def neg_pos(curves: Curves, expected_class: Targets, *, rule: Area = "trapezoid") -> PerReference:
    """Negative area minus positive area."""
    return negative(curves, expected_class, rule=rule) - positive(curves, expected_class, rule=rule)


def _accuracy(top1: Top1, expected_class: Targets, bare: PerReference, rule: Area) -> PerReference:
    correct = (top1 == expected_class[..., None, None]).to(bare.dtype)
    return area(correct, rule=rule).where(bare.isfinite(), torch.nan)
