"""Protocols: frozen, checked against the signatures of metrics and evidence; keys that survive additions."""

import dataclasses
import inspect

import pytest
import torch

from seewhy.errors import OptionError, UnknownName
from seewhy.metrics import Protocol, collect_evidence, get_protocol, list_protocols, score_maps
from seewhy.metrics.protocols import option_annotation
from seewhy.metrics.references import ReferencePair, SolidColor, both_ways
from seewhy.metrics.sweep import SweepSettings
from seewhy.ops.curves import evenly_spaced
from seewhy.registry import EVIDENCE, METRICS, register_evidence, register_metric


def all_keys():
    """Keys of all metrics under all protocols."""
    return {(name, metric): get_protocol(name).keys[metric] for name in list_protocols() for metric in METRICS.names()}


def fresh_keys(names):
    """The same, computed again."""
    protocols = [dataclasses.replace(get_protocol(name)) for name in list_protocols()]
    return {(protocol.name, name): protocol.keys[name] for protocol in protocols for name in names}


@pytest.fixture
def entries(monkeypatch):
    """Registries that forget what a test registers."""
    for registry in (METRICS, EVIDENCE):
        registry.discover()
        monkeypatch.setattr(registry, "_entries", dict(registry._entries))
    return METRICS._entries


def test_published_protocols_are_frozen_and_differ():
    assert {"aha", "rise", "mda", "chefer", "pair", "caap", "var"} <= set(list_protocols())
    aha = get_protocol("aha")
    with pytest.raises(dataclasses.FrozenInstanceError):
        aha.name = "mine"
    with pytest.raises(TypeError):
        get_protocol("rise").options["deletion"] = {}
    with pytest.raises(TypeError):
        get_protocol("rise").options["curves"]["truncate"] = True
    described = [(protocol.options, protocol.runs) for protocol in map(get_protocol, list_protocols())]
    assert all(described.count(each) == 1 for each in described)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"deletoin": {"rule": "mean"}}, "no metric or evidence called 'deletoin'. Did you mean 'deletion'"),
        ({"deletion": {"rul": "mean"}}, "deletion has no option 'rul'. Did you mean 'rule'"),
        ({"deletion": {"rule": "median"}}, "deletion.rule must be 'trapezoid', 'mean' or 'mean_after_first'"),
        ({"curves": {"references": ("blakc",)}}, r"curves.references\[0\] must be .* among black, .*, got 'blakc'"),
        ({"information": {"random_share": 2.0}}, "information.random_share must be a number from 0 to 1, got 2.0"),
    ],
)
def test_wrong_options_fail_at_definition(options, message):
    with pytest.raises((OptionError, UnknownName), match=message):
        Protocol("mine", options=options)
    with pytest.raises((OptionError, UnknownName), match=message):
        get_protocol("aha", options)


def test_unknown_evidence_to_run_fails_at_definition():
    with pytest.raises(UnknownName, match="'curves'"):
        Protocol("mine", runs=("curvs",))


def test_options_of_a_protocol_can_be_changed(tiny_cnn, images, targets):
    maps = torch.rand(2, 2, 8, 8, generator=torch.Generator().manual_seed(0))
    options = {"deletion": {"relative": False}, "curves": {"fractions": [0, 0.5, 1], "references": ["black"]}}
    changed = get_protocol("mda", options)
    assert changed.options["ranked_maps"] == {"sign": "absolute", "scale": "unit"}  # as before
    assert changed.options["curves"] == {"fractions": (0.0, 0.5, 1.0), "references": ("black",)}
    evidence = collect_evidence(tiny_cnn, images, maps, targets, protocol="mda", options=options)
    assert evidence["curves"].deletion.probability.shape == (2, 2, 1, 3)
    rows = score_maps(tiny_cnn, images, maps, targets, protocol="mda", options=options, metrics="deletion")
    expected = torch.trapezoid(evidence["curves"].deletion.probability[..., 0, :]) / 2
    assert [row["score"] for row in rows] == pytest.approx(expected.flatten().tolist(), abs=1e-6)


def test_annotations_of_qualified_options():
    assert option_annotation("deletion.relative") is bool
    for wrong in ("relative", "deletion.relativ", "deletoin.relative"):
        with pytest.raises((OptionError, UnknownName)):
            option_annotation(wrong)


def test_quirks_are_in_the_protocols_that_need_them_only():
    quirks = {
        ("segmentation_ap", "binarize"): {"mda"},
        ("segmentation_f1", "rowwise"): {"mda", "chefer"},
        ("deletion", "relative"): {"mda"},
        ("curves", "truncate"): {"chefer"},
    }
    for (name, option), owners in quirks.items():
        set_in = {protocol for protocol in list_protocols() if get_protocol(protocol).options.get(name, {}).get(option)}
        assert set_in == owners


