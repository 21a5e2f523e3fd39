"""The index of a map store: `index.parquet`, and one part for every shard that is not in it yet.

A part that is missing or damaged is read from the shard itself, so the index is never lost. Rows of later shards
replace those of earlier ones: maps of an image that has changed, failures that were tried again, copies that a killed
run left.
"""

import json
import logging
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from seewhy.errors import InputError
from seewhy.runtime.files import parquet_bytes, write_atomic
from seewhy.runtime.locks import try_lock
from seewhy.store.schema import SCHEMA
from seewhy.store.shards import SUFFIX, read_index

SLOT = ["image", "method", "options", "model_key"]  # what a rerun computes once
logger = logging.getLogger(__name__)


def shard_names(folder: Path) -> list[str]:
    """Names of all complete shards, earliest first."""
    return sorted(path.stem for path in (folder / "shards").glob(f"*{SUFFIX}"))


def load_index(folder: Path) -> pa.Table:
    """The rows of all shards, without those that later ones replace."""
    names = shard_names(folder)
    table, covered = _consolidated(folder)
    gone = covered - set(names)
    if gone:
        table = table.filter(pc.invert(pc.is_in(table["shard"].cast(pa.string()), pa.array(sorted(gone)))))
    parts = [read_part(folder, name) for name in names if name not in covered]
    if not parts:
        return table
    return latest(pa.concat_tables([table, *parts]).unify_dictionaries())


def consolidate(folder: Path) -> None:
    """Write all parts into `index.parquet` and remove them; does nothing while another process does it."""
    with try_lock(folder / "index.lock") as locked:
        if not locked:
            return
        names, table = shard_names(folder), load_index(folder)
        facts = {"shards": json.dumps(names)}
        write_atomic(folder / "index.parquet", parquet_bytes(table.replace_schema_metadata(facts)), resumes=True)
        for name in names:
            (folder / "index" / f"{name}.parquet").unlink(missing_ok=True)


def latest(table: pa.Table) -> pa.Table:
    """Without rows that later shards replace: of an older content of the image, failures tried again, copies."""
    counts = table.group_by(SLOT).aggregate(
        [("key", "count"), ("key", "count_distinct"), ("image_key", "count_distinct"), ("error", "count")]
    )
    doubtful = pc.or_(
        pc.greater(counts["key_count"], counts["key_count_distinct"]),
        pc.or_(pc.greater(counts["image_key_count_distinct"], 1), pc.greater(counts["error_count"], 0)),
    )
    images = counts.filter(doubtful)["image"].unique()
    if not len(images):
        return table
    drop = _replaced(table, images)
    keep = [index not in drop for index in range(len(table))]
    return table.filter(pa.array(keep, pa.bool_()))


def _replaced(table: pa.Table, images: pa.Array) -> set[int]:
    """Positions of the rows of these images that later ones replace."""
    positions = pc.indices_nonzero(pc.is_in(table["image"], images)).to_pylist()
    columns = ["shard", "key", "image_key", "error", *SLOT]
    rows = table.select(columns).take(positions).to_pylist()
    slots = defaultdict(list)
    for position, row in zip(positions, rows, strict=True):
        slots[tuple(row[name] for name in SLOT)].append((row["shard"], position, row))
    replaced = set()
    for found in slots.values():
        found.sort(key=lambda each: each[:2])
        content = found[-1][2]["image_key"]
        good = any(row["error"] is None and row["image_key"] == content for *_, row in found)
        last = {row["key"]: position for _, position, row in found}
        for _, position, row in found:
            stale = row["image_key"] != content or (row["error"] is not None and good)
            if stale or last[row["key"]] != position:
                replaced.add(position)
    return replaced


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


def read_part(folder: Path, name: str) -> pa.Table:
    """The rows of one shard; none if it is damaged or was merged into another one meanwhile."""
    try:
        return pq.read_table(folder / "index" / f"{name}.parquet").cast(SCHEMA)
    except (pa.ArrowException, OSError, ValueError):
        pass
    try:
        return read_index(folder / "shards" / f"{name}{SUFFIX}")
    except FileNotFoundError:
        return SCHEMA.empty_table()
    except InputError as error:
        logger.warning("%s", error)
        return SCHEMA.empty_table()


def remove_shards(folder: Path, names: Iterable[str]) -> None:
    for name in names:
        (folder / "shards" / f"{name}{SUFFIX}").unlink(missing_ok=True)
        (folder / "index" / f"{name}.parquet").unlink(missing_ok=True)
