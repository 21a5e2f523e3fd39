"""Pointing game, AUPR, VAR's localization, segmentation: examples computed by hand."""

import numpy as np
import pytest
import torch

from linear_model import two_classes
from seewhy.bench.statistics import summarize
from seewhy.metrics import Protocol, collect_evidence, get_protocol, score_maps
from seewhy.metrics.aupr import aupr_background, aupr_foreground
from seewhy.metrics.localization import select, smooth
from seewhy.metrics.pointing_game import pointing_game
from seewhy.metrics.region_attribution import region_attribution

QUARTER = torch.zeros(1, 1, 4, 4, dtype=torch.bool)
QUARTER[..., :2, :2] = True


def score(heatmap, region, protocol="var", smoothing=11):
    """Scores by name for one map of the size of the image."""
    heatmap = heatmap.double()
    model = two_classes(torch.full(heatmap.shape[-2:], 0.01).tolist())
    options = get_protocol(protocol, {"region_attribution": {"smoothing": smoothing}}).options
    settings = Protocol("test", options=options, runs=())
    image = torch.zeros(1, 3, *heatmap.shape[-2:], dtype=torch.float64)
    rows = score_maps(model, image, heatmap, torch.tensor([[0]]), regions=region, protocol=settings, strict=True)
    return {row["metric"]: row["score"] for row in rows}


def grid(*rows):
    return torch.tensor([[int(letter) for letter in row] for row in rows])[None, None]


@pytest.mark.parametrize(
    ("heatmap", "expected"),
    [
        (torch.ones(1, 1, 4, 4), {"region_attribution": 0.25, "iou": 0.25, "precision": 0.25, "recall": 1, "f1": 0.4}),
        (QUARTER.float(), {"region_attribution": 1, "iou": 1, "precision": 1, "recall": 1, "f1": 1}),
        (1 + 2 * QUARTER.float(), {"region_attribution": 0.5, "iou": 0.25}),
        (grid("1010", "1010", "1010", "1010") - 0.5, {"iou": 0.2, "f1": 1 / 3}),
    ],
)
def test_quarter_by_hand(heatmap, expected):
    found = score(heatmap, QUARTER, smoothing=0)
    for name, value in expected.items():
        assert found[name] == pytest.approx(value), name


def test_nothing_positive():
    found = score(-torch.ones(1, 1, 4, 4), QUARTER, smoothing=0)
    assert [found[name] for name in ("region_attribution", "iou", "precision", "recall", "f1")] == [0.0] * 5


def test_mass_of_the_quadrants_adds_up_to_one():
    heatmap = torch.randn(1, 1, 12, 12)
    quadrants = torch.zeros(4, 1, 12, 12, dtype=torch.bool)
    for i, (top, left) in enumerate([(0, 0), (0, 6), (6, 0), (6, 6)]):
        quadrants[i, :, top : top + 6, left : left + 6] = True
    for taps in (0, 11):
        shares = region_attribution(heatmap.expand(4, -1, -1, -1), quadrants, smoothing=taps)
        assert float(shares.sum()) == pytest.approx(1)


def test_scale_does_not_matter_to_mass():
    heatmap = torch.rand(1, 1, 4, 4)
    torch.testing.assert_close(region_attribution(heatmap * 1e-12, QUARTER), region_attribution(heatmap, QUARTER))


def test_selection_options():
    heatmap = torch.tensor([-1.0, 0.5, 1.0, 4.0]).view(1, 1, 2, 2)
    assert select(heatmap).flatten().tolist() == [False, True, True, True]
    assert select(heatmap, selection="mean").flatten().tolist() == [False, False, False, True]
    assert select(heatmap, selection="median").flatten().tolist() == [False, False, True, True]
    point = torch.zeros(1, 1, 15, 15)
    point[0, 0, 7, 7] = 1
    assert int(select(point, select_from="clip_blur", smoothing=11).sum()) == 121
    point[0, 0, 7, 8] = -3
    before, after = (select(point, select_from=order, smoothing=11).sum() for order in ("clip_blur", "blur_clip"))
    assert before == 121
    assert after < 121
    assert int(select(point, smoothing=11).sum()) == 1
    torch.testing.assert_close(smooth(torch.ones(1, 1, 15, 15), 11), torch.ones(1, 1, 15, 15))


