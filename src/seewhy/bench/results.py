"""Results of a benchmark: rows, curves, and the score matrices that statistics are computed from."""

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
from seewhy.bench.store import SCHEMAS, check_format, sort_rows
from seewhy.errors import InputError
from seewhy.metrics.evidence import Row
from seewhy.runtime.options import build


@dataclass(frozen=True)
class ScoreColumn:
    """Identifies one column of a score table, which has a score for each method and case."""

    model: str
    data: str
    protocol: str
    metric: str
    reference: str = "all"


@dataclass(frozen=True)
class ScoreMatrix:
    """Scores of one column: rows are cases (an image with a class), columns are methods; NaN where there is none."""

    methods: tuple[str, ...]
    cases: tuple[tuple[str, int], ...]
    scores: Float[ndarray, "cases methods"]


class Results:
    """The folder of a benchmark, read on access."""

    def __init__(self, folder: str | Path) -> None:
        self.folder = Path(folder)
        self._matrices: dict[ScoreColumn, ScoreMatrix] = {}
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
    def metadata(self) -> dict[str, Any]:
        """Configuration, protocols and environment of the run."""
        metadata: dict[str, Any] = json.loads((self.folder / "run.json").read_text())
        return metadata

    @cached_property
    def config(self) -> BenchConfig:
        config: BenchConfig = build(BenchConfig, self.metadata["config"], "")
        return config

    def __len__(self) -> int:
        return len(self.rows)

    def __repr__(self) -> str:
        return f"Results({str(self.folder)!r}: {len(self):,} rows, {len(self.failures()):,} failures)"

    def to_dicts(self) -> list[Row]:
        """The rows as a list of dicts."""
        rows: list[Row] = self.rows.to_pylist()
        return rows

    def failures(self) -> list[Row]:
        """Rows with an error; undefined scores are not among them."""
        errors = self.rows.filter(pc.is_valid(self.rows["error"])).to_pylist()
        return [row for row in errors if not row["error"].startswith("undefined")]

    def columns(self) -> list[ScoreColumn]:
        """Every column with scores, in the order of the configuration."""
        return list(self._columns)

    @cached_property
    def _columns(self) -> list[ScoreColumn]:
        scored = self.rows.filter(pc.not_equal(self.rows["metric"].cast(pa.string()), ""))
        names = ["model", "data", "protocol", "metric", "reference"]
        found = {ScoreColumn(**row) for row in scored.select(names).group_by(names).aggregate([]).to_pylist()}
        return sorted(found, key=self._position)

    def matrix(self, column: ScoreColumn) -> ScoreMatrix:
        """Scores of one column by method and case."""
        if column not in self._matrices:
            self._matrices[column] = make_matrix(self._select(self.rows, column, metric=column.metric), self.methods)
        return self._matrices[column]

    def curves_of(self, column: ScoreColumn) -> list[Row]:
        rows: list[Row] = self._select(self.curves, column).to_pylist()
        return rows

    def explanations(self, column: ScoreColumn) -> list[Row]:
        """One row per method and image, for the cost of explaining it."""
        table = self._select(self.rows, column, metric=column.metric)
        first = {(row["method"], row["image"]): row for row in table.to_pylist()}
        return list(first.values())

    @property
    def methods(self) -> tuple[str, ...]:
        """Titles in the order of the configuration."""
        present = set(self.rows["method"].unique().to_pylist())
        return tuple(title for title in (method.title for method in self.config.methods) if title in present)

    def _select(self, table: pa.Table, column: ScoreColumn, **more: str) -> pa.Table:
        wanted = {"model": column.model, "data": column.data, "protocol": column.protocol, **more}
        wanted |= {"reference": column.reference} if more or column.reference != "all" else {}
        keep: Any = True
        for name, value in wanted.items():
            keep = pc.and_(keep, pc.equal(table[name].cast(pa.string()), value))
        return table.filter(keep)

    def _position(self, column: ScoreColumn) -> tuple[Any, ...]:
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
        return sort_rows(pq.read_table(path)) if path.is_file() else SCHEMAS[kind].empty_table()


def make_matrix(rows: pa.Table, methods: tuple[str, ...]) -> ScoreMatrix:
    """A matrix from the rows of one score column."""
    listed = rows.select(["image", "target", "method", "score"]).to_pylist()
    cases = {case: i for i, case in enumerate(dict.fromkeys((row["image"], row["target"]) for row in listed))}
    scores = np.full((len(cases), len(methods)), np.nan)
    position = {method: i for i, method in enumerate(methods)}
    for row in listed:
        scores[cases[row["image"], row["target"]], position[row["method"]]] = row["score"]
    return ScoreMatrix(methods, tuple(cases), scores)
