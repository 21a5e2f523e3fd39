"""Runs that are stopped, failing parts, several processes: the rows are always those of an undisturbed run."""

import multiprocessing
import os
import random
import shutil
import signal
import threading
import time
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest
import torch
from PIL import Image

from seewhy.bench import Results, benchmark, job, runner
from seewhy.bench.job import BenchmarkJob
from seewhy.bench.report import write_report
from seewhy.bench.runner import all_units, measure_benchmark, plan_benchmark
from seewhy.bench.store import Store
from seewhy.bench.tables import score_tables, show_rank
from seewhy.data import items
from seewhy.errors import InputError, MissingExtra
from seewhy.registry import METHODS, METRICS, Method, register_metric
from tiny_bench import same, tiny_config, write_images

N = 4  # images


@pytest.fixture
def folder(tmp_path):
    return write_images(tmp_path / "photos", N)


def test_every_combination_has_its_rows(tmp_path, folder):
    results = benchmark(tiny_config(folder, tmp_path / "out", protocols=["aha", "rise"], metrics=["deletion", "f1"]))
    rows = [row for row in results.to_dicts() if row["metric"] == "deletion" and row["reference"] == "all"]
    assert len(rows) == N * 3 * 2
    assert {row["method"] for row in rows} == {"gradient", "Chance", "rollout"}
    assert results.methods == ("gradient", "Chance", "rollout")
    assert all(0 <= row["score"] <= 1 for row in rows)
    failed = results.failures()  # f1 needs regions, which these photos do not have
    assert {row["metric"] for row in failed} == {"f1"}
    assert "needs regions" in failed[0]["error"]
    assert len(results.curves) == N * 3 * (3 + 1)  # deletion alone, per reference
    assert len(list((tmp_path / "out" / "examples").glob("*.jpg"))) == 2 * (1 + 3)


def test_images_that_the_model_is_sure_of_are_chosen_from_all(tmp_path, folder, monkeypatch):
    seen = {}

    def choose(dataset, _model, **options):
        seen.update(options, among=len(dataset))
        return dataset

    monkeypatch.setattr(job, "confident_items", choose)
    data = {"kind": "imagenet", "path": str(folder), "limit": 2, "confidence": 0.6, "per_class": 1}
    BenchmarkJob(tiny_config(folder, tmp_path / "out", data=data)).dataset(0)
    assert seen == {"among": N, "min_confidence": 0.6, "per_class": 1, "limit": 2}


def test_images_that_run_together_have_the_rows_of_single_ones(tmp_path, folder, monkeypatch):
    data = {"kind": "imagenet", "path": str(folder), "boxes": str(folder)}
    metrics = ["deletion", "insertion", "aic", "sparseness", "average_drop"]
    several = dict(data=data, metrics=metrics, protocols=["aha", "rise"], examples=1)
    monkeypatch.setattr(runner, "BLOCK_SECONDS", 1000.0)
    sizes = []
    work = BenchmarkJob.work
    monkeypatch.setattr(BenchmarkJob, "work", lambda self, block, *_: sizes.append(len(block)) or work(self, block))
    together = benchmark(tiny_config(folder, tmp_path / "together", **several))
    assert max(sizes) > 1
    monkeypatch.setattr(runner, "MAX_BLOCK", 1)
    alone = benchmark(tiny_config(folder, tmp_path / "alone", **several))
    assert same(together.rows, alone.rows)
    assert same(together.curves, alone.curves)


def test_an_image_that_fails_spoils_no_other(tmp_path, folder, monkeypatch):
    monkeypatch.setattr(runner, "BLOCK_SECONDS", 1000.0)
    entry = METHODS.get("rollout")

    def fails(model, images, targets, **options):
        if (images.mean(dim=(1, 2, 3)) == first).any():
            raise ValueError("not this one")
        return run(model, images, targets, **options)

    config = dict(metrics=["deletion"], methods=["gradient", "rollout"], examples=0)
    worker = BenchmarkJob(tiny_config(folder, tmp_path / "x", **config))
    sample = worker.dataset(0)[N - 1].read(worker.model(0).preprocess)
    first, run = sample.image.mean(), entry.function
    fails.__signature__ = __import__("inspect").signature(run)
    monkeypatch.setitem(METHODS._entries, "rollout", Method("rollout", fails))
    results = benchmark(tiny_config(folder, tmp_path / "out", **config))
    (failure,) = results.failures()
    assert (failure["image"], failure["method"]) == (sample.name, "rollout")


