"""Run units of work in this process, in several, or on a Ray cluster: one loop that dispatches, retries and collects.

Every worker holds the unit it works on and the next one, which it may prefetch. A unit whose worker died is dispatched
again; a unit that killed several workers fails, since it is probably the cause.
"""

import time
from collections import Counter, deque
from collections.abc import Hashable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from itertools import islice
from typing import Any, Generic, NamedTuple, Protocol, TypeVar, runtime_checkable

from seewhy.errors import OptionError

UnitT = TypeVar("UnitT", bound=Hashable)
QUEUE_DEPTH = 2  # units that a worker holds: the one it works on, and the next


@runtime_checkable
class Job(Protocol):
    """The work of each worker; it is pickled and sent to each of them once."""

    def work(self, unit: Any, ahead: Sequence[Any] = ()) -> Any:
        """The result of a unit; `ahead` are the next ones, which may be prefetched."""
        ...


class Finished(NamedTuple, Generic[UnitT]):
    """A unit with its result, or with the error that ended all its workers."""

    unit: UnitT
    result: Any
    seconds: float
    error: str = ""


class WorkerDied(Exception):
    """A worker died; it was replaced."""


@runtime_checkable
class WorkerPool(Protocol):
    """Workers, addressed by number."""

    size: int
    max_deaths: int  # workers that a unit may kill before it fails

    def ready(self, worker: int) -> bool:
        """Whether a worker has started; a cluster may have no room for it yet."""
        ...

    def send(self, worker: int, unit: Any, ahead: Sequence[Any]) -> None: ...

    def wait(self, busy: Sequence[int]) -> Sequence[int]:
        """Those of the busy workers that have a result or died; none if another worker has started."""
        ...

    def result(self, worker: int) -> tuple[Any, float]:
        """The result of a worker and the seconds it took; raises `WorkerDied`, or what the job raised."""
        ...

    def close(self) -> None: ...


@runtime_checkable
class Worker(Protocol):
    """A process that can be ended."""

    def end(self) -> None: ...


WorkerT = TypeVar("WorkerT", bound=Worker)
_kept: ContextVar[list[Worker] | None] = ContextVar("kept", default=None)


@contextmanager
def keep_workers() -> Iterator[None]:
    """Let the idle workers of a pool that is closed in this block serve the next pool: they take seconds to start."""
    workers: list[Worker] = []
    token = _kept.set(workers)
    try:
        yield
    finally:
        _kept.reset(token)
        for worker in workers:
            worker.end()


def take_kept(kind: type[WorkerT]) -> WorkerT | None:
    """A worker of that kind from an earlier pool of `keep_workers`, if there is one."""
    kept = _kept.get() or []
    found = next((worker for worker in kept if isinstance(worker, kind)), None)
    if found is not None:
        kept.remove(found)
    return found


def keep_or_end(worker: Worker, *, idle: bool) -> None:
    """Keep an idle worker inside `keep_workers`; end it otherwise."""
    kept = _kept.get()
    if kept is None or not idle:
        worker.end()
    else:
        kept.append(worker)


def run_units(
    job: Job, units: Iterable[UnitT], *, workers: int = 1, ray: str | None = None, ahead: int = 1
) -> Iterator[Finished[UnitT]]:
    """Run units in this process, in `workers` processes, or on the Ray cluster at the address `ray` ("local": here).

    Units are taken from the iterable as workers become idle. In this process, `ahead` units may be prefetched.
    """
    if workers < 1:
        raise OptionError(f"workers must be at least 1, got {workers}")
    if ray is None and workers == 1:
        yield from _run_here(job, iter(units), ahead)
        return
    pool = start_pool(job, workers, ray)
    try:
        yield from _run_pool(pool, iter(units))
    finally:
        pool.close()


def start_pool(job: Job, workers: int, ray: str | None) -> WorkerPool:
    if ray is not None:
        from seewhy.runtime.ray_pool import RayPool

        return RayPool(job, workers, ray)
    from seewhy.runtime.process_pool import ProcessPool

    return ProcessPool(job, workers)


def timed(job: Job, unit: Any, ahead: Sequence[Any]) -> tuple[Any, float]:
    """A result and the seconds it took."""
    start = time.monotonic()
    return job.work(unit, ahead), time.monotonic() - start


def _run_here(job: Job, units: Iterator[UnitT], ahead: int) -> Iterator[Finished[UnitT]]:
    waiting = list(islice(units, 1 + ahead))
    while waiting:
        result, seconds = timed(job, waiting[0], waiting[1:])
        yield Finished(waiting[0], result, seconds)
        waiting = [*waiting[1:], *islice(units, 1)]


def _run_pool(pool: WorkerPool, units: Iterator[UnitT]) -> Iterator[Finished[UnitT]]:
    work = _Queues(units, pool.size)
    deaths: Counter[UnitT] = Counter()
    while True:
        ready = [worker for worker in range(pool.size) if pool.ready(worker)]
        for worker in ready:
            if work.fill(worker):
                pool.send(worker, *work.assigned(worker))
        busy = [worker for worker in range(pool.size) if work.queues[worker]]
        if ready and not busy:
            return
        for worker in pool.wait(busy):
            unit = work.queues[worker].popleft()
            try:
                yield Finished(unit, *pool.result(worker))
            except WorkerDied as error:
                deaths[unit] += 1
                work.requeue(worker)
                if deaths[unit] < pool.max_deaths:
                    work.lost.append(unit)
                else:
                    yield Finished(unit, None, 0.0, str(error))
            else:
                if work.queues[worker]:
                    pool.send(worker, *work.assigned(worker))


class _Queues(Generic[UnitT]):
    """Remaining units, and the queue of each worker, whose first unit it works on."""

    def __init__(self, units: Iterator[UnitT], workers: int) -> None:
        self.units, self.lost = units, deque[UnitT]()
        self.queues: list[deque[UnitT]] = [deque() for _ in range(workers)]

    def fill(self, worker: int) -> bool:
        """Fill the queue of a worker; returns whether it was idle and now has a unit."""
        queue = self.queues[worker]
        idle = not queue
        while len(queue) < QUEUE_DEPTH:
            unit = self.lost.popleft() if self.lost else next(self.units, None)
            if unit is None and not queue:
                longest = max(self.queues, key=len)  # none are left: steal one that another worker has not started
                unit = longest.pop() if len(longest) > 1 else None
            if unit is None:
                break
            queue.append(unit)
        return idle and bool(queue)

    def assigned(self, worker: int) -> tuple[UnitT, list[UnitT]]:
        """The unit to work on, and the next ones."""
        first, *others = self.queues[worker]
        return first, others

    def requeue(self, worker: int) -> None:
        """Requeue the units that a dead worker had not started."""
        self.lost.extend(self.queues[worker])
        self.queues[worker].clear()
