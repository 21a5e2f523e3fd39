"""Units of work in this process, in several, or on a Ray cluster: one loop that hands out, retries and collects.

Every worker has one unit to work on and one more, which it may prepare. A unit whose worker died goes to another one; a
unit that several workers died of is given up, since it is probably what kills them.
"""

import time
from collections import Counter, deque
from collections.abc import Hashable, Iterable, Iterator, Sequence
from itertools import islice
from typing import Any, Generic, NamedTuple, Protocol, TypeVar, runtime_checkable

UnitT = TypeVar("UnitT", bound=Hashable)
DEPTH = 2  # units that a worker holds: the one it works on, and the next


@runtime_checkable
class Job(Protocol):
    """What workers do; it is pickled and sent to each of them once."""

    def work(self, unit: Any, ahead: Sequence[Any] = ()) -> Any:
        """The result of a unit; `ahead` are the next ones, which may be prepared meanwhile."""
        ...


class Finished(NamedTuple, Generic[UnitT]):
    """A unit with its result, or with the error that ended all its workers."""

    unit: UnitT
    result: Any
    seconds: float
    error: str = ""


class Died(Exception):
    """A worker died; it was replaced."""


@runtime_checkable
class Crew(Protocol):
    """Workers, by number."""

    size: int
    tries: int  # workers that a unit may kill

    def ready(self, worker: int) -> bool:
        """Whether a worker has started; a cluster may have no room for it yet."""
        ...

    def send(self, worker: int, unit: Any, ahead: Sequence[Any]) -> None: ...

    def wait(self, busy: Sequence[int]) -> Sequence[int]:
        """Those of the busy workers that have a result or died; none if another worker has started."""
        ...

    def result(self, worker: int) -> tuple[Any, float]:
        """The result of a worker and the seconds it took; raises `Died`, or what the job raised."""
        ...

    def close(self) -> None: ...


def run_units(
    job: Job, units: Iterable[UnitT], *, workers: int = 1, ray: str | None = None, ahead: int = 1
) -> Iterator[Finished[UnitT]]:
    """Run units in this process, in `workers` processes, or on the Ray cluster at the address `ray` ("local": here).

    Units are taken from the iterable as workers get free. In this process, `ahead` units are prepared.
    """
    if ray is None and workers == 1:
        yield from _run_here(job, iter(units), ahead)
        return
    crew = start_crew(job, workers, ray)
    try:
        yield from _run_crew(crew, iter(units))
    finally:
        crew.close()


def start_crew(job: Job, workers: int, ray: str | None) -> Crew:
    if ray is not None:
        from seewhy.runtime.ray_pool import RayCrew

        return RayCrew(job, workers, ray)
    from seewhy.runtime.process_pool import ProcessCrew

    return ProcessCrew(job, workers)


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


def _run_crew(crew: Crew, units: Iterator[UnitT]) -> Iterator[Finished[UnitT]]:
    work = _Work(units, crew.size)
    deaths: Counter[UnitT] = Counter()
    while True:
        ready = [worker for worker in range(crew.size) if crew.ready(worker)]
        for worker in ready:
            if work.take(worker):
                crew.send(worker, *work.held(worker))
        busy = [worker for worker in range(crew.size) if work.queues[worker]]
        if ready and not busy:
            return
        for worker in crew.wait(busy):
            unit = work.queues[worker].popleft()
            try:
                yield Finished(unit, *crew.result(worker))
            except Died as error:
                deaths[unit] += 1
                work.give_back(worker)
                if deaths[unit] < crew.tries:
                    work.lost.append(unit)
                else:
                    yield Finished(unit, None, 0.0, str(error))
            else:
                if work.queues[worker]:
                    crew.send(worker, *work.held(worker))


class _Work(Generic[UnitT]):
    """The units that are left, and those that each worker holds, first the one it works on."""

    def __init__(self, units: Iterator[UnitT], workers: int) -> None:
        self.units, self.lost = units, deque[UnitT]()
        self.queues: list[deque[UnitT]] = [deque() for _ in range(workers)]

    def take(self, worker: int) -> bool:
        """Give a worker what it can hold; whether it had nothing before and has now."""
        queue = self.queues[worker]
        idle = not queue
        while len(queue) < DEPTH:
            unit = self.lost.popleft() if self.lost else next(self.units, None)
            if unit is None and not queue:
                longest = max(self.queues, key=len)  # nothing is left: take what another has not begun
                unit = longest.pop() if len(longest) > 1 else None
            if unit is None:
                break
            queue.append(unit)
        return idle and bool(queue)

    def held(self, worker: int) -> tuple[UnitT, list[UnitT]]:
        """The unit to work on, and the next ones."""
        first, *others = self.queues[worker]
        return first, others

    def give_back(self, worker: int) -> None:
        """Free the units that a dead worker had not begun."""
        self.lost.extend(self.queues[worker])
        self.queues[worker].clear()
