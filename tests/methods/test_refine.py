"""`refine:METHOD`: a better objective at a known cost, never worse than the base."""

import json

import numpy as np
import pytest
import torch
from PIL import Image
from torch.testing import assert_close
from typer.testing import CliRunner

from linear_model import two_classes
from seewhy.cli import app
from seewhy.errors import ModelError, OptionError
from seewhy.interventions.soft_sweep import SoftSweep
from seewhy.methods.refine import in_order_of, optimize
from seewhy.metrics import score_maps
from seewhy.registry import resolve_method

SMALL = {"steps": 6, "points": 3, "lattice": 4, "grids": (4,)}


def test_the_objective_rises(tiny_vit, images, targets):
    result = resolve_method("refine:random")(tiny_vit, images, targets, **SMALL)
    objective = result.extras["objective"]
    assert objective.shape == (2, 2, 6)
    assert (objective[..., -1] > objective[..., 0]).all()
    path = result.extras["path"]
    assert path.shape == (2, 2, 7, 4, 4)
    assert not torch.equal(path[:, :, 0], path[:, :, -1])


def test_the_hard_objective_by_hand():
    """Quarters of 40, 30, 20, 10 %; a quarter deleted leaves .6, and the mean color weighs .449 of white, blur all."""
    quarters = torch.tensor([[0.4, 0.3], [0.2, 0.1]], dtype=torch.float64)
    model, white = two_classes(quarters.tolist()), torch.ones(1, 3, 2, 2, dtype=torch.float64)
    sweep = SoftSweep(model, white, torch.zeros(1, 1, dtype=torch.long), points=3, sigma=0.0)
    differences = (0.4 + 0.7 + 0.9 - 0.6 - 0.3 - 0.1) / 3  # black: insertion minus deletion at 25, 50 and 75 %
    expected = differences * (1 + (1 - 0.449) + 0) / 3
    assert float(sweep.hard_objective(quarters[None, None])) == pytest.approx(expected, abs=1e-6)
    assert float(sweep.hard_objective(-quarters[None, None])) == pytest.approx(-expected, abs=1e-6)


def test_the_gain_is_that_of_the_metrics(tiny_vit, images, targets):
    result = resolve_method("refine:random")(tiny_vit, images, targets, **SMALL)
    base = resolve_method("random")(tiny_vit, images, targets).maps
    base = torch.nn.functional.interpolate(base, (32, 32), mode="bilinear")
    rows = [
        score_maps(tiny_vit, images, maps, targets, metrics=["ins_del"], protocol="aha") for maps in (base, result.maps)
    ]
    before, after = (sum(row["score"] for row in each if row["reference"] == "all") / 4 for each in rows)
    assert (result.extras["gain"] >= 0).all()
    assert torch.equal(result.extras["kept"], torch.where(result.extras["gain"] > 0, 6, 0))
    assert after > before


@pytest.mark.parametrize(
    "wrong",
    [{"grids": (40,)}, {"grids": ()}, {"lattice": 0}, {"tau": (0.3, 0.0)}, {"smoothing": -1.0}, {"points": 0},
     {"steps": -1}, {"learning_rate": float("nan")}, {"score_range": float("nan")}, {"sigma": float("inf")},
     {"tau": (float("inf"), 1.0)}],
)  # fmt: skip
def test_options_out_of_range_are_refused_by_name(wrong, tiny_vit, images, targets):
    with pytest.raises(OptionError, match=next(iter(wrong))):
        resolve_method("refine:random")(tiny_vit, images, targets, **(SMALL | wrong))


def test_a_map_is_finished_once_it_gains_too_little(tiny_vit, images, targets):
    """Each by itself: unchanged until then, and without cost from then on."""
    sweep = SoftSweep(tiny_vit, images, targets, points=3, sigma=0.0)
    start = 10 * torch.rand(4, 4, 4, generator=torch.Generator().manual_seed(0))
    schedule, options = [(4, 0.3)] * 6, {"learning_rate": 4.0, "smoothing": 1.0, "seed": 0}
    with tiny_vit.frozen_eval():
        _, whole = optimize(sweep, start, schedule, min_gain=None, **options)
        rises = whole.diff(dim=1)
        min_gain = float(rises.median())
        with tiny_vit.meter() as cost:
            early, objective = optimize(sweep, start, schedule, min_gain=min_gain, **options)
        steps = objective.isfinite().sum(dim=1)
        assert cost.forwards == int(steps.sum()) * 6 * 3
        assert 2 <= int(steps.min()) < 6
        for case, count in enumerate(steps.tolist()):
            assert_close(objective[case, :count], whole[case, :count])
            assert (rises[case, : count - 2] >= min_gain).all()
            done = rises[case, count - 2] < min_gain
            assert done or count == 6
            until, _ = optimize(sweep, start, schedule[: count - 1] if done else schedule, min_gain=None, **options)
            assert_close(early[case, -1], until[case, -1])
            assert_close(early[case, : len(until[case])], until[case])


def test_probabilities_that_are_not_finite(tiny_vit, images, targets):
    with torch.no_grad():
        tiny_vit.module.head.bias.fill_(torch.nan)
    with pytest.raises(ModelError, match=r"tiny.* returned probabilities that are not finite"):
        resolve_method("refine:random")(tiny_vit, images, targets, **SMALL)


