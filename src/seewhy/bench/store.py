"""Rows on disk: small Parquet parts, each complete or not there at all, keyed by content.

    OUT/parts/rows/000017.parquet     scores, one row per image, class, method, metric, reference and protocol
    OUT/parts/curves/000017.parquet   the curves behind them
    OUT/pictures/KEY.jpg              maps over photos, for the report
    OUT/rows.parquet, curves.parquet  all of a finished run

A task (one method on one picture under one protocol) is done when its rows are in a part; curves are written before
rows. Where two parts hold a task, after a kill between the two or a repetition, the later one counts.
"""

import io
import os
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from seewhy.errors import InputError
from seewhy.runtime.files import write_atomic

Record = dict[str, Any]

_WORD = pa.dictionary(pa.int32(), pa.string())
WHO = [("task", pa.string()), ("model", _WORD), ("model_key", _WORD), ("data", _WORD), ("image", _WORD)]
WHO += [("image_key", _WORD), ("label", pa.int64()), ("target", pa.int64()), ("target_name", _WORD)]
WHO += [("probability", pa.float64()), ("method", _WORD), ("name", _WORD), ("options", _WORD), ("protocol", _WORD)]
WHO += [("protocol_key", _WORD), ("reference", _WORD)]
COST = [("forwards", pa.float64()), ("backwards", pa.float64()), ("seconds", pa.float64())]
POINTS = pa.list_(pa.float32())
SCHEMAS = {
    "rows": pa.schema([*WHO, ("metric", _WORD), ("score", pa.float64()), ("error", _WORD), *COST]),
    "curves": pa.schema([*WHO, ("curve", _WORD), ("at", POINTS), ("value", POINTS)]),
}
ORDER = ("model", "data", "image", "method", "options", "target", "protocol", "metric", "curve", "reference")


class Store:
    """The folder of one benchmark."""

    def __init__(self, folder: str | Path) -> None:
        self.folder = Path(folder)
        for name in ("parts/rows", "parts/curves", "pictures"):
            (self.folder / name).mkdir(parents=True, exist_ok=True)

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Keep a second run out of the folder; the lock goes with the process, however that ends."""
        with open(self.folder / "lock", "w") as lock:
            _lock(lock, self.folder)
            for kind in SCHEMAS:
                for half in (self.folder / "parts" / kind).glob("*.tmp"):
                    half.unlink()
            yield

    def done(self, *, retry: bool = False) -> set[str]:
        """Tasks whose rows are there; with `retry` those that failed do not count."""
        done: set[str] = set()
        for part in self._parts("rows"):
            table = pq.read_table(part, columns=["task", "error"])
            done |= set(table["task"].to_pylist())
            if retry:
                failed = table.filter(pc.is_valid(table["error"]))
                undefined = pc.starts_with(failed["error"].cast(pa.string()), "undefined")
                done -= set(failed.filter(pc.invert(undefined))["task"].to_pylist())
        return done

    def write(self, rows: Sequence[Record], curves: Sequence[Record]) -> None:
        """One more part of each."""
        number = max([int(part.stem) for kind in SCHEMAS for part in self._parts(kind)], default=0) + 1
        for kind, records in (("curves", curves), ("rows", rows)):
            if records:
                table = pa.Table.from_pylist(list(records), schema=SCHEMAS[kind])
                write_table(self.folder / "parts" / kind / f"{number:06d}.parquet", table)

    def write_picture(self, key: str, content: bytes) -> None:
        write_atomic(self.folder / "pictures" / f"{key}.jpg", content)

    def collect(self, titles: dict[str, tuple[str, str, str, str]]) -> None:
        """Write `rows.parquet` and `curves.parquet`: the named tasks, with their model, data, image, method titles.

        Part by part, so that the memory it takes does not depend on how many there are.
        """
        for kind, schema in SCHEMAS.items():
            path = self.folder / f"{kind}.parquet"
            half = path.with_name(f"{path.name}.tmp")
            with pq.ParquetWriter(half, schema, compression="zstd") as writer:
                for table in self._chosen(kind, titles):
                    writer.write_table(_titled(table, titles))
            os.replace(half, path)

    def _chosen(self, kind: str, tasks: Collection[str]) -> Iterator[pa.Table]:
        """The rows of these tasks, each from the last part that has it."""
        parts = self._parts(kind)
        last: dict[str, int] = {}
        for number, part in enumerate(parts):
            last |= dict.fromkeys(pq.read_table(part, columns=["task"])["task"].to_pylist(), number)
        for number, part in enumerate(parts):
            table = pq.read_table(part, schema=SCHEMAS[kind])
            keep = [task in tasks and last[task] == number for task in table["task"].to_pylist()]
            yield table.filter(pa.array(keep, pa.bool_()))

    def _parts(self, kind: str) -> list[Path]:
        return sorted((self.folder / "parts" / kind).glob("*.parquet"))


def _titled(table: pa.Table, titles: dict[str, tuple[str, str, str, str]]) -> pa.Table:
    tasks = table["task"].to_pylist()
    for place, column in enumerate(("model", "data", "image", "method")):
        words = pa.array([titles[task][place] for task in tasks], pa.string()).dictionary_encode()
        table = table.set_column(table.schema.get_field_index(column), table.schema.field(column), words)
    return table


def in_order(table: pa.Table) -> pa.Table:
    """Sorted, so that equal runs give equal tables whoever was first."""
    keys = [table[name].cast(pa.string()) for name in ORDER if name in table.column_names]
    plain = pa.table(dict(zip(map(str, range(len(keys))), keys, strict=True)))
    return table.take(pc.sort_indices(plain, sort_keys=[(name, "ascending") for name in plain.column_names]))


def write_table(path: Path, table: pa.Table) -> None:
    buffer = io.BytesIO()
    pq.write_table(table, buffer, compression="zstd")
    write_atomic(path, buffer.getvalue())


def _lock(file: Any, folder: Path) -> None:
    try:
        import fcntl
    except ImportError:  # Windows
        return
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        raise InputError(
            f"{folder}: another benchmark is writing there. Wait for it, or choose another out."
        ) from error
