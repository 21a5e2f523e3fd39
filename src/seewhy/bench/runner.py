"""Running a benchmark: first a plan, then unit after unit, here, in several processes or on a cluster.

What a unit gives is written every few seconds; a run that was stopped, at whatever moment, continues where its last
part ends.
"""

import json
import os
import sys
import time
from collections.abc import Collection, Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from seewhy.bench.config import BenchConfig
from seewhy.bench.environment import describe_environment, peak_memory
from seewhy.bench.execution import run_here, run_ray, run_workers
from seewhy.bench.results import Results
from seewhy.bench.store import Store, replace_file
from seewhy.bench.worker import Outcome, Unit, Worker
from seewhy.metrics import get_protocol
from seewhy.progress import track

PATIENCE = 5.0  # seconds between parts: what a kill can cost
REPORT = 30.0  # seconds between lines of progress where no terminal shows a bar
TRIES = 5  # pictures to find one that can be measured


@dataclass(frozen=True)
class Plan:
    """What a run will take, from one measured picture per model."""

    units: int  # pictures x models
    tasks: int  # x methods x protocols
    done: int  # tasks of earlier runs
    forwards: float  # of what is left
    backwards: float
    seconds: float
    memory: float  # peak so far, in bytes
    workers: int = 1

    def __str__(self) -> str:
        before = f", {self.done:,} done before" if self.done else ""
        return (
            f"{self.units:,} pictures x models, {self.tasks:,} maps to score{before}; about {self.forwards:,.0f} "
            f"forwards and {self.backwards:,.0f} backwards, {show_time(self.seconds)} with {self.workers} "
            f"{'process' if self.workers == 1 else 'processes'}, {self.memory / 2**30 * self.workers:.1f} GB"
        )


@dataclass
class Run:
    """A benchmark on its way: what has come in, and what is not written yet."""

    config: BenchConfig
    store: Store
    titles: dict[str, tuple[str, str, str, str]] = field(default_factory=dict)
    waiting: list[Outcome] = field(default_factory=list)
    written: float = field(default_factory=time.monotonic)
    failures: int = 0

    def take(self, outcome: Outcome) -> None:
        """Note a unit; write what is waiting if that is due."""
        model, data, _ = outcome.unit
        names = self.config.models[model].title, self.config.data[data].title
        for key, (image, method) in outcome.tasks.items():
            self.titles[key] = (*names, image, self.config.methods[method].title if method >= 0 else "")
        self.failures += sum(1 for row in outcome.rows if row["metric"] == "")
        if outcome.rows:
            self.waiting.append(outcome)
        if time.monotonic() - self.written > PATIENCE:
            self.flush()

    def flush(self) -> None:
        for outcome in self.waiting:
            for key, content in outcome.pictures.items():
                self.store.write_picture(key, content)
        rows = [row for outcome in self.waiting for row in outcome.rows]
        self.store.write(rows, [curve for outcome in self.waiting for curve in outcome.curves])
        self.waiting, self.written = [], time.monotonic()


def run_benchmark(
    config: BenchConfig, *, workers: int = 1, ray: str | None = None, retry: bool = False, only_plan: bool = False
) -> Results:
    """Do what is not done yet, and collect it; `only_plan` stops after the plan."""
    store = Store(config.out)
    with store.alone():
        run, done = Run(config, store), store.done(retry=retry)
        worker = Worker(config, done)
        units = all_units(worker)
        _write_facts(store, config)
        try:
            plan, left = make_plan(worker, units, run, workers=workers)
            print(plan, file=sys.stderr)
            if only_plan:
                return Results(store.folder)
            for outcome in _watched(_execute(worker, left, done, workers, ray), len(left), run):
                run.take(outcome)
        finally:
            run.flush()
        store.collect(run.titles)
    return Results(store.folder)


def all_units(worker: Worker) -> list[Unit]:
    """Models outermost: each is loaded once."""
    config = worker.config
    return [
        Unit(model, data, item)
        for model, chosen in enumerate(config.models)
        for data, entry in enumerate(config.data)
        if entry.model in ("", chosen.title)
        for item in range(len(worker.dataset(data)))
    ]


def make_plan(worker: Worker, units: list[Unit], run: Run, *, workers: int = 1) -> tuple[Plan, list[Unit]]:
    """Measure the first picture of each model that has something left to do; its rows are kept.

    Gives the plan and the units that were not measured.
    """
    config = worker.config
    per_unit = len(config.methods) * len(config.protocols)
    measured: set[Unit] = set()
    forwards = backwards = seconds = 0.0
    share = max(0.0, 1 - len(worker.done) / max(1, per_unit * len(units)))  # what is left, roughly
    for model in range(len(config.models)):
        own = [unit for unit in units if unit.model == model]
        for unit in own[:: max(1, len(own) // TRIES)][:TRIES]:
            outcome = worker.work(unit)
            run.take(outcome)
            measured.add(unit)
            if outcome.cost.forwards:
                forwards += outcome.cost.forwards * len(own) * share
                backwards += outcome.cost.backwards * len(own) * share
                seconds += outcome.cost.seconds * len(own) * share / workers
                break
    left = [unit for unit in units if unit not in measured]
    plan = Plan(
        len(units), per_unit * len(units), len(worker.done), forwards, backwards, seconds, peak_memory(), workers
    )
    return plan, left


def _execute(
    worker: Worker, units: list[Unit], done: Collection[str], workers: int, ray: str | None
) -> Iterator[Outcome]:
    if ray is not None:
        return run_ray(worker.config, units, done, address=ray, workers=workers)
    if workers > 1:
        return run_workers(worker.config, units, done, workers=workers)
    return run_here(worker, units)


def _watched(outcomes: Iterator[Outcome], total: int, run: Run) -> Iterator[Outcome]:
    """A bar with the time left on a terminal, else a line now and then."""
    start = last = time.monotonic()
    for number, outcome in enumerate(track(outcomes, run.config.name, total=total), start=1):
        yield outcome
        now = time.monotonic()
        if now - last > REPORT and not sys.stderr.isatty():
            left = show_time((now - start) / number * (total - number))
            print(f"{number}/{total} pictures, {run.failures} failures, {left} left", file=sys.stderr, flush=True)
            last = now


def show_time(seconds: float) -> str:
    """A length of time in words.

    >>> show_time(42), show_time(400), show_time(7900)
    ('42 s', '6 min 40 s', '2 h 11 min')
    """
    minutes, seconds = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return f"{hours} h {minutes} min"
    return f"{minutes} min {seconds} s" if minutes else f"{seconds} s"


def _write_facts(store: Store, config: BenchConfig) -> None:
    """What was run and on what, beside the rows."""
    protocols: dict[str, Any] = {
        name: {"fingerprint": get_protocol(name).fingerprint, "about": get_protocol(name).about}
        for name in config.protocols
    }
    facts = {"config": asdict(config), "protocols": protocols, "environment": describe_environment()}
    facts["config"]["out"] = Path(config.out).name
    replace_file(store.folder / "run.json", json.dumps(facts, indent=1, default=str).encode() + os.linesep.encode())
