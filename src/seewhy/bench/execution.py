"""Where units are done: in this process, in several on this machine, or on a Ray cluster. The rows are the same."""

import multiprocessing
from collections.abc import Collection, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from itertools import islice
from typing import Any

import torch

from seewhy.bench.config import BenchConfig
from seewhy.bench.worker import Outcome, Unit, Worker, lost
from seewhy.errors import MissingExtra

AHEAD = 3  # units per worker that are handed out at once

_worker: Worker | None = None  # in a worker process: its own


def run_here(worker: Worker, units: Sequence[Unit]) -> Iterator[Outcome]:
    return (worker.work(unit) for unit in units)


def run_workers(
    config: BenchConfig, units: Sequence[Unit], done: Collection[str], *, workers: int
) -> Iterator[Outcome]:
    """Processes that load the models themselves. One that dies takes its unit with it, not the run.

    After a death, the units that were in the works are repeated one at a time; one that kills again gets a row that
    says so.
    """
    threads = max(1, torch.get_num_threads() // workers)
    rest = list(units)
    while rest:
        with _pool(config, done, workers, threads) as pool:
            finished: set[Unit] = set()
            flying: dict[Future, Unit] = {}
            try:
                for outcome in _fly(pool, rest, flying, ahead=AHEAD * workers):
                    finished.add(outcome.unit)
                    yield outcome
                return
            except BrokenProcessPool:
                suspects = list(flying.values())
        yield from _one_by_one(config, suspects, done, threads)
        rest = [unit for unit in rest if unit not in finished and unit not in suspects]


def run_ray(
    config: BenchConfig, units: Sequence[Unit], done: Collection[str], *, address: str, workers: int
) -> Iterator[Outcome]:
    """Workers as Ray actors; files and weights must be reachable under the same paths on all machines."""
    try:
        import ray
    except ImportError as error:
        raise MissingExtra("--ray", "ray") from error
    ray.init(address=None if address == "local" else address, ignore_reinit_error=True, log_to_driver=False)
    shared = ray.put(set(done))
    count = workers if workers > 1 else max(1, int(ray.cluster_resources().get("CPU", 1)))
    actors = [ray.remote(num_cpus=1)(Worker).remote(config, shared) for _ in range(min(count, len(units)))]
    waiting = iter(units)
    flying: dict[Any, tuple[Any, Unit]] = {}
    for actor in actors:
        flying |= {actor.work.remote(unit): (actor, unit) for unit in islice(waiting, 1)}
    while flying:
        ready = ray.wait(list(flying), num_returns=1)[0][0]
        actor, unit = flying.pop(ready)
        try:
            yield ray.get(ready)
        except ray.exceptions.RayError as error:
            yield lost(config, unit, f"{type(error).__name__}: the worker was lost")
            actor = ray.remote(num_cpus=1)(Worker).remote(config, shared)
        flying |= {actor.work.remote(unit): (actor, unit) for unit in islice(waiting, 1)}


def _pool(config: BenchConfig, done: Collection[str], workers: int, threads: int) -> ProcessPoolExecutor:
    spawn = multiprocessing.get_context("spawn")
    return ProcessPoolExecutor(workers, mp_context=spawn, initializer=_start, initargs=(config, done, threads))


def _start(config: BenchConfig, done: Collection[str], threads: int) -> None:
    global _worker
    torch.set_num_threads(threads)
    _worker = Worker(config, done)


def _work(unit: Unit) -> Outcome:
    assert _worker is not None
    return _worker.work(unit)


def _fly(
    pool: ProcessPoolExecutor, units: Sequence[Unit], flying: dict[Future, Unit], *, ahead: int
) -> Iterator[Outcome]:
    """Hand out a few units at a time; give outcomes as they come."""
    waiting = iter(units)
    while True:
        for unit in islice(waiting, ahead - len(flying)):
            flying[pool.submit(_work, unit)] = unit
        if not flying:
            return
        for future in wait(flying, return_when=FIRST_COMPLETED).done:
            outcome = future.result()
            del flying[future]
            yield outcome


def _one_by_one(config: BenchConfig, units: list[Unit], done: Collection[str], threads: int) -> Iterator[Outcome]:
    """A single process, so that it is clear which unit kills it."""
    rest = list(units)
    while rest:
        with _pool(config, done, 1, threads) as pool:
            try:
                while rest:
                    yield pool.submit(_work, rest[0]).result()
                    del rest[0]
            except BrokenProcessPool:
                yield lost(config, rest.pop(0), "the process died, perhaps for lack of memory")
