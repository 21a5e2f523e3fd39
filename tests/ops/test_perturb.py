"""Grids, masks, blending and the penalty on isolated peaks: worked examples and properties."""

import math

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch.nn.functional import adaptive_avg_pool2d
from torch.testing import assert_close

from seewhy.errors import InputError
from seewhy.ops.curves import evenly_spaced
from seewhy.ops.perturb import (
    aha_reference_images,
    apply_masks,
    cell_indices,
    largest_offset,
    peak_penalty,
    pool_cells,
    soft_masks,
    upsample_cells,
)
from seewhy.ops.references import blur, gaussian_blur, gaussian_kernel
from seewhy.ops.sinkhorn import soft_permutation


def test_cells_are_those_of_nearest_upsampling():
    cells = cell_indices(224, 10)
    assert [int((cells < cell).sum()) for cell in range(3)] == [0, 23, 45]
    with pytest.raises(InputError, match="1 to 8 cells"):
        cell_indices(8, 9)


def test_overlapping_pools_are_those_of_the_official_code():
    ramp = torch.arange(8.0).expand(1, 8, 8)
    bins = [(0, 2), (1, 4), (3, 5), (4, 7), (6, 8)]
    expected = torch.tensor([sum(range(a, b)) / (b - a) for a, b in bins]).expand(1, 5, 5)
    assert_close(pool_cells(ramp, 5, overlap=True), expected)


def test_overlapping_pools_share_a_pixel_where_the_grid_does_not_divide():
    """224 pixels in 10 bins are [0, 23), [22, 45), [44, 68) …"""
    pools = pool_cells(torch.arange(224.0).expand(1, 224, 224), 10, overlap=True)
    assert_close(pools[0, 0, :3], torch.tensor([11.0, 33.0, 55.5]))


@settings(max_examples=40, deadline=None)
@given(st.integers(1, 28), st.integers(28, 60), st.integers(28, 60), st.floats(-1, 1), st.integers(0, 99))
def test_regions_are_disjoint_and_pool_what_they_cover(grid, height, width, shift, seed):
    """Pooling and upsampling is a projection that preserves the mean: every pixel is in exactly one region."""
    offset = tuple(round(largest_offset(side, grid) * shift) for side in (height, width))
    maps = torch.rand(2, height, width, dtype=torch.float64, generator=torch.Generator().manual_seed(seed))
    cells = pool_cells(maps, grid, offset=offset)
    spread = upsample_cells(cells, (height, width), offset=offset)
    assert_close(pool_cells(spread, grid, offset=offset), cells)
    assert_close(spread.mean(dim=(1, 2)), maps.mean(dim=(1, 2)))


def test_grids_that_divide_the_image_are_plain_pooling():
    maps = torch.rand(2, 28, 28)
    assert_close(pool_cells(maps, 7), adaptive_avg_pool2d(maps, 7))


def test_masks_of_a_hard_permutation():
    permutation = torch.eye(3)[[1, 2, 0]].unsqueeze(0)
    masks = soft_masks(permutation, torch.tensor([0, 1 / 3, 2 / 3, 1]))
    assert_close(masks[0], torch.tensor([[0.0, 0, 0], [0, 1, 0], [0, 1, 1], [1, 1, 1]]), rtol=0, atol=1e-6)


def test_steps():
    steps = torch.tensor(evenly_spaced(16)) * 49
    assert_close(steps[[0, 1, 2, 15]], torch.tensor([0.0, 3.2667, 6.5333, 49.0]), rtol=0, atol=1e-4)


@settings(max_examples=20, deadline=None)
@given(st.lists(st.floats(-1, 1), min_size=4, max_size=4), st.floats(0, 1))
def test_insertion_shows_what_deletion_takes(values, fraction):
    """One sort serves both curves: the top q of −a are the rest of the top 1 − q of a."""
    scores = torch.tensor([values], dtype=torch.float64)
    sort = lambda scores: soft_permutation(scores, tau=0.5, iterations=300)  # noqa: E731
    ascending = soft_masks(sort(-scores), torch.tensor([fraction]))
    assert_close(ascending, 1 - soft_masks(sort(scores), torch.tensor([1 - fraction])), rtol=0, atol=1e-5)


def test_cold_masks_are_hard_top_k():
    scores = torch.randperm(16, generator=torch.Generator().manual_seed(0)).float().unsqueeze(0)
    masks = soft_masks(soft_permutation(scores, tau=1e-3, start="sorted"), torch.tensor([0.25]))
    expected = torch.zeros(1, 1, 16).scatter(2, scores.topk(4).indices.unsqueeze(1), 1.0)
    assert_close(masks, expected, rtol=0, atol=1e-3)


def test_smoothing_an_edge():
    edge = torch.tensor([[[1.0, 0.0], [1.0, 0.0]]])
    expected = torch.tensor([1, 0.995567, 0.941561, 0.699525, 0.300475, 0.058439, 0.004433, 0])
    assert_close(upsample_cells(edge, (20, 20), sigma=1.0)[0, 10, 6:14], expected, rtol=0, atol=1e-6)


@pytest.mark.parametrize(("size", "sigma"), [((30, 41), 1.0), ((24, 24), 2.5), ((9, 12), 5.0)])
def test_smoothing_is_that_of_the_pixels(size, sigma):
    """Two small matrix products instead of a blur of every mask; the last kernel is larger than the image."""
    cells = torch.rand(2, 5, 5, dtype=torch.float64, generator=torch.Generator().manual_seed(0))
    pixels = upsample_cells(cells, size, offset=(1, -1)).unsqueeze(1)
    reach = math.ceil(3 * sigma)
    border = "reflect" if reach < min(size) else "replicate"
    expected = blur(pixels, gaussian_kernel(2 * reach + 1, sigma), border=border)
    assert_close(upsample_cells(cells, size, offset=(1, -1), sigma=sigma), expected.squeeze(1))


def test_references(images):
    assert_close(aha_reference_images(images, "black"), torch.zeros_like(images))
    assert_close(aha_reference_images(images, "imagenet_mean")[0, :, 3, 3], torch.tensor([0.485, 0.456, 0.406]))
    assert_close(aha_reference_images(images, "blur"), gaussian_blur(images))
    half = apply_masks(images, torch.zeros_like(images), torch.full((2, 32, 32), 0.25))
    assert_close(half, images * 0.75)


def test_peaks():
    maps = torch.zeros(1, 31, 31)
    maps[0, 15, 15] = 1
    assert float(peak_penalty(maps)) == pytest.approx(0.00103135, abs=1e-8)
    assert float(peak_penalty(maps, two_sided=True)) == pytest.approx(0.00103596, abs=1e-8)
    assert float(peak_penalty(torch.full((1, 31, 31), 3.0))) == pytest.approx(0)
    narrow, wide = (float(peak_penalty(torch.arange(float(width)).expand(1, 60, width))) for width in (60, 120))
    assert narrow * 60 == pytest.approx(wide * 120)  # only the reflected borders of a ramp count


def test_overlapping_cells_move_with_the_grid():
    """Inside the image a grid that divides it has the same cells either way."""
    maps = torch.rand(1, 12, 12, generator=torch.manual_seed(0))
    for offset in ((0, 0), (1, -2), (-1, 2)):
        apart, shared = (pool_cells(maps, 4, offset=offset, overlap=overlap) for overlap in (False, True))
        assert_close(apart[:, 1:3, 1:3], shared[:, 1:3, 1:3])
