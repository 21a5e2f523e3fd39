"""Grids and superpixels, and the methods that use them."""

import sys

import pytest
import torch

from seewhy.errors import MissingExtra, OptionError
from seewhy.interventions.segments import Segments, image_segments
from seewhy.registry import resolve_method


@pytest.fixture
def quarters():
    """An image of four plain quarters: its superpixels are known."""
    image = torch.zeros(3, 32, 32)
    image[0, :16, 16:], image[1, 16:, :16], image[2, 16:, 16:] = 1.0, 1.0, 1.0
    return image


def test_superpixels_follow_the_colors(tiny_cnn, quarters):
    pytest.importorskip("skimage")
    segments = image_segments(tiny_cnn, quarters, grid=None, superpixels=4)
    assert segments.count == 4
    for rows in (slice(2, 14), slice(18, 30)):
        for cols in (slice(2, 14), slice(18, 30)):
            assert len(segments.labels[rows, cols].unique()) == 1


def test_masks_and_painting():
    segments = Segments(torch.tensor([[0, 1], [1, 2]]), 3)
    assert segments.masks(torch.tensor([[1.0, 0.0, 1.0]])).tolist() == [[[1, 0], [0, 1]]]
    assert segments.to_map(torch.tensor([[0.1, 0.2, 0.3]])).flatten().tolist() == pytest.approx([0.1, 0.2, 0.2, 0.3])


@pytest.mark.parametrize("method", ["lime", "shap"])
def test_maps_are_constant_on_superpixels(method, tiny_cnn, quarters):
    pytest.importorskip("skimage")
    images, targets = torch.stack([quarters, quarters.flip(0)]), torch.tensor([[0], [1]])
    options = {"superpixels": 4, "samples": 20 if method == "lime" else 3}
    maps = resolve_method(method, **options)(tiny_cnn, images, targets).maps
    labels = image_segments(tiny_cnn, quarters, grid=None, superpixels=4).labels
    assert maps.shape == (2, 1, 32, 32)
    for label in labels.unique():
        assert len(maps[0, 0][labels == label].unique()) == 1
    single = resolve_method(method, **options)(tiny_cnn, images[1:], targets[1:]).maps
    torch.testing.assert_close(maps[1:], single)


def test_grid_or_superpixels(tiny_cnn, quarters):
    with pytest.raises(OptionError, match="not both"):
        image_segments(tiny_cnn, quarters, grid=4, superpixels=4)


def test_without_scikit_image(tiny_cnn, quarters, monkeypatch):
    monkeypatch.setitem(sys.modules, "skimage.segmentation", None)
    with pytest.raises(MissingExtra, match=r"seewhy\[superpixels\]"):
        image_segments(tiny_cnn, quarters, grid=None, superpixels=4)
