"""Information curves: worked examples, interpolation against scipy, file sizes against PIL."""

import io

import numpy as np
import pytest
from PIL import Image
from scipy.interpolate import griddata

from seewhy.ops.information import (
    file_size,
    information_area,
    information_curve,
    interpolate_missing,
    relative,
    top_share,
)


def area_of(*points):
    x, y = (np.array(column, dtype=np.float64) for column in zip(*points, strict=True))
    return information_area(information_curve(x, y))


def test_areas_by_hand():
    assert area_of((0.2, 0.4), (0.5, 0.8)) == pytest.approx(0.67)
    assert area_of((0.2, 0), (0.3, 1)) == pytest.approx(0.75)
    assert area_of((0.75, 0)) == pytest.approx(0.125)


def test_a_curve_never_falls_and_takes_the_highest_at_one_position():
    assert area_of((0.2, 0.4), (0.3, 0.1), (0.5, 0.8)) == area_of((0.2, 0.4), (0.3, 0.4), (0.5, 0.8))
    assert area_of((0.5, 0.2), (0.5, 0.8)) == area_of((0.5, 0.8), (0.5, 0.8))


def test_interpolating_missing_pixels_against_scipy():
    generator = np.random.default_rng(0)
    image = generator.integers(0, 256, (12, 14, 3), dtype=np.uint8)
    mask = generator.random((12, 14)) < 0.15
    filled = interpolate_missing(image, mask)
    known = mask.copy()
    known[[0, 0, -1, -1], [0, -1, 0, -1]] = True
    positions = np.indices(known.shape).reshape(2, -1).T
    for channel in range(3):
        expected = griddata(np.argwhere(known), image[known][:, channel].astype(float), positions, method="linear")
        expected = expected.reshape(known.shape)
        np.testing.assert_allclose(filled[..., channel], expected, atol=0.5 + 1e-6)
    np.testing.assert_array_equal(filled[known], image[known])


def test_filling_in_a_plane_is_exact():
    rows, cols = np.indices((20, 30))
    image = np.stack([2 * rows + 3 * cols, 5 * rows, 200 - 4 * cols], axis=-1).astype(np.uint8)
    mask = np.random.default_rng(1).random((20, 30)) < 0.05
    np.testing.assert_array_equal(interpolate_missing(image, mask), image)


def test_everything_shown_changes_nothing():
    image = np.random.default_rng(0).integers(0, 256, (5, 6, 3), dtype=np.uint8)
    np.testing.assert_array_equal(interpolate_missing(image, np.ones((5, 6), dtype=bool)), image)


def test_information_is_the_length_of_a_lossless_file():
    image = np.random.default_rng(0).integers(0, 256, (9, 9, 3), dtype=np.uint8)
    buffer = io.BytesIO()
    Image.fromarray(image).save(buffer, "WEBP", lossless=True, quality=100)
    assert file_size(image) == len(buffer.getvalue())
    np.testing.assert_array_equal(np.asarray(Image.open(buffer)), image)
    assert file_size(np.zeros_like(image)) < file_size(image)


def test_ties_at_the_quantile_are_all_in():
    assert top_share(np.zeros((4, 4)), 0.01).all()
    assert top_share(np.arange(100.0).reshape(10, 10), 0.05).sum() == 5


def test_relative_is_clipped():
    np.testing.assert_allclose(relative(np.array([0.0, 2.0, 4.0, 9.0]), 1.0, 5.0), [0, 0.25, 0.75, 1])
