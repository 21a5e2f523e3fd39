"""Two doubts about a benchmark, answered with its own rows.

Does the ranking survive the protocol? The same maps are scored under all settings (protocol and reference); where the
rankings disagree, a single table means little.

Did a method only learn the test? Methods that optimize a metric saw some of its references. How much better they are on
those than on references they never saw, beyond what is usual for other methods, is the excess.
"""

from dataclasses import dataclass
from itertools import groupby

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from seewhy.bench.results import Column, Results
from seewhy.bench.statistics import PerMethod, agreement, method_means, ranks
from seewhy.registry import METRICS


@dataclass(frozen=True)
class RankingAudit:
    """One metric of one model and data set under several settings."""

    model: str
    data: str
    metric: str
    settings: tuple[str, ...]  # "protocol / reference"
    methods: tuple[str, ...]
    means: Float[ndarray, "settings methods"]
    ranks: Float[ndarray, "settings methods"]
    agreement: Float[ndarray, "settings settings"]  # Kendall's tau

    @property
    def weakest(self) -> float:
        """The smallest agreement between two settings."""
        pairs = self.agreement[np.triu_indices(len(self.settings), 1)]
        return float(np.nanmin(pairs)) if np.isfinite(pairs).any() else float("nan")

    @property
    def winners(self) -> tuple[str, ...]:
        """Methods that are first under some setting, in the order of the settings."""
        firsts = [self.methods[int(np.nanargmin(row))] for row in self.ranks if np.isfinite(row).any()]
        return tuple(dict.fromkeys(firsts))

    @property
    def verdict(self) -> str:
        if len(self.winners) == 1 and self.weakest >= 0.8:
            return "survives"
        return "mostly" if len(self.winners) == 1 or self.weakest >= 0.6 else "does not survive"


@dataclass(frozen=True)
class SeenGap:
    """How much better a method does on references that it optimized than on others, beyond what is normal."""

    model: str
    data: str
    protocol: str
    metric: str
    method: str
    seen: tuple[str, ...]
    held_out: tuple[str, ...]
    on_seen: float
    on_held_out: float
    excess: float  # gap of this method minus the mean gap of methods that saw nothing; positive: better where it looked


def audit_rankings(results: Results) -> list[RankingAudit]:
    """One audit per model, data set and metric that was measured under at least two settings."""
    columns = [column for column in results.columns() if _is_setting(column, results)]
    key = lambda column: (column.model, column.data, column.metric)  # noqa: E731
    audits = []
    for (model, data, metric), group in groupby(sorted(columns, key=key), key=key):
        chosen = _different(results, list(group))
        if len(chosen) > 1 and len(results.methods) > 2:
            audits.append(_audit(results, model, data, metric, chosen))
    return audits


def audit_references(results: Results) -> list[SeenGap]:
    """One line per metric and method that says what it saw."""
    optimizers = {method.title: method.saw for method in results.config.methods if method.saw}
    gaps = []
    for column in results.columns():
        if column.reference == "all" and optimizers:
            by_reference = _by_reference(results, column)
            gaps += [
                _gap(results, column, title, saw, by_reference, set(optimizers)) for title, saw in optimizers.items()
            ]
    return [gap for gap in gaps if gap is not None]


def _is_setting(column: Column, results: Results) -> bool:
    """Single references where there are several, else the mean of all, which is the one there is."""
    single = any(
        other.reference != "all" and (other.protocol, other.metric) == (column.protocol, column.metric)
        for other in results.columns()
    )
    return (column.reference != "all") == single


def _different(results: Results, columns: list[Column]) -> list[Column]:
    """Settings that are not merely another name for one before: some protocols agree on some metrics."""
    means = [method_means(results.matrix(column).scores) for column in columns]
    return [
        column
        for i, column in enumerate(columns)
        if not any(np.array_equal(means[i], before, equal_nan=True) for before in means[:i])
    ]


def _audit(results: Results, model: str, data: str, metric: str, columns: list[Column]) -> RankingAudit:
    higher = METRICS.get(metric).higher_is_better
    means = np.stack([method_means(results.matrix(column).scores) for column in columns])
    places = np.stack([ranks(row, higher_is_better=higher) for row in means])
    tau = np.array([[agreement(first, second) for second in places] for first in places])
    settings = tuple(
        column.protocol if column.reference == "all" else f"{column.protocol} / {column.reference}"
        for column in columns
    )
    return RankingAudit(model, data, metric, settings, results.methods, means, places, tau)


def _by_reference(results: Results, column: Column) -> dict[str, PerMethod]:
    same = (column.model, column.data, column.protocol, column.metric)
    return {
        other.reference: method_means(results.matrix(other).scores)
        for other in results.columns()
        if (other.model, other.data, other.protocol, other.metric) == same and other.reference != "all"
    }


def _gap(
    results: Results,
    column: Column,
    method: str,
    saw: tuple[str, ...],
    means: dict[str, PerMethod],
    optimizers: set[str],
) -> SeenGap | None:
    seen, held_out = [name for name in means if name in saw], [name for name in means if name not in saw]
    if not seen or not held_out or method not in results.methods:
        return None
    sign = 1.0 if METRICS.get(column.metric).higher_is_better else -1.0
    on_seen = np.mean([means[name] for name in seen], axis=0)
    on_held_out = np.mean([means[name] for name in held_out], axis=0)
    gaps = sign * (on_seen - on_held_out)
    place = results.methods.index(method)
    others = [gaps[i] for i, title in enumerate(results.methods) if title not in optimizers]
    return SeenGap(
        column.model,
        column.data,
        column.protocol,
        column.metric,
        method,
        tuple(seen),
        tuple(held_out),
        float(on_seen[place]),
        float(on_held_out[place]),
        float(gaps[place] - np.nanmean(others)) if others else float("nan"),
    )
