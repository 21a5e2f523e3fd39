"""SHAP by sampling: insert patches in random orders; a patch is worth what it adds on average.

| symbol of the paper        | name here    | shape                       |
|----------------------------|--------------|-----------------------------|
| v(S)                       | scores       | orders steps classes        |
| v(S ∪ {i}) - v(S)          | gains        | orders patches classes      |
| φ_i                        | maps         | batch classes rows cols     |

A black box; all classes come from one run. The values of a map add up exactly to the score of the image minus that of
the reference. The extra `standard_error` says how far each value may be from that of all orders.

differs from the paper: orders are sampled (Castro, Gómez and Tejada 2009; Štrumbelj and Kononenko 2010), because exact
values need 2^patches scores. All images of a call get the same orders, so a batch equals its single images.
`permutations * (patches - 1) + 2` forward passes; 25 as in MDA's comparison.
"""

from typing import Literal

import torch
from jaxtyping import Float, Int
from torch import Tensor

from seewhy.interventions.masked import cell_grid, jobs, masked_scores
from seewhy.models.classifier import Classifier
from seewhy.ops.references import reference_image
from seewhy.registry import register_method
from seewhy.runtime.progress import track
from seewhy.types import Attribution, Images, Targets


@register_method(
    "shap",
    paper="lundberg2017",
)
def shap(
    model: Classifier,
    images: Images,
    targets: Targets,
    *,
    permutations: int = 25,
    cells: int | None = None,
    score: Literal["logit", "prob"] = "logit",
    reference: Literal["model_mean", "black", "white"] = "model_mean",
    seed: int = 0,
) -> Attribution:
    """Shapley values of patches, by random orders; `cells` rows and columns, by default a ViT's own patches."""
    grid = cell_grid(model, cells)
    patches = grid[0] * grid[1]
    blank = reference_image(reference, images, mean=model.mean, std=model.std)
    with torch.no_grad():
        empty, full = (
            model.scores(model.logits(ends), targets, kind=score) for ends in (blank.expand_as(images), images)
        )
    ranks = draw_ranks(permutations, patches, seed).to(images.device)
    scores = full.new_empty(len(images), permutations * (patches - 1), targets.shape[1])
    for index, part in track(jobs(model, len(images), scores.shape[1]), "shap"):
        order, step = part // (patches - 1), part % (patches - 1) + 1
        masks = (ranks[order] < step[:, None]).to(images).unflatten(1, grid)
        scores[index, part] = masked_scores(model, images[index], blank[0], masks, targets[index], kind=score)
    gains = marginal_gains(scores.unflatten(1, (permutations, patches - 1)), empty, full, ranks)
    maps = gains.mean(dim=1)  # φ_i, over sampled orders
    error = gains.std(dim=1) / permutations**0.5 if permutations > 1 else torch.full_like(maps, torch.nan)
    on_grid = [values.transpose(1, 2).unflatten(2, grid) for values in (maps, error)]
    return Attribution(on_grid[0], {"standard_error": on_grid[1]})


def draw_ranks(permutations: int, patches: int, seed: int) -> Int[Tensor, "orders patches"]:
    """At which step each patch is inserted, in every order."""
    generator = torch.Generator().manual_seed(seed)
    return torch.stack([torch.randperm(patches, generator=generator) for _ in range(permutations)])


def marginal_gains(
    between: Float[Tensor, "batch orders steps classes"],
    empty: Float[Tensor, "batch classes"],
    full: Float[Tensor, "batch classes"],
    ranks: Int[Tensor, "orders patches"],
) -> Float[Tensor, "batch orders patches classes"]:
    """v(S ∪ {i}) - v(S) of every patch in every order."""
    orders = between.shape[1]
    ends = [end[:, None, None, :].expand(-1, orders, -1, -1) for end in (empty, full)]
    gains = torch.cat([ends[0], between, ends[1]], dim=2).diff(dim=2)  # by step
    return gains.gather(2, ranks[None, :, :, None].expand(len(gains), -1, -1, gains.shape[-1]))
