"""Rows on disk: small Parquet parts, each written atomically, keyed by content.

    OUT/format.json                   the number of this layout, and the release that wrote the rows
    OUT/parts/rows/000017.parquet     scores, one row per image, class, method, metric, reference and protocol
    OUT/parts/curves/000017.parquet   the curves behind them
    OUT/examples/KEY.jpg              images and overlays, for the report
    OUT/examples/KEY.safetensors      maps with their curves, for the explorers that the report links
    OUT/rows.parquet, curves.parquet  all of a finished run

A task is done when its rows are in a part; curves are written before rows. Where two parts hold a task, after a kill
between the two or a retry, the later one counts.
"""

import json
import logging
import os
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from seewhy import __version__
from seewhy.errors import InputError
from seewhy.metrics.evidence import Row
from seewhy.runtime.files import parquet_bytes, write_atomic
from seewhy.runtime.locks import try_lock

TaskTitles = tuple[str, str, str, str]  # titles of model, data set, image and method

FORMAT = 2  # of the parts; raised when rows of an older layout cannot be continued
logger = logging.getLogger(__name__)

_WORD = pa.dictionary(pa.int32(), pa.string())
IDENTITY = [("task", pa.string()), ("model", _WORD), ("model_key", _WORD), ("data", _WORD), ("image", _WORD)]
IDENTITY += [("image_key", _WORD), ("label", pa.int64()), ("target", pa.int64()), ("target_name", _WORD)]
IDENTITY += [("probability", pa.float64()), ("method", _WORD), ("name", _WORD), ("options", _WORD), ("protocol", _WORD)]
IDENTITY += [("reference", _WORD)]
COST = [("forwards", pa.float64()), ("backwards", pa.float64()), ("seconds", pa.float64())]
POINTS = pa.list_(pa.float32())
SCHEMAS = {
    "rows": pa.schema(
        [*IDENTITY, ("metric", _WORD), ("metric_key", _WORD), ("score", pa.float64()), ("error", _WORD), *COST]
    ),
    "curves": pa.schema([*IDENTITY, ("curve", _WORD), ("at", POINTS), ("value", POINTS)]),
}
ORDER = ("model", "data", "image", "method", "options", "target", "protocol", "metric", "curve", "reference")


UNAVAILABLE = "unavailable"  # prefix of the error of a metric whose inputs the data set lacks
FINAL = ("undefined", UNAVAILABLE)  # errors that a retry would not change


