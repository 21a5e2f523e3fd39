"""A folder of files up to a number of bytes: the least recently used are removed first."""

from collections import OrderedDict
from pathlib import Path

from seewhy.runtime.files import write_atomic


class FileCache:
    """Files by key; the keys are ids that this package made, never names that a client chose."""

    def __init__(self, folder: Path, capacity: int) -> None:
        self.folder, self.capacity = folder, capacity
        self.sizes: OrderedDict[str, int] = OrderedDict()  # the most recently used last
        folder.mkdir(parents=True, exist_ok=True)

    @property
    def used(self) -> int:
        return sum(self.sizes.values())

    def put(self, key: str, content: bytes) -> Path:
        """Store the content and make room for it; it stays if it is larger than the cache."""
        path = self.folder / key
        write_atomic(path, content)
        self.sizes[key] = len(content)
        self.sizes.move_to_end(key)
        while self.used > self.capacity and len(self.sizes) > 1:
            oldest, _ = self.sizes.popitem(last=False)
            (self.folder / oldest).unlink(missing_ok=True)
        return path

    def get(self, key: str) -> Path | None:
        """The file, now the most recently used; None if there is none."""
        if key not in self.sizes:
            return None
        self.sizes.move_to_end(key)
        return self.folder / key

    def __contains__(self, key: str) -> bool:
        return key in self.sizes
