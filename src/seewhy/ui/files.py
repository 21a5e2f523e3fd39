"""A folder of files up to a number of bytes: the least recently used are removed first."""

import threading
from collections import OrderedDict
from pathlib import Path

from seewhy.runtime.files import write_atomic


class FileCache:
    """Files by key; the keys are ids that this package made, never names that a client chose."""

    def __init__(self, folder: Path, capacity: int) -> None:
        self.folder, self.capacity = folder, capacity
        self.sizes: OrderedDict[str, int] = OrderedDict()  # the most recently used last
        self.used, self.lock = 0, threading.Lock()
        folder.mkdir(parents=True, exist_ok=True)
        found = [(path.stat(), path.name) for path in folder.iterdir() if path.suffix != ".part"]  # of an earlier page
        for status, name in sorted(found, key=lambda each: each[0].st_mtime):
            self._add(name, status.st_size)

    def _add(self, key: str, size: int) -> None:
        self.used += size - self.sizes.get(key, 0)
        self.sizes[key] = size
        self.sizes.move_to_end(key)

    def put(self, key: str, content: bytes) -> Path:
        """Store the content and make room for it; it stays if it is larger than the cache."""
        path = self.folder / key
        write_atomic(path, content)
        with self.lock:
            self._add(key, len(content))
            while self.used > self.capacity and len(self.sizes) > 1:
                oldest, size = self.sizes.popitem(last=False)
                self.used -= size
                (self.folder / oldest).unlink(missing_ok=True)
        return path

    def get(self, key: str) -> Path | None:
        """The file, now the most recently used; None if there is none."""
        path = self.folder / key
        with self.lock:
            if key not in self.sizes or not path.is_file():  # another page may share the folder
                return None
            self.sizes.move_to_end(key)
        return path

    def __contains__(self, key: str) -> bool:
        return key in self.sizes
