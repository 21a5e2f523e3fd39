"""Workers in processes of this machine.

Not an existing pool: in loky and `concurrent.futures`, a killed process breaks the whole pool without telling which
unit it had, and Ray is too heavy for two processes. Here each process has a pipe that breaks with it. Processes take
seconds to start, so those of one pool may serve the next one: see `keep_workers`.
"""

import multiprocessing
import os
from collections.abc import Sequence
from contextlib import suppress
from multiprocessing.connection import Connection, wait
from typing import Any, NamedTuple

import torch

from seewhy.runtime.malloc import keep_freed_memory
from seewhy.runtime.pool import Job, WorkerDied, keep_or_end, take_kept, timed


class ProcessPool:
    """Worker processes, replaced when they die."""

    max_deaths = 2

    def __init__(self, job: Job, workers: int) -> None:
        threads = max(1, torch.get_num_threads() // workers)
        self.size = workers
        kept = [take_kept(_Process) for _ in range(workers)]
        self._processes = [each.assign(job, threads) if each else _Process(job, threads) for each in kept]

    def ready(self, worker: int) -> bool:  # noqa: ARG002 - a process takes units while it starts
        return True

    def send(self, worker: int, unit: Any, ahead: Sequence[Any]) -> None:
        process = self._processes[worker]
        process.busy = True
        with suppress(OSError):  # already dead: `result` notices
            process.pipe.send((unit, ahead))

    def wait(self, busy: Sequence[int]) -> Sequence[int]:
        pipes: dict[Any, int] = {self._processes[worker].pipe: worker for worker in busy}
        return [pipes[pipe] for pipe in wait(list(pipes))]

    def result(self, worker: int) -> tuple[Any, float]:
        process = self._processes[worker]
        try:
            result, seconds, error = process.pipe.recv()
        except (EOFError, OSError):
            process.restart()
            raise WorkerDied("the process died, perhaps out of memory: use fewer workers") from None
        process.busy = False
        if error is not None:
            raise error
        return result, seconds

    def close(self) -> None:
        for process in self._processes:
            keep_or_end(process, idle=not process.busy)


class _Settings(NamedTuple):
    """What a process works on."""

    job: Job
    threads: int


class _Process:
    """A process and its pipe, which breaks when the process dies."""

    def __init__(self, job: Job, threads: int) -> None:
        self._settings = _Settings(job, threads)
        self._start()

    def assign(self, job: Job, threads: int) -> "_Process":
        """Change the job of an idle process."""
        self._settings = _Settings(job, threads)
        try:
            self.pipe.send(self._settings)
        except OSError:  # it died while it was idle
            self.restart()
        return self

    def _start(self) -> None:
        spawn = multiprocessing.get_context("spawn")
        self.pipe, theirs = spawn.Pipe()
        self._process = spawn.Process(target=_serve, args=(theirs, self._settings))  # may have readers
        self._process.start()
        self.busy = False
        theirs.close()  # now only the process holds it: its death ends the pipe

    def restart(self) -> None:
        self.end()
        self._start()

    def end(self) -> None:
        self.pipe.close()
        self._process.kill()  # it holds no state
        self._process.join()


def _serve(pipe: Connection, settings: _Settings) -> None:
    keep_freed_memory()
    torch.set_num_threads(settings.threads)
    with suppress(EOFError, OSError):  # the main process closed the pipe, or died
        while True:
            message = pipe.recv()
            if isinstance(message, _Settings):
                settings = message
                torch.set_num_threads(settings.threads)
                continue
            try:
                result, seconds = timed(settings.job, *message)
            except Exception as error:
                pipe.send((None, 0.0, error))
            else:
                pipe.send((result, seconds, None))
    os._exit(0)  # whatever threads or readers the job has