def test_pixel_counts_of_the_protocols():
    def counts(name, pixels):
        options = get_protocol(name).options.get("curves", {})
        return SweepSettings(
            fractions=options.get("fractions", evenly_spaced(21)), truncate=options.get("truncate", False)
        ).counts(pixels)

    assert counts("chefer", 50176)[0][0] == 5017
    assert counts("mda", 50176)[0] == [224 * step for step in range(225)]
    assert counts("rise", 50176)[0] == [1792 * step for step in range(29)]
    for name in list_protocols():
        deleted, inserted = counts(name, 999)
        assert inserted == [999 - count for count in reversed(deleted)]


def test_keys_depend_on_the_options_of_the_metric_and_of_its_evidence_only():
    aha = get_protocol("aha")
    changes = [
        {"deletion": {"rule": "mean"}},
        {"deletion": {"relative": True}},
        {"curves": {"fractions": evenly_spaced(11)}},
        {"curves": {"references": ("black",)}},
        {"curves": {"references": (both_ways("black", SolidColor((0.1, 0.0, 0.0))),)}},
        {"ranked_maps": {"sign": "absolute"}},
    ]
    keys = {aha.with_options(change).keys["deletion"] for change in changes}
    assert len(keys | {aha.keys["deletion"]}) == len(changes) + 1
    assert {aha.with_options(change).keys["iou"] for change in changes} == {aha.keys["iou"]}
    assert aha.with_options({"insertion": {"rule": "mean"}}).keys["deletion"] == aha.keys["deletion"]


def test_options_equal_to_their_defaults_do_not_change_a_key():
    aha = get_protocol("aha")
    explicit = {"deletion": {"rule": "trapezoid"}, "curves": {"fractions": list(evenly_spaced(21)), "truncate": False}}
    assert aha.with_options(explicit).keys["deletion"] == aha.keys["deletion"]
    assert dataclasses.replace(aha, about="other words").keys["deletion"] == aha.keys["deletion"]


def test_a_new_metric_changes_no_key(entries):
    before = all_keys()
    infidelity = entries.pop("infidelity")
    names = list(entries)
    assert fresh_keys(names) == {key: value for key, value in before.items() if key[1] != "infidelity"}

    @register_evidence("noise_level", costly=True)
    def noise_level(images, *, seed: int = 0):
        return images.std() + seed

    @register_metric("quietness", higher_is_better=True)
    def quietness(noise_level, *, scale: float = 1.0):
        return scale / noise_level

    entries["infidelity"] = infidelity
    assert "quietness" in METRICS
    assert fresh_keys([*names, "infidelity"]) == before


def with_option(entry, name):
    """The same metric or evidence with one more option."""
    signature = inspect.signature(entry.function)
    option = inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=0, annotation=int)

    def function(*arguments, **options):
        options.pop(name, None)
        return entry.function(*arguments, **options)

    function.__signature__ = signature.replace(parameters=[*signature.parameters.values(), option])
    return dataclasses.replace(entry, function=function)


def test_a_new_option_with_a_default_changes_no_key(entries):
    before = all_keys()
    EVIDENCE._entries["curves"] = with_option(EVIDENCE.get("curves"), "jitter")
    for name in list(entries):
        entries[name] = with_option(entries[name], "window")
    assert "jitter" in METRICS.get("deletion").needed["curves"].options
    assert fresh_keys(list(entries)) == before
    changed = get_protocol("aha", {"deletion": {"window": 3}, "curves": {"jitter": 1}})
    assert changed.keys["deletion"] != before["aha", "deletion"]
    assert changed.keys["insertion"] != before["aha", "insertion"]
    assert changed.keys["iou"] == before["aha", "iou"]


def test_a_new_version_changes_the_keys_of_the_metrics_that_use_it(entries):
    before = all_keys()
    EVIDENCE._entries["overlaps"] = dataclasses.replace(EVIDENCE.get("overlaps"), version=2)
    for name in list(entries):
        entries[name] = dataclasses.replace(entries[name])  # forgets the evidence it has found
    changed = {metric for (name, metric), key in fresh_keys(list(entries)).items() if key != before[name, metric]}
    assert changed == {"iou", "f1", "precision", "recall"}


def test_a_pair_of_references_is_a_setting():
    pair = ReferencePair("mine", SolidColor((1.0, 1.0, 1.0)), SolidColor((0.0, 0.0, 0.0)))
    protocol = get_protocol("aha", {"curves": {"references": (pair,)}})
    assert protocol.settings(METRICS.get("deletion")) == {
        "curves": {
            "references": [
                {
                    "ReferencePair": {
                        "name": "mine",
                        "deletion": {"SolidColor": {"color": [1.0, 1.0, 1.0]}},
                        "insertion": {"SolidColor": {"color": [0.0, 0.0, 0.0]}},
                    }
                }
            ]
        }
    }


def test_evidence_is_shared_by_protocols_with_equal_settings(tiny_cnn, images, targets):
    maps = torch.rand(2, 2, 8, 8, generator=torch.Generator().manual_seed(0))
    rise = collect_evidence(tiny_cnn, images, maps, targets, protocol="rise")
    assert rise.under(get_protocol("caap"))["curves"] is rise["curves"]
    assert rise.under(get_protocol("aha"))["curves"] is not rise["curves"]
    assert rise.under(get_protocol("aha"))["heatmaps"] is rise["heatmaps"]
