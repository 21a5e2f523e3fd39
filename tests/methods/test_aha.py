"""AHA as a method: the explainer's map, and refinement, which improves it and leaves no trace."""

import pytest
import torch
from torch.testing import assert_close

from seewhy.api import explain
from seewhy.errors import ModelError, OptionError
from seewhy.explainers.loss import Perturbation, explainer_loss
from seewhy.explainers.network import AHAExplainer
from seewhy.methods import aha as method
from seewhy.ops.perturb import evenly_spaced
from seewhy.ops.resize import shrink_maps


def aha(*data, **options):
    return method.aha(*data, **options).maps


@pytest.fixture
def folder(tiny_cnn, tmp_path):
    explainer = AHAExplainer(tiny_cnn)
    torch.nn.init.normal_(explainer.decoder.head.last.weight, generator=torch.Generator().manual_seed(0))
    return str(explainer.save(tmp_path))


def test_one_forward_pass(tiny_cnn, images, targets, folder):
    with tiny_cnn.meter() as cost:
        maps = aha(tiny_cnn, images, targets, explainer=folder)
    with torch.no_grad():
        scores = AHAExplainer.load(folder, tiny_cnn)(images, targets)
    assert_close(maps, scores - scores.amin(dim=(2, 3), keepdim=True))
    assert cost.forwards == len(images)
    assert not maps.is_inference()


@pytest.mark.parametrize("steps", [0, 1])
def test_the_least_important_pixel_is_zero(tiny_cnn, images, targets, folder, steps):
    maps = aha(tiny_cnn, images, targets, explainer=folder, refine_steps=steps)
    assert_close(maps.amin(dim=(2, 3)), torch.zeros_like(targets, dtype=torch.float32))


def test_refinement_lowers_the_loss_and_does_not_change_the_explainer(tiny_cnn, images, targets, folder):
    image, target = images[:1], targets[:1, :1]
    clean = tiny_cnn.probabilities(image).gather(1, target)
    config = AHAExplainer.load(folder, tiny_cnn).config.loss

    def loss(maps):
        totals = []
        for reference in config.references:
            perturbation = Perturbation(14, (0, 0), reference, evenly_spaced(config.steps))
            with tiny_cnn.frozen_eval():
                totals.append(
                    explainer_loss(
                        tiny_cnn, image, maps[:, 0], target, clean, config=config, perturbation=perturbation, tau=0.3
                    ).total
                )
        return float(sum(totals))

    plain = aha(tiny_cnn, image, target, explainer=folder)
    refined = aha(tiny_cnn, image, target, explainer=folder, refine_steps=3, learning_rate=1e-2)
    assert loss(refined) < loss(plain)
    assert_close(aha(tiny_cnn, image, target, explainer=folder), plain)


def test_refinement_keeps_every_step(tiny_cnn, images, targets, folder):
    refined = method.aha(tiny_cnn, images, targets, explainer=folder, refine_steps=2, learning_rate=1e-2)
    steps = [aha(tiny_cnn, images, targets, explainer=folder, refine_steps=t, learning_rate=1e-2) for t in range(3)]
    for t, maps in enumerate(steps):
        small = shrink_maps(maps, (56, 56))
        expected = small - small.amin(dim=(2, 3), keepdim=True)
        assert_close(refined.extras["steps"][:, :, t], expected, atol=1e-5 * float(expected.max()), rtol=1e-5)
    assert refined.extras["objective"].shape == (*targets.shape, 2)


def test_refinement_defaults_to_a_third_of_the_learning_rate(tiny_cnn, images, targets, folder, tmp_path):
    trained = AHAExplainer(tiny_cnn)
    trained.learning_rate, trained.tau = 6e-3, 0.1
    eager = str(trained.save(tmp_path / "eager"))
    for explainer, rate, tau in ((folder, 1e-4, 0.3), (eager, 2e-3, 0.1)):
        maps = aha(tiny_cnn, images, targets, explainer=explainer, refine_steps=1)
        same = aha(tiny_cnn, images, targets, explainer=explainer, refine_steps=1, learning_rate=rate, tau=tau)
        assert_close(maps, same)
        assert not torch.equal(maps, aha(tiny_cnn, images, targets, explainer=explainer))


@pytest.mark.parametrize("wrong", [{"refine_steps": -1}, {"learning_rate": float("nan")}, {"tau": 0.0}])
def test_options_out_of_range_are_refused_by_name(wrong, tiny_cnn, images, targets, folder):
    with pytest.raises(OptionError, match=next(iter(wrong))):
        explain(tiny_cnn, images, "aha", targets, explainer=folder, **wrong)


def test_cost_of_refinement(tiny_cnn, images, targets, folder):
    with tiny_cnn.meter() as cost:
        aha(tiny_cnn, images, targets[:, :1], explainer=folder, refine_steps=2)
    assert cost.forwards == 2 * (1 + 1 + 2 * 30)  # features, clean, then both curves per step
    assert cost.backwards == 2 * 2 * 30


@pytest.mark.parametrize("steps", [0, 1])
@pytest.mark.parametrize("dtype", [torch.float64, torch.bfloat16])
def test_models_of_any_precision(dtype, steps, tiny_cnn, images, targets, tmp_path):
    tiny_cnn.module.to(dtype)
    folder = str(AHAExplainer(tiny_cnn).save(tmp_path))
    maps = explain(tiny_cnn, images, "aha", targets, explainer=folder, refine_steps=steps).maps
    assert maps.isfinite().all()


def test_the_explainer_is_cached_until_it_or_the_model_changes(tiny_cnn, images, targets, folder, monkeypatch):
    loads = []
    load = AHAExplainer.load
    monkeypatch.setattr(AHAExplainer, "load", lambda *args, **options: loads.append(args) or load(*args, **options))
    first, again = (aha(tiny_cnn, images, targets, explainer=folder) for _ in range(2))
    assert_close(first, again)
    assert len(loads) == 1
    other = AHAExplainer(tiny_cnn, seed=5)
    torch.nn.init.normal_(other.decoder.head.last.weight)
    other.save(folder)
    assert not torch.equal(aha(tiny_cnn, images, targets, explainer=folder), first)
    with torch.no_grad():
        next(tiny_cnn.module.parameters()).mul_(2)
    with pytest.raises(ModelError, match="fingerprint"):
        aha(tiny_cnn, images, targets, explainer=folder)
