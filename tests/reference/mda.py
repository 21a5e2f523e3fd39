"""MDA written a second time, one image and class, in pixels, batches of five; nothing shared with `ops`."""

import numpy as np
import torch
from scipy.optimize import minimize


def splice(image, hidden, shown, grid):
    """Pixels of `image` where a patch is shown, of `hidden` elsewhere."""
    result = hidden.clone()
    height, width = image.shape[1] // grid[0], image.shape[2] // grid[1]
    for patch in shown:
        rows = slice(patch // grid[1] * height, (patch // grid[1] + 1) * height)
        cols = slice(patch % grid[1] * width, (patch % grid[1] + 1) * width)
        result[:, rows, cols] = image[:, rows, cols]
    return result


def responses(response, images):
    """`response(batch) -> one number per image`, in batches of five, as published."""
    batches = [torch.stack(images[start : start + 5]) for start in range(0, len(images), 5)]
    return [value for batch in batches for value in response(batch).tolist()]


def search(response, image, blurred, black, grid, ranking, tau, candidates):
    """The order, and how many of it the insertion stage found."""
    clean, blank = responses(response, [image, blurred])
    chosen = []
    current = blank
    while len(chosen) < len(ranking) and (current - blank) / abs(clean - blank) < tau:
        options = [patch for patch in ranking if patch not in chosen][:candidates]
        values = responses(response, [splice(image, blurred, [*chosen, patch], grid) for patch in options])
        current = max(values)
        chosen.append(options[values.index(current)])
    last = []
    while len(chosen) + len(last) < len(ranking):
        options = [patch for patch in ranking[::-1] if patch not in chosen + last][:candidates]
        values = responses(response, [splice(image, black, [*last, patch], grid) for patch in options])
        last.append(options[values.index(min(values))])
    return chosen + last[::-1], len(chosen)


def curves(response, image, blurred, black, grid, order):
    """Insertion and deletion responses along the order, relative to their ends, clipped, never turning back."""
    n = len(order)
    ins = np.array(responses(response, [splice(image, blurred, order[:k], grid) for k in range(n + 1)]))
    dele = np.array(responses(response, [splice(image, black, order[k:], grid) for k in range(n + 1)]))
    ins = np.clip((ins - ins[0]) / abs(ins[-1] - ins[0]), 0, 1)
    dele = np.clip((dele - dele[-1]) / abs(dele[0] - dele[-1]), 0, 1)
    return np.maximum.accumulate(ins), np.minimum.accumulate(dele)


def density(curve):
    """The quadratic program by a general solver."""
    n = len(curve) - 1
    second = np.zeros((n - 1, n + 1))
    for i in range(n - 1):
        second[i, i : i + 3] = -1, 2, -1  # concave: minus the second difference is not negative
    bounds = [(0, 0)] + [(0, 1)] * (n - 1) + [(1, 1)]
    constraint = {"type": "ineq", "fun": lambda x: second @ x, "jac": lambda x: second}  # noqa: ARG005
    ramps = [np.minimum(np.arange(n + 1) / reach, 1) for reach in sorted({1, 2, (n + 1) // 2, n})]
    results = [  # from one start alone it sometimes stays there
        minimize(
            lambda x: ((x - curve) ** 2).sum(), start, jac=lambda x: 2 * (x - curve),
            bounds=bounds, constraints=[constraint], method="SLSQP", options={"maxiter": 500, "ftol": 1e-15},
        )
        for start in ramps
    ]  # fmt: skip
    return min(results, key=lambda result: result.fun).x


def magnitudes(density):
    steps = np.diff(density)
    n = len(steps)
    return np.array([step + step * (n - i) / n for i, step in enumerate(steps, start=1)])


def mda(response, image, blurred, black, grid, ranking, tau, candidates):
    """The map, without the trace that keeps ties apart."""
    order, count = search(response, image, blurred, black, grid, ranking, tau, candidates)
    ins, dele = curves(response, image, blurred, black, grid, order)
    values = magnitudes(density((ins + 1 - dele) / 2))
    result = torch.zeros(len(order), dtype=torch.float64)
    result[order] = torch.from_numpy(values)
    return result.view(grid), order, count
