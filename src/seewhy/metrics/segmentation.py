"""Segmentation test: the map, cut at its mean, as a segmentation of the object.

differs from the paper (Chefer et al.): intersection over union is per image here; over a data set, published numbers
add the counts of all images first (`Counts.total`). Published code computes F1 row by row of the picture
(`rowwise_f1`); MDA's computes average precision of the binarized map (`binary_ap`) and accuracy on the foreground only
(`foreground_accuracy`).
"""

import torch

from seewhy.metrics._selection import above_mean
from seewhy.ops.localization import Counts, overlap, precision_recall_area
from seewhy.ops.resize import unit_range
from seewhy.registry import register_metric
from seewhy.types import Maps, Regions, Scores


@register_metric("segmentation_accuracy", higher_is_better=True, paper="chefer2021")
def segmentation_accuracy(segmented: Counts, *, foreground_accuracy: bool = False) -> Scores:
    """Share of pixels on the right side of the map's mean."""
    return segmented.recall() if foreground_accuracy else segmented.accuracy()


@register_metric("segmentation_iou", higher_is_better=True, paper="chefer2021")
def segmentation_iou(segmented: Counts) -> Scores:
    """Mean of the intersection over union of object and background."""
    return (segmented.iou() + segmented.background_iou()) / 2


@register_metric("segmentation_ap", higher_is_better=True, paper="chefer2021")
def segmentation_ap(heatmaps: Maps, regions: Regions, *, binary_ap: bool = False) -> Scores:
    """Average precision of object and background together: 2 N samples, scored A and 1 - A."""
    scores = above_mean(heatmaps).to(heatmaps.dtype) if binary_ap else unit_range(heatmaps)
    both = torch.cat([1 - scores.flatten(2), scores.flatten(2)], dim=-1)
    labels = torch.cat([~regions.flatten(2), regions.flatten(2)], dim=-1)
    return precision_recall_area(both, labels)


@register_metric("segmentation_f1", higher_is_better=True, paper="chefer2021")
def segmentation_f1(heatmaps: Maps, regions: Regions, *, rowwise_f1: bool = False) -> Scores:
    """F1 of the object's pixels; row by row, where asked for, with 0 for rows that have neither."""
    predicted = above_mean(heatmaps)
    if rowwise_f1:
        return overlap(predicted, regions, dtype=heatmaps.dtype).f1().mean(dim=-1)
    return overlap(predicted.flatten(2), regions.flatten(2), dtype=heatmaps.dtype).f1()
