"""Two doubts about a benchmark, answered with its own rows.

Does the ranking survive the protocol? The same maps are scored under all settings (protocol and reference); where the
rankings disagree, a single table means little.

Did a method only learn the test? Methods that optimize a metric saw some of its references. How much better they are on
those than on references they never saw, beyond what is usual for other methods, is the excess.
"""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from seewhy.bench.results import Column, Results
from seewhy.bench.statistics import agreement, method_means, ranks
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
    audits = []
    for (model, data, metric), group in _grouped(columns).items():
        chosen = _different(results, group)
        if len(chosen) > 1 and len(results.methods) > 2:
            audits.append(_audit(results, model, data, metric, chosen))
    return audits


def audit_references(results: Results) -> list[SeenGap]:
    """One line per metric and method that says what it saw: names of references, or of protocols that have only one."""
    optimizers = {method.title: method.saw for method in results.config.methods if method.saw}
    columns = [column for column in results.columns() if optimizers and _is_setting(column, results)]
    gaps = []
    for group in _grouped(columns).values():
        for title, saw in optimizers.items():
            seen = [column for column in group if {column.reference, column.protocol} & set(saw)]
            held_out = [column for column in group if column not in seen]
            if seen and held_out and title in results.methods:
                gaps.append(_gap(results, title, seen, held_out, set(optimizers)))
    return gaps


def _grouped(columns: list[Column]) -> dict[tuple[str, str, str], list[Column]]:
    """Settings by model, data set and metric."""
    groups: dict[tuple[str, str, str], list[Column]] = {}
    for column in columns:
        groups.setdefault((column.model, column.data, column.metric), []).append(column)
    return groups


def _name(column: Column) -> str:
    return column.protocol if column.reference == "all" else f"{column.protocol} / {column.reference}"


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
    settings = tuple(map(_name, columns))
    return RankingAudit(model, data, metric, settings, results.methods, means, places, tau)


def _gap(results: Results, method: str, seen: list[Column], held_out: list[Column], optimizers: set[str]) -> SeenGap:
    sign = 1.0 if METRICS.get(seen[0].metric).higher_is_better else -1.0
    on_seen, on_held_out = (
        np.mean([method_means(results.matrix(column).scores) for column in columns], axis=0)
        for columns in (seen, held_out)
    )
    gaps = sign * (on_seen - on_held_out)
    place = results.methods.index(method)
    others = [gaps[i] for i, title in enumerate(results.methods) if title not in optimizers]
    return SeenGap(
        model=seen[0].model,
        data=seen[0].data,
        metric=seen[0].metric,
        method=method,
        seen=tuple(map(_name, seen)),
        held_out=tuple(map(_name, held_out)),
        on_seen=float(on_seen[place]),
        on_held_out=float(on_held_out[place]),
        excess=float(gaps[place] - np.nanmean(others)) if others else float("nan"),
    )
