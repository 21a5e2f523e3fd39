"""Progress of loops that take longer than two seconds: bars on a terminal, lines in a notebook or a log."""

import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sized
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any, Literal, TypeVar

Item = TypeVar("Item")

DELAY = 2.0  # seconds before the bar appears
EVERY = 30.0  # seconds between two lines, where there is no terminal
MODE: Literal["auto", "lines", "off"] = "auto"  # "auto": lines only in a notebook; the command line sets the others


@dataclass(frozen=True)
class Step:
    """The state of an optimization after `number` of `total` steps; NaN where the objective was not measured."""

    number: int
    total: int
    objective: Any  # a tensor of shape (cases,); Any, because the command line starts without torch
    maps: Any  # a tensor of shape (cases, rows, cols)


@dataclass(frozen=True)
class Listener:
    """Gets the progress of loops (description, items done, their number if known) and the steps of optimizations."""

    on_progress: Callable[[str, int, int | None], None]
    on_step: Callable[[Step], bool]  # whether to stop now


_LISTENER: ContextVar[Listener | None] = ContextVar("listener", default=None)  # of this thread


@contextmanager
def listening(listener: Listener) -> Iterator[None]:
    """Inside the context, the loops and optimizations of this thread report to the listener."""
    token = _LISTENER.set(listener)
    try:
        yield
    finally:
        _LISTENER.reset(token)


def report_step(step: Step) -> bool:
    """Report a step of an optimization; whether it should stop and keep the best so far."""
    listener = _LISTENER.get()
    return listener is not None and listener.on_step(step)


def track(items: Iterable[Item], description: str, *, total: int | None = None) -> Iterator[Item]:
    """Iterate over `items`, with progress on stderr if the loop is slow: a bar on a terminal, else lines.

    >>> list(track([1, 2, 3], "counting"))
    [1, 2, 3]
    """
    total = len(items) if total is None and isinstance(items, Sized) else total
    bar, start, listener = None, time.monotonic(), _LISTENER.get()
    due = start + (DELAY if _in_notebook() else EVERY)
    try:
        for done, item in enumerate(items):
            now = time.monotonic()
            if bar is None and now - start > DELAY and sys.stderr.isatty() and MODE != "off":
                bar = _start_bar(description, total)
            elif now > due and _prints_lines():
                due = now + EVERY
                print(_line(description, done, total, now - start), file=sys.stderr, flush=True)
            if bar is not None:
                bar.update(bar.task_ids[0], completed=done)
            if listener is not None:
                listener.on_progress(description, done, total)
            yield item
        if due > start + EVERY and _prints_lines():  # after lines that showed less
            print(
                _line(description, total if total is not None else done + 1, total, time.monotonic() - start),
                file=sys.stderr,
            )
    finally:
        if bar is not None:
            bar.stop()


def _in_notebook() -> bool:
    return "ipykernel" in sys.modules


def _prints_lines() -> bool:
    return not sys.stderr.isatty() and (MODE == "lines" or (MODE == "auto" and _in_notebook()))


def _line(description: str, done: int, total: int | None, seconds: float) -> str:
    """A line of a log.

    >>> _line("comparing", 3, 12, 45.2)
    'comparing: 3 of 12 (45 s)'
    """
    return f"{description}: {done}{'' if total is None else f' of {total}'} ({seconds:.0f} s)"


def _start_bar(description: str, total: int | None) -> Any:
    from rich.console import Console
    from rich.progress import Progress

    bar = Progress(console=Console(stderr=True), transient=True)
    bar.add_task(description, total=total)
    bar.start()
    return bar
