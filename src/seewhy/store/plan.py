"""What is missing in a store: units of images that have no maps yet.

An image whose file has the size and time of the stored row is not read; any other is, and its content decides. Times
are compared for equality only, so that a clock that goes backwards does no harm.
"""

import hashlib
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from seewhy.data.items import Dataset, Item, image_key
from seewhy.runtime.locks import try_lock
from seewhy.store.index import load_index, read_part, shard_names
from seewhy.store.job import LABEL, Unit
from seewhy.store.reading import stamp_of
from seewhy.store.schema import Recipe

BLOCK = 256  # images that a writer claims at once
SECONDS = 4.0  # of work in a unit: about what is lost when killed
FIRST = 8  # images of the first units, whose time decides the size of the others

PREDICTED, FAILED = "predicted", "failed"


class Done:
    """The images of a store that have maps, by method: 16 bytes each."""

    def __init__(self, recipes: Sequence[Recipe], *, given: bool, retry: bool) -> None:
        """`given`: the classes are given, and not the predicted ones; with `retry` failures do not count."""
        self._recipes, self._given, self._retry = recipes, given, retry
        self._hashes = self._names = np.empty(0, dtype=np.int64)

    def add(self, table: pa.Table) -> None:
        """Add rows of the index."""
        hashes, names = [], []
        for number, recipe in enumerate(self._recipes):
            rows = _of_recipe(table, recipe)
            for image, stamp, key, classes, predicted, error in zip(*map(pa.ChunkedArray.to_pylist, rows), strict=True):
                if error is not None and self._retry:
                    continue
                rule: Any = FAILED if error is not None else tuple(classes)
                if error is None and not self._given and classes == [predicted]:
                    rule = PREDICTED
                names.append(hash(image))
                hashes += [hash((number, image, each, rule)) for each in (f"stamp {stamp}", f"key {key}")]
        self._hashes = np.union1d(self._hashes, np.array(hashes, dtype=np.int64))
        self._names = np.union1d(self._names, np.array(names, dtype=np.int64))

    def __len__(self) -> int:
        return len(self._names)

    def missing(self, item: Item, rule: Any, methods: int) -> tuple[int, ...]:
        """The methods that have no map of an item; it is read only if its file may have changed."""
        everything = tuple(range(methods))
        if not _within(self._names, hash(item.name)):
            return everything
        stamp = stamp_of(item)
        left = tuple(m for m in everything if not (stamp and self._has(m, item, f"stamp {stamp}", rule)))
        if not left:
            return ()
        content = image_key(item)
        return tuple(m for m in left if not self._has(m, item, f"key {content}", rule))

    def _has(self, method: int, item: Item, content: str, rule: Any) -> bool:
        return any(_within(self._hashes, hash((method, item.name, content, each))) for each in (rule, FAILED))


def _within(values: np.ndarray, value: int) -> bool:
    position = int(np.searchsorted(values, value))
    return position < len(values) and int(values[position]) == value


def _of_recipe(table: pa.Table, recipe: Recipe) -> list[pa.ChunkedArray]:
    for name, value in recipe._asdict().items():
        table = table.filter(pc.equal(table[name].cast(pa.string()), value))
    return [table[name] for name in ("image", "stamp", "image_key", "classes", "predicted", "error")]


class Plan:
    """Units of the images that have no maps yet; blocks that another writer works on come last."""

    def __init__(
        self,
        folder: Path,
        dataset: Dataset,
        recipes: Sequence[Recipe],
        rule: Any,
        *,
        retry: bool,
        largest: int,
        writer: str,
        claims: int = 8,
    ) -> None:
        """`rule`: "predicted", "label" or the classes to explain; `claims`: blocks held at a time."""
        self.folder, self.dataset, self.recipes, self.rule, self.writer = folder, dataset, recipes, rule, writer
        self.size, self.largest, self.finished = min(FIRST, largest), largest, 0
        self._claims: deque[ExitStack] = deque()
        self._most = claims
        self._seen = set(shard_names(folder))
        self._done = Done(recipes, given=rule != PREDICTED, retry=retry)
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
        missing = [(index, self._missing(self.dataset[index])) for index in block]
        self.finished += sum(1 for _, methods in missing if not methods)
        for methods, group in groupby(missing, key=lambda each: each[1]):
            indices = [index for index, _ in group]
            while methods and indices:
                size = self.size
                yield Unit(tuple(indices[:size]), methods)
                indices = indices[size:]

    def _missing(self, item: Item) -> tuple[int, ...]:
        rule = tuple(item.labels[:1]) if self.rule == LABEL and len(self._done) else self.rule
        return self._done.missing(item, rule, len(self.recipes))

    def _add_others(self) -> None:
        """Take note of what other writers have written since."""
        new = [name for name in shard_names(self.folder) if name not in self._seen]
        self._seen.update(new)
        parts = [read_part(self.folder, name) for name in new if not name.endswith(self.writer)]
        if parts:
            self._done.add(pa.concat_tables(parts).unify_dictionaries())

    def _claim(self, block: range, *, wait: bool) -> bool:
        """Claim a block of images: other writers on this disk leave it out. The oldest claims are given up."""
        names = "\n".join(self.dataset[index].name for index in (block[0], block[-1]))
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
