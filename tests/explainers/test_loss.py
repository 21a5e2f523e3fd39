"""The loss: as published and in less memory, by hand, against finite differences and against hard metrics."""

import dataclasses

import pytest
import torch
from torch.testing import assert_close

from conftest import make_tiny_cnn, make_tiny_vit
from linear_model import two_classes
from seewhy.errors import ModelError
from seewhy.explainers.config import LossConfig
from seewhy.explainers.loss import (
    Perturbation,
    area_weights,
    explainer_loss,
    published_loss,
    reference_probabilities,
    sample_perturbation,
    total_loss,
)
from seewhy.explainers.presets import PRESETS
from seewhy.metrics import score_maps
from seewhy.ops.curves import evenly_spaced
from seewhy.ops.perturb import aha_reference_images, soft_masks
from seewhy.ops.sinkhorn import soft_permutation

PLAIN = LossConfig(peak_weight=0.0, sigma=0.0, gumbel=False, sort_start="plain", score_std=None)


def loss_of(model, images, maps, targets, config=PLAIN, tau=0.3, grid=4, points=None, generator=None):
    clean = model.probabilities(images).gather(1, targets)
    perturbation = Perturbation(grid, (0, 0), "black", evenly_spaced(points or config.points))
    with model.frozen_eval():
        return explainer_loss(
            model, images, maps, targets, clean, config=config, perturbation=perturbation, tau=tau, generator=generator
        )


@pytest.fixture
def maps():
    return torch.randn(2, 32, 32, generator=torch.Generator().manual_seed(3))


def both_losses(model, images, maps, targets, config, perturbation, tau=0.4):
    """Loss and gradient as published, then in less memory, with the same noise."""
    clean = model.probabilities(images).gather(1, targets)
    for published in (True, False):
        leaf, options = maps.clone().requires_grad_(), {"config": config, "perturbation": perturbation, "tau": tau}
        options |= {"generator": torch.Generator().manual_seed(1)}
        with model.frozen_eval():
            if published:
                loss = published_loss(model, images, leaf, targets, **options)
            else:
                loss = explainer_loss(model, images, leaf, targets, clean, **options)
            yield loss, torch.autograd.grad(loss.total, leaf)[0]


@pytest.mark.parametrize("make", [make_tiny_vit, make_tiny_cnn])
@pytest.mark.parametrize("name", ["paper", "official", "small"])
def test_less_memory_changes_neither_value_nor_gradient(name, make, images, maps, targets):
    """All settings of the preset; only the sort starts as published, since other starts only have the same limit.

    The last point is the reference once Sinkhorn has converged, which is soon at a high temperature.
    """
    model = make()
    model.module.double()
    config = dataclasses.replace(PRESETS[name].explainer.loss, points=6, sort_start="plain", sinkhorn=200)
    perturbation = sample_perturbation(dataclasses.replace(config, grids=(5,)), (32, 32), torch.Generator())
    losses = both_losses(model, images.double(), maps.double(), targets, config, perturbation, tau=4.0)
    (published, expected), (loss, gradient) = losses
    assert_close(torch.stack(loss), torch.stack(published))
    assert float(expected.abs().max()) > 1e-6
    assert_close(gradient, expected, rtol=1e-6, atol=1e-9 * float(expected.abs().max()))


def test_the_sorted_start_has_the_same_limit(images, maps, targets):
    model = make_tiny_cnn()
    model.module.double()
    config = dataclasses.replace(PRESETS["small"].explainer.loss, points=6, sinkhorn=2000)
    perturbation = Perturbation(4, (1, -1), "blur", evenly_spaced(6))
    losses = both_losses(model, images.double(), maps.double(), targets, config, perturbation)
    (published, expected), (loss, gradient) = losses
    assert_close(torch.stack(loss), torch.stack(published))
    assert_close(gradient, expected, rtol=1e-4, atol=1e-6 * float(expected.abs().max()))


