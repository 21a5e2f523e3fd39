"""The index of a map store: `index.parquet`, and one part for every shard that is not in it yet.

A part that is missing or damaged is read from the shard itself, so the index is never lost. Rows of later shards
replace those of earlier ones: maps of a file that has changed, copies that a killed run left. A map replaces failures
of its image, a failure never replaces a map.
"""

import json
import logging
import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from seewhy.errors import InputError
from seewhy.runtime.files import parquet_bytes, write_atomic
from seewhy.runtime.locks import try_lock
from seewhy.store.schema import SCHEMA, Row, file_of
from seewhy.store.shards import SUFFIX, read_index

RECIPE = ["method", "options", "model_key"]
logger = logging.getLogger(__name__)


def shard_names(folder: Path) -> list[str]:
    """Names of all complete shards, earliest first."""
    return sorted(path.stem for path in (folder / "shards").glob(f"*{SUFFIX}"))


def load_index(folder: Path) -> pa.Table:
    """The rows of all shards, without those that later ones replace."""
    return _load(folder)[0]


def consolidate(folder: Path) -> None:
    """Write all parts into `index.parquet` and remove them; does nothing while another process does it."""
    with try_lock(folder / "index.lock") as locked:
        if not locked:
            return
        table, names = _load(folder)
        facts = {"shards": json.dumps(sorted(names))}
        write_atomic(folder / "index.parquet", parquet_bytes(table.replace_schema_metadata(facts)), resumes=True)
        for name in names:
            (folder / "index" / f"{name}.parquet").unlink(missing_ok=True)


def stale_shards(folder: Path, table: pa.Table) -> list[str]:
    """Shards of which the index `table` holds no row, and none of whose rows it would take."""
    listed = set(pc.unique(table["shard"]).to_pylist())
    unlisted = {name: read_part(folder, name) for name in shard_names(folder) if name not in listed}
    readable = {name: part for name, part in unlisted.items() if part is not None}
    if not readable:
        return []
    whole = latest(pa.concat_tables([table, *readable.values()]).unify_dictionaries())
    return sorted(readable.keys() - set(pc.unique(whole["shard"]).to_pylist()))


def _load(folder: Path) -> tuple[pa.Table, set[str]]:
    """The rows of all shards that can be read, and the names of these."""
    while True:
        names = set(shard_names(folder))
        table, covered = _consolidated(folder)
        gone = covered - names
        if gone:
            table = table.filter(pc.invert(pc.is_in(table["shard"].cast(pa.string()), pa.array(sorted(gone)))))
        parts = {name: read_part(folder, name) for name in sorted(names - covered)}
        if names.issubset(shard_names(folder)):  # else a writer has merged some of them meanwhile
            break
    found = {name: part for name, part in parts.items() if part is not None}
    if found:
        table = latest(pa.concat_tables([table, *found.values()]).unify_dictionaries())
    return table, (names & covered) | found.keys()


def latest(table: pa.Table) -> pa.Table:
    """Without rows that later shards replace: of an older content of the file, failures tried again, copies."""
    images = _doubtful(table)
    if not len(images):
        return table
    drop = _replaced(table, images)
    keep = [index not in drop for index in range(len(table))]
    return table.filter(pa.array(keep, pa.bool_()))


def _doubtful(table: pa.Table) -> pa.Array:
    """Names of images that may have rows to drop."""
    source, image = table["source"].cast(pa.string()).fill_null(""), table["image"]
    below = pc.binary_join_element_wise(source, image, os.sep)
    file = pc.if_else(pc.starts_with(image, os.sep), image, below)
    owner = pc.if_else(pc.equal(source, ""), table["image_key"], file)
    table = table.append_column("owner", owner)
    counts = table.group_by(["owner", *RECIPE]).aggregate([("image_key", "count_distinct"), ("error", "count")])
    several = pc.or_(pc.greater(counts["image_key_count_distinct"], 1), pc.greater(counts["error_count"], 0))
    doubtful = pc.is_in(owner, pc.unique(counts.filter(several)["owner"]))
    if pc.count_distinct(table["key"]).as_py() < len(table):
        keys = pc.value_counts(table["key"])
        copied = keys.filter(pc.greater(keys.field("counts"), 1)).field("values")
        doubtful = pc.or_(doubtful, pc.is_in(table["key"], copied))
    return pc.unique(table.filter(doubtful)["image"])


