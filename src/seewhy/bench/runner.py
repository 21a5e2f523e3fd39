"""Run a benchmark: a plan, then one block of units after the other, in this process, in several or on a cluster.

Outcomes are written every few seconds; a killed run resumes after the last part it wrote.
"""

import json
import logging
import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from itertools import groupby
from pathlib import Path
from typing import Any

from seewhy.bench.blocks import Outcome
from seewhy.bench.config import BenchConfig
from seewhy.bench.environment import describe_environment, peak_memory
from seewhy.bench.job import BenchmarkJob
from seewhy.bench.results import Results
from seewhy.bench.store import FORMAT, Store, TaskTitles
from seewhy.bench.tasks import Block, Unit
from seewhy.metrics import get_protocol
from seewhy.runtime.files import write_atomic
from seewhy.runtime.pool import run_units
from seewhy.runtime.progress import track
from seewhy.types import Cost

FLUSH_INTERVAL = 5.0  # seconds between parts: maximum work lost when killed
LOG_INTERVAL = 30.0  # seconds between lines of progress where no terminal shows a bar
MAX_MEASURED = 5  # units per model that are tried until one can be measured
MAX_BLOCK, BLOCK_SECONDS = 16, 4.0  # maximum number of images that run together, and their target time

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class BenchmarkPlan:
    """The size of a run; with `cost`, an estimate from one measured unit per model."""

    units: int  # images x models
    tasks: int  # x methods x metrics x protocols
    done: int  # tasks of earlier runs
    cost: Cost | None = None  # of the missing tasks
    memory: float = 0.0  # peak so far, in bytes
    workers: int = 1

    def __str__(self) -> str:
        before = f", {self.done:,} done before" if self.done else ""
        counts = f"{self.units:,} images x models, {self.tasks:,} scores{before}"
        if self.cost is None:
            return counts
        seconds, processes = self.cost.seconds / self.workers, "process" if self.workers == 1 else "processes"
        return (
            f"{counts}; about {self.cost.forwards:,.0f} forwards and {self.cost.backwards:,.0f} backwards, "
            f"{show_time(seconds)} with {self.workers} {processes}, {self.memory / 2**30 * self.workers:.1f} GB"
        )


@dataclass
class BenchmarkRun:
    """A benchmark in progress: outcomes that are not written yet, and the titles of all its tasks.

    Only rows of tasks with titles are collected: a folder may hold rows of other configurations.
    """

    config: BenchConfig
    store: Store
    titles: dict[str, TaskTitles] = field(default_factory=dict)
    unwritten: list[Outcome] = field(default_factory=list)
    flushed: float = field(default_factory=time.monotonic)
    failures: int = 0

    def add(self, outcome: Outcome) -> None:
        """Add the outcome of a unit; flush if that is due."""
        model, data, _ = outcome.unit
        titles = self.config.models[model].title, self.config.data[data].title
        methods = [method.title for method in self.config.methods]
        for key, (image, method) in outcome.owners.items():
            self.titles[key] = (*titles, image, "" if method is None else methods[method])
        self.failures += sum(1 for row in outcome.rows if row["metric"] == "")
        if outcome.rows:
            self.unwritten.append(outcome)
        if time.monotonic() - self.flushed > FLUSH_INTERVAL:
            self.flush()

    def flush(self) -> None:
        """Write the unwritten outcomes as one more part."""
        for outcome in self.unwritten:
            self.store.write_examples(outcome.overlays, ".jpg")
            self.store.write_examples(outcome.bundles, ".safetensors")
        rows = [row for outcome in self.unwritten for row in outcome.rows]
        self.store.write(rows, [curve for outcome in self.unwritten for curve in outcome.curves])
        self.unwritten, self.flushed = [], time.monotonic()

    def finish(self) -> None:
        """Write the remaining outcomes, the metadata of the run, and all its rows as one table."""
        self.flush()
        _write_metadata(self.store, self.config)
        self.store.collect(self.titles, keep_unavailable=self.config.metrics is not None)


def run_benchmark(config: BenchConfig, *, workers: int = 1, ray: str | None = None, retry: bool = False) -> Results:
    """Run the missing tasks and collect all rows."""
    with _open_run(config, retry=retry) as (run, job):
        plan, left = _run_first_units(job, run, workers=workers)
        logger.info("%s", plan)
        blocks = make_blocks(left, config.examples, block_size(plan, len(left), workers))
        for outcome in _log_progress(_execute(job, blocks, workers, ray), len(left), run):
            run.add(outcome)
        run.finish()
    return Results(run.store.folder)


def plan_benchmark(config: BenchConfig, *, retry: bool = False) -> BenchmarkPlan:
    """Count units and tasks; nothing is run or written."""
    job = BenchmarkJob(config, Store(config.out).done(retry=retry))
    units = all_units(job)
    pending = sum(_count_pending(job, units).values())
    tasks = len(units) * job.tasks_per_unit
    return BenchmarkPlan(len(units), tasks, tasks - pending)


def measure_benchmark(config: BenchConfig, *, workers: int = 1, retry: bool = False) -> BenchmarkPlan:
    """Run one unit of each model, keep its rows, and estimate the cost of the missing tasks from it."""
    with _open_run(config, retry=retry) as (run, job):
        plan, _ = _run_first_units(job, run, workers=workers)
    return plan


