"""MDA on toy models, its quadratic program against another solver, and the batched search against the published one."""

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

import seewhy
from conftest import make_tiny_cnn, make_tiny_vit
from reference import mda as reference_mda
from seewhy.errors import InputError, OptionError
from seewhy.interventions.greedy_search import EXACT, FAST, search_cases, search_stage
from seewhy.interventions.patch_order import prior_rankings
from seewhy.methods.mda import (
    densify,
    fit_density,
    mda,
    mda_algorithm,
    sparse_magnitudes,
)
from seewhy.ops.references import folded_blur, folded_kernel
from seewhy.registry import resolve_method
from seewhy.types import Attribution


def additive(weights):
    return lambda _case, shown: (shown.double() * torch.tensor(weights, dtype=torch.float64)).sum(1)


def run_search(respond, patches, **options):
    ranking = torch.arange(patches)[None]
    everything = torch.ones(1, patches, dtype=torch.bool)
    return search_stage(
        respond, ranking, everything, torch.zeros(1, dtype=torch.float64), candidates=patches, **options
    )


def test_additive_toy():
    found = run_search(additive([0.5, 0.3, 0.15, 0.05]), 4, largest=True, stop_at=torch.tensor([0.9]))
    assert found.picked.tolist() == [[0, 1, 2, -1]]
    assert found.number.tolist() == [3]
    torch.testing.assert_close(found.responses[0, :4], torch.tensor([0, 0.5, 0.8, 0.95]).double())
    magnitudes = sparse_magnitudes(fit_density(np.array([0, 0.5, 0.8, 0.95, 1])))
    np.testing.assert_allclose(magnitudes, [0.875, 0.45, 0.1875, 0.05], atol=1e-5)


def test_or_toy_ties_go_to_the_prior():
    def either(_case, shown):
        return (shown[:, 0] | shown[:, 1]).double()

    assert run_search(either, 4, largest=True, stop_at=torch.tensor([0.9])).picked.tolist() == [[0, -1, -1, -1]]
    rest = torch.tensor([[False, True, True, True]])
    last = search_stage(
        either, torch.arange(4).flip(0)[None], rest, torch.zeros(1).double(), candidates=4, largest=False
    )
    assert last.picked.tolist() == [[3, 2, 1, -1]]


def test_a_round_that_keeps_several_keeps_the_best_and_runs_them_together():
    weights = [0.05, 0.3, 0.15, 0.5, 0.0, 0.0, 0.0, 0.0]
    found = run_search(additive(weights), 8, largest=True, stop_at=torch.tensor([0.9]), keep=3)
    assert found.picked[0, :3].tolist() == [3, 1, 2]
    assert found.number.tolist() == [3]
    torch.testing.assert_close(found.responses[0, [0, 1, 3]], torch.tensor([0, 0.5, 0.95]).double())
    assert found.responses[0, 2].isnan()


def test_a_round_keeps_no_more_than_half_of_what_it_tried():
    rows = []

    def respond(case, shown):
        rows.append(len(case))
        return shown.double().sum(dim=1)

    found = run_search(respond, 8, largest=False, keep=6)
    assert rows == [8, 1, 4, 1, 2, 1]
    assert sorted(found.picked[0].tolist()) == list(range(8))


def test_cases_of_several_patches_a_round_do_not_disturb_each_other():
    weights = torch.rand(2, 12, generator=torch.Generator().manual_seed(0)).double()
    ranking, everything = weights.argsort(dim=1), torch.ones(2, 12, dtype=torch.bool)

    def search(cases):
        return search_stage(
            lambda case, shown: (shown * weights[cases][case]).sum(dim=1), ranking[cases], everything[cases],
            torch.zeros(len(cases)).double(), candidates=5, largest=True, stop_at=weights[cases].sum(1) / 2, keep=2,
        )  # fmt: skip

    both = search([0, 1])
    for i in range(2):
        alone = search([i])
        assert both.picked[i].tolist() == alone.picked[0].tolist()
        torch.testing.assert_close(both.responses[i], alone.responses[0], equal_nan=True)


@pytest.mark.parametrize(
    ("curve", "expected"),
    [
        ([0, 0.75, 0.75, 1], [0, 0.7, 0.85, 1]),
        ([0, 0, 0, 1], [0, 1 / 3, 2 / 3, 1]),
        ([0, 0.9, 0.9, 0.9, 1], [0, 0.871429, 0.914286, 0.957143, 1]),
        ([0, 0.1, 0.6, 0.7, 1], [0, 0.25, 0.5, 0.75, 1]),
        ([0, 0.5, 0.8, 0.95, 1], [0, 0.5, 0.8, 0.95, 1]),
    ],
)
def test_program_by_hand(curve, expected):
    np.testing.assert_allclose(fit_density(np.array(curve, dtype=float)), expected, atol=1e-6)