def test_areas_are_those_of_the_stored_curves(tmp_path, folder):
    results = benchmark(tiny_config(folder, tmp_path / "out", metrics=["insertion"]))
    scores = {
        (row["image"], row["method"], row["reference"]): row["score"]
        for row in results.to_dicts()
        if row["reference"] != "all"
    }
    curves = [curve for curve in results.curves.to_pylist() if curve["curve"] == "insertion"]
    assert len(curves) == len(scores)
    for curve in curves:
        area = torch.trapezoid(torch.tensor(curve["value"]), torch.tensor(curve["at"]))
        key = curve["image"], curve["method"], curve["reference"]
        assert float(area) == pytest.approx(scores[key], abs=2e-3)  # pixel counts are rounded


def test_curves_of_information_and_randomization_are_kept_too(tmp_path, folder):
    metrics = ["aic", "randomization_spearman"]
    config = tiny_config(folder, tmp_path / "out", metrics=metrics, methods=["gradient", "rollout"], protocols=["var"])
    results = benchmark(config)
    curves = {(row["curve"], row["image"], row["method"]): row for row in results.curves.to_pylist()}
    scores = [row for row in results.to_dicts() if row["metric"] == "randomization_spearman"]
    assert {name for name, _, _ in curves} >= {"aic", "sic", "randomization_spearman", "randomization_cosine"}
    for row in scores:
        curve = curves["randomization_spearman", row["image"], row["method"]]
        assert (curve["at"][0], curve["value"][0]) == (0, 1)
        assert np.mean(curve["value"][1:]) == pytest.approx(row["score"], abs=1e-6)
    page = write_report(results).read_text()
    assert "random weights" in page
    assert "aic as in its paper, the area under the median curve: gradient" in page


def test_copies_of_an_image_have_rows_of_their_own(tmp_path, folder):
    photos = sorted(folder.rglob("*.png"))
    shutil.copy(photos[0], photos[0].with_name("copy.png"))
    results = benchmark(tiny_config(folder, tmp_path / "out", metrics=["deletion"]))
    (column,) = (column for column in results.columns() if column.reference == "all")
    assert len(results.matrix(column).cases) == N + 1


def test_a_plan_neither_runs_nor_writes(tmp_path, folder):
    config = tiny_config(folder, tmp_path / "out", metrics=["deletion"])
    plan = plan_benchmark(config)
    assert (plan.units, plan.tasks, plan.done, plan.cost) == (N, 3 * N, 0, None)
    assert not (tmp_path / "out").exists()
    benchmark(config)
    before = {path: path.stat().st_mtime_ns for path in (tmp_path / "out").rglob("*")}
    plan = plan_benchmark(tiny_config(folder, tmp_path / "out", metrics=["deletion", "insertion"]))
    assert (plan.tasks, plan.done) == (6 * N, 3 * N)
    assert {path: path.stat().st_mtime_ns for path in (tmp_path / "out").rglob("*")} == before


def test_a_measured_plan_keeps_its_rows(tmp_path, folder):
    config = tiny_config(folder, tmp_path / "out", metrics=["insertion"])
    assert measure_benchmark(config).done == 0
    again = measure_benchmark(config)
    assert again.done == 3
    assert again.cost.forwards > 0
    assert "3 done before" in str(again)
    assert not (tmp_path / "out" / "run.json").exists()


def test_a_column_without_any_score_is_reported(tmp_path, folder):
    results = benchmark(tiny_config(folder, tmp_path / "out", metrics=["pointing_game"]))
    assert "needs regions" in write_report(results).read_text()
    (table,) = score_tables(results)
    assert show_rank(table.mean_ranks[0]) == "–"


def test_a_finished_run_costs_nothing_and_a_new_method_only_itself(tmp_path, folder, monkeypatch):
    first = benchmark(tiny_config(folder, tmp_path / "out"))
    explained = []
    entry = METHODS.get("gradient")
    _spy(monkeypatch, entry, explained)
    again = benchmark(tiny_config(folder, tmp_path / "out"))
    assert same(first.rows, again.rows)
    assert not explained
    more = benchmark(tiny_config(folder, tmp_path / "out", methods=["gradient", "random", "grad_cam"]))
    assert not explained
    assert set(more.methods) == {"gradient", "random", "grad_cam"}
    assert len(more.rows) == len(first.rows)


