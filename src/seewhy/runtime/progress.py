"""A progress bar on whatever takes longer than two seconds, where somebody is watching."""

import sys
import time
from collections.abc import Iterable, Iterator, Sized
from typing import Any, TypeVar

Item = TypeVar("Item")

PATIENCE = 2.0  # seconds before a bar appears


def track(items: Iterable[Item], description: str, *, total: int | None = None) -> Iterator[Item]:
    """Pass items on; show a bar on the terminal's error stream once it has taken a while.

    >>> list(track([1, 2, 3], "counting"))
    [1, 2, 3]
    """
    total = len(items) if total is None and isinstance(items, Sized) else total
    bar, start = None, time.monotonic()
    try:
        for done, item in enumerate(items):
            if bar is None and time.monotonic() - start > PATIENCE and sys.stderr.isatty():
                bar = _start_bar(description, total)
            if bar is not None:
                bar.update(bar.task_ids[0], completed=done)
            yield item
    finally:
        if bar is not None:
            bar.stop()


def _start_bar(description: str, total: int | None) -> Any:
    from rich.console import Console
    from rich.progress import Progress

    bar = Progress(console=Console(stderr=True), transient=True)
    bar.add_task(description, total=total)
    bar.start()
    return bar
