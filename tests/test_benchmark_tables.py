"""The tables of benchmarks/README.md are those of its data files, and say what they should."""

import importlib.util
from pathlib import Path

import numpy as np
import pytest

BENCHMARKS = Path(__file__).parents[1] / "benchmarks"


@pytest.fixture
def tables():
    spec = importlib.util.spec_from_file_location("benchmark_tables", BENCHMARKS / "tables.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_pages_show_their_data_files(tables):
    for page in tables.PAGES:
        text = page.read_text()
        assert tables.with_tables(text) == text, f"{page.name}: run python benchmarks/tables.py"


def test_recall_counts_networks_that_rely_on_their_cue(tables, tmp_path, monkeypatch):
    (tmp_path / "data").mkdir()
    heads = "network,method,flips,confirmed,iou,false_alarms,tested,cpu_seconds,forwards_per_image"
    lines = [heads, "0,a,0.9,True,0.8,0,2,10,9", "1,a,1.0,False,,1,2,20,9", "2,a,0.2,True,0.5,0,2,10,9"]
    lines += ["0,random,0.9,False,,0,2,5,4", "1,random,1.0,False,,0,2,5,4", "2,random,0.2,False,,0,2,5,4"]
    (tmp_path / "data" / "x.csv").write_text("\n".join(lines))
    monkeypatch.setattr(tables, "ROOT", tmp_path)
    assert tables.recall_table("x").splitlines()[2:] == [
        "| a | 2 | 1 | 0.50 (0.01 to 0.99) | 0.80 | 1 of 4 | 15 | 9 | 1, 0 (p = 1.00) |",
        "| random | 2 | 0 | 0.00 (0.00 to 0.84) | – | 0 of 4 | 5 | 4 | – |",
    ]
    assert tables.recall_table("x", "network=0").splitlines()[2].startswith("| a | 1 | 1 |")
    assert tables.rows_table("x", "method", "iou").splitlines()[2:4] == ["| a | 0.8 |", "| a | – |"]
    assert tables.rows_table("x", "flips=1.0", "method=a", "cpu_seconds").splitlines() == [
        "| cpu seconds |",
        "| --- |",
        "| 20 |",
    ]


def test_means_intervals_and_the_best(tables, tmp_path, monkeypatch):
    (tmp_path / "data").mkdir()
    scores = ["m,a,one,0.2,0.5", "m,b,one,0.4,nan", "m,a,two,0.5,0.1", "m,b,two,0.5,0.3"]
    lines = ["model,image,method,deletion,f1", *scores]
    (tmp_path / "data" / "x.csv").write_text("\n".join(lines))
    monkeypatch.setattr(tables, "ROOT", tmp_path)
    assert tables.scores_table("x").splitlines()[2:] == [
        "| one | 2 | **0.300** ± 0.100 | **0.500** ± 0.000 |",
        "| two | 2 | 0.500 ± 0.000 | 0.200 ± 0.100 |",
    ]
    config = 'methods = [{ name = "random", label = "one" }, { name = "center", label = "two" }]\n'
    config += 'model = { name = "m" }\ndata = { kind = "scenes" }\n[published]\n"two" = { deletion = 0.25 }\n'
    (tmp_path / "x.toml").write_text(config)
    assert tables.scores_table("x").splitlines()[-1] == "| two | 2 | 0.500 ± 0.000 (0.250) | 0.200 ± 0.100 |"


def test_gains_are_those_of_published_metrics_and_of_medians_for_information(tables, tmp_path, monkeypatch):
    (tmp_path / "data").mkdir()
    plain, refined = (0.1, 0.2, 0.9), (0.2, 0.4, 0.9)
    scores = [
        f"m,{i},{name},{v},{v}" for name, values in (("a", plain), ("a + VAR", refined)) for i, v in enumerate(values)
    ]
    (tmp_path / "data" / "x.csv").write_text("\n".join(["model,image,method,aic,f1", *scores]))
    config = 'methods = [{ name = "gradient", label = "a" }, { name = "var:gradient", label = "a + VAR" }]\n'
    config += 'model = { name = "m" }\ndata = { kind = "scenes" }\n'
    published = '[published]\n"a" = { aic = 0.5 }\n"a + VAR" = { aic = 0.6 }\n'
    (tmp_path / "x.toml").write_text(config + published)
    monkeypatch.setattr(tables, "ROOT", tmp_path)
    _, _, line, means = tables.gains_table("x").splitlines()
    assert line.startswith("| a | 3 | 0.40 +100 % ± ")
    assert line.endswith("| 0.60 +20 % |")
    assert means.startswith("| mean gain of the paper's rows |  | +100 % ± ")
    assert means.endswith("| +20 % |")


def test_losses_are_those_of_the_photos_that_the_exact_search_has(tables, tmp_path, monkeypatch):
    (tmp_path / "data").mkdir()
    heads = "image,search,passes,seconds,insertion,deletion,ins_del"
    lines = ["a,exact,5000,100,0.9,0.1,0.8", "a,fast,200,8,0.8,0.1,0.7", "b,exact,5200,120,0.9,0.3,0.6"]
    lines += ["b,fast,300,10,0.9,0.2,0.7", "c,fast,900,30,0.5,0.5,0.0"]
    (tmp_path / "data" / "x.csv").write_text("\n".join([heads, *lines]))
    monkeypatch.setattr(tables, "ROOT", tmp_path)
    assert tables.losses_table("x").splitlines()[2:] == [
        "| exact | 2 | 5,100 | 110.0 | 0.900 | 0.200 | 0.700 | – |",
        "| fast | 2 | 250 | 9.0 | 0.850 | 0.150 | 0.700 | 0.000 ± 1.271 |",  # t(1) = 12.706, sd = .1414
    ]


def test_gains_are_paired(tables):
    """Whatever is drawn, a score that is twice another has a gain of 100 % and no interval."""
    plain = np.random.default_rng(1).random(30)
    assert tables._gain(plain, 2 * plain, "f1") == pytest.approx(1)
    assert tables._gain_error(plain, 2 * plain, "f1") == pytest.approx(0, abs=1e-9)
    assert tables._gain_error(plain, plain[::-1], "f1") > 5