curve_strategy = st.lists(st.floats(0, 1), min_size=1, max_size=12).map(
    lambda inner: np.array([0, *sorted(inner), 1.0])
)


@settings(max_examples=60, deadline=None)
@given(curve_strategy)
def test_program_against_another_solver_and_its_conditions(curve):
    fitted = fit_density(curve)
    np.testing.assert_allclose(fitted, reference_mda.density(curve), atol=2e-5)
    assert fitted[0] == pytest.approx(0, abs=1e-12)
    assert fitted[-1] == pytest.approx(1)
    assert (np.diff(fitted, 2) <= 1e-9).all(), "concave"
    n = len(curve) - 1
    ramps = np.minimum(np.arange(n + 1)[:, None], np.arange(1, n + 1)) / np.arange(1, n + 1)
    slope = 2 * ramps.T @ (fitted - curve)  # of the objective along every ramp
    assert (slope >= slope @ _weights(fitted) - 1e-8).all(), "no ramp could lower the objective further"


def _weights(density):
    steps = np.append(np.diff(density), 0)
    return np.arange(1, len(steps)) * (steps[:-1] - steps[1:])


@settings(max_examples=30, deadline=None)
@given(curve_strategy, st.sampled_from(["paper", "official"]))
def test_magnitudes_keep_the_order_strictly(curve, tie_term):
    magnitudes = sparse_magnitudes(fit_density(curve), tie_term=tie_term)
    assert (np.diff(magnitudes) < 0).all()


def test_density_above_every_magnitude_changes_nothing():
    sparse = torch.tensor([[0.6, 0.3, 0.1]])
    torch.testing.assert_close(densify(sparse, gamma=1.0, kappa=0.7), sparse)
    torch.testing.assert_close(densify(sparse, gamma=0.0), sparse)
    dense = densify(sparse, gamma=1.0, kappa=0.2)
    torch.testing.assert_close(dense, torch.tensor([[0.6, 0.3, 0.09]]))  # 2/3, 1/3, .1, scaled by .6 / (2/3)


def test_official_blur_is_nearly_a_box():
    kernel = folded_kernel(31, 31.0)
    assert (kernel * 31 - 1).abs().max() < 1e-4


@pytest.mark.parametrize(
    ("kind", "insert_until", "gamma"), [("vit", 0.9, 0.0), ("vit", 0.0, 0.0), ("vit", 1.0, 0.4), ("cnn", 0.9, 0.7)]
)
def test_equals_the_published_algorithm(kind, insert_until, gamma, images):
    model = make_tiny_vit() if kind == "vit" else make_tiny_cnn()
    model.module.double()
    images, targets = images.double(), torch.tensor([[2, 1], [0, 4]])
    options = {"candidates": 5, "insert_until": insert_until, "gamma": gamma, "kappa": 1e-4}
    with model.frozen_eval():
        maps, extras = resolve_method("mda")(model, images, targets, prior="gradient", blur=7, grid=4, **options)
        priors = resolve_method("gradient")(model, images, targets).maps
        for i, k in ((0, 1), (1, 0)):
            ranking = priors[i, k].unflatten(0, (4, 8)).unflatten(2, (4, 8)).mean(dim=(1, 3))
            ranking = ranking.flatten().argsort(descending=True, stable=True).tolist()
            blurred = folded_blur(images[i : i + 1], model.mean, size=7, sigma=7)[0]
            mean = torch.tensor(model.mean, dtype=torch.float64).view(3, 1, 1).expand_as(blurred)
            respond = [responder(model, images[i], reference, int(targets[i, k])) for reference in (blurred, mean)]
            found = mda_algorithm(*respond, ranking, **options)
            assert extras["order"][i, k].tolist() == found.order
            torch.testing.assert_close(extras["insertion"][i, k], found.insertion)
            torch.testing.assert_close(extras["deletion"][i, k], found.deletion)
            largest = float(found.magnitudes.max())  # `mda` adds a millionth of it where magnitudes are equal
            torch.testing.assert_close(
                maps[i, k].flatten(), torch.from_numpy(found.magnitudes), rtol=0, atol=2e-6 * largest
            )


def test_deletes_to_any_color_or_image(tiny_vit, images):
    options = {"method": "mda", "targets": [2], "blur": 7, "prior": "gradient"}
    by_default = seewhy.explain(tiny_vit, images[:1], **options)
    mean = torch.tensor(tiny_vit.mean).view(1, 3, 1, 1).expand_as(images[:1])
    as_image = seewhy.explain(tiny_vit, images[:1], deletion_reference=mean, **options)
    torch.testing.assert_close(as_image.maps, by_default.maps)
    white, color = (
        seewhy.explain(tiny_vit, images[:1], deletion_reference=each, **options) for each in ("white", (1.0, 1.0, 1.0))
    )
    torch.testing.assert_close(white.maps, color.maps)
    assert not torch.equal(white.extras["deletion"], by_default.extras["deletion"])


