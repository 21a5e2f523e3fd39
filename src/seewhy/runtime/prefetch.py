"""Prefetching: a background thread computes the next results while the caller uses the current one."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from typing import TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")


def prefetch(function: Callable[[Item], Result], items: Iterable[Item], depth: int = 2) -> Iterator[Result]:
    """Yield `function(item)` for each item, in order; one thread works up to `depth` items ahead.

    >>> list(prefetch(str.upper, ["one", "two", "three"]))
    ['ONE', 'TWO', 'THREE']
    """
    items = iter(items)
    pool = ThreadPoolExecutor(1)
    try:
        pending = deque(pool.submit(function, item) for item in islice(items, depth))
        while pending:
            yield pending.popleft().result()
            pending.extend(pool.submit(function, item) for item in islice(items, 1))
    finally:
        pool.shutdown(cancel_futures=True)
