"""A map against a known region: precision-recall areas, mass inside, confusion counts.

`pixels` is the last dimension everywhere; regions are bool.
"""

from typing import Literal, NamedTuple

import torch
from jaxtyping import Bool, Float
from torch import Tensor

PixelScores = Float[Tensor, "*batch pixels"]
PixelRegions = Bool[Tensor, "*batch pixels"]
Value = Float[Tensor, "*batch"]


def precision_recall_area(
    scores: PixelScores, labels: PixelRegions, *, rule: Literal["average", "trapezoid"] = "average"
) -> Value:
    """Area under the precision-recall curve; ties form one point; NaN where all labels are equal.

    `average` is average precision Σ(Rₙ - Rₙ₋₁)·Pₙ; `trapezoid` interpolates linearly between the points, from (0, 1).

    >>> labels = torch.tensor([1, 0, 0, 1, 1, 0, 0, 0]).bool()
    >>> scores = torch.tensor([0.9, 0.8, 0.3, 0.4, 0.6, 0.1, 0.2, 0.0])
    >>> precision_recall_area(scores, labels), precision_recall_area(scores, labels, rule="trapezoid")
    (tensor(0.8056), tensor(0.7639))
    """
    scores, order = scores.sort(dim=-1, descending=True)
    hits = labels.gather(-1, order).to(scores.dtype).cumsum(dim=-1)
    precision = hits / torch.arange(1, hits.shape[-1] + 1, dtype=hits.dtype, device=hits.device)
    last = torch.ones_like(scores, dtype=torch.bool)
    last[..., :-1] = scores[..., 1:] != scores[..., :-1]  # only the last of equal scores is a point
    before = _previous_point(hits, last, start=0.0)
    height = precision if rule == "average" else (precision + _previous_point(precision, last, start=1.0)) / 2
    positives = hits[..., -1]
    value = ((hits - before) * height).where(last, 0.0).sum(dim=-1) / positives
    return value.where((positives > 0) & (positives < labels.shape[-1]), torch.nan)


def _previous_point(values: PixelScores, last: Tensor, *, start: float) -> PixelScores:
    """For every position, the value at the preceding point of the curve."""
    positions = torch.arange(1, values.shape[-1] + 1, device=values.device)
    latest = (positions * last).cummax(dim=-1).values.roll(1, dims=-1)  # 1-based, of the last point so far
    latest[..., 0] = 0
    padded = torch.cat([torch.full_like(values[..., :1], start), values], dim=-1)
    return padded.gather(-1, latest)


def mass_inside(values: PixelScores, region: PixelRegions) -> Value:
    """Fraction of the positive values that lies inside the region; 0 for a map without positive values."""
    positive = values.clamp(min=0)
    total = positive.sum(dim=-1)
    return (positive * region).sum(dim=-1) / total.where(total > 0, 1.0)


class ConfusionCounts(NamedTuple):
    """True and false positives and negatives, as floats; ratios are per image, or of `total()` for a data set."""

    true_positive: Value
    false_positive: Value
    false_negative: Value
    true_negative: Value

    def has_region(self) -> Tensor:
        """Whether the region is not empty."""
        return self.true_positive + self.false_negative > 0

    def precision(self) -> Tensor:
        return _ratio(self.true_positive, self.true_positive + self.false_positive)

    def recall(self) -> Tensor:
        return _ratio(self.true_positive, self.true_positive + self.false_negative)

    def f1(self) -> Tensor:
        return _ratio(2 * self.true_positive, 2 * self.true_positive + self.false_positive + self.false_negative)

    def iou(self) -> Tensor:
        return _ratio(self.true_positive, self.true_positive + self.false_positive + self.false_negative)

    def background_iou(self) -> Tensor:
        return _ratio(self.true_negative, self.true_negative + self.false_positive + self.false_negative)

    def accuracy(self) -> Tensor:
        right = self.true_positive + self.true_negative
        return right / (right + self.false_positive + self.false_negative)

    def total(self) -> "ConfusionCounts":
        """Counts of the whole data set, summed over images and classes."""
        return ConfusionCounts(*(count.sum() for count in self))


def confusion_counts(
    predicted: PixelRegions, region: PixelRegions, *, dtype: torch.dtype = torch.float32
) -> ConfusionCounts:
    """Confusion counts over the last dimension."""
    combinations = (predicted & region, predicted & ~region, ~predicted & region, ~predicted & ~region)
    return ConfusionCounts(*(combination.sum(dim=-1).to(dtype) for combination in combinations))


def _ratio(part: Tensor, whole: Tensor) -> Tensor:
    """part / whole, and 0 where the whole is 0."""
    return part / whole.where(whole > 0, 1.0)
