"""Differentiable sorting: scores to a soft permutation by Sinkhorn's algorithm, in the logarithm.

Every region is compared with every rank's anchor, the comparison is divided by a temperature, and rows (ranks) and
columns (regions) are normalized in turn. As the temperature falls, the matrix becomes the permutation that sorts.
Only the potentials of each iteration are kept; the backward pass builds the matrices again, so that 784 regions need
three matrices of memory instead of sixty, with the gradient of the plain unrolled iterations.

| symbol of the paper | name here   | shape                |
|---------------------|-------------|----------------------|
| a                   | scores      | batch regions        |
| p                   | anchors     | ranks                |
| L                   | similarity  | batch ranks regions  |
| G                   | noise       | batch ranks regions  |
| τ                   | tau         |                      |
| P^soft              | permutation | batch ranks regions  |

Ranks are rows, as in Eq. 8 and the authors' code (Eq. 6 prints them as columns). The limit depends on L only up to
terms of one row or one column: scores may be shifted, P(−a) is P(a) upside down, scaling a by R is dividing τ by R.
"""

from typing import Any, Literal

import torch
from jaxtyping import Float
from torch import Tensor
from torch.autograd.function import once_differentiable

Scores = Float[Tensor, "batch regions"]
Matrix = Float[Tensor, "batch ranks regions"]
Anchors = Literal["official", "paper"]


def soft_permutation(
    scores: Scores,
    *,
    tau: float,
    noise: Matrix | None = None,
    iterations: int = 30,
    tolerance: float | None = None,
    anchors: Anchors = "official",
    rescale: bool = False,
) -> Matrix:
    """The soft permutation that sorts scores, largest first; rows sum to one, columns nearly.

    `tolerance` stops as soon as every column sum is that close to one, after at most `iterations`. `rescale` begins
    with scores stretched to [0, 1], which has the same limit and reaches it sooner if they are evenly spread.

    >>> soft_permutation(torch.tensor([[1.0, 0.0]]), tau=1.0)
    tensor([[[0.7311, 0.2689],
             [0.2689, 0.7311]]])
    """
    places = rank_anchors(scores, kind=anchors)
    span = scores.new_ones(len(scores), 1)
    if rescale:
        low, high = scores.amin(dim=1, keepdim=True), scores.amax(dim=1, keepdim=True)
        span = (high - low).detach().clamp(min=torch.finfo(scores.dtype).tiny)
        scores = (scores - low.detach()) / span
    similarity = -(scores.unsqueeze(1) - places.view(1, -1, 1)).square() * span.unsqueeze(2)  # L   Eq. 6
    similarity = similarity if noise is None else similarity + noise
    return sinkhorn(similarity / max(tau, 1e-6), iterations=iterations, tolerance=tolerance)  # L̃  Eq. 7


def rank_anchors(scores: Scores, *, kind: Anchors = "official") -> Float[Tensor, " ranks"]:
    """What the score of each rank would be if they were evenly spread: 1 … 0 in the code, 1 … 1/K in the paper."""
    count = scores.shape[-1]
    last = 0.0 if kind == "official" else 1 / count
    return torch.linspace(1, last, count, dtype=scores.dtype, device=scores.device)


def gumbel_noise(scores: Scores, generator: torch.Generator | None = None) -> Matrix:
    """One draw per rank and region, of scale one. The generator may live on another device than the scores."""
    batch, regions = scores.shape
    device = scores.device if generator is None else generator.device
    uniform = torch.rand(batch, regions, regions, dtype=scores.dtype, device=device, generator=generator)
    uniform = uniform.clamp(1e-20, 1 - torch.finfo(scores.dtype).eps)
    return -torch.log(-torch.log(uniform)).to(scores.device)


def sinkhorn(logits: Matrix, *, iterations: int = 30, tolerance: float | None = None) -> Matrix:
    """exp(logits) with columns, then rows divided by their sums, `iterations` times."""
    return _Sinkhorn.apply(logits, iterations, tolerance)


class _Sinkhorn(torch.autograd.Function):
    """log P = logits + u (one per row) + v (one per column); iteration t gives v_t, then u_t."""

    @staticmethod
    def forward(ctx: Any, logits: Tensor, iterations: int, tolerance: float | None) -> Tensor:
        rows, cols = [logits.new_zeros(logits.shape[:2])], []
        for _ in range(iterations):
            cols.append(-torch.logsumexp(logits + rows[-1].unsqueeze(2), dim=1))
            if tolerance is not None and len(cols) > 1 and _column_error(cols) <= tolerance:
                cols.pop()
                break
            rows.append(-torch.logsumexp(logits + cols[-1].unsqueeze(1), dim=2))
        ctx.save_for_backward(logits, torch.stack(rows), torch.stack(cols))
        return _filled(logits, rows[-1], cols[-1])

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor, None, None]:
        logits, rows, cols = ctx.saved_tensors
        total = grad * _filled(logits, rows[-1], cols[-1])
        by_row, by_col = total.sum(dim=2), total.sum(dim=1)
        for t in range(len(cols) - 1, -1, -1):
            matrix = _filled(logits, rows[t + 1], cols[t]).mul_(by_row.unsqueeze(2))  # d u_t / d L: its rows sum to 1
            total -= matrix
            by_col = by_col - matrix.sum(dim=1)
            matrix = _filled(logits, rows[t], cols[t]).mul_(by_col.unsqueeze(1))  # d v_t / d L: its columns sum to 1
            total -= matrix
            by_row, by_col = -matrix.sum(dim=2), torch.zeros_like(by_col)
        return total, None, None


def _filled(logits: Tensor, rows: Tensor, cols: Tensor) -> Tensor:
    return (logits + rows.unsqueeze(2)).add_(cols.unsqueeze(1)).exp_()


def _column_error(cols: list[Tensor]) -> float:
    """How far column sums are from one after an iteration; the next potential says so."""
    return float((cols[-2] - cols[-1]).expm1().abs().max())
