"""Segmentation test: the map, thresholded at its mean, as a segmentation of the object.

differs from the paper (Chefer et al.): intersection over union is per image here; over a data set, published numbers
add the counts of all images first (`ConfusionCounts.total`). Published code computes F1 row by row of the image
(`segmentation_f1.rowwise`); MDA's computes average precision of the binarized map (`segmentation_ap.binarize`) and
accuracy on the foreground only (`segmentation_accuracy.foreground_only`).
"""

import torch

from seewhy.ops.localization import ConfusionCounts, confusion_counts, precision_recall_area
from seewhy.ops.resize import unit_range
from seewhy.registry import register_evidence, register_metric
from seewhy.types import Maps, Regions, Scores


@register_evidence("segmented")
def segmented(heatmaps: Maps, regions: Regions) -> ConfusionCounts:
    """Pixel counts of the map thresholded at its mean against the region."""
    return confusion_counts(above_mean(heatmaps).flatten(2), regions.flatten(2), dtype=heatmaps.dtype)


@register_metric("segmentation_accuracy", higher_is_better=True, paper="chefer2021")
def segmentation_accuracy(segmented: ConfusionCounts, *, foreground_only: bool = False) -> Scores:
    """Fraction of pixels that are classified correctly; `foreground_only` makes it recall."""
    return segmented.recall() if foreground_only else segmented.accuracy()


@register_metric("segmentation_iou", higher_is_better=True, paper="chefer2021")
def segmentation_iou(segmented: ConfusionCounts) -> Scores:
    """Mean of the intersection over union of object and background."""
    return (segmented.iou() + segmented.background_iou()) / 2


@register_metric("segmentation_ap", higher_is_better=True, paper="chefer2021")
def segmentation_ap(heatmaps: Maps, regions: Regions, *, binarize: bool = False) -> Scores:
    """Average precision of object and background together: 2 N samples, scored A and 1 - A."""
    scores = above_mean(heatmaps).to(heatmaps.dtype) if binarize else unit_range(heatmaps)
    both = torch.cat([1 - scores.flatten(2), scores.flatten(2)], dim=-1)
    labels = torch.cat([~regions.flatten(2), regions.flatten(2)], dim=-1)
    return precision_recall_area(both, labels)


@register_metric("segmentation_f1", higher_is_better=True, paper="chefer2021")
def segmentation_f1(heatmaps: Maps, regions: Regions, *, rowwise: bool = False) -> Scores:
    """F1 of the object's pixels; `rowwise`: the mean over pixel rows, 0 for rows without any."""
    predicted = above_mean(heatmaps)
    if rowwise:
        return confusion_counts(predicted, regions, dtype=heatmaps.dtype).f1().mean(dim=-1)
    return confusion_counts(predicted.flatten(2), regions.flatten(2), dtype=heatmaps.dtype).f1()


def above_mean(maps: Maps) -> Regions:
    """The map thresholded at its mean; values equal to the mean are background."""
    scaled = unit_range(maps)
    return scaled > scaled.mean(dim=(-2, -1), keepdim=True)
