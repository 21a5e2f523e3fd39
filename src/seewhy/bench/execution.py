"""Where units are done: in this process, in several on this machine, or on a Ray cluster. The rows are the same."""

import multiprocessing
from collections import deque
from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress
from itertools import islice
from multiprocessing.connection import Connection, wait
from typing import Any

import torch

from seewhy.bench.config import BenchConfig
from seewhy.bench.worker import Outcome, Unit, Worker, lost
from seewhy.errors import MissingExtra
from seewhy.runtime.malloc import keep_freed_memory


def run_here(worker: Worker, units: Sequence[Unit]) -> Iterator[Outcome]:
    return (worker.work(unit) for unit in units)


def run_workers(
    config: BenchConfig, units: Sequence[Unit], done: Collection[str], *, workers: int
) -> Iterator[Outcome]:
    """Processes that load the models themselves. One that dies takes its unit with it, not the run.

    A unit whose process died is tried once more; one that kills again gets a row that says so.
    """
    threads = max(1, torch.get_num_threads() // workers)
    waiting, died = deque(units), set[Unit]()
    crew = [_Process(config, done, threads) for _ in range(min(workers, len(units)))]
    busy: dict[Connection, _Process] = {}
    try:
        while waiting or busy:
            while waiting and crew:
                process = crew.pop()
                process.begin(waiting.popleft())
                busy[process.pipe] = process
            for pipe in wait(list(busy)):
                process = busy.pop(pipe)  # type: ignore[call-overload]
                crew.append(process)
                outcome = process.outcome()
                if outcome is None and process.unit not in died:
                    died.add(process.unit)
                    waiting.append(process.unit)
                else:
                    yield outcome or lost(config, process.unit, "the process died, perhaps for lack of memory")
    finally:
        for process in [*crew, *busy.values()]:
            process.end()


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


class _Process:
    """A worker in a process of its own: units go in, outcomes come out of one pipe, which breaks when it dies."""

    def __init__(self, config: BenchConfig, done: Collection[str], threads: int) -> None:
        self._settings = config, done, threads
        self._start()

    def _start(self) -> None:
        spawn = multiprocessing.get_context("spawn")
        self.pipe, theirs = spawn.Pipe()
        self._process = spawn.Process(target=_serve, args=(theirs, *self._settings), daemon=True)
        self._process.start()
        theirs.close()  # now only the process holds it: its death ends the pipe

    def begin(self, unit: Unit) -> None:
        self.unit = unit
        with suppress(OSError):  # dead already: `outcome` will tell
            self.pipe.send(unit)

    def outcome(self) -> Outcome | None:
        """What the unit gave; None if the process died, and there is a new one."""
        try:
            return self.pipe.recv()
        except (EOFError, OSError):
            self.end()
            self._start()
            return None

    def end(self) -> None:
        self.pipe.close()
        self._process.kill()  # it holds nothing: what it found is here
        self._process.join()


def _serve(pipe: Connection, config: BenchConfig, done: Collection[str], threads: int) -> None:
    keep_freed_memory()
    torch.set_num_threads(threads)
    worker = Worker(config, done)
    with suppress(EOFError):  # nobody asks any more
        while True:
            pipe.send(worker.work(pipe.recv()))
