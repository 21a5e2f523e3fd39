"""Workers in processes of this machine.

Not an existing pool: in loky and `concurrent.futures`, a killed process breaks the whole pool without telling which
unit it had, and Ray is too heavy for two processes. Here each process has a pipe that breaks with it.
"""

import multiprocessing
import os
from collections.abc import Sequence
from contextlib import suppress
from multiprocessing.connection import Connection, wait
from typing import Any

import torch

from seewhy.runtime.malloc import keep_freed_memory
from seewhy.runtime.pool import Job, WorkerDied, timed


class ProcessPool:
    """Worker processes, replaced when they die."""

    max_deaths = 2

    def __init__(self, job: Job, workers: int) -> None:
        threads = max(1, torch.get_num_threads() // workers)
        self.size = workers
        self._processes = [_Process(job, threads) for _ in range(workers)]

    def ready(self, worker: int) -> bool:  # noqa: ARG002 - a process takes units while it starts
        return True

    def send(self, worker: int, unit: Any, ahead: Sequence[Any]) -> None:
        with suppress(OSError):  # already dead: `result` notices
            self._processes[worker].pipe.send((unit, ahead))

    def wait(self, busy: Sequence[int]) -> Sequence[int]:
        pipes: dict[Any, int] = {self._processes[worker].pipe: worker for worker in busy}
        return [pipes[pipe] for pipe in wait(list(pipes))]

    def result(self, worker: int) -> tuple[Any, float]:
        process = self._processes[worker]
        try:
            result, seconds, error = process.pipe.recv()
        except (EOFError, OSError):
            process.restart()
            raise WorkerDied("the process died, perhaps out of memory") from None
        if error is not None:
            raise error
        return result, seconds

    def close(self) -> None:
        for process in self._processes:
            process.end()


class _Process:
    """A process and its pipe, which breaks when the process dies."""

    def __init__(self, job: Job, threads: int) -> None:
        self._settings = job, threads
        self._start()

    def _start(self) -> None:
        spawn = multiprocessing.get_context("spawn")
        self.pipe, theirs = spawn.Pipe()
        self._process = spawn.Process(target=_serve, args=(theirs, *self._settings))  # may have readers
        self._process.start()
        theirs.close()  # now only the process holds it: its death ends the pipe

    def restart(self) -> None:
        self.end()
        self._start()

    def end(self) -> None:
        self.pipe.close()
        self._process.kill()  # it holds no state
        self._process.join()


def _serve(pipe: Connection, job: Job, threads: int) -> None:
    keep_freed_memory()
    torch.set_num_threads(threads)
    with suppress(EOFError, OSError):  # the main process closed the pipe, or died
        while True:
            unit, ahead = pipe.recv()
            try:
                result, seconds = timed(job, unit, ahead)
            except Exception as error:
                pipe.send((None, 0.0, error))
            else:
                pipe.send((result, seconds, None))
    os._exit(0)  # whatever threads or readers the job has
