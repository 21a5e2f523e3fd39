"""Shards: safetensors files that hold the maps of some hundred images, and their rows of the index.

A shard is complete in itself: the index can be rebuilt from the shards alone. It is written under a temporary name,
synced and renamed, and never changed afterwards. Names begin with a number larger than all that the writer has seen, so
that later shards sort after earlier ones whatever the clocks say, and end with the random name of the writer, so that
writers on several machines never choose the same one.
"""

import hashlib
import secrets
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import torch
from jaxtyping import Float
from safetensors import SafetensorError, safe_open
from safetensors.torch import save
from torch import Tensor

from seewhy.errors import InputError
from seewhy.runtime.files import parquet_bytes, write_atomic
from seewhy.store.schema import SCHEMA, Row

SUFFIX = ".safetensors"


def new_writer() -> str:
    """A random name for a writer, which ends the names of its shards."""
    return secrets.token_hex(4)


def next_name(names: Iterable[str], writer: str) -> str:
    """A name for a shard that sorts after all of these.

    >>> next_name(["00000007-ab12cd34"], "12345678")
    '00000008-12345678'
    """
    last = max((int(name.partition("-")[0]) for name in names), default=0)
    return f"{last + 1:08d}-{writer}"


def write_shard(folder: Path, name: str, rows: Sequence[Row], maps: Float[Tensor, "maps rows cols"]) -> pa.Table:
    """Write a shard, then its part of the index; gives that part."""
    table = index_table(name, rows)
    content = parquet_bytes(table)
    tensors = {"maps": maps.contiguous(), "index": torch.frombuffer(bytearray(content), dtype=torch.uint8)}
    write_atomic(
        folder / "shards" / f"{name}{SUFFIX}", save(tensors, {"digest": digest(*tensors.values())}), resumes=True
    )
    write_atomic(folder / "index" / f"{name}.parquet", content, resumes=True)
    return table


def index_table(name: str, rows: Sequence[Row]) -> pa.Table:
    """The rows of a shard; those with a map are numbered in their order."""
    position, placed = 0, []
    for row in rows:
        has_map = row.get("error") is None
        placed.append(row | {"shard": name, "position": position if has_map else None})
        position += has_map
    return pa.Table.from_pylist(placed, schema=SCHEMA)


def read_index(path: Path) -> pa.Table:
    """The part of the index inside a shard."""
    with _opened(path) as file:
        return pq.read_table(pa.BufferReader(file.get_tensor("index").numpy().tobytes())).cast(SCHEMA)


def read_maps(path: Path, positions: Sequence[int]) -> Float[Tensor, "maps rows cols"]:
    """Some maps of a shard, in the given order; only the range that spans them is read."""
    first, last = min(positions), max(positions) + 1
    with _opened(path) as file:
        part = file.get_slice("maps")[first:last]
    return part[torch.from_numpy(np.asarray(positions) - first)]


def check_shard(path: Path) -> str:
    """What is wrong with a shard; empty if nothing is."""
    try:
        with _opened(path) as file:
            same = digest(file.get_tensor("maps"), file.get_tensor("index")) == (file.metadata() or {}).get("digest")
            return "" if same else "its content is not what was written"
    except InputError as error:
        return str(error)


def digest(*tensors: Tensor) -> str:
    found = hashlib.blake2b(digest_size=8)
    for tensor in tensors:
        found.update(tensor.contiguous().numpy().tobytes())
    return found.hexdigest()


def _opened(path: Path) -> Any:
    try:
        return safe_open(path, "pt")
    except (SafetensorError, OSError) as error:
        if isinstance(error, FileNotFoundError):
            raise
        raise InputError(
            f"{path}: the shard is damaged ({error}). Run `seewhy store verify --repair` on the store, then rerun: "
            "only its maps are computed again."
        ) from error
