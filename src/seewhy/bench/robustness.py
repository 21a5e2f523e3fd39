"""Two checks of a benchmark, from its own rows.

Is the ranking stable? The same maps are scored under all settings (protocol and reference); where the rankings
disagree, a single table means little.

Does a method overfit the test? Methods that optimize a metric do so on some of its references. The excess is how much
better they are on those than on held-out references, compared with other methods.
"""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from seewhy.bench.results import Results, ScoreColumn
from seewhy.bench.statistics import agreement, method_means, ranks
from seewhy.registry import METRICS


@dataclass(frozen=True)
class RankingStability:
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
            return "stable"
        return "mostly stable" if len(self.winners) == 1 or self.weakest >= 0.6 else "unstable"


@dataclass(frozen=True)
class HeldOutGap:
    """How much better a method is on the references it optimizes than on others, compared with other methods."""

    model: str
    data: str
    metric: str
    method: str
    optimized_on: tuple[str, ...]
    held_out: tuple[str, ...]
    on_optimized: float
    on_held_out: float
    excess: float  # gap of this method minus the mean gap of methods that optimize nothing; positive: overfitting


def ranking_stability(results: Results) -> list[RankingStability]:
    """One check per model, data set and metric that was measured under at least two settings."""
    columns = [column for column in results.columns() if _is_setting(column, results)]
    checks = []
    for (model, data, metric), group in _grouped(columns).items():
        chosen = _without_duplicates(results, group)
        if len(chosen) > 1 and len(results.methods) > 2:
            checks.append(_compare_settings(results, model, data, metric, chosen))
    return checks


def held_out_gaps(results: Results) -> list[HeldOutGap]:
    """One line per metric and method with `optimized_on`: names of references, or of protocols that have only one."""
    optimizers = {method.title: method.optimized_on for method in results.config.methods if method.optimized_on}
    columns = [column for column in results.columns() if optimizers and _is_setting(column, results)]
    gaps = []
    for group in _grouped(columns).values():
        for title, optimized_on in optimizers.items():
            optimized = [column for column in group if {column.reference, column.protocol} & set(optimized_on)]
            held_out = [column for column in group if column not in optimized]
            if optimized and held_out and title in results.methods:
                gaps.append(_gap(results, title, optimized, held_out, set(optimizers)))
    return gaps


def _grouped(columns: list[ScoreColumn]) -> dict[tuple[str, str, str], list[ScoreColumn]]:
    """Settings by model, data set and metric."""
    groups: dict[tuple[str, str, str], list[ScoreColumn]] = {}
    for column in columns:
        groups.setdefault((column.model, column.data, column.metric), []).append(column)
    return groups


def _setting_name(column: ScoreColumn) -> str:
    return column.protocol if column.reference == "all" else f"{column.protocol} / {column.reference}"


def _is_setting(column: ScoreColumn, results: Results) -> bool:
    """Single references where there are several, else their mean."""
    single = any(
        other.reference != "all" and (other.protocol, other.metric) == (column.protocol, column.metric)
        for other in results.columns()
    )
    return (column.reference != "all") == single


def _without_duplicates(results: Results, columns: list[ScoreColumn]) -> list[ScoreColumn]:
    """Columns with distinct scores: protocols may agree on a metric."""
    means = [method_means(results.matrix(column).scores) for column in columns]
    return [
        column
        for i, column in enumerate(columns)
        if not any(np.array_equal(means[i], before, equal_nan=True) for before in means[:i])
    ]


def _compare_settings(
    results: Results, model: str, data: str, metric: str, columns: list[ScoreColumn]
) -> RankingStability:
    higher = METRICS.get(metric).higher_is_better
    means = np.stack([method_means(results.matrix(column).scores) for column in columns])
    by_setting = np.stack([ranks(row, higher_is_better=higher) for row in means])
    tau = np.array([[agreement(first, second) for second in by_setting] for first in by_setting])
    settings = tuple(map(_setting_name, columns))
    return RankingStability(model, data, metric, settings, results.methods, means, by_setting, tau)


def _gap(
    results: Results, method: str, optimized: list[ScoreColumn], held_out: list[ScoreColumn], optimizers: set[str]
) -> HeldOutGap:
    sign = 1.0 if METRICS.get(optimized[0].metric).higher_is_better else -1.0
    on_optimized, on_held_out = (
        np.mean([method_means(results.matrix(column).scores) for column in columns], axis=0)
        for columns in (optimized, held_out)
    )
    gaps = sign * (on_optimized - on_held_out)
    position = results.methods.index(method)
    others = [gaps[i] for i, title in enumerate(results.methods) if title not in optimizers]
    return HeldOutGap(
        model=optimized[0].model,
        data=optimized[0].data,
        metric=optimized[0].metric,
        method=method,
        optimized_on=tuple(map(_setting_name, optimized)),
        held_out=tuple(map(_setting_name, held_out)),
        on_optimized=float(on_optimized[position]),
        on_held_out=float(on_held_out[position]),
        excess=float(gaps[position] - np.nanmean(others)) if others else float("nan"),
    )
