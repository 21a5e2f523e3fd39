"""`evaluate`, `view` and `bench` take maps from a store instead of computing them."""

import json

import pytest
import torch
from typer.testing import CliRunner

import seewhy
from seewhy.bench import benchmark
from seewhy.bench.job import build_model
from seewhy.cli import app
from seewhy.data import items
from seewhy.registry import METHODS
from tiny_bench import same, tiny_config, write_images

N = 3


@pytest.fixture
def folder(tmp_path):
    return write_images(tmp_path / "photos", N)


def test_a_benchmark_reads_its_maps(tmp_path, folder, monkeypatch):
    few = dict(methods=["gradient", "rollout"], metrics=["deletion"], examples=1)
    expected = benchmark(tiny_config(folder, tmp_path / "computed", **few))
    model = build_model(tiny_config(folder, tmp_path / "x").models[0])
    store = seewhy.explain_dataset(model, folder, ["gradient", "rollout"], store=tmp_path / "maps")
    for name in ("gradient", "rollout"):
        monkeypatch.setattr(METHODS.get(name).__class__, "run", refuse)
    hashed, content = [], items._content
    monkeypatch.setattr(items, "_content", lambda source: (hashed.append(source), content(source))[1])
    found = benchmark(tiny_config(folder, tmp_path / "read", maps=str(store.folder), **few))
    assert found.failures() == []
    assert len(hashed) == 2 * N  # for the key of its rows, and for the key of its maps: not once per method
    scores = [[row["score"] for row in each.to_dicts()] for each in (expected, found)]
    assert scores[0] == pytest.approx(scores[1], abs=1e-6)
    assert same(expected.rows.drop_columns(["score"]), found.rows.drop_columns(["score"]))


def refuse(*_, **__):
    raise AssertionError("a map was computed")


def test_evaluate_and_view_read_their_maps(tmp_path, folder):
    arguments = ["-m", "seewhy/scenes-vit"]
    files = [str(file) for file in sorted(folder.rglob("*.png"))]
    run = CliRunner().invoke
    store = str(tmp_path / "maps")
    done = run(app, ["explain", str(folder), "--store", store, "--method", "rollout,grad_cam", "--json", *arguments])
    assert done.exit_code == 0, done.output
    assert json.loads(done.stdout)["maps"] == 2 * N
    scores = run(app, ["evaluate", *files[:2], "--maps", store, "--metrics", "deletion", "--json", *arguments])
    assert scores.exit_code == 0, scores.output
    rows = json.loads(scores.stdout)
    assert {row["method"] for row in rows} == {"rollout", "grad_cam"}
    model = seewhy.load_model("seewhy/scenes-vit")
    expected = seewhy.evaluate(model, seewhy.explain(model, files[:2], "rollout"), "deletion")
    found = [row["score"] for row in rows if row["method"] == "rollout"]
    assert found == pytest.approx([row["score"] for row in expected], abs=1e-5)
    page = tmp_path / "page.html"
    shown = run(app, ["view", files[0], "--maps", store, "--no-open", "--out", str(page), *arguments])
    assert shown.exit_code == 0, shown.output
    assert page.stat().st_size > 100_000
    other = run(app, ["evaluate", files[0], "--maps", store, "-m", "timm/test_vit", "--weights", "random"])
    assert other.exit_code == 2
    assert "no method has maps" in other.output


def test_classes_of_a_store_are_chosen(tmp_path, folder):
    file = str(next(folder.rglob("*.png")))
    model, store = "seewhy/scenes-vit", str(tmp_path / "maps")
    run = CliRunner().invoke
    for target in ("cat", "mug"):
        given = ["--store", store, "--method", "rollout", "-m", model, "-t", target, "-t", "rabbit"]
        assert run(app, ["explain", file, *given]).exit_code == 0
    arguments = ["evaluate", file, "--maps", store, "--metrics", "deletion", "--json", "-m", model]
    refused = run(app, arguments)
    assert refused.exit_code == 2
    assert "several sets of classes; choose with --target: " in refused.output
    refused = run(app, [*arguments, "-t", "mug"])
    assert "no image was explained for these classes together: mug" in refused.output
    chosen = run(app, [*arguments, "-t", "mug", "-t", "rabbit"])
    assert len({row["target"] for row in json.loads(chosen.stdout)}) == 2


def test_the_store_commands(tmp_path, folder):
    model = seewhy.load_model("timm/test_vit", weights="random")
    store = seewhy.explain_dataset(model, folder, "rollout", store=tmp_path / "maps")
    run = CliRunner().invoke
    assert "3 maps of 3 images" in run(app, ["store", "show", str(store.folder)]).output
    assert run(app, ["store", "verify", str(store.folder)]).exit_code == 0
    merged = run(app, ["store", "merge", str(tmp_path / "all"), str(store.folder), "--json"])
    assert json.loads(merged.stdout)["maps"] == N
    (next((tmp_path / "maps" / "shards").iterdir())).write_bytes(b"nothing")
    assert run(app, ["store", "verify", str(store.folder)]).exit_code == 1
    repaired = run(app, ["store", "verify", str(store.folder), "--repair"])
    assert repaired.exit_code == 0
    assert "the next run computes their maps again" in repaired.output
    assert len(store.refresh()) == 0


def test_a_model_is_pickled_without_what_methods_keep_with_it(tiny_vit, images):
    import pickle

    seewhy.explain(tiny_vit, images, "grad_cam")
    other = pickle.loads(pickle.dumps(tiny_vit))
    assert other.fingerprint == tiny_vit.fingerprint
    assert torch.equal(other.probabilities(images), tiny_vit.probabilities(images))
