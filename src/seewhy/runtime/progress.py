"""Progress bars on a terminal, for loops that take longer than two seconds."""

import sys
import time
from collections.abc import Iterable, Iterator, Sized
from typing import Any, TypeVar

Item = TypeVar("Item")

DELAY = 2.0  # seconds before the bar appears


def track(items: Iterable[Item], description: str, *, total: int | None = None) -> Iterator[Item]:
    """Iterate over `items`, with a progress bar on stderr if it is a terminal and the loop is slow.

    >>> list(track([1, 2, 3], "counting"))
    [1, 2, 3]
    """
    total = len(items) if total is None and isinstance(items, Sized) else total
    bar, start = None, time.monotonic()
    try:
        for done, item in enumerate(items):
            if bar is None and time.monotonic() - start > DELAY and sys.stderr.isatty():
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
