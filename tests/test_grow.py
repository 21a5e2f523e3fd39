"""Benchmarks that grow from session to session resume from the rows that were kept."""

import importlib.util
import shutil
import sys
import time
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from tiny_bench import write_images

BENCHMARKS = Path(__file__).parents[1] / "benchmarks"
CONFIG = """
name = "tiny"
methods = ["gradient", "rollout"]
metrics = ["deletion"]
protocols = ["aha"]
model = {{ name = "timm/test_vit", weights = "random", options = {{ img_size = 32, patch_size = 8, embed_dim = 16, depth = 2, num_heads = 2, num_classes = 5 }} }}
data = {{ kind = "imagenet", path = "{images}", limit = 5 }}
"""  # noqa: E501


@pytest.fixture
def grow(tmp_path, monkeypatch):
    """The program, at work in a folder of its own."""
    (tmp_path / "data").mkdir()
    (tmp_path / "tiny.toml").write_text(CONFIG.format(images=write_images(tmp_path / "images", 6)))
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    for name in ("tables", "grow"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    spec = importlib.util.spec_from_file_location("grow", BENCHMARKS / "grow.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    monkeypatch.setattr(module, "ROOT", tmp_path)
    monkeypatch.setattr(module.tables, "ROOT", tmp_path)
    return module


def nothing_to_do(_job, blocks, _workers, _ray):
    assert not blocks
    return iter(())


def test_rows_are_kept_and_continued_elsewhere(grow, tmp_path, monkeypatch):
    grow.grow(["tiny"], 2, time.monotonic() + 600)
    assert len(grow.tables.rows_of("tiny")) == 5 * 2
    kept, scores = tmp_path / "rows" / "tiny.parquet", (tmp_path / "data" / "tiny.csv").read_text()
    rows = pq.read_table(kept)
    shutil.rmtree(tmp_path / "results")  # another machine
    monkeypatch.setattr("seewhy.bench.runner._execute", nothing_to_do)
    grow.grow(["tiny"], 2, time.monotonic() + 600)
    assert (tmp_path / "data" / "tiny.csv").read_text() == scores
    assert pq.read_table(kept).equals(rows)


def test_no_run_starts_after_the_time(grow, tmp_path):
    grow.grow(["tiny"], 2, time.monotonic())
    assert not (tmp_path / "rows").exists()
