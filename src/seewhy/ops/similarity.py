"""Similarity of two maps (rank and linear correlation, cosine, structural similarity), and the Gini coefficient."""

import torch
from jaxtyping import Float
from torch import Tensor
from torch.nn.functional import conv2d

from seewhy.ops.references import gaussian_kernel

Values = Float[Tensor, "*batch values"]
Value = Float[Tensor, "*batch"]


def average_ranks(values: Values) -> Values:
    """Ranks from 0; equal values share the mean of their ranks.

    >>> average_ranks(torch.tensor([0.3, 0.1, 0.3]))
    tensor([1.5000, 0.0000, 1.5000])
    """
    values = values.contiguous()
    ordered = values.sort(dim=-1).values
    below = torch.searchsorted(ordered, values, right=False)
    up_to = torch.searchsorted(ordered, values, right=True)
    return (below + up_to - 1).to(values.dtype) / 2


def pearson(first: Values, second: Values) -> Value:
    """Linear correlation; 0 where one of the two is constant."""
    varied = (first.amax(dim=-1) > first.amin(dim=-1)) & (second.amax(dim=-1) > second.amin(dim=-1))
    first, second = first - first.mean(dim=-1, keepdim=True), second - second.mean(dim=-1, keepdim=True)
    return torch.where(varied, cosine(first, second), 0.0)


def spearman(first: Values, second: Values) -> Value:
    """Rank correlation, ties with average ranks; 0 where one of the two is constant.

    >>> spearman(torch.tensor([1.0, 2.0, 3.0, 4.0]), torch.tensor([1.0, 3.0, 2.0, 4.0]))
    tensor(0.8000)
    """
    return pearson(average_ranks(first), average_ranks(second))


def cosine(first: Values, second: Values) -> Value:
    """Cosine of the angle; 0 where one of the two is zero."""
    first, second = (values / _nonzero(values.abs().amax(dim=-1, keepdim=True)) for values in (first, second))
    lengths = first.square().sum(dim=-1).sqrt() * second.square().sum(dim=-1).sqrt()
    return (first * second).sum(dim=-1) / _nonzero(lengths)


def ssim(
    first: Float[Tensor, "n rows cols"], second: Float[Tensor, "n rows cols"], *, data_range: float = 1.0
) -> Float[Tensor, " n"]:
    """Mean structural similarity: 11-tap Gaussian window with sigma 1.5, population moments, borders excluded."""
    size = min(11, *first.shape[-2:])
    kernel = gaussian_kernel(size, 1.5).to(first)

    def smooth(planes: Tensor) -> Tensor:
        return conv2d(conv2d(planes.unsqueeze(1), kernel.view(1, 1, 1, -1)), kernel.view(1, 1, -1, 1))

    mean1, mean2 = smooth(first), smooth(second)
    var1, var2 = smooth(first * first) - mean1 * mean1, smooth(second * second) - mean2 * mean2
    both = smooth(first * second) - mean1 * mean2
    c1, c2 = (0.01 * data_range) ** 2, (0.03 * data_range) ** 2
    luminance = (2 * mean1 * mean2 + c1) / (mean1.square() + mean2.square() + c1)
    return (luminance * (2 * both + c2) / (var1 + var2 + c2)).mean(dim=(1, 2, 3))


def gini(values: Values) -> Value:
    """Gini coefficient of the absolute values: 0 if all are equal, near 1 if all but one are zero.

    >>> gini(torch.tensor([0.0, 0.0, 0.0, 1.0])), gini(torch.ones(4))
    (tensor(0.7500), tensor(0.))
    """
    ordered = values.abs().sort(dim=-1).values
    n = ordered.shape[-1]
    ranks = torch.arange(1, n + 1, dtype=values.dtype, device=values.device)
    total = ordered.sum(dim=-1)
    return torch.where(total > 0, ((2 * ranks - n - 1) * ordered).sum(dim=-1) / (n * _nonzero(total)), 0.0)


def _nonzero(values: Tensor) -> Tensor:
    return values.where(values != 0, 1.0)
