"""Copies of the driver's files on the other machines of a cluster, made when a file is first read.

Readers of images, masks and tar files call `local_path`. Copies keep the modification time of the original, so that an
unchanged file is recognized on every machine; the oldest copies are deleted when they take too much space.
"""

import os
import tempfile
from pathlib import Path
from threading import Lock
from typing import Protocol, runtime_checkable

LIMIT = 2**32  # bytes of copies that a process keeps
CHUNK = 2**26  # bytes sent at once


@runtime_checkable
class FileHost(Protocol):
    """The files of another machine."""

    def stat(self, path: str) -> tuple[int, int] | None:
        """Size and modification time in nanoseconds; None if there is no such file."""
        ...

    def read(self, path: str, start: int, size: int) -> bytes: ...


class LocalFiles:
    """The files of this machine; relative paths begin at `folder`."""

    def __init__(self, folder: str) -> None:
        self.folder = folder

    def stat(self, path: str) -> tuple[int, int] | None:
        try:
            status = os.stat(os.path.join(self.folder, path))
        except OSError:
            return None
        return status.st_size, status.st_mtime_ns

    def read(self, path: str, start: int, size: int) -> bytes:
        with open(os.path.join(self.folder, path), "rb") as file:
            file.seek(start)
            return file.read(size)


class Copies:
    """Files of a host in a temporary folder."""

    def __init__(self, host: FileHost) -> None:
        self._host, self._lock = host, Lock()  # images are prefetched in a thread
        self._folder = tempfile.TemporaryDirectory(prefix="seewhy-files-")
        self._known: dict[str, Path] = {}  # oldest first

    def path(self, path: str) -> Path | None:
        """The copy of a file; None if the host has no such file."""
        with self._lock:
            if path not in self._known:
                status = self._host.stat(path)
                if status is None:
                    return None
                self._known[path] = self._copy(path, *status)
                self._evict()
            return self._known[path]

    def close(self) -> None:
        self._folder.cleanup()

    def _copy(self, path: str, size: int, time: int) -> Path:
        copy = Path(self._folder.name) / f"{len(self._known)}-{os.urandom(4).hex()}{Path(path).suffix}"
        with copy.open("wb") as file:
            for start in range(0, size, CHUNK):
                file.write(self._host.read(path, start, min(CHUNK, size - start)))
        os.utime(copy, ns=(time, time))
        return copy

    def _evict(self) -> None:
        """Delete the oldest copies, but not the last."""
        total = sum(copy.stat().st_size for copy in self._known.values())
        for path in list(self._known)[:-1]:
            if total <= LIMIT:
                return
            copy = self._known.pop(path)
            total -= copy.stat().st_size
            copy.unlink()


_copies: list[Copies] = []  # of this process: none, or one


def copy_missing_files(host: FileHost) -> None:
    """From now on, copy files that are not on this machine from the host."""
    _copies[:] = [Copies(host)]


def local_path(path: str | Path) -> Path:
    """The file itself or, on another machine of a cluster, a copy of it; unchanged if there is no such file."""
    path = Path(path)
    if not _copies or path.exists():
        return path
    return _copies[0].path(str(path)) or path
