"""LIME against weighted least squares in numpy and a linear model."""

import numpy as np
import torch

from conftest import make_tiny_cnn
from masking import linear_model, patch_sums, spliced
from one_patch import PLACE, make_one_patch
from reference import sampling
from seewhy.methods.lime import lime

BOTH = torch.tensor([[0, 1], [0, 1]])


def test_weighted_least_squares(images, targets):
    model = make_tiny_cnn()
    maps = lime(model, images, targets, samples=40, grid=2, seed=4)
    present = (torch.rand(40, 4, generator=torch.Generator().manual_seed(4)) < 0.5).double()
    present[0] = 1
    scores, weights = [], []
    for row in present:
        with torch.no_grad():
            logits = model.logits(spliced(model, images[0], row.nonzero()[:, 0].tolist(), 2))
        scores.append(logits.softmax(-1)[0, targets[0, 1]].item())
        cosine = float(row.sum() / (row.norm() * 2)) if row.any() else 0.0
        weights.append(np.sqrt(np.exp(-((1 - cosine) ** 2) / 0.25**2)))
    slow = sampling.weighted_ridge(present.numpy(), np.array(scores), np.array(weights), 1.0)
    torch.testing.assert_close(maps[0, 1].flatten().double(), torch.from_numpy(slow), rtol=1e-3, atol=1e-5)


def test_linear_models_without_penalty_are_exact(images):
    model, head = linear_model()
    maps = lime(model, images, torch.tensor([[1], [1]]), samples=60, grid=4, ridge=0.0, score="logit")
    torch.testing.assert_close(maps[:, 0], patch_sums(model, head, images, 1, 4), rtol=1e-3, atol=1e-3)


def test_a_model_that_reads_one_patch(images):
    bright = 0.7 + 0.3 * images  # every pixel is evidence for both classes
    maps = lime(make_one_patch(), bright, BOTH, grid=4, score="logit")
    cells = torch.nn.functional.adaptive_avg_pool2d(maps, 4).flatten(2)
    assert (cells.argmax(dim=-1) == PLACE[0] * 4 + PLACE[1]).all()
