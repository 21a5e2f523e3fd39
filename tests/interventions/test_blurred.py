"""The weakest blur that removes a class."""

import torch
from torch.testing import assert_close

from seewhy.interventions.blurred import weakest_blur
from seewhy.ops.references import folded_blur

MEAN = (0.4, 0.5, 0.6)


def test_the_first_that_removes_the_class_of_each_image(images):
    """The class of the first image is gone at 5 pixels, that of the second at none."""
    tried = []

    def probability(blurred, cases, size):
        tried.append((size, cases.tolist()))
        assert_close(blurred, folded_blur(images[cases], MEAN, size=size, sigma=size))
        return torch.tensor([0.01 if case == 0 and size >= 5 else 0.02 for case in cases])

    blurred, sizes, found = weakest_blur(images, MEAN, probability, start=1, stop=9)
    assert tried == [(1, [0, 1]), (3, [0, 1]), (5, [0, 1]), (7, [1]), (9, [1])]
    assert sizes.tolist() == [5, 9]
    assert found.tolist() == [True, False]
    assert_close(blurred[:1], folded_blur(images[:1], MEAN, size=5, sigma=5))
    assert_close(blurred[1:], folded_blur(images[1:], MEAN, size=9, sigma=9))
