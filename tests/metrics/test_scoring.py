"""Rows, evidence by name, failures; and for every metric the effect of a monotone change of the map."""

import math

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from conftest import make_tiny_cnn
from seewhy.errors import InputError, ShapeError, UnknownName
from seewhy.methods.gradient import gradient
from seewhy.metrics import choose_metrics, collect_evidence, get_protocol, score_maps, score_metrics
from seewhy.metrics.evidence import check_shapes
from seewhy.ops.curves import evenly_spaced
from seewhy.registry import EVIDENCE, METRICS, Metric

UNCHANGED = {  # metrics of the order only
    "deletion", "insertion", "ins_del", "positive", "negative", "neg_pos", "monotonicity", "monotonicity_deletion",
    "pointing_game", "aupr_foreground", "aupr_background", "aic", "sic", "better_than_random", "better_than_center",
    "randomization_spearman",
}  # fmt: skip
CHANGED = {
    "mas_insertion", "mas_deletion", "average_drop", "region_attribution", "segmentation_f1", "segmentation_iou",
    "segmentation_accuracy", "segmentation_ap", "sparseness", "randomization_pearson", "randomization_cosine",
    "randomization_ssim", "infidelity",
}  # fmt: skip
BY_SIGN = {"iou", "precision", "recall", "f1"}  # select what is above zero
NOISE = torch.rand(1, 1, 32, 32, generator=torch.Generator().manual_seed(8)).double()
FAST = get_protocol(
    "aha",
    {
        "curves": {"fractions": evenly_spaced(6)},
        "information": {"min_probability": 0.0},
        "runtime": {"warmup": 0, "repeats": 1},
        "infidelity": {"samples": 8},
    },
)


@pytest.fixture
def maps():
    return torch.randn(2, 2, 32, 32, generator=torch.Generator().manual_seed(5))


@pytest.fixture
def regions():
    regions = torch.zeros(2, 2, 32, 32, dtype=torch.bool)
    regions[:, :, 6:20, 8:24] = True
    return regions


def test_every_metric_gives_a_score_for_every_image_and_class(tiny_cnn, images, targets, maps, regions):
    rows = score_maps(
        tiny_cnn, images, maps, targets, metrics="all", protocol=FAST, regions=regions, explain=gradient, strict=True
    )
    found = {(row["image"], row["target"], row["metric"]) for row in rows if row["reference"] == "all"}
    assert found == {(b, int(targets[b, k]), name) for b in range(2) for k in range(2) for name in METRICS.names()}
    assert all(math.isfinite(row["score"]) or row["error"] for row in rows)
    assert {row["protocol"] for row in rows} == {"aha"}
    assert all(row["metric_key"] == FAST.keys[row["metric"]] for row in rows)


def test_references_and_their_mean(tiny_cnn, images, targets, maps):
    rows = score_maps(tiny_cnn, images, maps, targets, metrics="deletion")
    by_reference = {row["reference"]: row["score"] for row in rows if (row["image"], row["target"]) == (1, 2)}
    assert set(by_reference) == {"all", "black", "imagenet_mean", "blur"}
    parts = [by_reference[name] for name in ("black", "imagenet_mean", "blur")]
    assert by_reference["all"] == pytest.approx(sum(parts) / 3, abs=1e-6)


@pytest.mark.parametrize("metric", METRICS.all(), ids=lambda metric: metric.name)
def test_every_name_that_a_metric_needs_exists(metric, tiny_cnn, images, targets, maps, regions):
    evidence = collect_evidence(tiny_cnn, images, maps, targets, regions=regions, explain=gradient)
    assert metric.needs
    assert metric.summary
    assert evidence.available(metric)
    for name in metric.needs:
        assert name in EVIDENCE or evidence[name] is not None


def test_metrics_and_evidence_have_different_names():
    assert not set(METRICS.names()) & set(EVIDENCE.names())


def test_what_is_taken_by_default(tiny_cnn, images, targets, maps, regions):
    def names(**given):
        return {metric.name for metric in choose_metrics(collect_evidence(tiny_cnn, images, maps, targets, **given))}

    plain = names()
    assert {"deletion", "negative", "average_drop", "mas_insertion", "sparseness"} <= plain
    assert not plain & {"iou", "aic", "runtime", "better_than_random", "infidelity"}
    assert names(regions=regions) - plain >= {"iou", "pointing_game", "segmentation_f1"}
    assert names(protocol="pair") == {"aic", "sic", "sparseness"}
    assert "positive" not in names(protocol="chefer")
    assert "positive" in names(protocol="chefer", labels=torch.tensor([0, 1]))


def test_missing_inputs_are_named(tiny_cnn, images, targets, maps):
    rows = score_maps(tiny_cnn, images, maps, targets, metrics=["iou", "sparseness"])
    assert all("pass regions=" in row["error"] for row in rows if row["metric"] == "iou")
    assert all(row["error"] is None for row in rows if row["metric"] == "sparseness")
    with pytest.raises(InputError, match="labels="):
        score_maps(tiny_cnn, images, maps, targets, metrics="positive", protocol="chefer", strict=True)
    with pytest.raises(UnknownName, match="'deletion'"):
        score_maps(tiny_cnn, images, maps, targets, metrics=["delition"])
    with pytest.raises(UnknownName, match="'rise'"):
        score_maps(tiny_cnn, images, maps, targets, protocol="rice")


