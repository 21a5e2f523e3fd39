"""Checking, repairing, merging and tidying stores."""

import logging
from collections.abc import Iterable, Sequence
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import torch

from seewhy.errors import InputError
from seewhy.runtime.locks import try_lock
from seewhy.runtime.progress import track
from seewhy.store.index import changed_rows, consolidate, load_index, remove_shards, shard_names, stale_shards
from seewhy.store.schema import Row
from seewhy.store.shards import SUFFIX, check_shard, new_writer, next_name, read_maps, write_shard
from seewhy.store.writer import FULL

SMALL = FULL // 2  # rows of a shard that is merged with others
logger = logging.getLogger(__name__)


def verify_store(folder: Path, *, repair: bool = False) -> list[str]:
    """Read everything and list what is wrong.

    With `repair`, damaged shards are moved to the folder `damaged` and the index is written anew: the next run computes
    their maps again.
    """
    names = shard_names(folder)
    damaged = {name: reason for name in track(names, "verifying") if (reason := check_shard(_shard(folder, name)))}
    problems = [f"{name}{SUFFIX}: {reason}" for name, reason in damaged.items()]
    problems += [f"{path.name}: cannot be read" for path in _index_files(folder) if not _readable(path)]
    problems += [f"{path.name}: was not finished" for path in sorted(folder.rglob("*.part"))]
    if repair and problems:
        _repair(folder, damaged)
    return problems


def _repair(folder: Path, damaged: Iterable[str]) -> None:
    with try_lock(folder / "lock") as alone:
        if not alone:
            raise InputError(f"{folder}: another run is writing there. Repair it when that has ended.")
        (folder / "damaged").mkdir(exist_ok=True)
        for name in damaged:
            _shard(folder, name).rename(folder / "damaged" / f"{name}{SUFFIX}")
        for path in [*_index_files(folder), *folder.rglob("*.part")]:
            path.unlink()
        consolidate(folder)


def merge_stores(folder: Path, others: Sequence[Path]) -> None:
    """Copy the maps of other stores that this one lacks; of files that have changed, this one's are kept."""
    with try_lock(folder / "lock", shared=True, wait=True):
        for other in others:
            _merge(folder, other)
    consolidate(folder)


def _merge(folder: Path, other: Path) -> None:
    own, table, writer = load_index(folder), load_index(other), new_writer()
    known, changed = set(own["key"].to_pylist()), changed_rows(own, table)
    keys = table["key"].to_pylist()
    missing = [key not in known and position not in changed for position, key in enumerate(keys)]
    for rows in _by_shard(table.filter(pa.array(missing, pa.bool_()))):
        _copy(other, rows, folder, next_name(shard_names(folder), writer))
    if changed:
        logger.warning(
            "%s: %s maps were not copied, because %s holds maps of another content of the same files, such as %s",
            other,
            f"{len(changed):,}",
            folder,
            table["image"][min(changed)],
        )


def tidy_store(folder: Path) -> None:
    """Merge small shards that killed runs left, and remove what is replaced; does nothing while others write."""
    with try_lock(folder / "lock") as alone:
        if not alone:
            return
        table = load_index(folder)
        remove_shards(folder, stale_shards(folder, table))
        current = {rows[0]["shard"]: rows for rows in _by_shard(table)}
        groups: dict[tuple[object, ...], list[str]] = {}
        for name, rows in current.items():
            if len(rows) < SMALL:
                first = rows[0]
                kind = tuple(first[column] for column in ("method", "options", "model_key", "rows", "cols"))
                groups.setdefault(kind, []).append(name)
        for names in groups.values():
            if len(names) > 1:
                _join(folder, [current[name] for name in names])
        for leftover in [*(folder / "claims").glob("*"), *folder.rglob("*.part")]:
            leftover.unlink()
        consolidate(folder)


def _join(folder: Path, parts: Sequence[list[Row]]) -> None:
    """Write several shards as shards of up to `FULL` rows, then remove them."""
    writer = new_writer()
    batch: list[list[Row]] = []
    for number, rows in enumerate(parts):
        batch.append(rows)
        if sum(map(len, batch)) >= FULL or number == len(parts) - 1:
            everything = [row for each in batch for row in each]
            maps = [each for rows in batch for each in _maps(folder, rows)]
            stacked = torch.stack(maps) if maps else torch.empty(0, 0, 0)
            write_shard(folder, next_name(shard_names(folder), writer), everything, stacked)
            remove_shards(folder, [each[0]["shard"] for each in batch])
            batch = []


def _copy(source: Path, rows: list[Row], folder: Path, name: str) -> None:
    maps = _maps(source, rows)
    write_shard(folder, name, rows, torch.stack(maps) if maps else torch.empty(0, 0, 0))


def _maps(folder: Path, rows: Sequence[Row]) -> list[torch.Tensor]:
    """The maps of rows of one shard, as they are stored."""
    positions = [row["position"] for row in rows if row["error"] is None]
    return list(read_maps(_shard(folder, rows[0]["shard"]), positions)) if positions else []


def _by_shard(table: pa.Table) -> list[list[Row]]:
    """Rows grouped by their shard, in order."""
    groups: dict[str, list[Row]] = {}
    for row in table.to_pylist():
        groups.setdefault(row["shard"], []).append(row)
    return [groups[name] for name in sorted(groups)]


def _shard(folder: Path, name: str) -> Path:
    return folder / "shards" / f"{name}{SUFFIX}"


def _index_files(folder: Path) -> list[Path]:
    whole = folder / "index.parquet"
    return [*([whole] if whole.exists() else []), *sorted((folder / "index").glob("*.parquet"))]


def _readable(path: Path) -> bool:
    try:
        pq.read_table(path)
    except (pa.ArrowException, OSError, ValueError):
        return False
    return True
