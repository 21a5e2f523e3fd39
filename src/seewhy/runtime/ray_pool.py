"""Workers on a Ray cluster: actors that share one copy of the job in Ray's object store.

A lost actor, whether its process or its whole machine died, is replaced where resources are free. Files that are not on
its machine are copied from that of the driver.
"""

import os
import sys
from collections.abc import Sequence
from typing import Any, NamedTuple

import torch

from seewhy.errors import MissingExtra
from seewhy.runtime.copies import LocalFiles, copy_missing_files
from seewhy.runtime.malloc import keep_freed_memory
from seewhy.runtime.pool import Job, WorkerDied, keep_or_end, take_kept, timed


class Driver(NamedTuple):
    """The process that started a run, as its workers see it. `files` is a handle of Ray."""

    folder: str
    modules: list[str]  # its sys.path
    files: Any


class DriverFiles:
    """The files of the driver's machine."""

    def __init__(self, actor: Any) -> None:
        self._actor = actor

    def stat(self, path: str) -> tuple[int, int] | None:
        import ray

        found: tuple[int, int] | None = ray.get(self._actor.stat.remote(path))
        return found

    def read(self, path: str, start: int, size: int) -> bytes:
        import ray

        found: bytes = ray.get(self._actor.read.remote(path, start, size))
        return found


class Actor:
    """A worker on some machine of the cluster."""

    job: Job

    def __init__(self, driver: Driver) -> None:
        keep_freed_memory()
        torch.set_num_threads(1)
        sys.path += [path for path in driver.modules if path not in sys.path]
        if os.path.isdir(driver.folder):
            os.chdir(driver.folder)
        copy_missing_files(DriverFiles(driver.files))

    def assign(self, job: list[Any]) -> None:
        """Take the job whose handle is in the list; Ray would fetch one outside a list before this actor starts."""
        import ray

        self.job = ray.get(job[0])

    def work(self, unit: Any, ahead: Sequence[Any]) -> tuple[Any, float]:
        return timed(self.job, unit, ahead)


class _Handle:
    """An actor as a worker that may be kept for the next pool."""

    def __init__(self, actor: Any) -> None:
        self.actor = actor

    def end(self) -> None:
        import ray

        ray.kill(self.actor)


class _Worker(_Handle):
    """An actor that works on units."""


class _Files(_Handle):
    """The actor that reads the driver's files."""


class RayPool:
    """Actors on a cluster, one per GPU or, without GPUs, one per core; `workers` > 1 sets their number.

    An actor gets units once it has started: after the loss of a machine there may be no resources for it.
    """

    max_deaths = 4  # losing a machine kills several workers at once

    def __init__(self, job: Job, workers: int, address: str) -> None:
        try:
            import ray
        except ImportError as error:
            raise MissingExtra("running on a Ray cluster", "ray") from error
        self._ray: Any = ray
        if not ray.is_initialized():
            here: dict[str, Any] = {"include_dashboard": False} if address == "local" else {"address": address}
            ray.init(log_to_driver=False, **here)
        resources = ray.cluster_resources()
        gpus = int(resources.get("GPU", 0))
        self.size = workers if workers > 1 else max(1, gpus or int(resources.get("CPU", 1)))
        self._job = ray.put(job)
        self._files = take_kept(_Files) or self._serve_files()
        self._kind: Any = ray.remote(num_cpus=1, num_gpus=1 if gpus else 0, max_restarts=0)(Actor)
        self._workers: dict[int, _Worker] = {}
        self._running: dict[int, Any] = {}  # results being computed
        self._starting: dict[int, Any] = {}
        for worker in range(self.size):
            self._start(worker, take_kept(_Worker))

    def ready(self, worker: int) -> bool:
        return worker not in self._starting

    def send(self, worker: int, unit: Any, ahead: Sequence[Any]) -> None:
        self._running[worker] = self._workers[worker].actor.work.remote(unit, list(ahead))

    def wait(self, busy: Sequence[int]) -> Sequence[int]:
        running = {self._running[worker]: worker for worker in busy}
        starting = {started: worker for worker, started in self._starting.items()}
        (first,), _ = self._ray.wait([*running, *starting], num_returns=1)
        if first in running:
            return [running[first]]
        self._check_started(starting[first])
        return []

    def result(self, worker: int) -> tuple[Any, float]:
        errors = self._ray.exceptions
        try:
            result: tuple[Any, float] = self._ray.get(self._running.pop(worker))
        except errors.RayTaskError as error:
            raise error.as_instanceof_cause() from None
        except errors.RayError as error:
            self._start(worker)
            raise WorkerDied(f"the worker was lost ({type(error).__name__})") from None
        return result

    def close(self) -> None:
        for number, worker in self._workers.items():
            keep_or_end(worker, idle=number not in self._running and number not in self._starting)
        keep_or_end(self._files, idle=True)

    def _serve_files(self) -> _Files:
        """An actor on the driver's machine that reads its files for the others; it is restarted if it dies."""
        from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

        here = NodeAffinitySchedulingStrategy(self._ray.get_runtime_context().get_node_id(), soft=False)
        kind: Any = self._ray.remote(
            num_cpus=0, max_restarts=-1, max_task_retries=-1, max_concurrency=4, scheduling_strategy=here
        )(LocalFiles)
        return _Files(kind.remote(os.getcwd()))

    def _start(self, worker: int, kept: _Worker | None = None) -> None:
        """Assign the job to a kept actor or a new one."""
        driver = Driver(os.getcwd(), [path for path in sys.path if path], self._files.actor)
        self._workers[worker] = kept or _Worker(self._kind.remote(driver))
        self._starting[worker] = self._workers[worker].actor.assign.remote([self._job])

    def _check_started(self, worker: int) -> None:
        """Mark an actor as started, or replace it if it was lost before."""
        errors = self._ray.exceptions
        try:
            self._ray.get(self._starting.pop(worker))
        except errors.RayTaskError as error:  # the job itself cannot start
            raise error.as_instanceof_cause() from None
        except errors.ActorDiedError as error:
            if "creation task" in str(error):
                raise
            self._start(worker)
        except errors.RayError:
            self._start(worker)