def test_more_metrics_compute_only_the_missing_ones(tmp_path, folder, monkeypatch):
    benchmark(tiny_config(folder, tmp_path / "out", metrics=["deletion"], examples=0))
    scored = []
    original = METRICS.get("deletion")

    def spy(curves, **options):
        scored.append("deletion")
        return original.function(curves, **options)

    monkeypatch.setitem(METRICS._entries, "deletion", replace(original, function=spy))
    both = partial(tiny_config, metrics=["deletion", "insertion"], examples=0)  # explorers of examples show deletion
    results = benchmark(both(folder, tmp_path / "out"))
    assert not scored
    assert {row["metric"] for row in results.to_dicts()} == {"deletion", "insertion"}
    fresh = benchmark(both(folder, tmp_path / "fresh"))
    assert scored
    assert same(results.rows.drop(["forwards", "backwards"]), fresh.rows.drop(["forwards", "backwards"]))
    assert same(results.curves, fresh.curves)


def tasks_of(results) -> dict[str, set[str]]:
    """Keys of the tasks by metric; read now, since the next run overwrites the table."""
    found: dict[str, set[str]] = {}
    for row in results.to_dicts():
        found.setdefault(row["metric"], set()).add(row["task"])
    return found


def test_options_apply_and_have_rows_of_their_own(tmp_path, folder):
    few = dict(metrics=["deletion", "average_drop"])
    plain = tasks_of(benchmark(tiny_config(folder, tmp_path / "out", **few)))
    options = {"deletion": {"rule": "mean"}, "curves": {"references": ["black"]}}
    results = benchmark(tiny_config(folder, tmp_path / "out", **few, options=options))
    assert {row["reference"] for row in results.to_dicts() if row["metric"] == "deletion"} == {"all"}
    changed = tasks_of(results)
    assert not plain["deletion"] & changed["deletion"]
    assert plain["average_drop"] == changed["average_drop"]


def test_a_new_metric_leaves_all_stored_rows_valid(tmp_path, folder, monkeypatch):
    monkeypatch.setattr(METRICS, "_entries", dict(METRICS._entries))
    config = tiny_config(folder, tmp_path / "out")
    before = tasks_of(benchmark(config))

    @register_metric("spread", higher_is_better=True)
    def spread(maps, *, power: float = 2.0):
        return maps.flatten(2).abs().pow(power).mean(dim=-1)

    plan = plan_benchmark(config)  # a free metric runs by default, so it is all that is missing
    assert plan.tasks - plan.done == 3 * N
    after = tasks_of(benchmark(config))
    assert after.pop("spread")
    assert after == before


def test_rows_of_an_older_version_are_refused(tmp_path, folder):
    config = tiny_config(folder, tmp_path / "out", metrics=["deletion"])
    benchmark(config)
    (tmp_path / "out" / "format.json").unlink()
    for open_folder in (lambda: benchmark(config), lambda: plan_benchmark(config), lambda: Results(tmp_path / "out")):
        with pytest.raises(InputError, match=r"written by an older version of seewhy .* Choose another out"):
            open_folder()


def test_rows_of_another_release_are_announced(tmp_path, folder, caplog):
    config = tiny_config(folder, tmp_path / "out", metrics=["deletion"])
    benchmark(config)
    (tmp_path / "out" / "format.json").write_text('{"format": 2, "seewhy": "0.0.1"}')
    benchmark(config)
    assert "holds rows of seewhy 0.0.1" in caplog.text


def test_files_are_hashed_once_per_unit_and_a_crash_loads_no_model(tmp_path, folder, monkeypatch):
    hashed, built = [], []
    content, build = items._content, job.build_model
    monkeypatch.setattr(items, "_content", lambda source: (hashed.append(source), content(source))[1])
    monkeypatch.setattr(job, "build_model", lambda entry: (built.append(entry.name), build(entry))[1])
    config = tiny_config(folder, tmp_path / "out", metrics=["deletion"])
    own = BenchmarkJob(config)
    units = all_units(own)
    for unit in units[:2]:
        own.work((unit,))
    assert len(built) == 1
    own._model = None
    crash = own.failed_unit(units[2], RuntimeError("the process died"))
    assert "the process died" in crash.rows[0]["error"]
    assert len(built) == 1
    assert len(hashed) == len(set(hashed)) == 3


