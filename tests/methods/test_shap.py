"""SHAP against exact Shapley values and a linear model."""

import pytest
import torch

from conftest import make_tiny_cnn, make_tiny_vit
from masking import linear_model, patch_sums, spliced
from one_patch import PLACE, make_one_patch
from reference import sampling
from seewhy.errors import OptionError
from seewhy.methods.shap import shap
from seewhy.runtime.progress import Listener, listening

BOTH = torch.tensor([[0, 1], [0, 1]])


def test_close_to_the_exact_values_by_its_standard_error(images):
    model, target = make_tiny_vit(), 2

    def value(keep):
        with torch.no_grad():
            return model.logits(spliced(model, images[0], keep, 2))[0, target].item()

    exact = torch.from_numpy(sampling.shapley(4, value)).view(2, 2).float()
    maps, extras = shap(model, images[:1], torch.tensor([[target]]), grid=2, samples=200)
    off = (maps[0, 0] - exact).abs()
    assert (off < 4 * extras["standard_error"][0, 0] + 1e-5).all()
    assert extras["standard_error"].max() < 0.2 * exact.abs().max()


def test_linear_models_are_exact(images):
    model, head = linear_model()
    maps, extras = shap(model, images, torch.tensor([[3], [3]]), grid=4, samples=2)
    torch.testing.assert_close(maps[:, 0], patch_sums(model, head, images, 3, 4), rtol=1e-3, atol=1e-4)
    assert extras["standard_error"].max() < 1e-4


@pytest.mark.parametrize("make", [make_tiny_cnn, make_tiny_vit])
def test_sums_to_the_difference_and_counts_passes(make, images, targets):
    model = make()
    with model.meter() as cost:
        maps, _ = shap(model, images, targets, grid=3, samples=3)
    reference = torch.tensor(model.mean).view(3, 1, 1).expand_as(images)
    with torch.no_grad():
        gap = (model.logits(images) - model.logits(reference)).gather(1, targets)
    torch.testing.assert_close(maps.sum(dim=(-2, -1)), gap, rtol=1e-4, atol=1e-4)
    assert cost.forwards == 2 * (3 * 8 + 2)


def test_a_model_that_reads_one_patch(images):
    bright = 0.7 + 0.3 * images  # every pixel is evidence for both classes
    maps, _ = shap(make_one_patch(), bright, BOTH, grid=4, score="logit")
    cells = torch.nn.functional.adaptive_avg_pool2d(maps, 4).flatten(2)
    assert (cells.argmax(dim=-1) == PLACE[0] * 4 + PLACE[1]).all()


@pytest.mark.parametrize("grid", [0, 33])
def test_invalid_grids_are_refused(grid, tiny_cnn, images, targets):
    with pytest.raises(OptionError, match="between 1 and 32"):
        shap(tiny_cnn, images, targets, grid=grid)


def test_a_single_cell_gets_the_whole_difference(tiny_cnn, images, targets):
    maps, _ = shap(tiny_cnn, images, targets, grid=1, samples=2)
    assert maps.shape == (2, 2, 1, 1)


def test_a_single_image_has_progress(tiny_cnn, images):
    """It may take thousands of passes."""
    seen = []
    tiny_cnn.chunk = 8
    with listening(Listener(lambda *progress: seen.append(progress), lambda _step: False)):
        shap(tiny_cnn, images[:1], BOTH[:1], grid=4, samples=2)
    assert [done for _, done, total in seen if total == 4] == [0, 1, 2, 3]  # 30 passes in chunks of 8