def test_one_failing_metric_costs_only_its_own_rows(tiny_cnn, images, targets, maps, monkeypatch):
    def broken(curves):
        raise ZeroDivisionError(f"{len(curves.references)} times")

    failing = Metric(name="broken", function=broken, higher_is_better=True)
    monkeypatch.setitem(METRICS._entries, "broken", failing)
    rows = score_maps(tiny_cnn, images, maps, targets, metrics=["deletion", "broken", "insertion"])
    errors = {row["metric"]: row["error"] for row in rows}
    assert errors == {"deletion": None, "broken": "ZeroDivisionError: 3 times", "insertion": None}
    with pytest.raises(ZeroDivisionError):
        score_maps(tiny_cnn, images, maps, targets, metrics=["broken"], strict=True)


def test_failed_evidence_is_not_computed_again(tiny_cnn, images, targets, maps, monkeypatch):
    calls = []

    def fail(*_):
        calls.append(1)
        raise RuntimeError("no memory left")

    monkeypatch.setattr(tiny_cnn, "forward", fail)
    rows = score_maps(tiny_cnn, images, maps, targets, metrics=["deletion", "insertion", "positive", "sparseness"])
    assert len(calls) == 2  # one per direction
    assert {row["metric"] for row in rows if row["error"] is None} == {"sparseness"}


def test_a_map_with_nan_spoils_only_itself(tiny_cnn, images, targets, maps):
    clean = score_maps(tiny_cnn, images, maps, targets, metrics=["deletion"])
    spoiled = maps.clone()
    spoiled[0, 1, 3, 3] = torch.nan
    rows = score_maps(tiny_cnn, images, spoiled, targets, metrics=["deletion"])
    for before, after in zip(clean, rows, strict=True):
        if (after["image"], after["target"]) == (0, 3):
            assert math.isnan(after["score"])
            assert "NaN or infinity" in after["error"]
        else:
            assert after["score"] == pytest.approx(before["score"], abs=1e-6)


@pytest.mark.parametrize("wrong", ["maps", "regions", "labels"])
def test_shapes_are_checked(images, targets, maps, regions, wrong):
    given = {"maps": maps, "regions": regions, "labels": torch.tensor([0, 1])}
    check_shapes(images, given["maps"], targets, given["regions"], given["labels"])
    given[wrong] = given[wrong][:1]
    with pytest.raises(ShapeError, match=wrong):
        check_shapes(images, given["maps"], targets, given["regions"], given["labels"])


def all_scores(maps, regions, metrics):
    model = make_tiny_cnn()
    images = torch.rand(1, 3, 32, 32, generator=torch.Generator().manual_seed(1)).double()
    model.module.double()
    targets = model.probabilities(images).argmax(dim=-1, keepdim=True)
    evidence = collect_evidence(model, images, maps, targets, protocol=FAST, regions=regions, explain=lambda *_: NOISE)
    rows = score_metrics(evidence, choose_metrics(evidence, sorted(metrics)), strict=True)
    return {(row["metric"], row["reference"]): row["score"] for row in rows}


def random_case(seed):
    """A map in eighths with many ties, and a region that has to do with it."""
    maps = torch.randint(-40, 40, (1, 1, 32, 32), generator=torch.Generator().manual_seed(seed)).double() / 8
    return maps, maps + torch.randn(maps.shape, generator=torch.Generator().manual_seed(seed + 1)) > 2


@given(st.integers(0, 100), st.sampled_from(["affine", "cube", "exp"]))
@settings(max_examples=8, deadline=None)
def test_a_monotone_change_leaves_rank_metrics_as_they_are(seed, change):
    maps, regions = random_case(seed)
    moved = {"affine": 3 * maps + 100, "cube": maps**3, "exp": maps.exp()}[change]
    fast = UNCHANGED - {"aic", "sic"}
    before, after = all_scores(maps, regions, fast), all_scores(moved, regions, fast)
    assert before == pytest.approx(after, abs=1e-9)


@given(st.integers(0, 100))
@settings(max_examples=8, deadline=None)
def test_a_change_that_keeps_the_sign_leaves_selections_as_they_are(seed):
    maps, regions = random_case(seed)
    before, after = all_scores(maps, regions, BY_SIGN), all_scores(maps**3, regions, BY_SIGN)
    assert before == pytest.approx(after, abs=1e-9)
    assert before != pytest.approx(all_scores(maps - 2, regions, BY_SIGN), abs=1e-9)


def test_every_metric_is_known_to_read_order_signs_or_values():
    assert UNCHANGED | BY_SIGN | CHANGED | {"increase_in_confidence", "runtime"} == set(METRICS.names())


def test_a_monotone_change_changes_what_reads_values():
    maps, regions = random_case(0)
    tested = CHANGED | {"aic", "sic"}
    before, after = all_scores(maps, regions, tested), all_scores(maps.exp(), regions, tested)
    assert {name for name in tested if repr(before[name, "all"]) != repr(after[name, "all"])} == CHANGED
