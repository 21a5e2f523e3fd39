"""RISE against loops over masks and pixels."""

import numpy as np
import torch

from conftest import make_tiny_cnn
from one_patch import PLACE, make_one_patch
from reference import sampling
from seewhy.methods.rise import RandomMasks, rise

BOTH = torch.tensor([[0, 1], [0, 1]])


def test_masks_by_loops():
    drawn = RandomMasks(3, 4, 0.5, size=(32, 30), seed=1)
    built = drawn.build(slice(0, 3))
    for index in range(3):
        large = sampling.bilinear(drawn.grids[index, 0].numpy(), 5 * 8, 5 * 8)
        row, col = (int(shift[index]) for shift in drawn.shifts)
        expected = torch.from_numpy(large[row : row + 32, col : col + 30])
        torch.testing.assert_close(built[index].double(), expected, rtol=1e-5, atol=1e-5)
    torch.testing.assert_close(drawn.build(slice(2, 3)), built[2:])


def test_maps_by_loops(images, targets):
    model = make_tiny_cnn()
    maps, extras = rise(model, images, targets, samples=9, grid=4, keep=0.4, seed=3)
    masks = RandomMasks(9, 4, 0.4, size=(32, 32), seed=3).build(slice(0, 9))
    terms = []
    for mask in masks:
        with torch.no_grad():
            logits = model.module(model.normalize(images)[1:2] * mask)
        terms.append(logits.softmax(-1)[0, targets[1, 0]].item() * mask.double().numpy() / 0.4)
    terms = np.stack(terms)
    torch.testing.assert_close(maps[1, 0].double(), torch.from_numpy(terms.mean(0)), rtol=1e-4, atol=1e-5)
    error = torch.from_numpy(terms.std(0, ddof=1) / 3)
    torch.testing.assert_close(extras["standard_error"][1, 0].double(), error, rtol=1e-2, atol=1e-5)


def test_standard_error_predicts_the_difference_between_seeds(images):
    model = make_one_patch()
    first, second = (rise(model, images[:1], BOTH[:1], samples=300, seed=seed) for seed in (0, 1))
    squares = (first.maps - second.maps).square() / (
        first.extras["standard_error"].square() + second.extras["standard_error"].square()
    )
    assert 0.2 < squares.mean() < 3


def test_a_model_that_reads_one_patch(images):
    bright = 0.7 + 0.3 * images  # every pixel is evidence for both classes
    maps, _ = rise(make_one_patch(), bright, BOTH, samples=600, grid=4, score="logit")
    cells = torch.nn.functional.adaptive_avg_pool2d(maps, 4).flatten(2)
    assert (cells.argmax(dim=-1) == PLACE[0] * 4 + PLACE[1]).all()