def responder(model, image, reference, target):
    """MR on this reference, pixel by pixel, one image at a time."""

    def respond(shown):
        spliced = reference_mda.splice(image, reference, shown, (4, 4))
        return float(model.probabilities(spliced[None])[0, target])

    return respond


@pytest.mark.parametrize(("insert_until", "count"), [(0.0, 0), (0.5, 1), (0.875, 2), (1.0, 4)])
def test_insertion_stops_at_a_share_of_the_rise_and_deletion_orders_the_rest(insert_until, count):
    weights = [0.125, 0.5, 0.0, 0.375]

    def respond(shown):
        return sum(weights[i] for i in shown)

    found = mda_algorithm(respond, respond, [0, 1, 2, 3], insert_until=insert_until, candidates=4)
    assert (found.order, found.inserted) == ([1, 3, 0, 2], count)


def test_the_published_algorithm_by_hand():
    """Four patches of weight .5, .3, .15, .05: the mean curve is concave, so its increments are these weights."""
    weights = [0.15, 0.5, 0.05, 0.3]

    def respond(shown):
        return sum(weights[i] for i in shown)

    found = mda_algorithm(respond, respond, [0, 1, 2, 3], candidates=4)
    assert found.order == [1, 3, 0, 2]
    np.testing.assert_allclose(found.magnitudes, [0.1875, 0.875, 0.05, 0.45], atol=1e-12)
    dense = mda_algorithm(respond, respond, [0, 1, 2, 3], candidates=4, gamma=1.0, kappa=0.1).magnitudes
    np.testing.assert_allclose(dense, np.array([0.25, 0.75, 0.05, 0.5]) * 0.875 / 0.75, atol=1e-12)


def test_passes_are_as_few_as_the_search_needs(tiny_vit, images):
    targets = torch.tensor([[2]])
    with tiny_vit.meter() as cost:
        _, extras = resolve_method("mda")(tiny_vit, images[:1], targets, prior=None, blur=7, insert_until=0.0)
    # 16 + 15 + ... + 1 trials, clean, two references, and the insertion curve between its ends
    assert cost.forwards == pytest.approx(136 + 3 + 15)
    assert extras["insertion"][0, 0, 0] == 0


def test_a_poor_order_of_the_surrogate_is_searched_again(tiny_vit, images, monkeypatch):
    gains, costs = [], []
    for poor in (-torch.inf, torch.inf):  # never, always
        monkeypatch.setattr("seewhy.interventions.patch_order.POOR", poor)
        with tiny_vit.meter() as cost:
            _, extras = resolve_method("mda")(tiny_vit, images, torch.tensor([[2], [1]]), fast=True, blur=7)
        gains.append((extras["insertion"] - extras["deletion"]).mean(dim=-1))
        costs.append(cost.forwards)
    assert (gains[1] >= gains[0] - 1e-6).all()
    assert costs[1] > costs[0]


def test_only_poor_orders_are_searched_again(tiny_vit, images, monkeypatch):
    """The other image of the batch keeps its order, and costs nothing more."""
    run, targets = resolve_method("mda"), torch.tensor([[2], [1]])
    monkeypatch.setattr("seewhy.interventions.patch_order.POOR", -torch.inf)
    _, before = run(tiny_vit, images, targets, fast=True, blur=7)
    areas = torch.trapezoid(before["insertion"] - before["deletion"], dim=-1).flatten() / 16
    good = int(areas.argmax())
    costs = []
    for poor in (float(areas.mean()), torch.inf):
        monkeypatch.setattr("seewhy.interventions.patch_order.POOR", poor)
        with tiny_vit.meter() as cost:
            _, after = run(tiny_vit, images, targets, fast=True, blur=7)
        costs.append(cost.forwards)
        if poor < torch.inf:
            assert torch.equal(after["order"][good], before["order"][good])
    assert costs[0] < costs[1]


def test_fast_takes_fewer_passes_and_keeps_all_patches(tiny_vit, images, monkeypatch):
    monkeypatch.setattr("seewhy.interventions.patch_order.POOR", -torch.inf)  # no order of a random network is good
    run = resolve_method("mda")
    costs = []
    for fast in (False, True):
        with tiny_vit.meter() as cost:
            _, extras = run(tiny_vit, images, torch.tensor([[2], [1]]), fast=fast, blur=7)
        costs.append(cost.forwards)
        assert (extras["order"].sort(-1).values == torch.arange(16)).all()
    assert costs[1] < 0.8 * costs[0]


