"""SHAP by sampling: the mean gain in the class score when a patch is inserted, over random orders of the patches.

| symbol of the paper        | name here    | shape                       |
|----------------------------|--------------|-----------------------------|
| v(S)                       | scores       | orders steps classes        |
| v(S ∪ {i}) - v(S)          | gains        | orders patches classes      |
| φ_i                        | maps         | batch classes rows cols     |

formula: φ_i = mean over random orders of v(S ∪ {i}) - v(S), S: the patches before i

Black-box; all classes share one run. The values of a map sum exactly to the score of the image minus that of the
reference. The extra `standard_error` is the standard error of each value over the sampled orders.

differs from the paper: orders are sampled (Castro, Gómez and Tejada 2009; Štrumbelj and Kononenko 2010), because exact
values need 2^patches scores. Patches are cells of a grid, or superpixels (`superpixels=50`). All images of a call get
the same orders, so a batch equals its single images. `samples * (patches - 1) + 2` forward passes; 25 samples as in the
comparison of MDA.
"""

from typing import Annotated, Literal

import torch
from jaxtyping import Float, Int
from torch import Tensor

from seewhy.interventions.masked import mask_batches, masked_scores
from seewhy.interventions.segments import Segments, image_segments
from seewhy.models.classifier import Classifier, ScoreKind
from seewhy.ops.references import AnyReference, reference_image
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
    superpixels: Annotated[int, at_least(2)] | None = None,
    score: Literal["logit", "prob"] = "logit",
    reference: AnyReference = "model_mean",
    seed: int = 0,
) -> Attribution:
    """Shapley values of patches from `samples` random orders; `grid` defaults to the patches of a ViT."""
    replacement = reference_image(reference, images, mean=model.mean, std=model.std)
    with torch.no_grad():
        ends = (replacement.expand_as(images), images)
        empty, full = (model.scores(model.logits(end), targets, kind=score) for end in ends)
    maps, errors = [], []
    for index, image in enumerate(track(images, "shap", total=len(images))):
        segments = image_segments(model, image, grid=grid, superpixels=superpixels)
        ranks = draw_ranks(samples, segments.count, seed).to(images.device)
        scores = order_scores(model, image, replacement[0], targets[index], segments, ranks, kind=score)
        gains = marginal_gains(scores[None], empty[index, None], full[index, None], ranks)[0]
        error = gains.std(dim=0) / samples**0.5 if samples > 1 else torch.full_like(gains[0], torch.nan)
        maps.append(segments.to_map(gains.mean(dim=0).T))  # φ_i, over sampled orders
        errors.append(segments.to_map(error.T))
    return Attribution(torch.stack(maps), {"standard_error": torch.stack(errors)})


def order_scores(
    model: Classifier,
    image: Float[Tensor, "3 height width"],
    replacement: Float[Tensor, "3 height width"],
    classes: Int[Tensor, " classes"],
    segments: Segments,
    ranks: Int[Tensor, "orders patches"],
    *,
    kind: ScoreKind,
) -> Float[Tensor, "orders steps classes"]:
    """v(S) along every order, without its endpoints (no patch, all patches)."""
    steps = segments.count - 1
    parts, numbers = [], torch.arange(len(ranks) * steps, device=ranks.device)
    for _, part in track(mask_batches(model, 1, len(numbers)), "shap, one image"):
        order, step = numbers[part] // steps, numbers[part] % steps + 1
        masks = segments.masks((ranks[order] < step[:, None]).to(image))
        parts.append(masked_scores(model, image[None], replacement, masks, classes[None], kind=kind))
    return torch.cat(parts).unflatten(0, (len(ranks), steps))


def draw_ranks(samples: int, patches: int, seed: int) -> Int[Tensor, "orders patches"]:
    """The step at which each patch is inserted, for every order."""
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
