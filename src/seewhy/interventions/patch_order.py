"""MDA's patch order on any network: rankings by priors, the exact or the fast search, and the better of two orders."""

import math
from collections.abc import Callable
from typing import Any

import torch
from jaxtyping import Float, Int
from torch import Tensor

from seewhy.interventions.greedy_search import EXACT, FAST, Orders, Respond, SearchResult, search_cases
from seewhy.interventions.mosaics import embeds_by_patch, mosaic
from seewhy.interventions.surrogate_search import search_by_surrogate
from seewhy.models.classifier import Classifier
from seewhy.models.vit import ViT
from seewhy.ops.curves import relative_curves
from seewhy.ops.resize import shrink_maps
from seewhy.registry import resolve_method
from seewhy.types import Images, Targets

POOR = 0.4  # insertion minus deletion below which a case is searched again without the surrogate
PRIORS = ("bi_attn", "libra_ixg_plus")  # of a ViT; the second with `fast` only
Classes = Int[Tensor, "cases 1"]


def prior_rankings(
    model: Classifier, images: Images, targets: Targets, prior: str | None, grid: tuple[int, int], *, several: bool
) -> list[Orders]:
    """Patches ranked by the map of each prior on the grid, most promising first."""
    if prior is None:
        return [torch.arange(math.prod(grid), device=images.device).expand(targets.numel(), -1)]
    automatic = PRIORS[: 2 if several else 1] if isinstance(model, ViT) else ("grad_cam",)
    maps = [
        resolve_method(name)(model, images.detach(), targets).maps
        for name in (automatic if prior == "auto" else (prior,))
    ]
    on_grid = [shrink_maps(each, grid).flatten(0, 1).flatten(1) for each in maps]
    return [each.argsort(dim=1, descending=True, stable=True) for each in on_grid]


def find_order(
    model: Classifier,
    images: Images,
    classes: Classes,
    references: tuple[Images, Images],
    rankings: list[Orders],
    grid: tuple[int, int],
    *,
    fast: bool,
    **options: Any,
) -> SearchResult:
    """The order of every case (an image and a class), searched from each ranking; `references`: blurred and black."""
    clean = class_probability(model, images, classes)
    on_blur, on_black = (_responder(model, images, reference, classes, grid) for reference in references)

    def search(ranking: Orders, cases: Int[Tensor, " some"]) -> SearchResult:
        of_blur, of_black = (_of_cases(respond, cases) for respond in (on_blur, on_black))
        budget = FAST if fast else EXACT
        return search_cases(of_blur, of_black, ranking[cases], clean[cases], budget=budget, **options)

    everyone = torch.arange(len(images), device=images.device)
    if not (fast and isinstance(model, ViT) and embeds_by_patch(model)):
        return best_per_case([search(ranking, everyone) for ranking in rankings])
    inputs = model, images, references, classes, (on_blur, on_black)
    result = best_per_case([search_by_surrogate(*inputs, ranking, clean, **options) for ranking in rankings])
    poor = everyone[_area(result) < POOR]
    if not len(poor):
        return result
    again = best_per_case([SearchResult(*(part[poor] for part in result)), search(rankings[0], poor)])
    return SearchResult(*(part.index_copy(0, poor, better) for part, better in zip(result, again, strict=True)))


def class_probability(model: Classifier, images: Images, classes: Classes) -> Float[Tensor, " cases"]:
    """MR of the images themselves."""
    with torch.no_grad():
        return model.scores(model.logits(images), classes, kind="prob").squeeze(1)  # MR  Eq. 1


def _responder(
    model: Classifier, images: Images, reference: Images, classes: Classes, grid: tuple[int, int]
) -> Respond:
    """The function from cases and shown patches to MR, the class probability of the mosaic with the reference."""
    show: Callable[..., Tensor] = mosaic(model, images, reference, grid)
    return lambda case, shown: model.scores(show(case, shown), classes[case], kind="prob").squeeze(1)  # MR  Eq. 1


def _of_cases(respond: Respond, cases: Int[Tensor, " some"]) -> Respond:
    """The responses of a subset of the cases, by their position in it."""
    return lambda position, shown: respond(cases[position], shown)


def best_per_case(results: list[SearchResult]) -> SearchResult:
    """For every case, the result whose curves have the largest insertion minus deletion."""
    if len(results) == 1:
        return results[0]
    areas = torch.stack([_area(each) for each in results])
    best, cases = areas.argmax(dim=0), torch.arange(areas.shape[1], device=areas.device)
    return SearchResult(*(torch.stack(parts)[best, cases] for parts in zip(*results, strict=True)))


def _area(result: SearchResult) -> Float[Tensor, " cases"]:
    """Insertion minus deletion of the relative curves."""
    insertion, deletion = relative_curves(result.insertion, result.deletion)
    return torch.trapezoid(insertion - deletion, dim=-1) / (insertion.shape[-1] - 1)
