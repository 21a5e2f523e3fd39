"""LRP as matrix algebra: every linear layer is its Jacobian, relevance is a vector."""

import torch
from torch import Tensor


def matrix(layer, like: Tensor) -> Tensor:
    """outputs x inputs, of a layer for one image shaped as `like`; without biases."""
    rows = torch.autograd.functional.jacobian(lambda x: layer(x[None]).flatten(), like)
    return rows.flatten(1)


def split(parts: Tensor, relevance: Tensor) -> Tensor:
    """R_j = Σ_k parts_kj / Σ_j' parts_kj' R_k, 0 where the parts sum to 0."""
    total = parts.sum(dim=1, keepdim=True)
    return torch.where(total != 0, parts / total, 0).T @ relevance


def zplus(weights: Tensor, inputs: Tensor, relevance: Tensor) -> Tensor:
    return split((weights * inputs).clamp(min=0), relevance)


def zbox(weights: Tensor, inputs: Tensor, low: Tensor, high: Tensor, relevance: Tensor) -> Tensor:
    return split(weights * inputs - weights.clamp(min=0) * low - weights.clamp(max=0) * high, relevance)


def epsilon(weights: Tensor, inputs: Tensor, outputs: Tensor, relevance: Tensor, eps: float) -> Tensor:
    """`outputs` include the bias, whose relevance is lost."""
    steady = outputs + eps * torch.where(outputs >= 0, 1.0, -1.0)
    return (weights * inputs).T @ (relevance / steady)


def by_size(first: Tensor, second: Tensor, relevance: Tensor) -> tuple[Tensor, Tensor]:
    total = first.abs() + second.abs()
    return first.abs() / total * relevance, second.abs() / total * relevance
