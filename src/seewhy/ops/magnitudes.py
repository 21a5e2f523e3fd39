"""MDA's magnitudes: an order of patches and two curves become numbers per patch.

| symbol of the paper | name here | shape                              |
|---------------------|-----------|------------------------------------|
| MR_mean             | curve     | patches + 1, from 0 to 1           |
| AD                  | density   | patches + 1, concave, from 0 to 1  |
| D_i                 | steps     | patches, by rank                   |
| A_sparse            | sparse    | patches, by rank                   |

Everything here is by rank: entry 0 belongs to the most important patch.
"""

from typing import Literal

import numpy as np
import torch
from jaxtyping import Float
from numpy import ndarray
from scipy.optimize import nnls
from torch import Tensor


def relative_response(
    curve: Float[Tensor, "*batch points"],
    low: Float[Tensor, " *batch"],
    high: Float[Tensor, " *batch"],
    *,
    rising: bool,
) -> Float[Tensor, "*batch points"]:
    """Model responses mapped to [0, 1] between two ends, clipped, and never turning back."""
    span = (high - low).abs().unsqueeze(-1)
    scaled = ((curve - low.unsqueeze(-1)) / span.clamp_min(torch.finfo(curve.dtype).tiny)).clamp(0, 1)
    return scaled.cummax(dim=-1).values if rising else scaled.cummin(dim=-1).values


def fill_gaps(curves: Float[Tensor, "cases points"]) -> Float[Tensor, "cases points"]:
    """NaN replaced by the straight line between the known neighbors.

    >>> fill_gaps(torch.tensor([[0.0, torch.nan, 1.0]]))
    tensor([[0.0000, 0.5000, 1.0000]])
    """
    points = np.arange(curves.shape[1])
    rows = [np.interp(points, points[~np.isnan(row)], row[~np.isnan(row)]) for row in curves.cpu().numpy()]
    return torch.from_numpy(np.stack(rows)).to(curves)


def fit_density(curve: Float[ndarray, " points"]) -> Float[ndarray, " points"]:
    """The concave curve from 0 to 1 nearest to a measured one: MDA's quadratic program, solved exactly.

    Concave curves from 0 to 1 that stay below 1 are the mixtures of N ramps that rise evenly to 1 at step j, so the
    program is a projection onto a simplex. Homogenized with a row of ones it is non-negative least squares.

    >>> fit_density(np.array([0, 0.75, 0.75, 1.0])).round(6).tolist()
    [0.0, 0.7, 0.85, 1.0]
    """
    patches = len(curve) - 1
    places = np.arange(patches + 1)
    ramps = np.minimum(places[:, None], places[None, 1:]) / places[None, 1:]  # points x ramps
    distance = ramps[1:-1] - curve[1:-1, None]
    system = np.vstack([distance, np.ones(patches)])
    weights, _ = nnls(system, np.append(np.zeros(patches - 1), 1.0))
    return ramps @ (weights / weights.sum())


def sparse_magnitudes(
    density: Float[ndarray, " points"], *, tie_term: Literal["paper", "official"] = "paper", patch_pixels: int = 256
) -> Float[ndarray, " patches"]:
    """Steps of the curve plus a term that falls with the rank (Eq. 10), and a trace that keeps the order exact.

    `official` divides the first term by the pixels of a patch, as the published code does.
    """
    steps = np.diff(density)  # D_i
    patches = len(steps)
    falling = 1 - np.arange(1, patches + 1) / patches  # (N - i) / N
    first = steps if tie_term == "paper" else steps / patch_pixels
    magnitudes = first + steps * falling  # A_i  Eq. 10
    return magnitudes + 1e-6 * magnitudes.max() * falling


def densify(
    sparse: Float[Tensor, "*batch patches"], *, gamma: float, kappa: float = 0.005
) -> Float[Tensor, "*batch patches"]:
    """Blend towards magnitudes that fall evenly with the rank; patches below `kappa` stay as they are."""
    patches = sparse.shape[-1]
    falling = 1 - torch.arange(1, patches + 1, dtype=sparse.dtype, device=sparse.device) / patches
    dense = torch.where(sparse >= kappa, falling, sparse)
    largest = dense.amax(dim=-1, keepdim=True)
    dense = dense * sparse.amax(dim=-1, keepdim=True) / largest.where(largest > 0, largest.new_ones(()))
    return (1 - gamma) * sparse + gamma * dense
