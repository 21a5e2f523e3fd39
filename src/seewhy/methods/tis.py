"""Transformer input sampling (TIS): class probabilities with half of the tokens dropped, over masks from activations.

Each channel of each block is a map over the patches. k-means clusters these maps; each center becomes a mask that keeps
its largest half. Tokens outside the mask are dropped from the sequence. The value of a patch is the mean class
probability over the masks that keep it.

| symbol         | name here | shape                    |
|----------------|-----------|--------------------------|
| activations    | channels  | blocks·dim patches       |
| centers        | centers   | masks patches            |
| M_i            | masks     | masks patches            |
| score_i        | scores    | masks classes            |

formula: map_i = Σ_m score_m M_m,i / Σ_m M_m,i

differs from the paper: a patch that no mask keeps gets 0 (the original code divides 0 by 0). The original scales the
map to [0, 1]: `normalize`. k-means runs on the model's device and is seeded; masks differ between images.
"""

from typing import Annotated

import torch
from jaxtyping import Bool, Float
from torch import Tensor

from seewhy.interventions.dropped import kept_logits
from seewhy.models.vit import ViT
from seewhy.ops.clusters import k_means
from seewhy.ops.resize import unit_range
from seewhy.registry import register_method
from seewhy.runtime.options import at_least, between
from seewhy.runtime.progress import track
from seewhy.types import Images, Maps, Targets


@register_method("tis", paper="englebert2023")
def tis(
    model: ViT,
    images: Images,
    targets: Targets,
    *,
    masks: Annotated[int, at_least(1)] = 1024,
    keep: Annotated[float, between(0, 1)] = 0.5,
    normalize: bool = False,
    seed: int = 0,
) -> Maps:
    """Mean class probability over the token masks that keep a patch."""
    maps = [
        _token_scores(model, image, target, masks=masks, keep=keep, seed=seed)
        for image, target in zip(images.split(1), targets, strict=True)
    ]
    stacked = model.to_grid(torch.stack(maps))
    return unit_range(stacked) if normalize else stacked


def _token_scores(
    model: ViT, image: Images, target: Tensor, *, masks: int, keep: float, seed: int
) -> Float[Tensor, "classes patches"]:
    with torch.no_grad():
        tokens, _ = model.run(model.embed(image))
        chosen = cluster_masks(tokens[1:], model.prefix, masks=masks, keep=keep, seed=seed)
        logits = [kept_logits(model, tokens[0][0], part) for part in track(chosen.split(model.chunk), "tis")]
        scores = model.to_probabilities(torch.cat(logits))[:, target]
    weights = chosen.to(scores.dtype)
    return scores.T @ weights / weights.sum(dim=0).clamp(min=1)


def cluster_masks(
    blocks: list[Float[Tensor, "1 tokens dim"]], prefix: int, *, masks: int, keep: float, seed: int
) -> Bool[Tensor, "masks patches"]:
    """The largest fraction `keep` of each center of the clustered channels."""
    channels = torch.cat([tokens[0, prefix:].T for tokens in blocks])
    centers = k_means(channels, masks, seed=seed)
    largest = centers.topk(max(1, int(keep * centers.shape[1])), dim=1).indices
    return torch.zeros_like(centers, dtype=torch.bool).scatter(1, largest, True)
