"""AHA as a method: the explainer's map, and refinement, which improves it and leaves no trace."""

import pytest
import torch
from torch.testing import assert_close

from seewhy.api import explain
from seewhy.errors import ModelError, OptionError
from seewhy.explainers.network import AHAExplainer
from seewhy.interventions import soft_sweep
from seewhy.methods import aha as method
from seewhy.ops.perturb import aha_reference_images
from seewhy.ops.resize import shrink_maps, unit_range
from seewhy.train.config import make_config


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
    assert_close(unit_range(maps), unit_range(scores))
    assert cost.forwards == len(images)
    assert not maps.is_inference()


@pytest.mark.parametrize("steps", [0, 1])
def test_maps_have_the_unit_of_the_prior(tiny_cnn, images, targets, tmp_path, steps):
    """So that `var:aha` can contrast classes, and sums and signs mean something."""
    folder = str(AHAExplainer(tiny_cnn, make_config(prior="gradient").explainer).save(tmp_path))
    maps = aha(tiny_cnn, images, targets, explainer=folder, refine_steps=steps)
    prior = explain(tiny_cnn, images, "gradient", targets).maps
    assert_close(maps.mean(dim=(2, 3)), prior.mean(dim=(2, 3)))
    assert_close(maps.std(dim=(2, 3), correction=0), prior.std(dim=(2, 3), correction=0))


@pytest.mark.parametrize("steps", [0, 1])
def test_maps_without_a_prior_are_scaled_to_one_range(tiny_cnn, images, targets, tmp_path, steps):
    config = make_config(prior=None).explainer
    folder = str(AHAExplainer(tiny_cnn, config).save(tmp_path))
    maps = aha(tiny_cnn, images, targets, explainer=folder, refine_steps=steps)
    assert_close(maps.amin(dim=(2, 3)), torch.zeros(2, 2))
    assert_close(maps.amax(dim=(2, 3)), torch.ones(2, 2))


def test_refinement_raises_the_objective_and_does_not_change_the_explainer(tiny_cnn, images, targets, folder):
    plain = aha(tiny_cnn, images, targets, explainer=folder)
    refined = aha(tiny_cnn, images, targets, explainer=folder, refine_steps=3)
    gain = true_objective(tiny_cnn, images, targets, refined) - true_objective(tiny_cnn, images, targets, plain)
    assert (gain > -2e-4).all()  # equal pixels may change their order
    assert gain.max() > 1e-3
    assert_close(aha(tiny_cnn, images, targets, explainer=folder), plain)


def test_refinement_keeps_every_step_and_returns_the_best(tiny_cnn, images, targets, folder):
    options = {"explainer": folder, "refine_steps": 5}
    maps, extras = method.aha(tiny_cnn, images, targets, **options)
    assert extras["path"].shape == (*targets.shape, 6, 56, 56)
    assert extras["objective"].shape == (*targets.shape, 6)
    assert_close(true_objective(tiny_cnn, images, targets, maps), extras["objective"].amax(dim=2), atol=2e-4, rtol=0)
    assert_close(extras["gain"], extras["objective"].amax(dim=2) - extras["objective"][..., 0])
    kept = extras["path"].flatten(0, 1)[torch.arange(targets.numel()), extras["kept"].flatten()].view(2, -1, 56, 56)
    assert_close(kept, unit_range(shrink_maps(maps, (56, 56))), atol=1e-5, rtol=1e-5)
    plain = aha(tiny_cnn, images, targets, explainer=folder)
    first = true_objective(tiny_cnn, images, targets, plain)
    assert_close(first, extras["objective"][..., 0], atol=2e-4, rtol=0)  # equal pixels may change their order
    small = shrink_maps(plain, (56, 56))
    assert_close(extras["path"][:, :, 0], unit_range(small), atol=1e-5, rtol=1e-5)


def test_a_step_that_makes_things_worse_is_not_returned(tiny_cnn, images, targets, folder, monkeypatch):
    """Steps in the wrong direction."""
    monkeypatch.setattr(method, "unit_mean_square", lambda gradient: -soft_sweep.unit_mean_square(gradient))
    maps, extras = method.aha(tiny_cnn, images, targets, explainer=folder, refine_steps=2)
    assert (extras["objective"][..., 1:] < extras["objective"][..., :1]).all()
    assert (extras["kept"] == 0).all()
    assert_close(maps, aha(tiny_cnn, images, targets, explainer=folder))