def test_the_base_of_a_wrapper_is_computed_once_and_charged_twice(tmp_path, folder, monkeypatch):
    explained = []
    _spy(monkeypatch, METHODS.get("gradient"), explained)
    methods = [{"name": "var:gradient", "label": str(margin), "options": {"margin": margin}} for margin in (0.0, 0.1)]
    data = {"kind": "folder", "path": str(folder), "limit": 1}
    few = dict(methods=methods, data=data, targets="predicted", metrics=["deletion"])
    results = benchmark(tiny_config(folder, tmp_path / "out", **few))
    assert len(explained) == 1
    costs = {row["method"]: (row["forwards"], row["backwards"]) for row in results.to_dicts()}
    assert costs["0.0"] == costs["0.1"]
    assert costs["0.0"][1] >= 2  # one class and its rivals


def _spy(monkeypatch, entry, calls):
    def run(*args, **options):
        calls.append(options)
        return entry.function(*args, **options)

    run.__signature__ = __import__("inspect").signature(entry.function)
    spied = Method(entry.name, run, entry.paper, entry.class_agnostic)
    monkeypatch.setitem(METHODS._entries, entry.name, spied)


def test_killed_ten_times_and_continued(tmp_path, folder):
    few = dict(methods=["gradient", "random"], metrics=["deletion"], data={"kind": "folder", "path": str(folder)})
    write_images(folder, 12)
    whole = benchmark(tiny_config(folder, tmp_path / "whole", **few))
    config, chance = tiny_config(folder, tmp_path / "out", **few), random.Random(0)
    took = _kill_after(tiny_config(folder, tmp_path / "timed", **few), None)
    kills = sum(_kill_after(config, chance.uniform(0.0, 0.2) * took) is None for _ in range(10))
    assert kills >= 3  # a run that has little left may end first
    results = benchmark(config)
    assert same(results.rows, whole.rows)
    assert same(results.curves, whole.curves)
    tasks = [task for part in sorted((tmp_path / "out/parts/rows").iterdir()) for task in _tasks(part)]
    assert len(tasks) == len(set(tasks)), "a task was written twice"
    assert not list((tmp_path / "out").rglob("*.tmp"))


def _tasks(part: Path) -> list[str]:
    return pq.read_table(part, columns=["task"])["task"].unique().to_pylist()


def _kill_after(config, seconds: float | None) -> float | None:
    """Run in another process and kill it; how long it took, if it was allowed to finish."""
    server = multiprocessing.get_context("forkserver")  # a copy of this process could inherit a lock that nobody opens
    server.set_forkserver_preload(["seewhy.bench"])
    start = time.monotonic()
    process = server.Process(target=_impatient_benchmark, args=(config,))
    process.start()
    process.join(seconds)
    if process.is_alive():
        os.kill(process.pid, signal.SIGKILL)
        process.join()
        return None
    return time.monotonic() - start


def _impatient_benchmark(config) -> None:
    runner.FLUSH_INTERVAL = 0.0
    benchmark(config)


def test_two_processes_give_the_rows_of_one(tmp_path, folder):
    alone = benchmark(tiny_config(folder, tmp_path / "one"))
    together = benchmark(tiny_config(folder, tmp_path / "two"), workers=2)
    assert same(alone.rows, together.rows)
    assert same(alone.curves, together.curves)


def test_a_worker_that_dies_costs_nothing(tmp_path, folder):
    alone = benchmark(tiny_config(folder, tmp_path / "one"))
    killer = threading.Thread(target=_kill_one_child, daemon=True)
    killer.start()
    together = benchmark(tiny_config(folder, tmp_path / "two"), workers=2)
    killer.join()
    assert same(alone.rows, together.rows)


def _kill_one_child() -> None:
    while not multiprocessing.active_children():
        time.sleep(0.01)
    os.kill(multiprocessing.active_children()[0].pid, signal.SIGKILL)


def test_an_image_that_kills_its_process_twice_becomes_a_row(tmp_path, folder):
    over = threading.Event()
    killer = threading.Thread(target=_kill_children_until, args=(over,), daemon=True)
    killer.start()
    results = benchmark(tiny_config(folder, tmp_path / "out", metrics=["deletion"]), workers=2)
    over.set()
    killer.join()
    failed = results.failures()
    assert len(failed) == N - 1  # the plan measured one image in this process
    assert all("the process died" in row["error"] for row in failed)


def _kill_children_until(over: threading.Event) -> None:
    while not over.wait(0.05):
        for child in multiprocessing.active_children():
            child.kill()


def test_ray_gives_the_rows_of_one(tmp_path, folder):
    pytest.importorskip("ray", reason="the extra [ray] is not installed")
    alone = benchmark(tiny_config(folder, tmp_path / "one"))
    cluster = benchmark(tiny_config(folder, tmp_path / "ray"), workers=2, ray="local")
    assert same(alone.rows, cluster.rows)