@pytest.mark.parametrize(("budget", "most"), [(EXACT, 5350), (FAST, 1100)])
def test_passes_on_the_usual_grid_when_48_patches_are_enough(budget, most):
    rows = []

    def respond(case, shown):
        rows.append(len(case))
        return shown[:, :53].double().mean(dim=1)  # 48 of the 53 are the first above 0.9

    ranking, clean = torch.arange(196)[None], torch.ones(1).double()
    order = search_cases(respond, respond, ranking, clean, candidates=28, insert_until=0.9, budget=budget).order
    assert order[0].sort().values.tolist() == list(range(196))
    assert set(order[0, :48].tolist()) < set(range(53))
    prior_blur_and_clean = 26 + 10 + 1
    assert sum(rows) + prior_blur_and_clean <= most


@pytest.mark.parametrize("grid", [2, 4])
def test_networks_that_refuse_an_empty_batch(tiny_cnn, images, grid):
    """On a small grid the search may have measured the whole curve already."""

    def refuse(_module, inputs):
        assert len(inputs[0]), "an empty batch"

    handle = tiny_cnn.module.register_forward_pre_hook(refuse)
    maps = seewhy.explain(tiny_cnn, images, "mda", grid=grid, fast=True).maps
    handle.remove()
    assert maps.shape == (2, 1, grid, grid)


def test_density_afterwards(tiny_vit, images):
    dense = seewhy.explain(tiny_vit, images, "mda", blur=7, gamma=0.7, kappa=0.01)
    sparse = seewhy.explain(tiny_vit, images, "mda", blur=7)
    torch.testing.assert_close(sparse.with_density(0.7, kappa=0.01).maps, dense.maps)
    torch.testing.assert_close(dense.with_density(0.7).maps, dense.maps)  # the kappa it was made with
    with pytest.raises(OptionError, match="gamma"):
        sparse.with_density(2)
    with pytest.raises(InputError, match="MDA"):
        seewhy.explain(tiny_vit, images, "grad_cam").with_density(0.5)


def test_a_prior_in_pixels_is_averaged_over_each_patch(monkeypatch, tiny_vit, images):
    maps = torch.zeros(1, 1, 32, 32)
    maps[..., 8:10, 0:8] = 1.0  # the upper border of patch 4, nothing at its center
    maps[..., 3:5, 11:13] = 0.5  # the center of patch 1
    monkeypatch.setattr("seewhy.interventions.patch_order.resolve_method", lambda _name: lambda *_: Attribution(maps))
    (ranking,) = prior_rankings(tiny_vit, images[:1], torch.tensor([[0]]), "some", (4, 4), several=True)
    assert ranking[0, :2].tolist() == [4, 1]


def test_candidates_are_twice_the_side_and_grad_cam_is_the_prior_of_a_cnn(monkeypatch, tiny_cnn, images):
    seen = {}
    monkeypatch.setattr(
        "seewhy.interventions.patch_order.search_cases", lambda *_args, **options: seen.update(options) or 1 / 0
    )
    monkeypatch.setattr(
        "seewhy.interventions.patch_order.resolve_method", lambda name: seen.update(prior=name) or resolve_method(name)
    )
    with pytest.raises(ZeroDivisionError):
        mda(tiny_cnn, images, torch.tensor([[0], [1]]), blur=7, grid=6)
    assert (seen["candidates"], seen["prior"]) == (12, "grad_cam")


def test_images_that_require_gradients(tiny_vit, images):
    with_gradients = seewhy.explain(tiny_vit, images.clone().requires_grad_(), "mda", blur=7)
    torch.testing.assert_close(with_gradients.maps, seewhy.explain(tiny_vit, images, "mda", blur=7).maps)


@pytest.mark.parametrize(
    "wrong",
    [
        {"insert_until": 2.0},
        {"candidates": 0},
        {"candidates": -1},
        {"gamma": -1.0},
        {"blur": 8},
        {"blur": -3},
        {"grid": 0},
    ],
)
def test_options_that_make_no_sense_are_refused(wrong, tiny_vit, images):
    with pytest.raises(OptionError, match=next(iter(wrong))):
        seewhy.explain(tiny_vit, images, "mda", **wrong)


def test_adaptive_blur_warns_where_nothing_occludes_the_class(tiny_vit, images):
    with pytest.warns(UserWarning, match="no blur up to 101 pixels removes the class in 1 of 1"):
        resolve_method("mda")(tiny_vit, images[:1], torch.tensor([[2]]))