def true_objective(model, images, targets, maps):
    """Insertion minus deletion at four fractions, image by image, in another writing."""
    found = torch.zeros(targets.shape)
    for i, k in [(i, k) for i in range(len(images)) for k in range(targets.shape[1])]:
        ranks = maps[i, k].flatten().argsort(descending=True, stable=True).argsort().view(32, 32)
        for name in ("black", "imagenet_mean", "blur"):
            reference = aha_reference_images(images[i : i + 1], name)
            for fraction in (0.2, 0.4, 0.6, 0.8):
                top = ranks < round(fraction * 1024)
                inserted, deleted = torch.where(top, images[i], reference), torch.where(top, reference, images[i])
                change = model.probabilities(inserted) - model.probabilities(deleted)
                found[i, k] += change[0, targets[i, k]] / 12
    return found


def test_all_images_and_classes_are_refined_at_once_and_alone(tiny_cnn, images, targets, folder, monkeypatch):
    """The model sees all cases of a step in one call, and none depends on the others."""
    calls = []
    together = soft_sweep.masked_probabilities
    monkeypatch.setattr(soft_sweep, "masked_probabilities", lambda *a, **o: calls.append(1) or together(*a, **o))
    options = {"explainer": folder, "refine_steps": 1}
    maps = aha(tiny_cnn, images, targets, **options)
    assert len(calls) == 1
    for image in range(2):
        for k in range(2):
            alone = aha(tiny_cnn, images[image : image + 1], targets[image, k].view(1, 1), **options)
            assert_close(maps[image, k], alone[0, 0], rtol=1e-2, atol=1e-2)


def test_auto_stops_when_the_objective_no_longer_rises(tiny_cnn, images, targets, folder):
    options = {"explainer": folder}
    maps, extras = method.aha(tiny_cnn, images, targets, refine_steps="auto", **options)
    objective = extras["objective"]
    for row in objective.flatten(0, 1):
        last = int(row.isfinite().sum()) - 1
        best = int(row[: last + 1].argmax())
        assert last == min(best + 3, 30)
        assert row[last + 1 :].isnan().all()
    assert objective.isnan().any()
    best = objective.nan_to_num(-1).amax(dim=2)
    assert_close(true_objective(tiny_cnn, images, targets, maps), best, atol=2e-4, rtol=0)


def test_refinement_defaults_to_the_final_temperature(tiny_cnn, images, targets, folder, tmp_path):
    trained = AHAExplainer(tiny_cnn)
    trained.tau = 0.1
    cold = str(trained.save(tmp_path / "cold"))
    for explainer, tau in ((folder, 0.3), (cold, 0.1)):
        maps = aha(tiny_cnn, images, targets, explainer=explainer, refine_steps=1)
        same = aha(tiny_cnn, images, targets, explainer=explainer, refine_steps=1, tau=tau)
        assert_close(maps, same)


def test_steps_have_other_fractions_for_each_reference(tiny_cnn, images, targets):
    """All of them, over many steps, are spread evenly over the curve."""
    sweep = soft_sweep.SoftSweep(tiny_cnn, images, targets, points=4, sigma=0.0)
    found = torch.stack([sweep.staggered(step).fractions for step in range(25)])
    assert_close(found.unflatten(1, (3, 4)).sort(dim=2).values.floor_divide(0.25), torch.arange(4.0).expand(25, 3, 4))
    assert float(found.flatten().sort().values.diff().max()) < 0.02
    assert found.min() >= 0
    assert found.max() < 1


def test_refinement_keeps_patches_whole(tiny_vit, images, targets, tmp_path):
    folder = str(AHAExplainer(tiny_vit, make_config(patchwise=True).explainer).save(tmp_path))
    maps, extras = method.aha(tiny_vit, images, targets, explainer=folder, refine_steps=3)
    assert (extras["gain"] > 0).any()
    patches = maps.unfold(2, 8, 8).unfold(3, 8, 8).flatten(4)
    assert_close(patches.amin(dim=-1), patches.amax(dim=-1))


@pytest.mark.parametrize(
    "wrong", [{"refine_steps": -1}, {"refine_steps": "car"}, {"learning_rate": float("nan")}, {"tau": 0.0}]
)
def test_options_out_of_range_are_refused_by_name(wrong, tiny_cnn, images, targets, folder):
    with pytest.raises(OptionError, match=next(iter(wrong))):
        explain(tiny_cnn, images, "aha", targets, explainer=folder, **wrong)


def test_cost_of_refinement(tiny_cnn, images, targets, folder):
    with tiny_cnn.meter() as cost:
        aha(tiny_cnn, images, targets[:, :1], explainer=folder, refine_steps=2)
    assert cost.forwards == 2 * (1 + 2 * 24 + 3 * 24)  # features, masks of both steps, objective of 3 maps
    assert cost.backwards == 2 * 2 * 24


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
