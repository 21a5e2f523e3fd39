"""MUTEX: attention of all blocks as a multiplex graph; its node statistics choose which tokens are left out.

Each block is one layer of a graph over the patches. Three ways to join heads, two strengths of a node (what it
receives, what it gives) and nine statistics over the layers make 54 orders of the patches; each keeps its upper half.
A patch is worth the mean class probability of the masks that keep it. No gradients.

| symbol         | name here | shape                    |
|----------------|-----------|--------------------------|
| layers         | graphs    | blocks patches patches   |
| in-, out-strength | strength | blocks patches         |
| statistics     | orders    | masks patches            |

differs from the original code: statistics that would divide by a deviation of 0 are 0 there. Tokens leave the sequence
behind the position embedding, as there; all masks of one length run together.

known: the masks do not ask for the class, and a patch is the mean of some 27 probabilities that lie anywhere between 0
and 1 (DeiT-Tiny). Values are close together and the map is mottled, also far from the object.
"""

from collections.abc import Iterator

import torch
from jaxtyping import Bool, Float
from torch import Tensor

from seewhy.interventions.dropped import kept_logits
from seewhy.models.vit import ViT
from seewhy.registry import register_method
from seewhy.types import Images, Maps, Targets


@register_method(
    "mutex",
    paper="marchetti2025",
)
def mutex(
    model: ViT,
    images: Images,
    targets: Targets,
    *,
    keep: float = 0.5,
    cut: float = 0.01,
    from_block: int = 0,
) -> Maps:
    """Mean probability of the class over 54 token masks made of attention statistics.

    `cut` removes edges below this part of a layer's largest.
    """
    with torch.no_grad():
        trace = model.trace(images)
        maps = []
        for index, target in enumerate(targets):
            attention = torch.stack([weights[index] for weights in trace.attention[from_block:]])
            graphs = attention[..., model.prefix :, model.prefix :]
            masks = keep_upper(torch.stack(list(patch_orders(graphs, cut=cut))), keep=keep)
            scores = model.to_probabilities(kept_logits(model, trace.tokens[0][index], masks))[:, target]
            weights = masks.to(scores.dtype)
            maps.append(scores.T @ weights / weights.sum(dim=0).clamp(min=1))
    return model.to_grid(torch.stack(maps))


def patch_orders(
    graphs: Float[Tensor, "blocks heads patches patches"], *, cut: float
) -> Iterator[Float[Tensor, " patches"]]:
    """54 values per patch, one after the other: heads joined by minimum, maximum, sum; in and out; statistics."""
    for joined in (graphs.amin(dim=1), graphs.amax(dim=1), graphs.sum(dim=1)):
        strongest = joined.amax(dim=(-2, -1), keepdim=True)
        edges = joined.where(joined >= cut * strongest, torch.zeros_like(joined))
        for strength in (edges.sum(dim=-2), edges.sum(dim=-1)):  # received by a patch, given by it
            yield from layer_statistics(strength)


def layer_statistics(strength: Float[Tensor, "blocks patches"]) -> list[Float[Tensor, " patches"]]:
    """Entropy of the layers' shares, maximum, minimum, sum, deviation, sum/deviation, median, skewness, kurtosis."""
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
        strength.quantile(0.5, dim=0),
        standard.pow(3).mean(dim=0),
        standard.pow(4).mean(dim=0),
    ]


def keep_upper(orders: Float[Tensor, "masks patches"], *, keep: float) -> Bool[Tensor, "masks patches"]:
    """Patches at or above the quantile's value: with ties, more than the part `keep`."""
    patches = orders.shape[1]
    rank = min(patches, max(1, -int(-(1 - keep) * patches // 1)))  # ceil((1 - keep) N), counted from 1
    return orders >= orders.kthvalue(rank, dim=1, keepdim=True).values
