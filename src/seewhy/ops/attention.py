"""Operations on attention matrices: rows are queries, columns keys."""

from collections.abc import Sequence
from typing import Any

import torch
from jaxtyping import Float
from torch import Tensor
from torch.nn import functional as F

Square = Float[Tensor, "*batch tokens tokens"]


def add_identity(attention: Square, *, normalize: bool = True) -> Square:
    """A + I, for the residual path; rows are normalized to sum to one unless `normalize=False`.

    >>> add_identity(torch.tensor([[0.0, 1.0], [1.0, 0.0]]))
    tensor([[0.5000, 0.5000],
            [0.5000, 0.5000]])
    """
    total = attention + torch.eye(attention.shape[-1], dtype=attention.dtype, device=attention.device)
    return normalize_rows(total) if normalize else total


def normalize_rows(matrix: Square) -> Square:
    return matrix / safe_divisor(matrix.sum(dim=-1, keepdim=True))


def safe_divisor(sums: Tensor) -> Tensor:
    """Non-negative sums, safe as divisors: 0 becomes 1, so that 0/0 is 0."""
    return sums.where(sums > 0, torch.ones_like(sums))


def flow(blocks: Sequence[Square]) -> Square:
    """The product M_L … M_1: the contribution of each input token (columns) to each output token (rows)."""
    joint = blocks[0]
    for block in blocks[1:]:
        joint = block @ joint
    return joint


def keep_largest(matrix: Square, *, discard: float) -> Square:
    """Each matrix with its smallest entries, the fraction `discard` of all, set to 0.

    >>> keep_largest(torch.tensor([[0.4, 0.1], [0.2, 0.3]]), discard=0.5)
    tensor([[0.4000, 0.0000],
            [0.0000, 0.3000]])
    """
    flat = matrix.flatten(-2)
    smallest = flat.argsort(dim=-1, stable=True)[..., : int(flat.shape[-1] * discard)]
    return flat.scatter(-1, smallest, 0.0).view_as(matrix)


def head_importance(
    attention: Float[Tensor, "batch heads queries keys"], gradients: Float[Tensor, "batch classes heads queries keys"]
) -> Float[Tensor, "batch classes heads"]:
    """Importance of each head to the class: mean |A_hᵀ ∂y/∂A_h|, normalized to sum to one per image."""
    importance = (attention.unsqueeze(1).transpose(-2, -1) @ gradients).abs().mean(dim=(-2, -1))
    return importance / safe_divisor(importance.sum(dim=-1, keepdim=True))


def weigh_tokens(
    states: Sequence[Float[Tensor, "batch tokens dim"]], gradients: Sequence[Float[Tensor, "batch classes tokens dim"]]
) -> Float[Tensor, "blocks batch classes tokens"]:
    """State times gradient, summed over channels, for each block."""
    pairs = zip(states, gradients, strict=True)
    return torch.stack([torch.einsum("btd,bctd->bct", state.detach(), slope) for state, slope in pairs])


def multi_head_attention(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    width: int,
    heads: int,
    weight: Tensor,
    bias: Tensor | None,
    *rest: Any,
    **_: Any,
) -> tuple[Tensor, None]:
    """`F.multi_head_attention_forward` by single operations: packed weights, no masks, tokens first."""
    out_weight, out_bias = rest[4:6]
    biases = (None, None, None) if bias is None else bias.chunk(3)
    parts = zip((query, key, value), weight.chunk(3), biases, strict=True)
    q, k, v = (F.linear(x, w, b).unflatten(-1, (heads, width // heads)).permute(1, 2, 0, 3) for x, w, b in parts)
    weights = (q @ k.transpose(-2, -1) * (width // heads) ** -0.5).softmax(dim=-1)
    return F.linear((weights @ v).permute(2, 0, 1, 3).flatten(2), out_weight, out_bias), None