def _replaced(table: pa.Table, images: pa.Array) -> set[int]:
    """Positions of the rows of these images that later ones replace."""
    positions = pc.indices_nonzero(pc.is_in(table["image"], images)).to_pylist()
    columns = ["shard", "key", "image", "image_key", "source", "classes", "predicted", "error", *RECIPE]
    rows = table.select(columns).take(positions).to_pylist()
    found = sorted(zip(positions, rows, strict=True), key=lambda each: (each[1]["shard"], each[0]))
    last = {row["key"]: position for position, row in found}
    content = {_slot(row): row["image_key"] for _, row in found if row["error"] is None}
    done = {each for _, row in found if row["error"] is None for each in _requests(row)}
    replaced = set()
    for position, row in found:
        stale = content[_slot(row)] != row["image_key"] if row["error"] is None else not done.isdisjoint(_requests(row))
        if stale or last[row["key"]] != position:
            replaced.add(position)
    return replaced


def changed_rows(own: pa.Table, other: pa.Table) -> set[int]:
    """Positions of the maps in `other` of files whose maps in `own` are of another content."""
    contents = {_slot(row): row["image_key"] for row in _rows(own) if row["error"] is None}
    return {
        position
        for position, row in enumerate(_rows(other))
        if row["error"] is None and contents.get(_slot(row), row["image_key"]) != row["image_key"]
    }


def _rows(table: pa.Table) -> Iterator[Row]:
    for batch in table.select(["image", "image_key", "source", "error", *RECIPE]).to_batches(max_chunksize=4096):
        yield from batch.to_pylist()


def _slot(row: Row) -> tuple[str, ...]:
    """Rows of one file by one method, by whatever name; images that are no files never replace each other."""
    return *(_file(row) or _image(row)), *(row[name] for name in RECIPE)


def _requests(row: Row) -> set[tuple[Any, ...]]:
    """What a map fulfils, or what a failure asked for: some classes of a file, or of an image of this content."""
    file, image, recipe = _file(row), _image(row), [row[name] for name in RECIPE]
    if row["error"] is None:
        owners = {file or (row["image"], ""), image}
    else:
        owners = {file or image, image if row["image_key"] else file or image}
    asked = {tuple(row["classes"] or ())} | ({()} if row["classes"] == [row["predicted"]] else set())
    return {(*owner, *recipe, classes) for owner in owners for classes in asked}


def _file(row: Row) -> tuple[str, ...]:
    """The file of a row; empty if it is not known to be one."""
    file = file_of(row["image"], row["source"])
    return (file,) if file else ()


def _image(row: Row) -> tuple[str, ...]:
    return row["image"], row["image_key"]


def _consolidated(folder: Path) -> tuple[pa.Table, set[str]]:
    """The rows in `index.parquet`, and the shards that they are of; none if it is missing or damaged."""
    path = folder / "index.parquet"
    if not path.is_file():
        return SCHEMA.empty_table(), set()
    try:
        table = pq.read_table(path, memory_map=True)
        covered = set(json.loads(table.schema.metadata[b"shards"]))
        return table.replace_schema_metadata(None).cast(SCHEMA), covered
    except (pa.ArrowException, OSError, KeyError, TypeError, ValueError) as error:
        logger.warning("%s is damaged (%s); the index is read from the shards, and nothing is lost", path, error)
        return SCHEMA.empty_table(), set()


def read_part(folder: Path, name: str) -> pa.Table | None:
    """The rows of one shard; None if it is damaged or was merged into another one meanwhile."""
    try:
        return pq.read_table(folder / "index" / f"{name}.parquet").cast(SCHEMA)
    except (pa.ArrowException, OSError, ValueError):
        pass
    try:
        return read_index(folder / "shards" / f"{name}{SUFFIX}")
    except FileNotFoundError:
        return None
    except InputError as error:
        logger.warning("%s", error)
        return None


def remove_shards(folder: Path, names: Iterable[str]) -> None:
    for name in names:
        (folder / "shards" / f"{name}{SUFFIX}").unlink(missing_ok=True)
        (folder / "index" / f"{name}.parquet").unlink(missing_ok=True)