def test_gradient_against_finite_differences(images, maps, targets):
    model = make_tiny_cnn()
    model.module.double()
    images, maps = images.double(), maps.double()
    config = dataclasses.replace(PLAIN, points=4, peak_weight=0.1, sigma=1.0)
    leaf = maps.clone().requires_grad_()
    (gradient,) = torch.autograd.grad(loss_of(model, images, leaf, targets, config).total, leaf)
    direction = torch.randn(maps.shape, dtype=maps.dtype, generator=torch.Generator().manual_seed(4))
    ends = [loss_of(model, images, maps + step * direction, targets, config).total for step in (-1e-5, 1e-5)]
    assert_close((gradient * direction).sum(), (ends[1] - ends[0]) / 2e-5, rtol=1e-5, atol=1e-9)


def test_the_limit_of_a_low_temperature_is_the_metric(images, targets, tiny_cnn):
    """With one value per cell, and the steps of the grid."""
    order = torch.randperm(16, generator=torch.Generator().manual_seed(5)).view(1, 4, 4).expand(2, -1, -1) / 15
    maps = order.repeat_interleave(8, dim=1).repeat_interleave(8, dim=2)
    config = dataclasses.replace(PLAIN, points=17, sort_start="sorted")
    loss = loss_of(tiny_cnn, images, maps, targets[:, :1], config, tau=5e-4)
    options = {"curves": {"references": ("black",), "fractions": evenly_spaced(17)}}
    rows = score_maps(tiny_cnn, images, maps.unsqueeze(1), targets[:, :1], metrics=["deletion", "insertion"],
                      options=options)  # fmt: skip
    for name in ("deletion", "insertion"):
        true = [row["score"] for row in rows if row["metric"] == name and row["reference"] == "all"]
        assert float(getattr(loss, name)) == pytest.approx(sum(true) / len(true), abs=1e-3)


def test_the_loss_of_two_regions_by_hand():
    """f(x) = .7 x0 + .3 x1 of a white image over black: L = 1.2 - .4 sigmoid((a0 - a1) / tau)."""
    fractions, f = torch.tensor([0.0, 0.5, 1.0]).double(), torch.tensor([0.7, 0.3]).double()
    a = torch.tensor([[1.0, 0.0]], dtype=torch.float64, requires_grad=True)
    masks = [soft_masks(soft_permutation(scores, tau=1.0), fractions)[0] for scores in (a, -a)]
    deletion, insertion = (area_weights(fractions, PLAIN) @ ((1 - each) @ f) for each in masks)
    loss = total_loss(deletion, insertion, torch.zeros(()).double(), PLAIN)
    assert (float(loss.deletion), float(loss.insertion)) == pytest.approx((0.453788, 0.546212), abs=1e-6)
    assert float(loss.total.detach()) == pytest.approx(1.2 - 0.4 * 0.731059, abs=1e-6)
    assert float(torch.autograd.grad(loss.total, a)[0][0, 0]) == pytest.approx(-0.078645, abs=1e-6)


def test_the_right_order_has_the_lower_loss():
    """Four quarters that count 40, 30, 20 and 10 %: 1, .6, .3, .1, 0 is what deletion leaves."""
    quarters = torch.tensor([[0.4, 0.3], [0.2, 0.1]], dtype=torch.float64)
    model = two_classes((quarters / 256).repeat_interleave(16, 0).repeat_interleave(16, 1).tolist())
    white, first = torch.ones(1, 3, 32, 32, dtype=torch.float64), torch.zeros(1, 1, dtype=torch.long)
    right = quarters.repeat_interleave(16, 0).repeat_interleave(16, 1).unsqueeze(0)
    config = dataclasses.replace(PLAIN, points=5, sort_start="sorted", peak_weight=2.0)
    for maps, deletion in ((right, 0.375), (-right, 0.625)):
        loss = loss_of(model, white, maps, first, config, tau=1e-4, grid=2)
        assert float(loss.deletion) == pytest.approx(deletion, abs=1e-6)
        assert float(loss.insertion) == pytest.approx(1 - deletion, abs=1e-6)
        assert float(loss.total) == pytest.approx(2 * deletion + 2 * float(loss.peak), abs=1e-6)


