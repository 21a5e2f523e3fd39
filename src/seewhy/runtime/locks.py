"""File locks between processes, released when a process ends, also by a kill; independent of clocks."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def try_lock(path: Path, *, shared: bool = False, wait: bool = False) -> Iterator[bool]:
    """Hold a lock on a file inside the block; yields False if another process holds it, unless `wait`.

    Any number of processes can hold a `shared` lock. Without locks of this kind (Windows) every process gets it.
    """
    try:
        import fcntl
    except ImportError:  # Windows
        yield True
        return
    with open(path, "a") as file:
        try:
            fcntl.flock(file, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | (0 if wait else fcntl.LOCK_NB))
        except BlockingIOError:
            yield False
        else:
            yield True
