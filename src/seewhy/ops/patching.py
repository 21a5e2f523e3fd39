"""Attention in a frozen context of which every row overwrites a few tokens with its own.

Row i sees the T tokens of one shared context, except that the tokens at `columns[i]` are its own. One dense product
with the shared keys serves all rows; then the own columns are written over, so that the softmax is the exact one and
no matrix of keys is ever formed per row. Column T does not exist: empty slots point there and weigh nothing.
"""

import math
from collections.abc import Sequence
from typing import Literal

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor
from torch.nn.functional import normalize, pad

from seewhy.errors import OptionError

SharedHeads = Float[Tensor, "heads tokens head_dim"]
OwnHeads = Float[Tensor, "heads rows own head_dim"]
Summary = tuple[Float[Tensor, "heads rows queries"], Float[Tensor, "heads rows queries head_dim"]]


def overwritten_attention(
    queries: Float[Tensor, "heads rows queries head_dim"],
    context: tuple[SharedHeads, SharedHeads],
    own: tuple[OwnHeads, OwnHeads],
    columns: Int[Tensor, "rows own"],
    valid: Bool[Tensor, "rows own"],
    *,
    scale: float,
) -> Float[Tensor, "heads rows queries head_dim"]:
    """softmax(q Kᵀ · scale) V, where K and V are the context's with the row's own keys and values at its columns."""
    keys, values = (pad(part, (0, 0, 0, 1)) for part in context)  # column T
    own_keys, own_values = own
    queries = queries * scale
    logits = (queries.flatten(1, 2) @ keys.transpose(-2, -1)).unflatten(1, queries.shape[1:3])  # one large product
    logits[..., -1] = -torch.inf
    own_logits = (queries @ own_keys.transpose(-2, -1)).masked_fill_(~valid[:, None, :], -torch.inf)
    index = columns[:, None, :].expand_as(own_logits)
    weights = logits.scatter_(-1, index, own_logits).softmax(dim=-1)
    own_weights = weights.gather(-1, index)
    shared = weights.scatter_(-1, index, 0.0).flatten(1, 2) @ values
    return shared.view_as(queries) + own_weights @ own_values


def summarize_context(
    queries: Float[Tensor, "heads queries head_dim"],
    context: tuple[SharedHeads, SharedHeads],
    outside: Bool[Tensor, "rows tokens"],
    *,
    scale: float,
    average: Literal["uniform", "weighted"],
) -> Summary:
    """E-CAAP's two fixed quantities per row: log Z_0 (Eq. 8) and the prototype value (Eq. 9) of its outside tokens.

    A masked log-sum-exp, never a difference of sums, so nothing cancels or overflows.
    """
    keys, values = context
    logits = (queries @ keys.transpose(-2, -1) * scale).unsqueeze(1)  # heads 1 queries tokens
    logits = logits.masked_fill(~outside[:, None, :], -torch.inf)
    mass = logits.logsumexp(dim=-1)  # log Z_0, Eq. 8
    if average == "weighted":
        return mass, logits.softmax(dim=-1).nan_to_num(0.0) @ values.unsqueeze(1)
    shares = outside.to(values) / outside.sum(dim=1, keepdim=True).clamp(min=1)
    return mass, (shares @ values).unsqueeze(2).expand(-1, -1, queries.shape[1], -1)  # the mean of v_0, Eq. 9


def summarized_attention(
    queries: Float[Tensor, "heads rows queries head_dim"],
    summary: Summary,
    own: tuple[OwnHeads, OwnHeads],
    valid: Bool[Tensor, "rows own"],
    *,
    scale: float,
) -> Float[Tensor, "heads rows queries head_dim"]:
    """Eq. 7 with the context as one more token, whose logit is log Z_0 and whose value is the prototype."""
    (mass, prototype), (keys, values) = summary, own
    logits = (queries @ keys.transpose(-2, -1) * scale).masked_fill(~valid[:, None, :], -torch.inf)
    weights = torch.cat([mass.unsqueeze(-1), logits], dim=-1).softmax(dim=-1)
    return weights[..., :1] * prototype + weights[..., 1:] @ values


def layer_range(layers: str | Sequence[int] | None, depth: int) -> tuple[int, int]:
    """(l_s, l_e) of what the user wrote: nothing (the paper's 1 to two thirds), a pair, or text like "1-8".

    >>> layer_range(None, 12), layer_range("0-7", 12)
    ((1, 8), (0, 7))
    """
    if layers is None:
        return 1, math.ceil(2 * depth / 3)
    parts = layers.split("-") if isinstance(layers, str) else list(layers)
    if len(parts) != 2 or not all(str(part).strip().isdecimal() for part in parts):
        raise OptionError(f"layers must be two numbers, such as (1, {depth}) or '1-{depth}', got {layers!r}")
    first, last = (int(part) for part in parts)
    if not 0 <= first <= last <= depth:
        raise OptionError(f"layers must be l_s <= l_e from 0 to {depth}, the number of blocks, got {layers!r}")
    return first, last


def grouping(
    attention: Float[Tensor, "batch heads patches patches"], tokens: Float[Tensor, "batch patches dim"]
) -> Float[Tensor, " batch"]:
    """How much attention goes to patches that are alike: correlation of its weights with the tokens' cosine similarity.

    The difference between attention inside and outside of an object (the paper's Fig. 6), with "the same object"
    replaced by "alike", which needs no ground truth.
    """
    weights = attention.mean(dim=1)
    alike = normalize(tokens - tokens.mean(dim=1, keepdim=True), dim=-1)
    pairs = torch.stack([weights.flatten(1), (alike @ alike.transpose(1, 2)).flatten(1)])
    pairs = normalize(pairs - pairs.mean(dim=-1, keepdim=True), dim=-1)
    return pairs.prod(dim=0).sum(dim=-1)