@contextmanager
def _open_run(config: BenchConfig, *, retry: bool) -> Iterator[tuple[BenchmarkRun, BenchmarkJob]]:
    """A run in its locked folder; flushes partial results on exit."""
    store = Store(config.out)
    with store.locked():
        run = BenchmarkRun(config, store)
        try:
            yield run, BenchmarkJob(config, store.done(retry=retry))
        finally:
            run.flush()


def all_units(job: BenchmarkJob) -> list[Unit]:
    """All units, model by model, so that each is loaded once."""
    config = job.config
    return [
        Unit(model, data, item)
        for model, chosen in enumerate(config.models)
        for data, entry in enumerate(config.data)
        if entry.model in ("", chosen.title)
        for item in range(len(job.dataset(data)))
    ]


def _run_first_units(job: BenchmarkJob, run: BenchmarkRun, *, workers: int) -> tuple[BenchmarkPlan, list[Unit]]:
    """Run one unit of each model with pending tasks, to estimate the cost; returns the plan and the remaining units."""
    units, per_unit = all_units(job), job.tasks_per_unit
    pending = _count_pending(job, units, run)
    measured, cost = set(), Cost()
    for model in range(len(job.config.models)):
        own = {unit: count for unit, count in pending.items() if unit.model == model}
        for unit in list(own)[:: max(1, len(own) // MAX_MEASURED)][:MAX_MEASURED]:
            (outcome,) = job.work((unit,))
            run.add(outcome)
            measured.add(unit)
            if outcome.cost.forwards:
                cost += outcome.cost * (sum(own.values()) / own[unit])
                break
    done = len(units) * per_unit - sum(pending.values())
    plan = BenchmarkPlan(len(units), len(units) * per_unit, done, cost, peak_memory(), workers)
    return plan, [unit for unit in pending if unit not in measured]


def _count_pending(job: BenchmarkJob, units: list[Unit], run: BenchmarkRun | None = None) -> dict[Unit, int]:
    """Number of pending tasks of each unit that has any; finished units are added to the run, which collects them."""
    if not job.done:
        return dict.fromkeys(units, job.tasks_per_unit)
    found = {}
    for unit in track(units, "comparing with earlier runs"):
        outcome, pending = job.pending_tasks(unit)
        if pending:
            found[unit] = len(pending)
        elif run is not None:
            run.add(outcome)
    return found


def block_size(plan: BenchmarkPlan, left: int, workers: int) -> int:
    """Units that run together: a power of two that takes about `BLOCK_SECONDS`, and leaves work for every worker."""
    seconds = plan.cost.seconds / max(1, left) if plan.cost else 0.0
    share = left if workers == 1 else left // (2 * workers)
    most = max(1, min(MAX_BLOCK, share, int(BLOCK_SECONDS / max(seconds, 1e-6))))
    return 1 << (most.bit_length() - 1)


def make_blocks(units: list[Unit], examples: int, size: int) -> list[Block]:
    """Blocks of units of the same model and data set; the first `examples` items run alone."""
    blocks: list[Block] = []
    for key, group in groupby(units, key=lambda unit: (unit.model, unit.data, unit.item < examples)):
        found, step = tuple(group), 1 if key[2] else size
        blocks += [found[start : start + step] for start in range(0, len(found), step)]
    return blocks


def _execute(job: BenchmarkJob, blocks: list[Block], workers: int, ray: str | None) -> Iterator[Outcome]:
    """Outcomes of the units; a block whose workers died is retried unit by unit, then becomes rows with the error."""
    if ray is not None:
        job.sent_models = {index: job.model(index) for index in range(len(job.config.models))}
    deadly: list[Unit] = []
    for finished in run_units(job, blocks, workers=min(workers, max(1, len(blocks))), ray=ray):
        if finished.result:
            yield from finished.result
        elif len(finished.unit) > 1:
            deadly += finished.unit
        else:
            yield job.failed_unit(finished.unit[0], RuntimeError(finished.error))
    if deadly:
        yield from _execute(job, [(unit,) for unit in deadly], max(2, workers), ray)


def _log_progress(outcomes: Iterator[Outcome], total: int, run: BenchmarkRun) -> Iterator[Outcome]:
    """A progress bar on a terminal, else a log line every LOG_INTERVAL seconds."""
    start = last = time.monotonic()
    for number, outcome in enumerate(track(outcomes, run.config.name, total=total), start=1):
        yield outcome
        now = time.monotonic()
        if now - last > LOG_INTERVAL and not sys.stderr.isatty():
            left = show_time((now - start) / number * (total - number))
            logger.info("%d/%d images, %d failures, %s left", number, total, run.failures, left)
            last = now


def show_time(seconds: float) -> str:
    """A human-readable duration.

    >>> show_time(42), show_time(400), show_time(7900)
    ('42 s', '6 min 40 s', '2 h 11 min')
    """
    minutes, seconds = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return f"{hours} h {minutes} min"
    return f"{minutes} min {seconds} s" if minutes else f"{seconds} s"


def _write_metadata(store: Store, config: BenchConfig) -> None:
    """Write configuration, protocols and environment beside the rows."""
    chosen = [get_protocol(name, config.options) for name in config.protocols]
    protocols: dict[str, Any] = {
        protocol.name: {"fingerprint": protocol.fingerprint, "about": protocol.about} for protocol in chosen
    }
    settings = {**asdict(config), "out": Path(config.out).name}
    metadata = {"config": settings, "format": FORMAT, "protocols": protocols, "environment": describe_environment()}
    content = json.dumps(metadata, indent=1, default=str) + os.linesep
    write_atomic(store.folder / "run.json", content.encode(), resumes=True)
