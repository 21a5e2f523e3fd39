"""Writing maps: small shards every few seconds, merged into one of some hundred images as soon as there are enough."""

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

import torch
from jaxtyping import Float
from torch import Tensor

from seewhy.store.index import consolidate, remove_shards, shard_names
from seewhy.store.schema import Row
from seewhy.store.shards import new_writer, next_name, write_shard

FLUSH_INTERVAL = 5.0  # seconds between small shards: maximum work lost when killed
FULL = 512  # rows of a merged shard
FULL_BYTES = 2**26
CONSOLIDATE = 256  # parts of the index that are written before they are merged

Precision = Literal["float16", "float32"]


@dataclass
class _Group:
    """Rows and maps that will share a shard: of one method, on one grid."""

    rows: list[Row] = field(default_factory=list)
    maps: list[Tensor] = field(default_factory=list)
    written: int = 0  # rows that small shards hold already
    small: list[str] = field(default_factory=list)

    @property
    def full(self) -> bool:
        return len(self.rows) >= FULL or sum(each.nbytes for each in self.maps) >= FULL_BYTES

    def unwritten(self) -> tuple[list[Row], list[Tensor]]:
        with_map = sum(row.get("error") is None for row in self.rows[: self.written])
        return self.rows[self.written :], self.maps[with_map:]


class MapWriter:
    """Collects maps of one run and writes them to a store; `flush` before the end."""

    def __init__(self, folder: Path, precision: Precision = "float32") -> None:
        self.folder, self.precision, self.name = folder, precision, new_writer()
        self._groups: dict[tuple[object, ...], _Group] = {}
        self._flushed, self._parts = time.monotonic(), 0

    def add(self, rows: Sequence[Row], maps: Float[Tensor, "maps rows cols"] | None = None) -> None:
        """Add one row per map, or rows of failures without maps; writes what is due."""
        grid = () if maps is None else tuple(maps.shape[1:])
        scales = torch.ones(len(rows)) if maps is None else self._scales(maps)
        for number, row in enumerate(rows):
            row = row | {"scale": float(scales[number])}
            if maps is not None:
                row |= {"rows": grid[0], "cols": grid[1]}
            group = self._groups.setdefault((row["method"], row["options"], *grid), _Group())
            group.rows.append(row)
            if maps is not None:
                group.maps.append((maps[number] / scales[number]).to(getattr(torch, self.precision)))
            if group.full:
                self._write_full(group)
        if time.monotonic() - self._flushed > FLUSH_INTERVAL:
            self.flush()

    def flush(self) -> None:
        """Write what is not on disk yet."""
        for group in self._groups.values():
            rows, maps = group.unwritten()
            if rows:
                group.small.append(self._write(rows, maps))
                group.written = len(group.rows)
        self._flushed = time.monotonic()

    def close(self) -> None:
        """Write the rest, each group as one shard."""
        for group in self._groups.values():
            if len(group.small) > 1 or (group.rows and not group.small):
                self._write_full(group)
        self.flush()

    def _write_full(self, group: _Group) -> None:
        """All of a group as one shard, instead of its small ones."""
        self._write(group.rows, group.maps)
        remove_shards(self.folder, group.small)
        group.rows, group.maps, group.small, group.written = [], [], [], 0

    def _write(self, rows: list[Row], maps: list[Tensor]) -> str:
        name = next_name(shard_names(self.folder), self.name)
        write_shard(self.folder, name, rows, torch.stack(maps) if maps else torch.empty(0, 0, 0))
        self._parts += 1
        if self._parts % CONSOLIDATE == 0:
            consolidate(self.folder)
        return name

    def _scales(self, maps: Tensor) -> Tensor:
        """What maps are divided by: in float16 the largest value, so that it neither overflows nor vanishes."""
        if self.precision == "float32":
            return torch.ones(len(maps))
        largest = maps.flatten(1).nan_to_num(0, 0, 0).abs().amax(1)
        return torch.where(largest > 0, largest, torch.ones_like(largest))