class Store:
    """The rows of one benchmark, in a folder."""

    def __init__(self, folder: str | Path) -> None:
        self.folder = Path(folder)

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Open the folder for writing and keep a second run out; the lock ends with the process."""
        check_format(self.folder)
        for name in ("parts/rows", "parts/curves", "examples"):
            (self.folder / name).mkdir(parents=True, exist_ok=True)
        with try_lock(self.folder / "lock") as locked:
            if not locked:
                raise InputError(
                    f"{self.folder}: another benchmark is writing there. Wait for it, or choose another out."
                )
            for kind in SCHEMAS:
                for partial in (self.folder / "parts" / kind).glob("*.part"):
                    partial.unlink()
            if not (self.folder / "format.json").is_file():
                metadata = {"format": FORMAT, "seewhy": __version__}
                write_atomic(self.folder / "format.json", json.dumps(metadata).encode(), resumes=True)
            yield

    def done(self, *, retry: bool = False) -> set[str]:
        """Keys of all tasks with rows; with `retry` failed ones do not count."""
        check_format(self.folder)
        done: set[str] = set()
        for part in self._parts("rows"):
            table = pq.read_table(part, columns=["task", "error"])
            done |= set(table["task"].to_pylist())
            if retry:
                errors = table.filter(pc.is_valid(table["error"]))
                done -= set(errors.filter(pc.invert(_error_starts_with(errors, *FINAL)))["task"].to_pylist())
        return done

    def write(self, rows: Sequence[Row], curves: Sequence[Row]) -> None:
        """Write one more part of each."""
        number = max([int(part.stem) for kind in SCHEMAS for part in self._parts(kind)], default=0) + 1
        for kind, records in (("curves", curves), ("rows", rows)):
            if records:
                table = pa.Table.from_pylist(list(records), schema=SCHEMAS[kind])
                write_table(self.folder / "parts" / kind / f"{number:06d}.parquet", table)

    def write_examples(self, contents: dict[str, bytes], suffix: str) -> None:
        """Write the files of some examples, by key."""
        for key, content in contents.items():
            write_atomic(self.folder / "examples" / f"{key}{suffix}", content, resumes=True)

    def collect(self, titles: dict[str, TaskTitles], *, keep_unavailable: bool = True) -> None:
        """Write `rows.parquet` and `curves.parquet`: the titled tasks, with the titles of the current configuration.

        Part by part, so that memory does not grow with their number. `keep_unavailable=False` drops metrics whose
        inputs the data set lacks.
        """
        for kind, schema in SCHEMAS.items():
            path = self.folder / f"{kind}.parquet"
            temporary = path.with_name(f"{path.name}.tmp")
            with pq.ParquetWriter(temporary, schema, compression="zstd") as writer:
                for table in self._read_tasks(kind, titles):
                    if kind == "rows" and not keep_unavailable:
                        table = table.filter(pc.invert(pc.fill_null(_error_starts_with(table, UNAVAILABLE), False)))
                    writer.write_table(_with_titles(table, titles))
            os.replace(temporary, path)

    def _read_tasks(self, kind: str, tasks: Collection[str]) -> Iterator[pa.Table]:
        """The rows of these tasks, each from the last part that has it. Parts may differ in the curves they hold."""
        parts, columns = self._parts(kind), ["task", "curve"] if kind == "curves" else ["task"]
        last: dict[tuple[str, ...], int] = {}
        for number, part in enumerate(parts):
            last |= dict.fromkeys(_tuples(pq.read_table(part, columns=columns), columns), number)
        for number, part in enumerate(parts):
            table = pq.read_table(part, schema=SCHEMAS[kind])
            keep = [key[0] in tasks and last[key] == number for key in _tuples(table, columns)]
            yield table.filter(pa.array(keep, pa.bool_()))

    def _parts(self, kind: str) -> list[Path]:
        return sorted((self.folder / "parts" / kind).glob("*.parquet"))


def _tuples(table: pa.Table, columns: list[str]) -> list[tuple[str, ...]]:
    return list(zip(*(table[column].to_pylist() for column in columns), strict=True))


def _error_starts_with(table: pa.Table, *prefixes: str) -> pa.ChunkedArray:
    """Whether the error of each row starts with a prefix."""
    errors = table["error"].cast(pa.string())
    found = pc.starts_with(errors, prefixes[0])
    for prefix in prefixes[1:]:
        found = pc.or_(found, pc.starts_with(errors, prefix))
    return found


def _with_titles(table: pa.Table, titles: dict[str, TaskTitles]) -> pa.Table:
    tasks = table["task"].to_pylist()
    for position, column in enumerate(("model", "data", "image", "method")):
        words = pa.array([titles[task][position] for task in tasks], pa.string()).dictionary_encode()
        table = table.set_column(table.schema.get_field_index(column), table.schema.field(column), words)
    return table


def check_format(folder: Path) -> None:
    """Raise if a folder holds rows in another layout; warn if another release wrote them."""
    file = folder / "format.json"
    metadata = json.loads(file.read_text()) if file.is_file() else {}
    if metadata.get("format", 1) != FORMAT and any((folder / "parts").glob("rows/*.parquet")):
        raise InputError(
            f"{folder}: these rows were written by an older version of seewhy and cannot be continued. "
            "Choose another out, or delete the folder."
        )
    if metadata.get("seewhy", __version__) != __version__:
        logger.warning(
            "%s holds rows of seewhy %s, this is %s; choose another out if a method or metric has changed since",
            folder,
            metadata["seewhy"],
            __version__,
        )


def sort_rows(table: pa.Table) -> pa.Table:
    """The table, sorted, so that its order does not depend on the order of the workers."""
    keys = [table[name].cast(pa.string()) for name in ORDER if name in table.column_names]
    plain = pa.table(dict(zip(map(str, range(len(keys))), keys, strict=True)))
    return table.take(pc.sort_indices(plain, sort_keys=[(name, "ascending") for name in plain.column_names]))


def write_table(path: Path, table: pa.Table) -> None:
    write_atomic(path, parquet_bytes(table), resumes=True)
