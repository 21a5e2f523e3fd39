"""Reference pictures against scipy and against figures worked out in the specification."""

import numpy as np
import pytest
import torch
from scipy.ndimage import gaussian_filter, uniform_filter

from reference.slow_metrics import gaussian_reference, gkern_reference
from seewhy.ops.references import blur, folded_blur, folded_kernel, gaussian_blur, gaussian_kernel, one_color

MEAN, STD = (0.485, 0.456, 0.406), (0.229, 0.224, 0.225)


@pytest.fixture
def photo():
    return torch.rand(2, 3, 45, 40, generator=torch.Generator().manual_seed(0), dtype=torch.float64)


def test_kernel_of_aha():
    kernel = gaussian_kernel(37, 37.0)
    square = torch.outer(kernel, kernel)
    assert float(square[18, 18]) == pytest.approx(7.92803e-4, rel=1e-5)
    assert float(square[0, 0]) == pytest.approx(6.25721e-4, rel=1e-5)
    assert float(square.sum()) == pytest.approx(1)


def test_kernel_of_rise_folds_back():
    square = torch.outer(folded_kernel(11, 5.0), folded_kernel(11, 5.0))
    assert float(square[5, 5]) == pytest.approx(0.0088326, abs=5e-8)
    assert float(square[0, 0]) == pytest.approx(0.0077366, abs=5e-8)
    nearly_box = folded_kernel(31, 31.0)
    assert float(nearly_box[0] / nearly_box[15]) ** 2 == pytest.approx(0.99994, abs=1e-5)


@pytest.mark.parametrize(("size", "sigma"), [(11, 5.0), (31, 31.0), (1, 1.0), (35, 35.0)])
def test_folded_kernel_is_a_smoothed_point(size, sigma):
    point = np.zeros((size, size))
    point[size // 2, size // 2] = 1
    kernel = folded_kernel(size, sigma)
    torch.testing.assert_close(torch.outer(kernel, kernel), torch.from_numpy(gaussian_filter(point, sigma)))


def test_kernel_of_var():
    expected = torch.tensor([0.008812, 0.027144, 0.065114, 0.121649, 0.176998, 0.200565], dtype=torch.float64)
    kernel = gaussian_kernel(11, 2.0)
    torch.testing.assert_close(kernel[:6], expected, rtol=0, atol=5e-7)
    torch.testing.assert_close(kernel, kernel.flip(0))


def test_blurs_against_two_dimensional_convolution(photo):
    torch.testing.assert_close(gaussian_blur(photo)[1], gaussian_reference(photo[1]))
    found = folded_blur(photo, MEAN, size=11, sigma=5.0)
    torch.testing.assert_close(found[0], gkern_reference(photo[0], MEAN, STD))


def test_large_folded_blur_is_a_box(photo):
    inside = np.stack([uniform_filter(plane, 31, mode="constant") for plane in photo[0].numpy()])
    found = folded_blur(photo, (0.0, 0.0, 0.0), size=31, sigma=31.0)[0]
    torch.testing.assert_close(found, torch.from_numpy(inside), rtol=0, atol=1e-4)


def test_a_constant_picture_stays(photo):
    flat = one_color(photo, MEAN)
    torch.testing.assert_close(gaussian_blur(flat), flat)
    torch.testing.assert_close(folded_blur(flat, MEAN, size=11, sigma=5.0), flat)


def test_a_border_wider_than_the_picture_is_repeated():
    picture = torch.rand(1, 3, 4, 5)
    assert blur(picture, gaussian_kernel(37, 37.0)).shape == picture.shape
