import dataclasses
import gzip
import json
import re

import pytest

import seewhy
from seewhy.bench import benchmark
from seewhy.bench.report import write_report
from seewhy.explorer import Bundle
from seewhy.explorer.bundle import merge
from seewhy.explorer.html import decode
from tiny_bench import tiny_config, write_images

METHODS = ["gradient", {"name": "gradient", "label": "max", "options": {"channels": "max"}}]


def stored(folder):
    """Facts about the explanations in each explorer of a report."""
    facts = []
    for page in sorted((folder / "explorer").glob("*.html")):
        (packed,) = re.findall(r"data-bundle>([^<]*)<", page.read_text())
        content = gzip.decompress(decode(packed))
        header = json.loads(content[8 : 8 + int.from_bytes(content[:8], "little")])
        facts.append(json.loads(header["__metadata__"]["seewhy"]))
    return facts


def test_every_example_has_an_explorer_with_all_methods_and_the_controls(tmp_path):
    config = tiny_config(write_images(tmp_path / "images", 4), tmp_path / "out", methods=METHODS)
    results = benchmark(config)
    write_report(results)
    explorers = stored(tmp_path / "out")
    assert len(explorers) == config.examples
    rows = {
        (row["image"], row["method"], row["metric"], row["reference"]): row["score"] for row in results.rows.to_pylist()
    }
    for facts in explorers:
        entries = facts["explanations"]
        assert [entry["label"] for entry in entries] == ["gradient", "max", "random", "center"]
        for score in entries[1]["scores"]:
            expected = rows[facts["name"], "max", score["metric"], score["reference"]]
            assert score["score"] == pytest.approx(expected)


def test_explorers_cost_no_forward_beyond_the_baselines(tmp_path):
    images = write_images(tmp_path / "images", 2)
    methods = ["gradient", "random", "center"]
    costs = []
    for examples in (0, 1):
        config = tiny_config(images, tmp_path / f"{examples}", methods=methods, metrics=["ins_del"], examples=examples)
        model = seewhy.bench.job.build_model(config.models[0])
        job = seewhy.bench.job.BenchmarkJob(config)
        job._model = 0, model
        with model.meter() as cost:
            job.work((seewhy.bench.tasks.Unit(0, 0, 0),))
        costs.append(cost.forwards)
    assert costs[1] <= costs[0] + len(methods)  # the clean image, once per method


def test_a_resumed_benchmark_keeps_the_bundles_of_methods_done_before(tmp_path):
    images = write_images(tmp_path / "images", 2)
    benchmark(tiny_config(images, tmp_path / "out", methods=["gradient"]))
    write_report(benchmark(tiny_config(images, tmp_path / "out", methods=["gradient", "rollout"])))
    names = [[entry["method"] for entry in facts["explanations"]] for facts in stored(tmp_path / "out")]
    assert names == [["gradient", "rollout", "random", "center"]] * 2


def test_merged_bundles_know_all_classes(tiny_vit, images):
    bundles = [
        seewhy.explorer.make_bundle(tiny_vit, seewhy.explain(tiny_vit, images, method, targets=[1]), watched=[1])
        for method in ("gradient", "center")
    ]
    bundles[1] = dataclasses.replace(bundles[1], class_names={**bundles[1].class_names, 99: "other"})
    merged = merge(bundles)
    assert [entry.method for entry in merged.entries] == ["gradient", "center"]
    assert merged.class_names[99] == "other"
    assert Bundle.from_bytes(merged.to_bytes()).watched == (1,)
