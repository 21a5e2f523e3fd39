"""SHAP by sampling: the mean gain in the class score when a patch is inserted, over random orders of the patches.

| symbol of the paper        | name here    | shape                       |
|----------------------------|--------------|-----------------------------|
| v(S)                       | scores       | orders steps classes        |
| v(S ∪ {i}) - v(S)          | gains        | orders patches classes      |
| φ_i                        | maps         | batch classes rows cols     |

Black-box; all classes share one run. The values of a map sum exactly to the score of the image minus that of the
reference. The extra `standard_error` is that of each value with respect to all orders.

differs from the paper: orders are sampled (Castro, Gómez and Tejada 2009; Štrumbelj and Kononenko 2010), because exact
values need 2^patches scores. All images of a call get the same orders, so a batch equals its single images.
`samples * (patches - 1) + 2` forward passes; 25 samples as in the comparison of MDA.
"""

from typing import Annotated, Literal

import torch
from jaxtyping import Float, Int
from torch import Tensor

from seewhy.interventions.masked import cell_grid, jobs, masked_scores
from seewhy.models.classifier import Classifier
from seewhy.ops.references import ReferenceName, reference_image
from seewhy.registry import register_method
from seewhy.runtime.options import at_least
from seewhy.runtime.progress import track
from seewhy.types import Attribution, Images, Targets


@register_method("shap", paper="lundberg2017")
def shap(
    model: Classifier,
    images: Images,
    targets: Targets,
    *,
    samples: Annotated[int, at_least(1)] = 25,
    grid: Annotated[int, at_least(1)] | None = None,
    score: Literal["logit", "prob"] = "logit",
    reference: ReferenceName | Tensor = "model_mean",
    seed: int = 0,
) -> Attribution:
    """Shapley values of patches from `samples` random orders; `grid` defaults to the patches of a ViT."""
    cells = cell_grid(model, grid)
    patches = cells[0] * cells[1]
    replacement = reference_image(reference, images, mean=model.mean, std=model.std)
    with torch.no_grad():
        ends = (replacement.expand_as(images), images)
        empty, full = (model.scores(model.logits(end), targets, kind=score) for end in ends)
    ranks = draw_ranks(samples, patches, seed).to(images.device)
    scores = full.new_empty(len(images), samples * (patches - 1), targets.shape[1])
    for index, part in track(jobs(model, len(images), scores.shape[1]), "shap"):
        order, step = part // (patches - 1), part % (patches - 1) + 1
        masks = (ranks[order] < step[:, None]).to(images).unflatten(1, cells)
        scores[index, part] = masked_scores(model, images[index], replacement[0], masks, targets[index], kind=score)
    gains = marginal_gains(scores.unflatten(1, (samples, patches - 1)), empty, full, ranks)
    maps = gains.mean(dim=1)  # φ_i, over sampled orders
    error = gains.std(dim=1) / samples**0.5 if samples > 1 else torch.full_like(maps, torch.nan)
    on_grid = [values.transpose(1, 2).unflatten(2, cells) for values in (maps, error)]
    return Attribution(on_grid[0], {"standard_error": on_grid[1]})


def draw_ranks(samples: int, patches: int, seed: int) -> Int[Tensor, "orders patches"]:
    """Step at which each patch is inserted, in every order."""
    generator = torch.Generator().manual_seed(seed)
    return torch.stack([torch.randperm(patches, generator=generator) for _ in range(samples)])


def marginal_gains(
    between: Float[Tensor, "batch orders steps classes"],
    empty: Float[Tensor, "batch classes"],
    full: Float[Tensor, "batch classes"],
    ranks: Int[Tensor, "orders patches"],
) -> Float[Tensor, "batch orders patches classes"]:
    """v(S ∪ {i}) - v(S) for every patch in every order."""
    orders = between.shape[1]
    ends = [end[:, None, None, :].expand(-1, orders, -1, -1) for end in (empty, full)]
    gains = torch.cat([ends[0], between, ends[1]], dim=2).diff(dim=2)  # by step
    return gains.gather(2, ranks[None, :, :, None].expand(len(gains), -1, -1, gains.shape[-1]))
