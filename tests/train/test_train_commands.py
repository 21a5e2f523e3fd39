"""`seewhy train` and `seewhy export` on a tiny network."""

import json

import numpy as np
import pytest
from PIL import Image
from typer.testing import CliRunner

from seewhy.cli import app

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


def test_train_writes_an_explainer_and_says_how_to_use_it(photos, tmp_path):
    quick = ("iterations=1", "batch=2", "steps=3", "grids=4,", "held_out=1", "sigma=0.5")
    options = [word for pair in quick for word in ("-o", pair)]
    result = run("train", photos, "--out", tmp_path / "out", *VIT, "random", *options)
    assert result.exit_code == 0, result.output
    assert "--method aha -o explainer=" in result.output
    facts = json.loads((tmp_path / "out" / "explainer.json").read_text())
    assert facts["config"]["loss"]["sigma"] == 0.5
    other = run("export", tmp_path / "out", "--out", tmp_path / "x.onnx", "--model", "timm/test_resnet",
                "--weights", "random", "--device", "cpu")  # fmt: skip
    assert other.exit_code == 1
    assert "was trained for timm/test_vit" in other.output


def test_wrong_use(photos, tmp_path):
    result = run("train", photos, "--out", tmp_path / "out", *VIT, "random", "-o", "learning_rat=1")
    assert result.exit_code == 2
    assert "learning_rate" in result.output
    result = run("train", tmp_path / "nowhere", "--out", tmp_path / "out", *VIT, "random")
    assert result.exit_code == 2
    assert "not a folder" in result.output
