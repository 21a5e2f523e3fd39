"""AIC and SIC on images whose scores are known, and images that are skipped."""

import numpy as np
import pytest
import torch

from linear_model import LinearModel
from seewhy.metrics import collect_evidence
from seewhy.metrics.information import PAIR_THRESHOLDS, median_area, random_mask
from seewhy.ops.information import (
    file_size,
    information_area,
    information_curve,
    interpolate_missing,
    relative,
    top_share,
)

SIZE = 24


@pytest.fixture
def model():
    """Class 0 is the brightness of the square; class 1, that of everything, wins where the square is hidden."""
    weights = torch.zeros(2, SIZE, SIZE, dtype=torch.float64)
    weights[0, 4:10, 4:10] = 1 / 36
    weights[1] = 2 / SIZE**2
    return LinearModel(weights)


@pytest.fixture
def image():
    """A white square on colored noise: the square is what class 0 sees."""
    noise = torch.rand(1, 3, SIZE, SIZE, generator=torch.Generator().manual_seed(3), dtype=torch.float64) * 0.3
    noise[..., 4:10, 4:10] = 1.0
    return (noise * 255).round() / 255


@pytest.fixture
def good_map():
    heatmap = torch.rand(1, 1, SIZE, SIZE, generator=torch.Generator().manual_seed(4), dtype=torch.float64)
    heatmap[..., 4:10, 4:10] += 1
    return heatmap


def test_sic_against_the_steps_written_out(model, image, good_map):
    evidence = collect_evidence(model, image, good_map, torch.tensor([[0]]), protocol="pair")
    found = evidence["information"]
    pixels = (image[0] * 255).round().byte().permute(1, 2, 0).numpy()
    shown = random_mask(SIZE, SIZE, 0.01, 0, evidence["cases"].digests[0])
    assert shown.sum() == int(0.01 * SIZE * SIZE)

    def probability(image):
        return float(model.probabilities(torch.from_numpy(image).permute(2, 0, 1)[None] / 255.0)[0, 0])

    start = interpolate_missing(pixels, shown)
    x, y = [], []
    for share in PAIR_THRESHOLDS:
        filled = interpolate_missing(pixels, shown | top_share(good_map[0, 0].numpy(), share))
        x.append((file_size(filled) - file_size(start)) / (file_size(pixels) - file_size(start)))
        y.append((probability(filled) - probability(start)) / (probability(pixels) - probability(start)))
    curve = information_curve(np.clip(x, 0, 1), np.clip(y, 0, 1))
    assert float(found.sic) == pytest.approx(information_area(curve), abs=1e-6)
    torch.testing.assert_close(found.softmax[0, 0], torch.from_numpy(curve))


def test_a_good_map_beats_its_opposite(model, image, good_map):
    maps = torch.stack([good_map[0], -good_map[0]])
    targets = torch.zeros(2, 1, dtype=torch.int64)
    found = collect_evidence(model, image.expand(2, -1, -1, -1), maps, targets, protocol="pair")["information"]
    assert float(found.sic[0]) > float(found.sic[1]) + 0.2
    assert float(found.aic[0]) > float(found.aic[1])


def test_skipped(model, image, good_map):
    evidence = collect_evidence(model, image, good_map, torch.tensor([[1]]), protocol="pair")
    assert evidence["information"].sic.isnan()  # not what is predicted
    always = {"information": {"min_probability": 0.0}}
    flat = torch.full_like(image, 0.5)  # no information to add
    assert collect_evidence(model, flat, good_map, torch.tensor([[0]]), protocol="pair", options=always)[
        "information"
    ].sic.isnan()


def test_forwards(model, image, good_map):
    with model.meter() as cost:
        collect_evidence(model, image, good_map, torch.tensor([[0]]), protocol="pair")["information"]
    assert cost.forwards == 15
    constant = torch.zeros_like(good_map)
    with model.meter() as cost:
        collect_evidence(model, image, constant, torch.tensor([[0]]), protocol="pair")["information"]
    assert cost.forwards == 3  # the image, the start, and everything at once for every threshold


def test_random_pixels_depend_on_the_image_not_on_the_method():
    same = random_mask(20, 20, 0.01, 0, "abc0123456789"), random_mask(20, 20, 0.01, 0, "abc0123456789")
    np.testing.assert_array_equal(*same)
    assert (same[0] != random_mask(20, 20, 0.01, 0, "def0123456789")).any()
    assert (same[0] != random_mask(20, 20, 0.01, 1, "abc0123456789")).any()


def test_median_curve():
    steps = [information_curve(np.array([x]), np.array([1.0])) for x in (0.1, 0.2, 0.9)]
    curves = torch.from_numpy(np.stack([*steps, np.full(1001, np.nan)])).view(4, 1, -1)
    assert median_area(curves) == pytest.approx(information_area(steps[1]), abs=1e-9)


def test_relative_ends():
    np.testing.assert_allclose(relative(np.array([3.0]), 3.0, 7.0), [0.0])
