"""RISE, occlusion, SHAP and LIME against loops, exact Shapley values, Captum, and a linear model's own weights."""

import numpy as np
import pytest
import torch
from torch import nn

from conftest import TINY, make_tiny_cnn, make_tiny_vit
from one_patch import PLACE, make_one_patch
from reference import sampling
from seewhy.errors import OptionError
from seewhy.methods.lime import lime
from seewhy.methods.occlusion import occlusion
from seewhy.methods.rise import RandomMasks, rise
from seewhy.methods.shap import shap
from seewhy.models.module import ModuleClassifier

BOTH = torch.tensor([[0, 1], [0, 1]])


def linear_model():
    """A logit that is a sum over pixels: every patch is worth its own sum."""
    head = nn.Linear(3 * 32 * 32, 4)
    return ModuleClassifier(nn.Sequential(nn.Flatten(), head).eval(), TINY, name="linear"), head


def patch_sums(model, head, images, target, cells):
    products = (head.weight[target].view(3, 32, 32) * model.normalize(images)).sum(dim=1)
    side = 32 // cells
    return products.unflatten(1, (cells, side)).unflatten(3, (cells, side)).sum(dim=(2, 4)).detach()


def spliced(model, image, keep, cells):
    """The image where cells are kept, the mean color elsewhere."""
    side = 32 // cells
    mask = torch.zeros(cells, cells)
    for cell in keep:
        mask[cell // cells, cell % cells] = 1
    mask = mask.repeat_interleave(side, 0).repeat_interleave(side, 1)
    mean = torch.tensor(model.mean).view(3, 1, 1)
    return (mean + (image - mean) * mask)[None]


# shap


def test_shap_near_the_exact_values_by_its_own_error(images):
    model, target = make_tiny_vit(), 2

    def value(keep):
        with torch.no_grad():
            return model.logits(spliced(model, images[0], keep, 2))[0, target].item()

    exact = torch.from_numpy(sampling.shapley(4, value)).view(2, 2).float()
    maps, extras = shap(model, images[:1], torch.tensor([[target]]), grid=2, samples=200)
    off = (maps[0, 0] - exact).abs()
    assert (off < 4 * extras["standard_error"][0, 0] + 1e-5).all()
    assert extras["standard_error"].max() < 0.2 * exact.abs().max()


def test_shap_of_a_linear_model_is_exact(images):
    model, head = linear_model()
    maps, extras = shap(model, images, torch.tensor([[3], [3]]), grid=4, samples=2)
    torch.testing.assert_close(maps[:, 0], patch_sums(model, head, images, 3, 4), rtol=1e-3, atol=1e-4)
    assert extras["standard_error"].max() < 1e-4


@pytest.mark.parametrize("make", [make_tiny_cnn, make_tiny_vit])
def test_shap_adds_up_and_counts(make, images, targets):
    model = make()
    with model.meter() as cost:
        maps, _ = shap(model, images, targets, grid=3, samples=3)
    blank = torch.tensor(model.mean).view(3, 1, 1).expand_as(images)
    with torch.no_grad():
        gap = (model.logits(images) - model.logits(blank)).gather(1, targets)
    torch.testing.assert_close(maps.sum(dim=(-2, -1)), gap, rtol=1e-4, atol=1e-4)
    assert cost.forwards == 2 * (3 * 8 + 2)


# rise


def test_rise_masks_by_loops():
    drawn = RandomMasks(3, 4, 0.5, size=(32, 30), seed=1)
    built = drawn.build(torch.arange(3))
    for index in range(3):
        large = sampling.bilinear(drawn.grids[index, 0].numpy(), 5 * 8, 5 * 8)
        row, col = (int(shift[index]) for shift in drawn.shifts)
        expected = torch.from_numpy(large[row : row + 32, col : col + 30])
        torch.testing.assert_close(built[index].double(), expected, rtol=1e-5, atol=1e-5)
    torch.testing.assert_close(drawn.build(torch.tensor([2])), built[2:])


def test_rise_by_loops(images, targets):
    model = make_tiny_cnn()
    maps, extras = rise(model, images, targets, samples=9, grid=4, keep=0.4, seed=3)
    masks = RandomMasks(9, 4, 0.4, size=(32, 32), seed=3).build(torch.arange(9))
    terms = []
    for mask in masks:
        with torch.no_grad():
            logits = model.module(model.normalize(images)[1:2] * mask)
        terms.append(logits.softmax(-1)[0, targets[1, 0]].item() * mask.double().numpy() / 0.4)
    terms = np.stack(terms)
    torch.testing.assert_close(maps[1, 0].double(), torch.from_numpy(terms.mean(0)), rtol=1e-4, atol=1e-5)
    error = torch.from_numpy(terms.std(0, ddof=1) / 3)
    torch.testing.assert_close(extras["standard_error"][1, 0].double(), error, rtol=1e-2, atol=1e-5)


def test_rise_error_predicts_how_seeds_differ(images):
    model = make_one_patch()
    first, second = (rise(model, images[:1], BOTH[:1], samples=300, seed=seed) for seed in (0, 1))
    squares = (first.maps - second.maps).square() / (
        first.extras["standard_error"].square() + second.extras["standard_error"].square()
    )
    assert 0.2 < squares.mean() < 3


# occlusion


@pytest.mark.parametrize(("window", "stride"), [(8, 4), (8, 8), (7, 5)])
def test_occlusion_equals_captum(tiny_cnn, images, targets, window, stride):
    from captum.attr import Occlusion

    ours = occlusion(tiny_cnn, images, targets, window=window, stride=stride, score="logit")
    theirs = Occlusion(tiny_cnn.module).attribute(
        tiny_cnn.normalize(images),
        sliding_window_shapes=(3, window, window),
        strides=(3, stride, stride),
        target=targets[:, 1],
    )[:, 0]
    ours = ours[:, 1]
    if ours.shape != theirs.shape:
        ours = ours.repeat_interleave(window, 1).repeat_interleave(window, 2)
    torch.testing.assert_close(ours, theirs.to(ours), rtol=1e-3, atol=1e-5)


def test_occlusion_takes_a_vits_own_patches_and_counts(tiny_vit, images, targets):
    with tiny_vit.meter() as cost:
        maps = occlusion(tiny_vit, images, targets)
    assert maps.shape == (2, 2, 4, 4)
    assert cost.forwards == 2 * (16 + 1)


def test_occlusion_refuses_holes(tiny_vit, images, targets):
    with pytest.raises(OptionError, match="stride must be at most window"):
        occlusion(tiny_vit, images, targets, window=4, stride=8)


# lime


def test_lime_by_least_squares(images, targets):
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


def test_lime_of_a_linear_model_without_penalty_is_exact(images):
    model, head = linear_model()
    maps = lime(model, images, torch.tensor([[1], [1]]), samples=60, grid=4, ridge=0.0, score="logit")
    torch.testing.assert_close(maps[:, 0], patch_sums(model, head, images, 1, 4), rtol=1e-3, atol=1e-3)


# all


@pytest.mark.parametrize(
    ("method", "options"),
    [(rise, {"samples": 600, "grid": 4}), (occlusion, {"window": 8}), (shap, {"grid": 4}), (lime, {"grid": 4})],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_a_model_that_reads_one_patch(method, options, images):
    bright = 0.7 + 0.3 * images  # every pixel speaks for both classes
    result = method(make_one_patch(), bright, BOTH, **options, score="logit")
    maps = result if isinstance(result, torch.Tensor) else result.maps
    cells = torch.nn.functional.adaptive_avg_pool2d(maps, 4).flatten(2)
    assert (cells.argmax(dim=-1) == PLACE[0] * 4 + PLACE[1]).all()


@pytest.mark.parametrize("grid", [0, 33])
def test_invalid_grids_are_refused(grid, tiny_cnn, images, targets):
    with pytest.raises(OptionError, match="between 1 and 32"):
        shap(tiny_cnn, images, targets, grid=grid)


def test_one_cell_is_worth_everything(tiny_cnn, images, targets):
    maps, _ = shap(tiny_cnn, images, targets, grid=1, samples=2)
    assert maps.shape == (2, 2, 1, 1)
