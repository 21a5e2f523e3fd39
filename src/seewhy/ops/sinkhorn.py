"""Differentiable sorting: a soft permutation of scores by Sinkhorn's algorithm in the log domain.

Every region's score is compared with every rank's anchor, the similarity is divided by a temperature, and columns
(regions) and rows (ranks) are normalized in turn. As the temperature falls, the matrix approaches the permutation that
sorts. The iteration itself is three lines (`explainers/loss.py: sinkhorn_knopp`); this is the same in less memory: only
the potentials of each iteration are stored, and an iteration is a matrix-vector product, forward and backward. 784
regions take four matrices instead of sixty and few exponentials, for the value and gradient of the unrolled iteration.

| symbol of the paper | name here   | shape                |
|---------------------|-------------|----------------------|
| a                   | scores      | batch regions        |
| p                   | p           | ranks                |
| L                   | similarity  | batch ranks regions  |
| G                   | noise       | batch ranks regions  |
| τ                   | tau         |                      |
| P^soft              | permutation | batch ranks regions  |

Ranks are rows, as in Eq. 8 and the authors' code (Eq. 6 prints them as columns). The limit depends on L only up to
terms of one row or one column: scores may be shifted, P(−a) is P(a) flipped, scaling a by R is dividing τ by R. The
column's term a² is dropped from the start: columns are normalized first, and it would cost digits in float32.
"""

from typing import Any, Literal

import torch
from jaxtyping import Float
from torch import Tensor
from torch.autograd.function import once_differentiable

RegionScores = Float[Tensor, "batch regions"]
Matrix = Float[Tensor, "batch ranks regions"]
Anchors = Literal["official", "paper"]
Start = Literal["plain", "rescaled", "sorted"]

REACH = 20.0  # float32 overflows at e^±87; within this reach only entries below e^-47 underflow


def soft_permutation(
    scores: RegionScores,
    *,
    tau: float,
    noise: Matrix | None = None,
    iterations: int = 30,
    tolerance: float | None = None,
    anchors: Anchors = "official",
    start: Start = "plain",
) -> Matrix:
    """The soft permutation that sorts scores in descending order; rows sum to one, columns nearly.

    `tolerance` stops the iteration once every column sum is that close to one. All starts have the same limit: "plain"
    is far from converged if scores are far apart (196 scores between 0 and 100, τ = 0.3: a column sums to 4.6 after 30
    iterations), "rescaled" maps them to [0, 1] first, which helps if they are evenly spread, and "sorted" starts from
    the potentials of the hard sort, which are those of the limit for small τ (a column sums to 1.001).

    >>> soft_permutation(torch.tensor([[1.0, 0.0]]), tau=1.0)
    tensor([[[0.7311, 0.2689],
             [0.2689, 0.7311]]])
    """
    p = rank_anchors(scores, kind=anchors)
    similarity = 2 * p.view(1, -1, 1) * scores.unsqueeze(1)  # L, except for a² and p²   Eq. 6
    similarity = similarity + start_potentials(scores.detach(), p, start).unsqueeze(2)
    similarity = similarity if noise is None else similarity + noise
    return sinkhorn(similarity / max(tau, 1e-6), iterations=iterations, tolerance=tolerance)  # L̃  Eq. 7


def rank_anchors(scores: RegionScores, *, kind: Anchors = "official") -> Float[Tensor, " ranks"]:
    """Evenly spaced target scores of the ranks: 1 … 0 in the authors' code, 1 … 1/K in the paper."""
    count = scores.shape[-1]
    last = 0.0 if kind == "official" else 1 / count
    return torch.linspace(1, last, count, dtype=scores.dtype, device=scores.device)


def start_potentials(scores: RegionScores, p: Float[Tensor, " ranks"], start: Start) -> Float[Tensor, "batch ranks"]:
    """Initial potential of each rank. "sorted": a score midway between two neighbors fits both ranks equally well."""
    if start == "plain":
        return -p.square().expand_as(scores)  # −(a − p)² without 2ap and a², which cancels
    if start == "rescaled":
        low, high = scores.aminmax(dim=1, keepdim=True)
        return -p * (2 * low + (high - low) * p)
    ordered = scores.sort(dim=1, descending=True).values
    halves = ordered[:, 1:] + ordered[:, :-1]
    return torch.cat([torch.zeros_like(ordered[:, :1]), (-halves * p.diff()).cumsum(dim=1)], dim=1)


def gumbel_noise(scores: RegionScores, generator: torch.Generator | None = None) -> Matrix:
    """Standard Gumbel noise for each rank and region; the generator may be on another device than the scores."""
    batch, regions = scores.shape
    device = scores.device if generator is None else generator.device
    uniform = torch.rand(batch, regions, regions, dtype=scores.dtype, device=device, generator=generator)
    uniform = uniform.clamp(1e-20, 1 - torch.finfo(scores.dtype).eps)
    return -torch.log(-torch.log(uniform)).to(scores.device)


def sinkhorn(logits: Matrix, *, iterations: int = 30, tolerance: float | None = None) -> Matrix:
    """exp(logits), with columns and then rows divided by their sums, `iterations` times."""
    return _Sinkhorn.apply(logits, iterations, tolerance)