def test_pointing_game_by_hand():
    region = torch.tensor([False, False, True, True]).view(1, 1, 2, 2)
    peaks = [[0.0, 0, 5, 0], [0.0, 5, 5, 0], [1.0, 0, 0, 2], [0.0, 0, 0, 1]]
    hits = [float(pointing_game(torch.tensor(peak).view(1, 1, 2, 2), region)) for peak in peaks]
    assert hits == [1, 0, 1, 1]
    summary = summarize(np.array(hits)[:, None])
    assert summary.mean == [0.75]
    assert summary.error == pytest.approx([0.2165], abs=1e-4)


def test_pointing_game_tolerance():
    region = torch.zeros(1, 1, 9, 9, dtype=torch.bool)
    region[0, 0, 4, 4] = True
    heatmap = torch.zeros(1, 1, 9, 9)
    heatmap[0, 0, 2, 6] = 1
    assert [float(pointing_game(heatmap, region, tolerance=t)) for t in (0, 1, 2)] == [0, 0, 1]


def test_aupr_by_hand():
    region = torch.tensor([1, 0, 0, 1, 1, 0, 0, 0]).bool().view(1, 1, 2, 4)
    heatmap = torch.tensor([0.9, 0.8, 0.3, 0.4, 0.6, 0.1, 0.2, 0.0]).view(1, 1, 2, 4)
    assert float(aupr_foreground(heatmap, region)) == pytest.approx(0.805556, abs=1e-6)
    assert float(aupr_background(heatmap, region)) == pytest.approx(0.942857, abs=1e-6)
    constant = torch.full((1, 1, 2, 4), 0.2)
    assert float(aupr_foreground(constant, region)) == pytest.approx(0.375)
    assert float(aupr_background(constant, region)) == pytest.approx(0.625)


def test_segmentation_by_hand():
    region, heatmap = grid("0000", "0110", "0111", "0000").bool(), grid("0000", "0110", "0110", "0000")
    found = score(heatmap, region, "aha")
    assert found["segmentation_f1"] == pytest.approx(0.888889, abs=1e-6)
    assert found["segmentation_iou"] == pytest.approx(0.858333, abs=1e-6)
    assert score(heatmap, region, "chefer")["segmentation_f1"] == pytest.approx(0.45)
    evidence = collect_evidence(
        two_classes([[0.1] * 4] * 4),
        torch.zeros(1, 3, 4, 4).double(),
        heatmap.double(),
        torch.tensor([[0]]),
        regions=region,
    )
    assert float(evidence["segmented"].iou()) == pytest.approx(0.8)
    assert float(evidence["segmented"].background_iou()) == pytest.approx(0.916667, abs=1e-6)


def test_segmentation_quirks_by_hand():
    region, heatmap = grid("1001", "1000").bool(), grid("1100", "1000")
    plain, quirky = score(heatmap, region, "aha"), score(heatmap, region, "mda")
    assert plain["segmentation_accuracy"] == 0.75
    assert quirky["segmentation_ap"] == pytest.approx(0.6875)
    assert quirky["segmentation_accuracy"] == pytest.approx(2 / 3)  # recall


def test_the_mask_as_map_is_perfect():
    region = grid("0000", "0110", "0111", "0000").bool()
    found = score(region, region, "aha")
    assert {name: value for name, value in found.items() if name.startswith("segmentation")} == dict.fromkeys(
        ["segmentation_accuracy", "segmentation_ap", "segmentation_f1", "segmentation_iou"], 1.0
    )
    assert score(region, region, "chefer")["segmentation_f1"] == 0.5  # rows with foreground


def test_an_empty_region_is_undefined():
    rows = score_maps(
        two_classes([[0.1] * 4] * 4),
        torch.zeros(1, 3, 4, 4).double(),
        torch.rand(1, 1, 4, 4).double(),
        torch.tensor([[0]]),
        regions=torch.zeros(1, 1, 4, 4, dtype=torch.bool),
        metrics=["iou", "pointing_game", "aupr_foreground", "region_attribution"],
    )
    assert all(row["score"] != row["score"] and "region is empty" in row["error"] for row in rows)