def test_cost(tiny_vit, images, targets):
    with tiny_vit.meter() as cost:
        resolve_method("refine:random")(tiny_vit, images, targets, keep_better=False, **SMALL)
    assert cost.forwards == cost.backwards == 4 * 6 * 6 * 3  # cases, steps, directions and references, points
    with tiny_vit.meter() as cost:
        resolve_method("refine:random")(tiny_vit, images, targets, **(SMALL | {"steps": 0}))
    assert (cost.forwards, cost.backwards) == (4 * 2 * 6 * 3, 0)


def test_never_worse_than_the_base(tiny_vit, images, targets, monkeypatch):
    """Where the hard objective fell, the base's map is returned."""
    objectives = iter(torch.tensor([[[0.0, 1.0], [0.0, 1.0]], [[1.0, 0.0], [0.0, 2.0]]]))
    monkeypatch.setattr(SoftSweep, "hard_objective", lambda _sweep, _maps: next(objectives))
    result = resolve_method("refine:random")(tiny_vit, images, targets, **SMALL)
    base = resolve_method("random")(tiny_vit, images, targets).maps
    base = torch.nn.functional.interpolate(base, (32, 32), mode="bilinear")
    worse = torch.tensor([[False, True], [True, False]])
    assert_close(result.maps[worse], base[worse])
    assert not torch.equal(result.maps[~worse], base[~worse])


def test_the_values_are_those_of_the_base_in_a_new_order(tiny_vit, images, targets):
    base = resolve_method("gradient")(tiny_vit, images, targets).maps
    maps = resolve_method("refine:gradient")(tiny_vit, images, targets, keep_better=False, **SMALL).maps
    before, after = base.flatten(2).sort(dim=-1).values, maps.flatten(2).sort(dim=-1).values
    span = before[..., -1:] - before[..., :1]
    assert (((after - before) / span).abs() <= 0.0101).all()
    assert not torch.equal(maps.flatten(2).argsort(dim=-1), base.flatten(2).argsort(dim=-1))


def test_equal_values_are_kept_apart():
    new = torch.tensor([3.0, 1.0, 2.0, 0.0]).view(1, 1, 2, 2)
    maps = in_order_of(new, torch.tensor([0.0, 0.0, 1.0, 0.0]).view(1, 1, 2, 2))
    assert_close(maps.flatten(), torch.tensor([1.01, 0.01 / 3, 0.02 / 3, 0.0]))
    flat = in_order_of(new, torch.zeros(1, 1, 2, 2))
    assert torch.equal(flat.flatten().argsort(), new.flatten().argsort())


def test_changes_are_smooth(tiny_cnn, images, targets):
    """Scores change by a smooth field: the wider the Gaussian, the less neighbors differ in their change."""

    def roughness(smoothing):
        options = SMALL | {"lattice": 8, "grids": (8,), "smoothing": smoothing}
        path = resolve_method("refine:random")(tiny_cnn, images, targets, **options).extras["path"]
        change = path[:, :, -1] - path[:, :, 0]
        return float(change.diff(dim=-1).abs().mean() / change.std())

    rough, smooth, smoother = map(roughness, (0.0, 1.0, 2.0))
    assert smoother < 0.8 * smooth
    assert smooth < 0.8 * rough


def test_coarse_to_fine_grids(tiny_cnn, images, targets):
    fine = resolve_method("refine:random")(tiny_cnn, images, targets, **(SMALL | {"grids": (2, 8), "lattice": 8})).maps
    assert fine.shape == (2, 2, 32, 32)
    assert fine.isfinite().all()


# its own options and those of the base, on the command line

VIT = ("--model", "timm/test_vit", "--weights", "random", "--device", "cpu")
SMALL_WORDS = ("-o", "points=1", "-o", "grids=2,", "-o", "lattice=2", "-o", "keep_better=no")


def explain_in_terminal(tmp_path, *options):
    photo = tmp_path / "photo.png"
    Image.fromarray(np.random.default_rng(0).integers(0, 255, (40, 40, 3), dtype=np.uint8)).save(photo)
    words = ["explain", photo, *VIT, "--method", "refine:integrated_gradients", *options, "--out", tmp_path]
    return CliRunner().invoke(app, [str(word) for word in words], env={"COLUMNS": "200", "NO_COLOR": "1"})


def test_qualified_options_reach_their_layer(tmp_path):
    """Three steps of refinement cost 18 passes of both kinds with one point, ten of the base ten."""
    options = ("-o", "refine.steps=3", "-o", "base.steps=10", *SMALL_WORDS)
    result = explain_in_terminal(tmp_path, *options, "-t", "7")
    assert result.exit_code == 0, result.output
    (path,) = tmp_path.glob("*.json")
    saved = json.loads(path.read_text())
    assert saved["options"] | {"refine.steps": 3, "base.steps": 10} == saved["options"]
    assert saved["cost"]["backwards"] == 10 + 3 * 6


def test_a_bare_name_that_two_layers_have_is_refused(tmp_path):
    result = explain_in_terminal(tmp_path, "-o", "steps=3")
    assert result.exit_code == 2
    assert "refine.steps" in result.output
    assert "base.steps" in result.output