def test_a_flat_map_has_a_finite_loss(images, targets, tiny_cnn):
    config = dataclasses.replace(PLAIN, score_std=5.0)
    assert loss_of(tiny_cnn, images, torch.full((2, 32, 32), 7.0), targets, config).total.isfinite()


def test_both_classes_cost_one_forward_per_point(images, maps, targets, tiny_vit):
    clean = tiny_vit.probabilities(images).gather(1, targets)
    perturbation = Perturbation(7, (1, 0), "blur", evenly_spaced(16))
    with tiny_vit.meter() as cost, tiny_vit.frozen_eval():
        explainer_loss(tiny_vit, images, maps, targets, clean, config=LossConfig(), perturbation=perturbation, tau=0.5)
    assert cost.forwards == 2 * 28 + 2
    assert cost.backwards == 2 * 28


def test_the_last_point_is_the_reference(images, maps, targets, tiny_vit):
    """Without inner points, only the ends of both curves remain: half the clean image, half the reference."""
    config, perturbation = dataclasses.replace(PLAIN, points=3), Perturbation(4, (0, 0), "blur", (0.0, 0.0, 1.0))
    clean = tiny_vit.probabilities(images).gather(1, targets)
    shown = tiny_vit.probabilities(aha_reference_images(images, "blur")).gather(1, targets)
    loss = explainer_loss(tiny_vit, images, maps, targets, clean, config=config, perturbation=perturbation, tau=0.3)
    expected = (clean.mean() + shown.mean()) / 2
    assert_close((loss.deletion, loss.insertion), (expected, expected))


def test_references_of_one_color_take_one_forward_pass(images, targets, tiny_vit):
    for name, passes in (("black", 1), ("imagenet_mean", 1), ("blur", 2)):
        references = aha_reference_images(images, name)
        with tiny_vit.meter() as cost:
            found = reference_probabilities(tiny_vit, references, targets)
        assert cost.forwards == passes
        assert_close(found, tiny_vit.probabilities(references).gather(1, targets))


def test_every_setting_changes_the_loss(images, maps, targets, tiny_cnn):
    def parts(**options):
        loss = loss_of(tiny_cnn, images, maps, targets, **options)
        return float(loss.total), float(loss.deletion)

    plain = parts()
    changes = {"sigma": 2.0, "area": "mean_after_first", "anchors": "paper", "sinkhorn": 1, "tolerance": 0.5,
               "insertion_weight": 0.5, "deletion_weight": 0.5, "peak_weight": 1.0}  # fmt: skip
    for name, value in changes.items():
        assert parts(config=dataclasses.replace(PLAIN, **{name: value})) != plain, name
    noisy = dataclasses.replace(PLAIN, gumbel=True)
    assert parts(config=noisy, generator=torch.Generator()) != plain


def test_sampled_perturbations():
    config = LossConfig(shift=1.0, sample_points=True)
    sampled = [sample_perturbation(config, (224, 224), torch.Generator().manual_seed(seed)) for seed in range(60)]
    assert {each.reference for each in sampled} == {"black", "imagenet_mean", "blur"}
    assert {each.grid for each in sampled} <= set(range(7, 29))
    assert len({each.grid for each in sampled}) > 10
    assert any(each.offset != (0, 0) for each in sampled)
    assert all(each.fractions == tuple(sorted(each.fractions)) and len(each.fractions) == 16 for each in sampled)
    assert sample_perturbation(config, (224, 224), torch.Generator().manual_seed(1)) == sampled[1]


def test_a_map_that_is_not_finite_is_refused(images, maps, targets, tiny_cnn):
    with pytest.raises(ModelError, match="not finite"):
        loss_of(tiny_cnn, images, maps * torch.nan, targets)


def test_with_spread_the_loss_does_not_depend_on_the_scale_of_a_map(images, targets, maps, tiny_cnn):
    config = dataclasses.replace(PLAIN, points=4, score_std=5.0, peak_weight=0.1)
    small, large = (loss_of(tiny_cnn, images, maps * scale, targets, config).total for scale in (1e-3, 1e3))
    assert_close(small, large, rtol=1e-4, atol=1e-6)
