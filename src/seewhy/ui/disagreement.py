"""How much the maps of several methods disagree about one image."""

import itertools
from collections.abc import Sequence

import numpy as np
from numpy import ndarray
from scipy.stats import rankdata


def disagreement(maps: Sequence[ndarray]) -> float:
    """One minus the mean rank correlation between the maps; NaN for fewer than two, or flat ones.

    >>> disagreement([np.array([1.0, 2, 3]), np.array([10.0, 20, 30])])
    0.0
    >>> disagreement([np.array([1.0, 2, 3]), np.array([3.0, 2, 1])])
    2.0
    """
    ranks = [rankdata(each) for each in maps if np.isfinite(each).all() and np.ptp(each) > 0]
    if len(ranks) < 2:
        return float("nan")
    pairs = [np.corrcoef(first, second)[0, 1] for first, second in itertools.combinations(ranks, 2)]
    return round(float(1 - np.mean(pairs)), 12) + 0.0
