"""Exact Shapley values, bilinear upsampling and weighted ridge regression by loops."""

import itertools
import math

import numpy as np


def shapley(players: int, value) -> np.ndarray:
    """Shapley values over all subsets; `value` takes a set of players."""
    result = np.zeros(players)
    for player in range(players):
        others = [other for other in range(players) if other != player]
        for size in range(players):
            weight = math.factorial(size) * math.factorial(players - size - 1) / math.factorial(players)
            for subset in itertools.combinations(others, size):
                result[player] += weight * (value({*subset, player}) - value(set(subset)))
    return result


def bilinear(grid: np.ndarray, height: int, width: int) -> np.ndarray:
    """Upsample with aligned cell centers, border cells repeated."""
    out = np.zeros((height, width))
    rows, cols = grid.shape
    for i, j in np.ndindex(height, width):
        y = min(max((i + 0.5) * rows / height - 0.5, 0), rows - 1)
        x = min(max((j + 0.5) * cols / width - 0.5, 0), cols - 1)
        top, left = int(y), int(x)
        low, right = min(top + 1, rows - 1), min(left + 1, cols - 1)
        dy, dx = y - top, x - left
        upper = grid[top, left] * (1 - dx) + grid[top, right] * dx
        lower = grid[low, left] * (1 - dx) + grid[low, right] * dx
        out[i, j] = upper * (1 - dy) + lower * dy
    return out


def weighted_ridge(inputs: np.ndarray, outputs: np.ndarray, weights: np.ndarray, penalty: float) -> np.ndarray:
    """Least squares on weighted rows, the penalty as extra rows, the intercept as an extra column."""
    features = inputs.shape[1]
    root = np.sqrt(weights)[:, None]
    top = np.hstack([inputs * root, root])
    bottom = np.hstack([np.sqrt(penalty) * np.eye(features), np.zeros((features, 1))])
    wanted = np.concatenate([outputs * root[:, 0], np.zeros(features)])
    return np.linalg.lstsq(np.vstack([top, bottom]), wanted, rcond=None)[0][:features]
