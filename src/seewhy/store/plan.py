"""What is missing in a store: units of images that have no maps yet.

An image whose file has the size and time of the stored row of this file is not read; any other is, and its content
decides, so that a folder that was moved is recognized. Times are compared for equality only, so that a clock that goes
backwards does no harm.
"""

import hashlib
import logging
import os
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from functools import lru_cache
from itertools import groupby
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from seewhy.data.items import Dataset, Item
from seewhy.runtime.locks import try_lock
from seewhy.store.index import load_index, read_part, shard_names
from seewhy.store.job import LABEL, PREDICTED, Rule, Unit, classes_of
from seewhy.store.reading import content_of, label_of, name_of, source_of, stamp_of
from seewhy.store.schema import Recipe, Row, file_of

BLOCK = 256  # images that a writer claims at once
SECONDS = 4.0  # of work in a unit: about what is lost when killed
FIRST = 8  # images of the first units, whose time decides the size of the others
logger = logging.getLogger(__name__)


class Done:
    """The images of a store that have maps, by method: 56 bytes each. A file is also known by its path."""

    def __init__(self, recipes: Sequence[Recipe], rule: Rule, *, retry: bool) -> None:
        """With `retry` failures do not count."""
        self._recipes, self._rule, self._retry = recipes, rule, retry
        self._hashes = self._names = np.empty(0, dtype=np.int64)

    def add(self, table: pa.Table) -> None:
        """Add rows of the index."""
        hashes: list[int] = []
        names: list[int] = []
        for number, recipe in enumerate(self._recipes):
            for row in _of_recipe(table, recipe):
                if row["error"] is not None and self._retry:
                    continue
                classes = tuple(row["classes"] or ())
                if row["error"] is None and self._rule == PREDICTED and classes == (row["predicted"],):
                    classes = ()
                name, place = row["image"], _place(row["image"], row["source"])
                names += hash(name), hash(place), hash((number, place)), hash((number, place, row["image_key"]))
                for content in ((place, row["stamp"]), (place, row["image_key"]), (name, row["image_key"])):
                    hashes.append(hash((number, content, classes, row["error"] is not None)))
        self._hashes = np.union1d(self._hashes, np.array(hashes, dtype=np.int64))
        self._names = np.union1d(self._names, np.array(names, dtype=np.int64))

    def missing(self, item: Item, source: str) -> tuple[int, ...]:
        """The methods that have no map of an item; it is read only if its file may have changed."""
        everything, name = tuple(range(len(self._recipes))), name_of(item)
        place = _place(name, source)
        if not (_within(self._names, hash(name)) or _within(self._names, hash(place))):
            return everything
        classes = classes_of(self._rule, label_of(item) if self._rule == LABEL else None)
        stamp = stamp_of(item)
        left = everything
        if stamp:
            left = tuple(m for m in left if not self._has(m, (place, stamp), classes))
        content = content_of(item) if left else ""
        if not content:
            return left
        return tuple(
            m
            for m in left
            if not self._has(m, (place, content), classes)
            and (self._has_changed(m, place, content) or not self._has(m, (name, content), classes))
        )

    def _has_changed(self, method: int, place: str, content: str) -> bool:
        """Whether the store has rows of another content of this file, which are to be replaced."""
        return _within(self._names, hash((method, place))) and not _within(self._names, hash((method, place, content)))

    def _has(self, method: int, content: tuple[str, str], classes: tuple[int, ...]) -> bool:
        return any(_within(self._hashes, hash((method, content, classes, failed))) for failed in (False, True))


def _place(name: str, source: str) -> str:
    """The path of a file, by whatever name it is listed; of other images their name."""
    return file_of(name, source) or name


def _within(values: np.ndarray, value: int) -> bool:
    position = int(np.searchsorted(values, value))
    return position < len(values) and int(values[position]) == value