class _Sinkhorn(torch.autograd.Function):
    """log P = logits + u (one per row) + v (one per column); iteration t computes v_t, then u_t."""

    @staticmethod
    def forward(ctx: Any, logits: Tensor, iterations: int, tolerance: float | None) -> Tensor:
        kernel = _Kernel(logits)
        rows, cols = [logits.new_zeros(logits.shape[:2])], []
        for _ in range(iterations):
            cols.append(kernel.normalize_columns(rows[-1]))
            if tolerance is not None and len(cols) > 1 and _column_error(cols) <= tolerance:
                cols.pop()
                break
            rows.append(kernel.normalize_rows(cols[-1]))
        ctx.save_for_backward(logits, torch.stack(rows), torch.stack(cols))
        return _filled(logits, rows[-1], cols[-1])

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor, None, None]:
        logits, rows, cols = ctx.saved_tensors
        kernel = _Kernel(logits, rows[-1], cols[-1])
        total = grad * kernel.matrix
        by_row, by_col = total.sum(dim=2), total.sum(dim=1)
        for t in range(len(cols) - 1, -1, -1):
            by_col = by_col - kernel.weigh_rows(rows[t + 1], cols[t], by_row)  # d u_t / d L: its rows sum to 1
            by_row = -kernel.weigh_columns(rows[t], cols[t], by_col)  # d v_t / d L: its columns sum to 1
            by_col = torch.zeros_like(by_col)
        return total - kernel.weighed(), None, None


class _Kernel:
    """exp(logits + u + v) for many u and v, as one matrix with a factor per row and column.

    An iteration is then a matrix-vector product instead of an exponential per entry. The matrix is recomputed when a
    factor leaves e^±REACH, so that nothing relevant underflows.
    """

    def __init__(self, logits: Matrix, rows: Tensor | None = None, cols: Tensor | None = None) -> None:
        self.logits = logits
        self._total: Tensor | None = None
        self._left: list[Tensor] = []
        self._right: list[Tensor] = []
        if rows is not None and cols is not None:
            self._center(rows, cols)

    def normalize_columns(self, rows: Float[Tensor, "batch ranks"]) -> Float[Tensor, "batch regions"]:
        """The v that makes every column of exp(logits + u + v) sum to one."""
        if self._near(rows=rows):
            cols = self.cols - ((rows - self.rows).exp().unsqueeze(1) @ self.matrix).squeeze(1).log()
            if self._near(cols=cols):
                return cols
        cols = -torch.logsumexp(self.logits + rows.unsqueeze(2), dim=1)
        self._center(rows, cols)
        return cols

    def normalize_rows(self, cols: Float[Tensor, "batch regions"]) -> Float[Tensor, "batch ranks"]:
        """The u that makes every row sum to one."""
        rows = self.rows - (self.matrix @ (cols - self.cols).exp().unsqueeze(2)).squeeze(2).log()
        if self._near(rows=rows):
            return rows
        rows = -torch.logsumexp(self.logits + cols.unsqueeze(1), dim=2)
        self._center(rows, cols)
        return rows

    def weigh_rows(self, rows: Tensor, cols: Tensor, weights: Float[Tensor, "batch ranks"]) -> Tensor:
        """Add exp(logits + u + v) times a weight per row to the weighted sum; returns the sums of its columns."""
        left, right = self._factors(rows, cols)
        self._left.append(left * weights)
        self._right.append(right)
        return right * (self._left[-1].unsqueeze(1) @ self.matrix).squeeze(1)

    def weigh_columns(self, rows: Tensor, cols: Tensor, weights: Float[Tensor, "batch regions"]) -> Tensor:
        """The same with a weight per column; returns the sums of its rows."""
        left, right = self._factors(rows, cols)
        self._left.append(left)
        self._right.append(right * weights)
        return left * (self.matrix @ self._right[-1].unsqueeze(2)).squeeze(2)

    def weighed(self) -> Matrix:
        """The sum of all weighted matrices."""
        weights = torch.stack(self._left, dim=2) @ torch.stack(self._right, dim=1)
        weighed = weights.mul_(self.matrix)
        return weighed if self._total is None else weighed.add_(self._total)

    def _factors(self, rows: Tensor, cols: Tensor) -> tuple[Tensor, Tensor]:
        """Factors of rows and columns; where they grow large, the matrix is recomputed and its weighted sum stored."""
        if not self._near(rows, cols):
            if self._left:
                self._total = self.weighed()
            self._left, self._right = [], []
            self._center(rows, cols)
        return (rows - self.rows).exp(), (cols - self.cols).exp()

    def _center(self, rows: Tensor, cols: Tensor) -> None:
        self.rows, self.cols, self.matrix = rows, cols, _filled(self.logits, rows, cols)

    def _near(self, rows: Tensor | None = None, cols: Tensor | None = None) -> bool:
        """Whether the potentials are within reach of those of the matrix."""
        if not hasattr(self, "matrix"):
            return False
        moves = [(rows, self.rows), (cols, self.cols)]
        return all(bool(((here - there).abs() <= REACH).all()) for here, there in moves if here is not None)


def _filled(logits: Tensor, rows: Tensor, cols: Tensor) -> Tensor:
    return (logits + rows.unsqueeze(2)).add_(cols.unsqueeze(1)).exp_()


def _column_error(cols: list[Tensor]) -> float:
    """Largest deviation of a column sum from one after an iteration, from the next potential."""
    return float((cols[-2] - cols[-1]).expm1().abs().max())
