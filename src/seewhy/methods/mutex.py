"""MUTEX: attention of all blocks as a multiplex graph, whose node statistics choose which tokens are dropped.

Each block is one layer of a graph over the patches. Three ways to fuse heads, two node strengths (in and out) and nine
statistics over the layers give 54 rankings of the patches; a mask keeps the upper half of each. The value of a patch is
the mean class probability over the masks that keep it. No gradients.

| symbol         | name here | shape                    |
|----------------|-----------|--------------------------|
| layers         | graphs    | blocks patches patches   |
| in-, out-strength | strength | blocks patches         |
| statistics     | rankings  | masks patches            |

formula: map_i = mean over the masks M that keep patch i of p(class | only the tokens of M)

differs from the original code: statistics with a standard deviation of 0 in the denominator are 0. Tokens are dropped
after the position embedding, as in the code; masks with equally many tokens run as one batch.

known: the masks do not depend on the class, and the value of a patch is the mean of about 27 probabilities that vary
between 0 and 1 (DeiT-Tiny). Values are close to each other, and the map is noisy far from the object as well.
"""

from collections.abc import Iterator
from typing import Annotated

import torch
from jaxtyping import Bool, Float
from torch import Tensor

from seewhy.interventions.dropped import kept_logits
from seewhy.models.vit import ViT
from seewhy.registry import register_method
from seewhy.runtime.options import at_least, between
from seewhy.types import Images, Maps, Targets


@register_method("mutex", paper="marchetti2025", forward_first=True)
def mutex(
    model: ViT,
    images: Images,
    targets: Targets,
    *,
    keep: Annotated[float, between(0, 1)] = 0.5,
    edge_threshold: Annotated[float, between(0, 1)] = 0.01,
    from_block: Annotated[int, at_least(0)] = 0,
) -> Maps:
    """Mean class probability over 54 token masks derived from attention statistics.

    Edges below the fraction `edge_threshold` of the largest in their layer are removed.
    """
    with torch.no_grad():
        trace = model.trace(images)
        maps = []
        for index, target in enumerate(targets):
            attention = torch.stack([weights[index] for weights in trace.attention[from_block:]])
            graphs = attention[..., model.prefix :, model.prefix :]
            masks = keep_upper(torch.stack(list(patch_rankings(graphs, edge_threshold=edge_threshold))), keep=keep)
            scores = model.to_probabilities(kept_logits(model, trace.tokens[0][index], masks))[:, target]
            weights = masks.to(scores.dtype)
            maps.append(scores.T @ weights / weights.sum(dim=0).clamp(min=1))
    return model.to_grid(torch.stack(maps))


def patch_rankings(
    graphs: Float[Tensor, "blocks heads patches patches"], *, edge_threshold: float
) -> Iterator[Float[Tensor, " patches"]]:
    """54 values per patch: heads fused by minimum, maximum, sum; in- and out-strength; nine statistics."""
    for fused in (graphs.amin(dim=1), graphs.amax(dim=1), graphs.sum(dim=1)):
        strongest = fused.amax(dim=(-2, -1), keepdim=True)
        edges = fused.where(fused >= edge_threshold * strongest, torch.zeros_like(fused))
        for strength in (edges.sum(dim=-2), edges.sum(dim=-1)):  # in, out
            yield from layer_statistics(strength)


def layer_statistics(strength: Float[Tensor, "blocks patches"]) -> list[Float[Tensor, " patches"]]:
    """Over the layers: entropy of the shares, maximum, minimum, sum, standard deviation and its inverse times the sum,
    median, skewness, kurtosis.
    """
    total, mean = strength.sum(dim=0), strength.mean(dim=0)
    share = strength / total.where(total > 0, torch.ones_like(total))
    deviation = (strength - mean).square().mean(dim=0).sqrt()
    safe = deviation.where(deviation > 0, torch.full_like(deviation, torch.inf))
    standard = (strength - mean) / safe
    return [
        -torch.special.xlogy(share, share).sum(dim=0),
        strength.amax(dim=0),
        strength.amin(dim=0),
        total,
        deviation,
        total / safe,
        strength.float().quantile(0.5, dim=0).to(strength),
        standard.pow(3).mean(dim=0),
        standard.pow(4).mean(dim=0),
    ]


def keep_upper(rankings: Float[Tensor, "masks patches"], *, keep: float) -> Bool[Tensor, "masks patches"]:
    """Patches at or above the quantile; with ties, more than the fraction `keep`."""
    patches = rankings.shape[1]
    rank = min(patches, max(1, -int(-(1 - keep) * patches // 1)))  # ceil((1 - keep) N), counted from 1
    return rankings >= rankings.kthvalue(rank, dim=1, keepdim=True).values