def test_without_ray_the_extra_is_named(tmp_path, folder, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "ray", None)
    with pytest.raises(MissingExtra, match=r"seewhy\[ray\]"):
        benchmark(tiny_config(folder, tmp_path / "out"), ray="local")


def test_images_that_cannot_be_used_become_rows(tmp_path, folder, monkeypatch):
    place = folder / "class0"
    photo = (place / "000.png").read_bytes()
    (place / "a_corrupt.png").write_bytes(photo[: len(photo) // 2])
    (place / "b_empty.jpg").write_bytes(b"")
    (place / "c_text.jpg").write_text("this is no image")
    Image.new("RGB", (1, 1)).save(place / "d_dot.png")
    Image.fromarray(torch.randint(255, (60, 60, 4), dtype=torch.uint8).numpy(), "CMYK").save(place / "e_cmyk.jpg")
    Image.new("L", (400, 300)).save(place / "f_huge.png")
    monkeypatch.setattr(Image, "MAX_IMAGE_PIXELS", 50_000)  # the same limit, for a smaller file
    results = benchmark(tiny_config(folder, tmp_path / "out", metrics=["deletion"]))
    failed = {row["image"].rpartition("/")[2]: row["error"] for row in results.failures()}
    assert failed.keys() == {"a_corrupt.png", "b_empty.jpg", "c_text.jpg", "d_dot.png", "f_huge.png"}
    reasons = ["corrupt", "empty", "not an image", "got 1x1", "decompression bomb"]
    for error, reason in zip(failed.values(), reasons, strict=True):
        assert reason in error
    assert len(results.failures()) == 5
    scored = {row["image"] for row in results.to_dicts() if row["score"] == row["score"]}
    assert len(scored) == N + 1  # color profiles of printers are converted, that is no failure
    again = benchmark(tiny_config(folder, tmp_path / "out", metrics=["deletion"]))
    assert same(results.rows, again.rows)


def test_a_failing_method_and_metric_cost_only_their_rows(tmp_path, folder, monkeypatch):
    def broken(*_args, **_options):
        raise RuntimeError("out of order")

    entry = METHODS.get("gradient")
    monkeypatch.setitem(METHODS._entries, "gradient", Method("gradient", broken, None, False, False))
    insertion = replace(METRICS.get("insertion"), function=broken)
    monkeypatch.setitem(METRICS._entries, "insertion", insertion)
    results = benchmark(tiny_config(folder, tmp_path / "out", metrics=["deletion", "insertion"]))
    failed = [(row["method"], row["metric"]) for row in results.failures()]
    assert failed.count(("gradient", "")) == N
    assert failed.count(("rollout", "insertion")) == N
    assert len(failed) == 3 * N
    monkeypatch.undo()
    assert METHODS.get("gradient") is entry
    assert len(benchmark(tiny_config(folder, tmp_path / "out", metrics=["deletion", "insertion"])).failures()) == 3 * N
    config = tiny_config(folder, tmp_path / "out", metrics=["deletion", "insertion"])
    assert not benchmark(config, retry=True).failures()


def test_methods_that_do_not_fit_the_model_say_so(tmp_path, folder):
    model = {"name": "timm/test_resnet", "weights": "random"}
    data = {"kind": "imagenet", "path": str(folder), "limit": 1}
    results = benchmark(tiny_config(folder, tmp_path / "out", model=model, data=data, metrics=["deletion"]))
    assert [(row["method"], "needs a ViT" in row["error"]) for row in results.failures()] == [("rollout", True)]


def test_a_second_run_in_the_same_folder_is_refused(tmp_path, folder):
    with Store(tmp_path / "out").locked(), pytest.raises(InputError, match="another benchmark"):
        benchmark(tiny_config(folder, tmp_path / "out"))


def test_the_estimate_is_near_the_truth(tmp_path, folder, caplog):
    caplog.set_level("INFO", logger="seewhy")
    config = tiny_config(folder, tmp_path / "out")
    plan = measure_benchmark(config)
    assert plan.units == N
    assert N * 200 < plan.cost.forwards < N * 500  # three maps, each two sweeps of 20 images per reference, shared ends
    assert len(benchmark(config)) > 0
    assert f"{N} images x models" in caplog.text


def test_results_of_no_run(tmp_path):
    with pytest.raises(InputError, match="no benchmark was run"):
        Results(tmp_path)
