"""Attention to a shared context in which every row overwrites a few tokens with its own.

Row i sees the T tokens of one shared context, except that the tokens at `columns[i]` are its own. One dense product
with the shared keys serves all rows; then the own columns are written over, so that the softmax is the exact one and
no matrix of keys is ever formed per row. Column T is padding: empty slots point there and get weight zero.
"""

from typing import Literal

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor
from torch.nn.functional import pad

SharedHeads = Float[Tensor, "heads tokens head_dim"]
OwnHeads = Float[Tensor, "heads rows own head_dim"]
RowQueries = Float[Tensor, "heads rows queries head_dim"]
ContextSummary = tuple[Float[Tensor, "heads rows queries"], Float[Tensor, "heads rows queries head_dim"]]


def overwritten_attention(
    queries: RowQueries,
    context: tuple[SharedHeads, SharedHeads],
    own: tuple[OwnHeads, OwnHeads],
    columns: Int[Tensor, "rows own"],
    valid: Bool[Tensor, "rows own"],
    *,
    scale: float,
    bias: Float[Tensor, "heads rows queries tokens"] | None = None,
) -> RowQueries:
    """softmax(q Kᵀ · scale + bias) V; K and V are the context's, with the row's own keys and values at its columns."""
    keys, values = (pad(part, (0, 0, 0, 1)) for part in context)  # column T
    own_keys, own_values = own
    queries = queries * scale
    logits = (queries.flatten(1, 2) @ keys.transpose(-2, -1)).unflatten(1, queries.shape[1:3])  # one large product
    logits[..., -1] = -torch.inf
    own_logits = (queries @ own_keys.transpose(-2, -1)).masked_fill_(~valid[:, None, :], -torch.inf)
    index = columns[:, None, :].expand_as(own_logits)
    logits = logits.scatter_(-1, index, own_logits)
    if bias is not None:
        logits[..., :-1] += bias
    weights = logits.softmax(dim=-1)
    own_weights = weights.gather(-1, index)
    shared = weights.scatter_(-1, index, 0.0).flatten(1, 2) @ values
    return shared.view_as(queries) + own_weights @ own_values


def summarize_context(
    queries: RowQueries,
    context: tuple[SharedHeads, SharedHeads],
    outside: Bool[Tensor, "rows tokens"],
    *,
    scale: float,
    bias: Float[Tensor, "heads rows queries tokens"] | None = None,
    average: Literal["uniform", "weighted"],
) -> ContextSummary:
    """E-CAAP's two fixed quantities per query: log Z_0 (Eq. 8) and the prototype value (Eq. 9) of the outside tokens.

    Computed as a masked log-sum-exp, never as a difference of sums, for numerical stability.
    """
    keys, values = context
    logits = ((queries * scale).flatten(1, 2) @ keys.transpose(-2, -1)).unflatten(1, queries.shape[1:3])
    logits = (logits if bias is None else logits + bias).masked_fill(~outside[:, None, :], -torch.inf)
    mass = logits.logsumexp(dim=-1)  # log Z_0, Eq. 8
    if average == "weighted":
        return mass, logits.softmax(dim=-1).nan_to_num(0.0) @ values.unsqueeze(1)
    shares = outside.to(values) / outside.sum(dim=1, keepdim=True).clamp(min=1)
    return mass, (shares @ values).unsqueeze(2).expand(-1, -1, queries.shape[2], -1)  # the mean of v_0, Eq. 9


def summarized_attention(
    queries: RowQueries,
    summary: ContextSummary,
    own: tuple[OwnHeads, OwnHeads],
    valid: Bool[Tensor, "rows own"],
    *,
    scale: float,
    bias: Float[Tensor, "heads rows queries own"] | None = None,
) -> RowQueries:
    """Eq. 7 with the context as one more token, whose logit is log Z_0 and whose value is the prototype."""
    (mass, prototype), (keys, values) = summary, own
    logits = queries @ keys.transpose(-2, -1) * scale
    logits = (logits if bias is None else logits + bias).masked_fill(~valid[:, None, :], -torch.inf)
    weights = torch.cat([mass.unsqueeze(-1), logits], dim=-1).softmax(dim=-1)
    return weights[..., :1] * prototype + weights[..., 1:] @ values
