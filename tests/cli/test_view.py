import json

import numpy as np
import pytest
from PIL import Image
from typer.testing import CliRunner

from seewhy.cli import app

MODEL = ("--model", "timm/test_vit", "--weights", "random", "--device", "cpu", "--no-open")


def run(*words: object):
    return CliRunner().invoke(app, [str(word) for word in words], env={"COLUMNS": "200", "NO_COLOR": "1"})


@pytest.fixture
def photo(tmp_path):
    pixels = np.random.default_rng(0).integers(0, 255, (90, 120, 3), dtype=np.uint8)
    Image.fromarray(pixels).save(tmp_path / "photo.png")
    return tmp_path / "photo.png"


def test_view_writes_one_file(photo, tmp_path):
    out = tmp_path / "deep" / "explorer.html"
    result = run("view", photo, *MODEL, "--methods", "grad_cam,rollout", "-t", "tabby", "--out", out)
    assert result.exit_code == 0, result.output
    assert f"wrote {out}" in result.output
    assert out.read_text().count("data-bundle>") == 1


def test_view_skips_files_that_are_no_images(photo, tmp_path):
    bad = tmp_path / "bad.png"
    bad.write_text("no image")
    result = run(
        "view",
        photo,
        bad,
        *MODEL,
        "--methods",
        "grad_cam",
        "--protocol",
        "chefer",
        "--json",
        "--out",
        tmp_path / "e.html",
    )
    assert result.exit_code == 2
    assert "bad.png" in result.output
    assert json.loads(result.stdout)["bytes"] == (tmp_path / "e.html").stat().st_size


def test_view_checks_names_before_it_loads_the_model(photo):
    for option in ("--methods", "--protocol"):
        result = run("view", photo, "--model", "timm/no_such_model", option, "nonsense")
        assert result.exit_code == 2
        assert "nonsense" in result.output
