"""`refine:METHOD`: better maps by its own objective, at a known cost, never worse than the base."""

import pytest
import torch
from torch.testing import assert_close

from linear_model import two_classes
from seewhy.errors import ModelError, OptionError
from seewhy.methods.refine import Sweep, climb
from seewhy.metrics import score_maps
from seewhy.ops.edges import follow_edges
from seewhy.registry import resolve_method

SMALL = {"steps": 6, "points": 3, "lattice": 4, "grids": (4,)}


def test_the_objective_rises(tiny_vit, images, targets):
    result = resolve_method("refine:random")(tiny_vit, images, targets, **SMALL)
    objective = result.extras["objective"]
    assert objective.shape == (2, 2, 6)
    assert (objective[..., -1] > objective[..., 0]).all()


def test_the_hard_objective_by_hand():
    """Quarters of 40, 30, 20, 10 %; a quarter deleted leaves .6, and the mean color weighs .449 of white, blur all."""
    quarters = torch.tensor([[0.4, 0.3], [0.2, 0.1]], dtype=torch.float64)
    model, white = two_classes(quarters.tolist()), torch.ones(1, 3, 2, 2, dtype=torch.float64)
    sweep = Sweep(model, white, torch.zeros(1, 1, dtype=torch.long), points=3, sigma=0.0)
    differences = (0.4 + 0.7 + 0.9 - 0.6 - 0.3 - 0.1) / 3  # black: insertion minus deletion at 25, 50 and 75 %
    expected = differences * (1 + (1 - 0.449) + 0) / 3
    assert float(sweep.hard(quarters[None, None])) == pytest.approx(expected, abs=1e-6)
    assert float(sweep.hard(-quarters[None, None])) == pytest.approx(-expected, abs=1e-6)


def test_the_gain_is_that_of_the_metrics(tiny_vit, images, targets):
    result = resolve_method("refine:random")(tiny_vit, images, targets, **SMALL)
    base = resolve_method("random")(tiny_vit, images, targets).maps
    base = torch.nn.functional.interpolate(base, (32, 32), mode="bilinear")
    rows = [
        score_maps(tiny_vit, images, maps, targets, metrics=["ins_del"], protocol="aha") for maps in (base, result.maps)
    ]
    before, after = (sum(row["score"] for row in each if row["reference"] == "all") / 4 for each in rows)
    assert (result.extras["gain"] >= 0).all()
    assert after > before


@pytest.mark.parametrize(
    "wrong",
    [{"grids": (40,)}, {"grids": ()}, {"lattice": 0}, {"tau": (0.3, 0.0)}, {"edges": -1}, {"points": 0}, {"steps": -1},
     {"learning_rate": float("nan")}, {"spread": float("nan")}, {"sigma": float("inf")}, {"tau": (float("inf"), 1.0)}],
)  # fmt: skip
def test_options_that_cannot_be_are_refused_by_name(wrong, tiny_vit, images, targets):
    with pytest.raises(OptionError, match=next(iter(wrong))):
        resolve_method("refine:random")(tiny_vit, images, targets, **(SMALL | wrong))


def test_a_map_is_done_when_it_hardly_rises(tiny_vit, images, targets):
    """Each by itself: until then it is what it would have been, and from then on it costs nothing."""
    sweep = Sweep(tiny_vit, images, targets, points=3, sigma=0.0)
    start = 10 * torch.rand(4, 4, 4, generator=torch.Generator().manual_seed(0))
    course, options = [(4, 0.3)] * 6, {"learning_rate": 4.0, "seed": 0}
    with tiny_vit.frozen_eval():
        _, whole = climb(sweep, start, course, enough=None, **options)
        rises = whole.diff(dim=1)
        enough = float(rises.median())
        with tiny_vit.meter() as cost:
            early, objective = climb(sweep, start, course, enough=enough, **options)
        looks = objective.isfinite().sum(dim=1)
        assert cost.forwards == int(looks.sum()) * 6 * 3
        assert 2 <= int(looks.min()) < 6
        for case, count in enumerate(looks.tolist()):
            assert_close(objective[case, :count], whole[case, :count])
            assert (rises[case, : count - 2] >= enough).all()
            done = rises[case, count - 2] < enough
            assert done or count == 6
            until, _ = climb(sweep, start, course[: count - 1] if done else course, enough=None, **options)
            assert_close(early[case], until[case])


def test_a_model_that_answers_with_no_number(tiny_vit, images, targets):
    with torch.no_grad():
        tiny_vit.module.head.bias.fill_(torch.nan)
    with pytest.raises(ModelError, match=r"tiny.* gives probabilities that are not finite"):
        resolve_method("refine:random")(tiny_vit, images, targets, **SMALL)


def test_cost(tiny_vit, images, targets):
    with tiny_vit.meter() as cost:
        resolve_method("refine:random")(tiny_vit, images, targets, keep_better=False, **SMALL)
    assert cost.forwards == cost.backwards == 4 * 6 * 6 * 3  # cases, steps, directions and references, points
    with tiny_vit.meter() as cost:
        resolve_method("refine:random")(tiny_vit, images, targets, **(SMALL | {"steps": 0}))
    assert (cost.forwards, cost.backwards) == (4 * 3 * 6 * 3, 0)


def test_never_worse_than_the_base(tiny_vit, images, targets, monkeypatch):
    """Where the hard objective fell, the base's map is given back."""
    judged = iter(torch.tensor([[[0.0, 1.0], [0.0, 1.0]], [[1.0, 0.0], [0.0, 0.0]], [[0.0, 0.0], [0.0, 2.0]]]))
    monkeypatch.setattr(Sweep, "hard", lambda _sweep, _maps: next(judged))
    result = resolve_method("refine:random")(tiny_vit, images, targets, **SMALL)
    base = resolve_method("random")(tiny_vit, images, targets).maps
    base = torch.nn.functional.interpolate(base, (32, 32), mode="bilinear")
    worse = torch.tensor([[False, True], [True, False]])
    assert_close(result.maps[worse], base[worse])
    assert not torch.equal(result.maps[~worse], base[~worse])


def test_the_lowest_rank_is_no_evidence_against_the_class(tiny_vit, images, targets):
    result = resolve_method("refine:gradient")(tiny_vit, images, targets, edges=0, keep_better=False, **SMALL)
    lowest, highest = result.maps.amin(dim=(-2, -1)), result.maps.amax(dim=(-2, -1))
    assert (lowest >= 0).all()
    assert (lowest < 0.2 * highest).all()


def test_coarse_to_fine_grids_are_walked_through(tiny_cnn, images, targets):
    fine = resolve_method("refine:random")(tiny_cnn, images, targets, **(SMALL | {"grids": (2, 8), "lattice": 8})).maps
    assert fine.shape == (2, 2, 32, 32)
    assert fine.isfinite().all()


def test_follow_edges():
    """A map that knows only left and right becomes sharp where the picture is; a flat picture smooths it."""
    picture = torch.cat([torch.zeros(1, 3, 32, 16), torch.ones(1, 3, 32, 16)], dim=3)
    blurred = torch.linspace(0, 1, 32).expand(1, 1, 32, 32)
    sharp = follow_edges(blurred, picture, radius=8, contrast=0.01)
    step = float(sharp[0, 0, 16, 16] - sharp[0, 0, 16, 15])
    assert step > 5 * float(blurred[0, 0, 16, 16] - blurred[0, 0, 16, 15])
    assert_close(follow_edges(blurred, torch.zeros(1, 3, 32, 32))[0, 0, 16, 16], torch.tensor(0.516), atol=0.01, rtol=0)
