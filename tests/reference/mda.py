"""MDA's quadratic program by a general solver, and images spliced pixel by pixel; nothing shared with the package."""

import numpy as np
from scipy.optimize import minimize


def splice(image, reference, shown, grid):
    """Pixels of `image` where a patch is shown, of `reference` elsewhere."""
    result = reference.clone()
    height, width = image.shape[1] // grid[0], image.shape[2] // grid[1]
    for patch in shown:
        rows = slice(patch // grid[1] * height, (patch // grid[1] + 1) * height)
        cols = slice(patch % grid[1] * width, (patch % grid[1] + 1) * width)
        result[:, rows, cols] = image[:, rows, cols]
    return result


def density(curve):
    """The quadratic program of Eq. 9 by SLSQP."""
    n = len(curve) - 1
    second = np.zeros((n - 1, n + 1))
    for i in range(n - 1):
        second[i, i : i + 3] = -1, 2, -1  # concave: minus the second difference is not negative
    bounds = [(0, 0)] + [(0, 1)] * (n - 1) + [(1, 1)]
    constraint = {"type": "ineq", "fun": lambda x: second @ x, "jac": lambda x: second}  # noqa: ARG005
    ramps = [np.minimum(np.arange(n + 1) / reach, 1) for reach in sorted({1, 2, (n + 1) // 2, n})]
    results = [  # a single start does not always converge
        minimize(
            lambda x: ((x - curve) ** 2).sum(), start, jac=lambda x: 2 * (x - curve),
            bounds=bounds, constraints=[constraint], method="SLSQP", options={"maxiter": 500, "ftol": 1e-15},
        )
        for start in ramps
    ]  # fmt: skip
    return min(results, key=lambda result: result.fun).x
