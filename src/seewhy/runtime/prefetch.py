"""Work that a thread does ahead, while whoever waits for it is busy with what came before."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from typing import TypeVar

Item = TypeVar("Item")
Made = TypeVar("Made")


def prefetch(make: Callable[[Item], Made], items: Iterable[Item], *, ahead: int = 2) -> Iterator[Made]:
    """`make` of each item, in order and one at a time, up to `ahead` of them before they are asked for.

    >>> list(prefetch(str.upper, ["one", "two", "three"]))
    ['ONE', 'TWO', 'THREE']
    """
    items = iter(items)
    pool = ThreadPoolExecutor(1)
    try:
        waiting = deque(pool.submit(make, item) for item in islice(items, ahead))
        while waiting:
            yield waiting.popleft().result()
            waiting.extend(pool.submit(make, item) for item in islice(items, 1))
    finally:
        pool.shutdown(cancel_futures=True)
