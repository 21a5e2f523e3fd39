"""Where units are processed: in this process, in several on this machine, or on a Ray cluster; the rows are equal."""

import multiprocessing
from collections import deque
from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress
from itertools import islice
from multiprocessing.connection import Connection, wait
from typing import Any

import torch

from seewhy.bench.config import BenchConfig
from seewhy.bench.tasks import Unit
from seewhy.bench.worker import Outcome, Worker
from seewhy.errors import MissingExtra
from seewhy.runtime.malloc import keep_freed_memory


def run_here(worker: Worker, units: Sequence[Unit]) -> Iterator[Outcome]:
    return (worker.work(unit) for unit in units)


def crashed(worker: Worker, unit: Unit, reason: str) -> Outcome:
    """The outcome of a unit whose worker died; `worker`, in this process, knows the fingerprint of its model."""
    return worker.failed_unit(unit, RuntimeError(reason))


def run_workers(worker: Worker, units: Sequence[Unit], *, workers: int) -> Iterator[Outcome]:
    """Run in processes that load the models themselves; one that dies does not end the run.

    A unit whose process died is tried once more; if that dies too, the unit gets a row with the error.
    """
    config, done = worker.config, worker.done
    threads = max(1, torch.get_num_threads() // workers)
    waiting, died = deque(units), set[Unit]()
    crew = [_Process(config, done, threads) for _ in range(min(workers, len(units)))]
    busy: dict[Connection, _Process] = {}
    try:
        while waiting or busy:
            while waiting and crew:
                process = crew.pop()
                process.send(waiting.popleft())
                busy[process.pipe] = process
            for pipe in wait(list(busy)):
                process = busy.pop(pipe)  # type: ignore[call-overload]
                crew.append(process)
                outcome = process.outcome()
                if outcome is None and process.unit not in died:
                    died.add(process.unit)
                    waiting.append(process.unit)
                else:
                    yield outcome or crashed(worker, process.unit, "the process died, perhaps out of memory")
    finally:
        for process in [*crew, *busy.values()]:
            process.end()


def run_ray(worker: Worker, units: Sequence[Unit], *, address: str, workers: int) -> Iterator[Outcome]:
    """Run in Ray actors; files and weights must have the same paths on all machines."""
    try:
        import ray
    except ImportError as error:
        raise MissingExtra("--ray", "ray") from error
    ray.init(address=None if address == "local" else address, ignore_reinit_error=True, log_to_driver=False)
    shared = ray.put(set(worker.done))
    count = workers if workers > 1 else max(1, int(ray.cluster_resources().get("CPU", 1)))
    actor_class: Any = ray.remote(num_cpus=1)(Worker)
    actors = [actor_class.remote(worker.config, shared) for _ in range(min(count, len(units)))]
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
            yield crashed(worker, unit, f"{type(error).__name__}: the worker was lost")
            actor = actor_class.remote(worker.config, shared)
        flying |= {actor.work.remote(unit): (actor, unit) for unit in islice(waiting, 1)}


class _Process:
    """A worker in a separate process; its pipe, for units and outcomes, breaks when it dies."""

    def __init__(self, config: BenchConfig, done: Collection[str], threads: int) -> None:
        self._settings = config, done, threads
        self._start()

    def _start(self) -> None:
        spawn = multiprocessing.get_context("spawn")
        self.pipe, theirs = spawn.Pipe()
        self._process = spawn.Process(target=_serve, args=(theirs, *self._settings), daemon=True)
        self._process.start()
        theirs.close()  # now only the process holds it: its death ends the pipe

    def send(self, unit: Unit) -> None:
        self.unit = unit
        with suppress(OSError):  # already dead: `outcome` notices
            self.pipe.send(unit)

    def outcome(self) -> Outcome | None:
        """The outcome of the unit; None if the process died and was restarted."""
        try:
            return self.pipe.recv()
        except (EOFError, OSError):
            self.end()
            self._start()
            return None

    def end(self) -> None:
        self.pipe.close()
        self._process.kill()  # it holds no state
        self._process.join()


def _serve(pipe: Connection, config: BenchConfig, done: Collection[str], threads: int) -> None:
    keep_freed_memory()
    torch.set_num_threads(threads)
    worker = Worker(config, done)
    with suppress(EOFError):  # the main process closed the pipe
        while True:
            pipe.send(worker.work(pipe.recv()))
