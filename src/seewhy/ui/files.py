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
        for path in sorted(folder.iterdir(), key=lambda path: path.stat().st_mtime):  # of an earlier page
            self._add(path.name, path.stat().st_size)

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
        with self.lock:
            if key not in self.sizes:
                return None
            self.sizes.move_to_end(key)
        return self.folder / key

    def __contains__(self, key: str) -> bool:
        return key in self.sizes
