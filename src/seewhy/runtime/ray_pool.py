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
from seewhy.runtime.pool import Job, WorkerDied, timed


class Driver(NamedTuple):
    """The process that started a run, as its workers see it. `files` and the job are handles of Ray."""

    folder: str
    modules: list[str]  # its sys.path
    files: Any
    job: Any


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

    def __init__(self, driver: Driver) -> None:
        import ray

        keep_freed_memory()
        torch.set_num_threads(1)
        sys.path += [path for path in driver.modules if path not in sys.path]
        if os.path.isdir(driver.folder):
            os.chdir(driver.folder)
        copy_missing_files(DriverFiles(driver.files))
        self.job: Job = ray.get(driver.job)

    def started(self) -> bool:
        return True

    def work(self, unit: Any, ahead: Sequence[Any]) -> tuple[Any, float]:
        return timed(self.job, unit, ahead)


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
        self._driver = Driver(os.getcwd(), [path for path in sys.path if path], self._serve_files(), ray.put(job))
        self._kind: Any = ray.remote(num_cpus=1, num_gpus=1 if gpus else 0, max_restarts=0)(Actor)
        self._actors: dict[int, Any] = {}
        self._running: dict[int, Any] = {}  # results being computed
        self._starting: dict[int, Any] = {}
        for worker in range(self.size):
            self._start(worker)

    def ready(self, worker: int) -> bool:
        return worker not in self._starting

    def send(self, worker: int, unit: Any, ahead: Sequence[Any]) -> None:
        self._running[worker] = self._actors[worker].work.remote(unit, list(ahead))

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
        for actor in [*self._actors.values(), self._driver.files]:
            self._ray.kill(actor)

    def _serve_files(self) -> Any:
        """An actor on the driver's machine that reads its files for the others; it is restarted if it dies."""
        from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

        here = NodeAffinitySchedulingStrategy(self._ray.get_runtime_context().get_node_id(), soft=False)
        kind: Any = self._ray.remote(
            num_cpus=0, max_restarts=-1, max_task_retries=-1, max_concurrency=4, scheduling_strategy=here
        )(LocalFiles)
        return kind.remote(os.getcwd())

    def _start(self, worker: int) -> None:
        self._actors[worker] = self._kind.remote(self._driver)
        self._starting[worker] = self._actors[worker].started.remote()

    def _check_started(self, worker: int) -> None:
        """Mark an actor as started, or replace it if it was lost before."""
        errors = self._ray.exceptions
        try:
            self._ray.get(self._starting.pop(worker))
        except errors.ActorDiedError as error:
            if isinstance(error.__cause__, errors.RayTaskError) or "creation task" in str(error):
                raise  # the job itself cannot start
            self._start(worker)
        except errors.RayError:
            self._start(worker)
