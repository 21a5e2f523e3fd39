"""Results of a benchmark: rows, curves, and the score matrices that statistics are made of."""

import json
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from jaxtyping import Float
from numpy import ndarray

from seewhy.bench.config import BenchConfig
from seewhy.bench.store import SCHEMAS, check_format, in_order
from seewhy.errors import InputError
from seewhy.runtime.options import build


@dataclass(frozen=True)
class Column:
    """The origin of one score per method and case."""

    model: str
    data: str
    protocol: str
    metric: str
    reference: str = "all"


@dataclass(frozen=True)
class Matrix:
    """Scores of one column, cases (an image with a class) down and methods across; NaN where there is none."""

    methods: tuple[str, ...]
    cases: tuple[tuple[str, int], ...]
    scores: Float[ndarray, "cases methods"]


class Results:
    """The folder of a benchmark, read on access."""

    def __init__(self, folder: str | Path) -> None:
        self.folder = Path(folder)
        self._matrices: dict[Column, Matrix] = {}
        if not (self.folder / "run.json").is_file():
            raise InputError(f"{folder}: no benchmark was run there (run.json is missing)")
        check_format(self.folder)

    @cached_property
    def rows(self) -> pa.Table:
        """One row per image, class, method, metric, reference and protocol; `error` says what failed."""
        return self._read("rows")

    @cached_property
    def curves(self) -> pa.Table:
        return self._read("curves")

    @cached_property
    def facts(self) -> dict[str, Any]:
        """Configuration, protocols, environment."""
        return json.loads((self.folder / "run.json").read_text())

    @cached_property
    def config(self) -> BenchConfig:
        return build(BenchConfig, self.facts["config"], "")

    def __len__(self) -> int:
        return len(self.rows)

    def __repr__(self) -> str:
        return f"Results({str(self.folder)!r}: {len(self):,} rows, {len(self.failures()):,} failures)"

    def to_dicts(self) -> list[dict[str, Any]]:
        """The rows as plain Python."""
        return self.rows.to_pylist()

    def failures(self) -> list[dict[str, Any]]:
        """Rows with an error; undefined scores are not among them."""
        errors = self.rows.filter(pc.is_valid(self.rows["error"])).to_pylist()
        return [row for row in errors if not row["error"].startswith("undefined")]

    def columns(self) -> list[Column]:
        """Every column with scores, in the order of the configuration."""
        return list(self._columns)

    @cached_property
    def _columns(self) -> list[Column]:
        scored = self.rows.filter(pc.not_equal(self.rows["metric"].cast(pa.string()), ""))
        names = ["model", "data", "protocol", "metric", "reference"]
        found = {Column(**row) for row in scored.select(names).group_by(names).aggregate([]).to_pylist()}
        return sorted(found, key=self._position)

    def matrix(self, column: Column) -> Matrix:
        """Scores of one column by method and case."""
        if column not in self._matrices:
            self._matrices[column] = matrix(self._of(self.rows, column, metric=column.metric), self.methods)
        return self._matrices[column]

    def curves_of(self, column: Column) -> list[dict[str, Any]]:
        return self._of(self.curves, column).to_pylist()

    def explanations(self, column: Column) -> list[dict[str, Any]]:
        """One row per method and image, for the cost of explaining it."""
        table = self._of(self.rows, column, metric=column.metric)
        first = {(row["method"], row["image"]): row for row in table.to_pylist()}
        return list(first.values())

    @property
    def methods(self) -> tuple[str, ...]:
        """Titles in the order of the configuration."""
        present = set(self.rows["method"].unique().to_pylist())
        return tuple(title for title in (method.title for method in self.config.methods) if title in present)

    def _of(self, table: pa.Table, column: Column, **more: str) -> pa.Table:
        wanted = {"model": column.model, "data": column.data, "protocol": column.protocol, **more}
        wanted |= {"reference": column.reference} if more or column.reference != "all" else {}
        keep: Any = True
        for name, value in wanted.items():
            keep = pc.and_(keep, pc.equal(table[name].cast(pa.string()), value))
        return table.filter(keep)

    def _position(self, column: Column) -> tuple[Any, ...]:
        titles = [[entry.title for entry in part] for part in (self.config.models, self.config.data)]
        metrics = self.config.metrics or ()
        return (
            titles[0].index(column.model),
            titles[1].index(column.data),
            self.config.protocols.index(column.protocol),
            metrics.index(column.metric) if column.metric in metrics else len(metrics),
            column.metric,
            column.reference != "all",
            column.reference,
        )

    def _read(self, kind: str) -> pa.Table:
        path = self.folder / f"{kind}.parquet"
        return in_order(pq.read_table(path)) if path.is_file() else SCHEMAS[kind].empty_table()


def matrix(rows: pa.Table, methods: tuple[str, ...]) -> Matrix:
    """Cases down, methods across."""
    listed = rows.select(["image", "target", "method", "score"]).to_pylist()
    cases = {case: i for i, case in enumerate(dict.fromkeys((row["image"], row["target"]) for row in listed))}
    scores = np.full((len(cases), len(methods)), np.nan)
    position = {method: i for i, method in enumerate(methods)}
    for row in listed:
        scores[cases[row["image"], row["target"]], position[row["method"]]] = row["score"]
    return Matrix(methods, tuple(cases), scores)
