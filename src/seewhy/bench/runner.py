"""Running a benchmark: first a plan, then unit after unit, here, in several processes or on a cluster.

What a unit gives is written every few seconds; a run that was stopped, at whatever moment, continues where its last
part ends.
"""

import json
import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from seewhy.bench.config import BenchConfig
from seewhy.bench.environment import describe_environment, peak_memory
from seewhy.bench.execution import run_here, run_ray, run_workers
from seewhy.bench.results import Results
from seewhy.bench.store import Store
from seewhy.bench.worker import Outcome, Unit, Worker
from seewhy.metrics import get_protocol
from seewhy.runtime.files import write_atomic
from seewhy.runtime.progress import track
from seewhy.types import Cost

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


def run_benchmark(config: BenchConfig, *, workers: int = 1, ray: str | None = None, retry: bool = False) -> Results:
    """Do what is not done yet, and collect it."""
    with _begun(config, workers=workers, retry=retry) as (run, worker, left):
        for outcome in _watched(_execute(worker, left, workers, ray), len(left), run):
            run.take(outcome)
        run.flush()
        _write_facts(run.store, config)
        run.store.collect(run.titles)
    return Results(run.store.folder)


def plan_benchmark(config: BenchConfig, *, workers: int = 1, retry: bool = False) -> None:
    """Say what a run would take, and keep the pictures that were measured for it."""
    with _begun(config, workers=workers, retry=retry):
        pass


@contextmanager
def _begun(config: BenchConfig, *, workers: int, retry: bool) -> Iterator[tuple[Run, Worker, list[Unit]]]:
    """The plan, and what is left to do; whatever comes in is written, however it ends."""
    store = Store(config.out)
    with store.alone():
        run, worker = Run(config, store), Worker(config, store.done(retry=retry))
        try:
            plan, left = make_plan(worker, all_units(worker), run, workers=workers)
            print(plan, file=sys.stderr)
            yield run, worker, left
        finally:
            run.flush()


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
    """Measure one picture of each model that has something left to do; its rows are kept.

    Gives the plan and the units that are left.
    """
    per_unit = len(worker.config.methods) * len(worker.config.protocols)
    total, missing, measured, cost = per_unit * len(units), 0, set(), Cost()
    left: list[Unit] = []
    for model in range(len(worker.config.models)):
        tasks = _open_tasks(worker, [unit for unit in units if unit.model == model], run, per_unit)
        missing += sum(tasks.values())
        left += tasks
        for unit in list(tasks)[:: max(1, len(tasks) // TRIES)][:TRIES]:
            outcome = worker.work(unit)
            run.take(outcome)
            measured.add(unit)
            if outcome.cost.forwards:
                cost += outcome.cost * (sum(tasks.values()) / tasks[unit])
                break
    plan = Plan(
        len(units),
        total,
        total - missing,
        cost.forwards,
        cost.backwards,
        cost.seconds / workers,
        peak_memory(),
        workers,
    )
    return plan, [unit for unit in left if unit not in measured]


def _open_tasks(worker: Worker, units: list[Unit], run: Run, per_unit: int) -> dict[Unit, int]:
    """How many tasks of each unit are left; units with none are noted at once."""
    if not worker.done:
        return dict.fromkeys(units, per_unit)
    found = {}
    for unit in track(units, "looking for what is done"):
        outcome, missing = worker.look(unit)
        if missing:
            found[unit] = len(missing)
        else:
            run.take(outcome)
    return found


def _execute(worker: Worker, units: list[Unit], workers: int, ray: str | None) -> Iterator[Outcome]:
    if ray is not None:
        return run_ray(worker.config, units, worker.done, address=ray, workers=workers)
    if workers > 1:
        return run_workers(worker.config, units, worker.done, workers=workers)
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
    write_atomic(store.folder / "run.json", json.dumps(facts, indent=1, default=str).encode() + os.linesep.encode())