def _of_recipe(table: pa.Table, recipe: Recipe) -> Iterator[Row]:
    for name, value in recipe._asdict().items():
        table = table.filter(pc.equal(table[name].cast(pa.string()), value))
    table = table.select(["image", "source", "stamp", "image_key", "classes", "predicted", "error"])
    for batch in table.to_batches(max_chunksize=4096):
        yield from batch.to_pylist()


class Plan:
    """Units of the images that have no maps yet; blocks that another writer works on come last."""

    def __init__(
        self,
        folder: Path,
        dataset: Dataset,
        recipes: Sequence[Recipe],
        rule: Rule,
        *,
        retry: bool,
        largest: int,
        writer: str,
        claims: int = 8,
    ) -> None:
        """`claims`: blocks held at a time."""
        self.folder, self.dataset, self.recipes, self.rule, self.writer = folder, dataset, recipes, rule, writer
        self.size, self.largest, self.finished = min(FIRST, largest), largest, 0
        self._real_path = lru_cache(maxsize=1024)(os.path.realpath)  # of the folders of this run
        self._claims: deque[ExitStack] = deque()
        self._most = claims
        self._seen = set(shard_names(folder))
        self._done = Done(recipes, rule, retry=retry)
        self._done.add(load_index(folder))

    def units(self) -> Iterator[Unit]:
        """The missing units, first of the blocks that no other writer has claimed, then of those."""
        blocks = [range(start, min(start + BLOCK, len(self.dataset))) for start in range(0, len(self.dataset), BLOCK)]
        taken = []
        try:
            for block in blocks:
                if self._claim(block, wait=False):
                    yield from self._units(block)
                else:
                    taken.append(block)
            if taken:
                logger.info("%s: another run works on %d blocks of images; waiting for it", self.folder, len(taken))
            for block in taken:
                self._release(0)  # whoever holds the block may be waiting for one of ours
                self._claim(block, wait=True)
                yield from self._units(block)
        finally:
            self._release(0)

    def measured(self, unit: Unit, seconds: float) -> None:
        """Adapt the size of units to the time that one took: a power of two that takes about `SECONDS`."""
        fitting = max(1, int(SECONDS / max(seconds / len(unit.items), 1e-6)))
        self.size = min(self.largest, 2 ** (fitting.bit_length() - 1))

    def _units(self, block: range) -> Iterator[Unit]:
        items = [self.dataset[index] for index in block]
        sources = [source_of(item, self._real_path) for item in items]
        missing = list(map(self._done.missing, items, sources))
        self.finished += sum(1 for methods in missing if not methods)
        for methods, group in groupby(zip(block, sources, missing, strict=True), key=lambda each: each[2]):
            left = list(group)
            while methods and left:
                size = self.size
                yield Unit(
                    tuple(index for index, *_ in left[:size]), tuple(source for _, source, _ in left[:size]), methods
                )
                left = left[size:]

    def _add_others(self) -> None:
        """Take note of what other writers have written since."""
        new = [name for name in shard_names(self.folder) if name not in self._seen]
        self._seen.update(new)
        found = (read_part(self.folder, name) for name in new if not name.endswith(self.writer))
        if parts := [part for part in found if part is not None]:
            self._done.add(pa.concat_tables(parts).unify_dictionaries())

    def _claim(self, block: range, *, wait: bool) -> bool:
        """Claim a block of images: other writers on this disk leave it out. The oldest claims are given up."""
        names = "\n".join(name_of(self.dataset[index]) for index in (block[0], block[-1]))
        digest = hashlib.blake2b(f"{names} {self.recipes} {self.rule}".encode(), digest_size=8).hexdigest()
        stack = ExitStack()
        if not stack.enter_context(try_lock(self.folder / "claims" / digest, wait=wait)):
            stack.close()
            return False
        self._add_others()
        self._claims.append(stack)
        self._release(self._most)
        return True

    def _release(self, keep: int) -> None:
        while len(self._claims) > keep:
            self._claims.popleft().close()
