"""Statistics of scores: confidence intervals of means, paired tests between methods, agreement of rankings.

All methods are scored on the same cases, so everything is paired: resamples draw cases, not scores, and differences are
taken per case. NaN marks a missing score; means are over the scores that exist, differences over those that both have.
"""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Bool, Float
from numpy import ndarray

RESAMPLES = 2000
LEVEL = 0.95
SIGNIFICANT = 0.05  # p-values below are significant

CaseScores = Float[ndarray, "cases methods"]
PerMethod = Float[ndarray, " methods"]


@dataclass(frozen=True)
class MethodStatistics:
    """Mean score of each method, with its uncertainty."""

    mean: PerMethod
    error: PerMethod  # standard error of the mean
    low: PerMethod  # ends of the bootstrap interval
    high: PerMethod
    count: Float[ndarray, " methods"]  # cases with a score


@dataclass(frozen=True)
class Difference:
    """One method against another, case by case; positive means that the first has the larger scores."""

    mean: float
    low: float
    high: float
    p: float  # Wilcoxon's signed-rank test
    count: int


def summarize(scores: CaseScores, *, seed: int = 0) -> MethodStatistics:
    """Mean, standard error and bootstrap interval of every method; all methods share the resamples.

    The standard error uses the population standard deviation, as papers of this field do.

    >>> summarize(np.array([[1.0], [0.0], [1.0], [1.0]])).error.round(4).tolist()
    [0.2165]
    """
    count = np.isfinite(scores).sum(axis=0).astype(float)
    mean = method_means(scores)
    variance = method_means((scores - mean) ** 2)
    error = np.where(count > 1, np.sqrt(variance / np.maximum(count, 1)), np.nan)
    low, high = _interval(_resampled_means(scores, seed=seed))
    return MethodStatistics(mean, error, low, high, count)


def paired_difference(
    first: Float[ndarray, " cases"], second: Float[ndarray, " cases"], *, seed: int = 0
) -> Difference:
    """Mean difference with bootstrap interval and p-value (Wilcoxon's signed-rank test).

    >>> first, second = np.array([[0.5, 0.6, 0.9, 0.7, 0.8, 0.4], [0.4, 0.45, 0.7, 0.4, 0.3, 0.35]])
    >>> paired_difference(first, second).p  # 2 of 2^6
    0.03125
    """
    from scipy.stats import wilcoxon

    both = np.isfinite(first) & np.isfinite(second)
    gaps = np.round((first - second)[both], 9)  # ignore rounding errors
    if len(gaps) == 0:
        return Difference(np.nan, np.nan, np.nan, np.nan, 0)
    method = "exact" if len(gaps) <= 25 and _distinct(gaps) else "approx"
    p = float(wilcoxon(gaps, method=method).pvalue) if gaps.any() else 1.0
    low, high = _interval(_resampled_means(gaps[:, None], seed=seed))
    return Difference(float(gaps.mean()), float(low[0]), float(high[0]), p, len(gaps))


def holm(ps: Float[ndarray, " tests"]) -> Float[ndarray, " tests"]:
    """p-values corrected for multiple tests (Holm).

    >>> holm(np.array([0.01, 0.04, 0.03])).tolist()
    [0.03, 0.06, 0.06]
    """
    order = np.argsort(ps)
    scaled = np.maximum.accumulate(ps[order] * np.arange(len(ps), 0, -1))
    corrected = np.empty_like(ps)
    corrected[order] = np.minimum(scaled, 1.0)
    return corrected


def ranks(values: PerMethod, *, higher_is_better: bool) -> PerMethod:
    """1 is the best; equal values share the mean of their ranks; NaN stays NaN.

    >>> ranks(np.array([0.3, 0.9, 0.3]), higher_is_better=True).tolist()
    [2.5, 1.0, 2.5]
    """
    from scipy.stats import rankdata

    found = np.full(len(values), np.nan)
    known = np.isfinite(values)
    found[known] = rankdata(-values[known] if higher_is_better else values[known])
    return found


def agreement(first: PerMethod, second: PerMethod) -> float:
    """Kendall's tau between two rankings: 1 the same, 0 unrelated, -1 reversed."""
    from scipy.stats import kendalltau

    both = np.isfinite(first) & np.isfinite(second)
    if both.sum() < 2 or len(set(first[both])) < 2 or len(set(second[both])) < 2:
        return float("nan")
    return float(kendalltau(first[both], second[both]).statistic)


def best_three(values: PerMethod, *, higher_is_better: bool) -> list[int]:
    """Places 1 to 3, as papers mark them, and 0 for all others; equal values share a place.

    >>> best_three(np.array([0.1, 0.5, 0.5, 0.4, 0.2]), higher_is_better=True)
    [0, 1, 1, 3, 0]
    """
    from scipy.stats import rankdata

    known = np.isfinite(values)
    places = np.zeros(len(values), dtype=int)
    places[known] = rankdata(-values[known] if higher_is_better else values[known], method="min").astype(int)
    return [int(place) if place <= 3 else 0 for place in places]


def method_means(values: CaseScores) -> PerMethod:
    """Mean over the existing scores, NaN where there is none."""
    exists: Bool[ndarray, "cases methods"] = np.isfinite(values)
    count = exists.sum(axis=0)
    return np.where(count > 0, np.where(exists, values, 0).sum(axis=0) / np.maximum(count, 1), np.nan)


def _resampled_means(scores: CaseScores, *, seed: int) -> Float[ndarray, "resamples methods"]:
    """Means of cases drawn with replacement; how often each case was drawn is a multinomial."""
    cases = len(scores)
    if cases == 0:
        return np.full((1, scores.shape[1]), np.nan)
    draws = np.random.default_rng(seed).multinomial(cases, np.full(cases, 1 / cases), size=RESAMPLES).astype(float)
    exists = np.isfinite(scores)
    count = draws @ exists
    return np.where(count > 0, draws @ np.where(exists, scores, 0.0) / np.maximum(count, 1), np.nan)


def _interval(means: Float[ndarray, "resamples methods"]) -> tuple[PerMethod, PerMethod]:
    tail = (1 - LEVEL) / 2
    known = np.isfinite(means).any(axis=0)
    low, high = np.full(means.shape[1], np.nan), np.full(means.shape[1], np.nan)
    if known.any():
        low[known], high[known] = np.nanquantile(means[:, known], [tail, 1 - tail], axis=0)
    return low, high


def _distinct(gaps: Float[ndarray, " cases"]) -> bool:
    """Whether the exact distribution applies: no zeros, no ties."""
    sizes = np.abs(gaps)
    return bool((sizes > 0).all() and len(np.unique(sizes)) == len(sizes))
