"""`seewhy train` and `seewhy export` on a tiny network."""

import json

import numpy as np
import pytest
import torch
from PIL import Image
from typer.testing import CliRunner

from seewhy.cli import app, shared
from seewhy.models.timm import import_timm

VIT = ("--model", "timm/test_vit", "--device", "cpu", "--weights")


def run(*words):
    return CliRunner().invoke(app, [str(word) for word in words], env={"COLUMNS": "200", "NO_COLOR": "1"})


@pytest.fixture
def photos(tmp_path):
    folder = tmp_path / "photos"
    folder.mkdir()
    for number, pixels in enumerate(np.random.default_rng(0).integers(0, 255, (4, 60, 60, 3), dtype=np.uint8)):
        Image.fromarray(pixels).save(folder / f"{number}.png")
    return folder


@pytest.fixture
def weights(tmp_path):
    timm = import_timm()
    path = tmp_path / "weights.pt"
    torch.save(timm.create_model("test_vit").state_dict(), path)
    return path


QUICK = ("iterations=1", "batch=2", "points=3", "grids=4,", "held_out=1", "sigma=0.5")
OPTIONS = [word for pair in QUICK for word in ("-o", pair)]


def test_train_writes_an_explainer_and_prints_how_to_use_it(photos, weights, tmp_path):
    out = tmp_path / "out"
    result = run("train", photos, "--out", out, *VIT, weights, *OPTIONS)
    assert result.exit_code == 0, result.output
    metadata = json.loads((out / "explainer.json").read_text())
    assert metadata["config"]["loss"]["sigma"] == 0.5
    score = metadata["training"]["scores"]["ins_del"]
    assert f"ins-del {score:.4f}, best {score:.4f} (step 1)" in result.output
    (line,) = (line for line in result.output.splitlines() if line.startswith("use it: seewhy"))
    words = line.removeprefix("use it: seewhy ").replace("PHOTO", str(photos / "0.png")).split()
    assert ["--weights", str(weights)] == words[4:6]
    used = run(*words, "--device", "cpu", "--out", tmp_path / "maps")
    assert used.exit_code == 0, used.output
    other = run("export", out, "--out", tmp_path / "x.onnx", "--model", "timm/test_resnet",
                "--weights", "random", "--device", "cpu")  # fmt: skip
    assert other.exit_code == 1
    assert "was trained for timm/test_vit" in other.output


def test_wrong_use(photos, weights, tmp_path):
    out = tmp_path / "out"
    for words, expected in (
        ((photos, "--out", out, *VIT, weights, "-o", "learning_rat=1"), "learning_rate"),
        ((tmp_path / "nowhere", "--out", out, *VIT, weights), "not a folder"),
        ((photos, "--out", photos / "0.png", *VIT, weights, *OPTIONS), "0.png is a file, not a folder"),
        ((photos, "--out", out, *VIT, "random"), "random weights are lost"),
        (
            (photos, "--out", out, *VIT, weights, *OPTIONS, "-o", "held_out=0"),
            "held_out must be a whole number",
        ),
        ((photos, "--out", out, *VIT, weights, "-o", "tau=0.3"), "tau must be 2 numbers above 0 separated by commas"),
        ((photos, "--out", out, *VIT, weights, *OPTIONS, "-o", "precision=fp16"), "use precision='bf16'"),
    ):
        result = run("train", *words)
        assert result.exit_code == 2
        assert expected in result.output
    assert not out.exists()


@pytest.mark.parametrize(("source", "model"), [("scenes", "seewhy/scenes-vit"), ("photos", shared.DEFAULT_MODEL)])
def test_the_default_model_depends_on_the_source(source, model, monkeypatch, tmp_path):
    loaded = []
    monkeypatch.setattr("seewhy.train.train_explainer", lambda *_, **__: None)
    monkeypatch.setattr("seewhy.cli.terminal.load", lambda name, **_: loaded.append(name))
    assert run("train", source, "--size", 2, "--out", tmp_path).exit_code == 0
    assert loaded == [model]


def test_export_finds_the_model_of_an_explainer(monkeypatch, tmp_path):
    exported = []
    monkeypatch.setattr(
        "seewhy.train.export.export_explainer", lambda explainer, out, **_: exported.append(explainer) or out
    )
    result = run("export", "scenes-vit", "--out", tmp_path / "x.onnx", "--device", "cpu", "--json")
    assert result.exit_code == 0, result.output
    assert json.loads(result.stdout)["files"][0] == str(tmp_path / "x.onnx")
    assert exported[0].model.name == "seewhy/scenes-vit"


@pytest.mark.parametrize(("rank", "lines"), [("0", 2), ("1", 0)])
def test_only_the_first_process_prints(rank, lines, monkeypatch, tmp_path):
    monkeypatch.setattr("seewhy.train.train_explainer", lambda *_, **__: None)
    monkeypatch.setattr("seewhy.cli.terminal.load", lambda *_, **__: None)
    monkeypatch.setenv("RANK", rank)
    words = ("train", "scenes", "--size", 2, "--out", tmp_path)
    assert len(run(*words).output.splitlines()) == lines
    assert run(*words, "-q").output == ""
    assert ("command" in run(*words, "--json").stdout) == (rank == "0")


def test_an_interrupted_training_says_how_to_resume(monkeypatch, tmp_path):
    def stopped(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr("seewhy.train.train_explainer", stopped)
    monkeypatch.setattr("seewhy.cli.terminal.load", lambda *_, **__: None)
    assert "the same command resumes" in run("train", "scenes", "--size", 2, "--out", tmp_path).output
