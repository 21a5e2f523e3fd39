"""Precision-recall areas and overlaps: worked examples and a slow reference implementation."""

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from reference.slow_metrics import average_precision
from seewhy.ops.localization import confusion_counts, precision_recall_area

M = torch.tensor([1, 0, 0, 1, 1, 0, 0, 0]).bool()
A = torch.tensor([0.9, 0.8, 0.3, 0.4, 0.6, 0.1, 0.2, 0.0], dtype=torch.float64)


def test_by_hand():
    assert float(precision_recall_area(A, M)) == pytest.approx(0.805556, abs=1e-6)
    assert float(precision_recall_area(A, M, rule="trapezoid")) == pytest.approx(0.763889, abs=1e-6)
    assert float(precision_recall_area(1 - A, ~M)) == pytest.approx(0.942857, abs=1e-6)


def test_ends():
    assert float(precision_recall_area(M.double(), M)) == 1
    assert float(precision_recall_area(torch.full((8,), 0.3), M)) == pytest.approx(0.375)
    assert float(precision_recall_area(torch.full((8,), 0.3), ~M)) == pytest.approx(0.625)
    assert precision_recall_area(A, torch.zeros(8).bool()).isnan()
    assert precision_recall_area(A, torch.ones(8).bool()).isnan()


@given(st.lists(st.tuples(st.integers(0, 4), st.booleans()), min_size=3, max_size=20))
@settings(max_examples=60, deadline=None)
def test_average_precision_against_the_slow_writing(pairs):
    scores, labels = (list(column) for column in zip(*pairs, strict=True))
    if len(set(labels)) < 2:
        return
    found = precision_recall_area(torch.tensor(scores).double(), torch.tensor(labels))
    assert float(found) == pytest.approx(average_precision(scores, labels), abs=1e-9)


@given(st.lists(st.tuples(st.booleans(), st.booleans()), min_size=4, max_size=30))
@settings(max_examples=60, deadline=None)
def test_identities_of_overlap(pairs):
    """F1 = 2 IoU / (1 + IoU), and binarized two-channel AP = α² + (1 - α) / 2."""
    predicted, region = (torch.tensor(column) for column in zip(*pairs, strict=True))
    counts = confusion_counts(predicted, region, dtype=torch.float64)
    iou, accuracy = counts.iou(), counts.accuracy()
    torch.testing.assert_close(counts.f1(), 2 * iou / (1 + iou))
    both = torch.cat([~predicted, predicted]).double()
    found = precision_recall_area(both, torch.cat([~region, region]))
    torch.testing.assert_close(found, accuracy**2 + (1 - accuracy) / 2)


def test_counts_add_up_over_images():
    predicted, region = torch.rand(3, 1, 20) > 0.5, torch.rand(3, 1, 20) > 0.5
    total = confusion_counts(predicted, region).total()
    torch.testing.assert_close(total.iou(), confusion_counts(predicted.flatten(), region.flatten()).iou())
