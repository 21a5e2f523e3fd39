"""`seewhy audit`: plan, findings, comparison, exit codes."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from red_mark import write_squares
from seewhy.cli import app

HERE = Path(__file__).parents[1]
FAST = ["--method", "grad_cam", "-o", "donors=8", "-o", "recipients=12", "-o", "explorers=0", "--classes", "green"]


@pytest.fixture(scope="module")
def squares(tmp_path_factory):
    return write_squares(tmp_path_factory.mktemp("squares"))


def run(*arguments):
    return CliRunner().invoke(app, ["audit", *map(str, arguments)])


def test_findings_fail_a_build_and_another_model_lacks_them(squares, tmp_path):
    cheating, honest = (f"{HERE / 'red_mark.py'}:{name}" for name in ("cheating", "honest"))
    model = ["--model", cheating, "--out", tmp_path / "out", *FAST]
    result = run(squares, *model, "--compare", honest, "--fail-on", "confirmed", "--json")
    assert result.exit_code == 1, result.output
    found = json.loads(result.stdout)
    assert found["confirmed"] == 1
    assert len(found["compared"]["new"]) == 1
    assert Path(found["report"]).is_file()  # without masks, the square of the other model is a cue, too


def test_a_store_of_one_model_is_compared_with_another(squares, tmp_path):
    """The other model has no maps in the store: they are computed from the store's images."""
    cheating, honest = (["--model", f"{HERE / 'red_mark.py'}:{name}"] for name in ("cheating", "honest"))
    filled = CliRunner().invoke(
        app, ["explain", str(squares), "--store", str(tmp_path / "store"), *cheating, "--method", "grad_cam"]
    )
    assert filled.exit_code == 0, filled.output
    out = ["--out", tmp_path / "out", *FAST]
    result = run(tmp_path / "store", *cheating, *out, "--compare", honest[1], "--json")
    assert result.exit_code == 0, result.output
    assert len(json.loads(result.stdout)["compared"]["new"]) == 1
    assert (tmp_path / "out" / "compared" / "maps").is_dir()
    assert not (tmp_path / "out" / "maps").exists()


def test_nothing_confirmed_passes(squares, tmp_path):
    model = ["--model", f"{HERE / 'red_mark.py'}:honest", "--out", tmp_path / "out", *FAST]
    passed = run(squares, *model, "-o", "effect=1", "--fail-on", "confirmed")
    assert passed.exit_code == 0, passed.output


def test_a_plan_computes_no_audit(squares, tmp_path):
    result = run(squares, "--model", f"{HERE / 'red_mark.py'}:cheating", "--out", tmp_path / "out", *FAST, "--plan")
    assert result.exit_code == 0, result.output
    assert "45 images, up to 2 candidates" in result.output
    assert "MB on disk" in result.output
    assert "MB of memory" in result.output
    assert not (tmp_path / "out").exists()


def test_wrong_use(squares):
    assert run(squares, "--fail-on", "always").exit_code == 2
    assert run(squares, "-o", "donor=3").exit_code == 2
