"""MDA: order the patches by the insertion and deletion metrics themselves, then fit magnitudes to the two curves.

The file follows Sec. 3 of the paper: the patch order (3.1), the magnitudes (3.2), dense maps (3.3), and the method,
which searches many cases at once (`interventions/greedy_search.py`) where `greedy_order` tries one candidate at a time.

| symbol of the paper    | name here           | shape                                    |
|------------------------|---------------------|------------------------------------------|
| MR(P_k), Eq. 1         | on_blur, on_black   | class probability with k patches shown   |
| I                      | order               | patches, most important first            |
| C                      | len(inserted)       |                                          |
| MR_ins, MR_del         | insertion, deletion | patches + 1                              |
| MR_mean                | mean                | patches + 1, from 0 to 1                 |
| AD, ΔAD_i              | density, increments | patches + 1, concave, from 0 to 1        |
| A_sparse, A_dense, A_γ | sparse, dense, ranked | patches, by rank                       |
| M                      | side of the grid    | 2M candidates by default                 |

differs from the paper: insertion stops at the share `insert_until` of the rise, as in the published code; the
prior map that limits the candidates is used on the patch grid; patches are the model's own, not nearly square segments;
curves are in steps of a patch (the published code runs 452 more images); the quadratic program is solved exactly; any
class can be explained; a small term keeps the order where the program gives zeros. Patches are deleted to the model's
mean color, as in the published code, which also scores so (protocol `mda`); the text says black.

extras: `order`, `insertion` and `deletion` (the curves), `sparse` (magnitudes by rank): `explanation.with_density`
makes the map denser without the model.
"""

import math
import warnings
from collections.abc import Callable
from typing import Annotated, Any, Literal

import numpy as np
import torch
from jaxtyping import Float, Int
from numpy import ndarray
from scipy.optimize import nnls
from torch import Tensor

from seewhy.interventions.greedy_search import EXACT, FAST, Orders, Respond, SearchResult, search_cases
from seewhy.interventions.mosaics import embeds_by_patch, mosaic
from seewhy.interventions.surrogate_search import search_by_surrogate
from seewhy.models.classifier import Classifier
from seewhy.models.vit import ViT
from seewhy.ops.references import folded_blur, one_color
from seewhy.ops.resize import shrink_maps
from seewhy.registry import register_method, resolve_method
from seewhy.runtime.options import ODD, at_least, between
from seewhy.types import Attribution, Images, Targets

Response = Callable[[list[int]], float]  # MR of a reference image with these patches shown  Eq. 1
TieTerm = Literal["paper", "official"]
Curve = Float[Tensor, "*cases points"]

POOR = 0.4  # insertion minus deletion below which the surrogate's order is not trusted
OCCLUDED = 0.01  # a blur occludes a class when at most this probability remains
WIDEST = 101  # pixels of the largest blur that is tried
PRIORS = ("bi_attn", "libra_ixg_plus")  # of a ViT; the second with `fast` only


# Sec. 3.1: patch order


def greedy_order(
    on_blur: Response, on_black: Response, ranking: list[int], *, insert_until: float, candidates: int
) -> tuple[list[int], int]:
    """The order I and C, the number of patches found by insertion; `ranking` lists all patches, most promising first.

    The published search, one candidate at a time. Each step tries the first `candidates` of the ranking that remain,
    from its start for insertion and from its end for deletion.
    """
    inserted: list[int] = []
    blurred, clean = on_blur([]), on_blur(ranking)
    response = blurred
    enough = blurred + insert_until * abs(clean - blurred) if insert_until < 1 else math.inf
    while len(inserted) < len(ranking) and response < enough:
        trials = [i for i in ranking if i not in inserted][:candidates]
        responses = [on_blur([*inserted, i]) for i in trials]
        response = max(responses)  # arg max MR(P_k + X_i)  Eq. 4
        inserted.append(trials[responses.index(response)])
    deleted: list[int] = []  # least important first
    while len(inserted) + len(deleted) < len(ranking):
        trials = [i for i in reversed(ranking) if i not in inserted + deleted][:candidates]
        responses = [on_black([*deleted, i]) for i in trials]
        deleted.append(trials[responses.index(min(responses))])  # arg min MR(P_k + X_i)  Eq. 5
    return inserted + deleted[::-1], len(inserted)


def response_curves(on_blur: Response, on_black: Response, order: list[int]) -> tuple[Curve, Curve]:
    """MR_ins and MR_del: the responses while patches are inserted into the blurred image or deleted from the image."""
    shown = range(len(order) + 1)
    insertion = [on_blur(order[:k]) for k in shown]
    deletion = [on_black(order[k:]) for k in shown]
    return torch.tensor(insertion, dtype=torch.float64), torch.tensor(deletion, dtype=torch.float64)


# Sec. 3.2: patch magnitudes


def relative_curves(insertion: Curve, deletion: Curve) -> tuple[Curve, Curve]:
    """Both curves mapped to [0, 1] between their ends, clipped and made monotone."""

    def relative(curve: Curve, low: Tensor, high: Tensor) -> Curve:
        return ((curve - low) / (high - low).abs().clamp_min(torch.finfo(curve.dtype).tiny)).clamp(0, 1)

    rising = relative(insertion, insertion[..., :1], insertion[..., -1:]).cummax(dim=-1).values
    falling = relative(deletion, deletion[..., -1:], deletion[..., :1]).cummin(dim=-1).values
    return rising, falling


def mean_response(insertion: Curve, deletion: Curve) -> Curve:
    return (insertion + (1 - deletion)) / 2  # MR_mean  Eq. 7


def fit_density(mean: Float[ndarray, " points"]) -> Float[ndarray, " points"]:
    """AD, the concave curve from 0 to 1 nearest to MR_mean: the quadratic program of Eq. 9, solved exactly.

    Concave curves from 0 to 1 that stay below 1 are the mixtures of N ramps that rise linearly to 1 at step j, so the
    program is a projection onto a simplex. Homogenized with a row of ones it is non-negative least squares.

    >>> fit_density(np.array([0, 0.75, 0.75, 1.0])).round(6).tolist()
    [0.0, 0.7, 0.85, 1.0]
    """
    patches = len(mean) - 1
    positions = np.arange(patches + 1)
    ramps = np.minimum(positions[:, None], positions[None, 1:]) / positions[None, 1:]  # points x ramps
    distance = ramps[1:-1] - mean[1:-1, None]
    system = np.vstack([distance, np.ones(patches)])
    weights, _ = nnls(system, np.append(np.zeros(patches - 1), 1.0))  # min Σ (AD_i - MR_mean_i)²  Eq. 9
    return ramps @ (weights / weights.sum())


def sparse_magnitudes(
    density: Float[ndarray, " points"], *, tie_term: TieTerm = "paper", patch_pixels: int = 256
) -> Float[ndarray, " patches"]:
    """A_sparse by rank: the increments of AD plus a term that decreases with the rank.

    `official` divides the first term by the pixels of a patch, as the published code does.
    """
    increments = np.diff(density)  # ΔAD_i, the magnitudes of Eq. 8
    patches = len(increments)
    decreasing = 1 - np.arange(1, patches + 1) / patches  # (N - i) / N
    first = increments if tie_term == "paper" else increments / patch_pixels
    magnitudes = first + increments * decreasing  # A_i  Eq. 10
    return magnitudes + 1e-6 * magnitudes.max() * decreasing  # A_i > A_j iff I_i < I_j, also where ΔAD is 0  Eq. 6


# Sec. 3.3: dense maps


def densify(
    sparse: Float[Tensor, "*cases patches"], *, gamma: float, kappa: float = 0.005
) -> Float[Tensor, "*cases patches"]:
    """A_γ by rank: magnitudes blended towards ones that decrease linearly; patches below `kappa` stay as they are."""
    patches = sparse.shape[-1]
    decreasing = 1 - torch.arange(1, patches + 1, dtype=sparse.dtype, device=sparse.device) / patches
    dense = torch.where(sparse >= kappa, decreasing, sparse)  # A_dense  Eq. 11
    largest = dense.amax(dim=-1, keepdim=True)
    dense = dense * sparse.amax(dim=-1, keepdim=True) / largest.where(largest > 0, largest.new_ones(()))
    return (1 - gamma) * sparse + gamma * dense  # A_γ  Eq. 12


# The method: the same for every class of every image


@register_method("mda", paper="walker2025")
def mda(
    model: Classifier,
    images: Images,
    targets: Targets,
    *,
    prior: str | None = "auto",
    insert_until: Annotated[float, between(0, 1)] = 0.9,
    candidates: Annotated[int, at_least(1)] | None = None,
    gamma: Annotated[float, between(0, 1)] = 0.0,
    kappa: float = 0.005,
    blur: Literal["adaptive"] | Annotated[int, ODD] = "adaptive",
    blur_start: Annotated[int, ODD] = 31,
    deletion_reference: Literal["black", "model_mean"] = "model_mean",
    tie_term: TieTerm = "paper",
    fast: bool = False,
    grid: Annotated[int, at_least(1)] = 14,
) -> Attribution:
    """Patches ordered by the metrics themselves, magnitudes fitted to their curves; `fast`: 5 to 35 % of the passes.

    `prior` is the method whose map limits the candidates (Sec. 3.4; "auto": bi_attn, or grad_cam for a CNN; None: all
    patches are candidates). `candidates` defaults to twice the side of the grid. `blur` is the side of the blur kernel
    in pixels; "adaptive" takes the first from `blur_start` on that occludes the class (the paper's scripts start at 31,
    those for monotonicity, segmentation and perturbation at 1). `grid` is the side of the patch grid of networks that
    have none. `fast` ranks candidates by a surrogate (`interventions/surrogate_search.py`); with the prior "auto" it
    searches with `libra_ixg_plus` as well and keeps the better order, and where that is poor it searches again without
    the surrogate. Networks without patch tokens try fewer candidates and keep several at once instead, which takes a
    sixth of the passes.
    """
    cells = model.grid if isinstance(model, ViT) else (grid, grid)
    patches = math.prod(cells)
    candidates = candidates or (2 * math.isqrt(patches) if prior else patches)
    cases, classes = images.detach().repeat_interleave(targets.shape[1], dim=0), targets.reshape(-1, 1)
    blurred = _blurred(model, cases, classes, blur, blur_start)
    black = one_color(cases, (0.0, 0.0, 0.0) if deletion_reference == "black" else model.mean)
    clean = _response(model, cases, classes)
    on_blur, on_black = (_responder(model, cases, reference, classes, cells) for reference in (blurred, black))

    options: dict[str, Any] = {"candidates": candidates, "insert_until": insert_until}

    def search(ranking: Orders) -> SearchResult:  # I  Eq. 4, 5
        return search_cases(on_blur, on_black, ranking, clean, budget=FAST if fast else EXACT, **options)

    rankings = _prior_rankings(model, images, targets, prior, cells, several=fast)
    if fast and isinstance(model, ViT) and embeds_by_patch(model):
        inputs = model, cases, (blurred, black), classes, (on_blur, on_black)
        result = _better([search_by_surrogate(*inputs, ranking, clean, **options) for ranking in rankings])
        if (_area(result) < POOR).any():
            result = _better([result, search(rankings[0])])
    else:
        result = _better([search(ranking) for ranking in rankings])
    order, *curves = result
    insertion, deletion = relative_curves(*curves)
    mean = mean_response(insertion, deletion).cpu().double().numpy()  # Eq. 7
    pixels = images.shape[-2] * images.shape[-1] // patches
    magnitudes = [sparse_magnitudes(fit_density(curve), tie_term=tie_term, patch_pixels=pixels) for curve in mean]
    sparse = torch.from_numpy(np.stack(magnitudes)).to(images)  # Eq. 9, 10
    ranked = densify(sparse, gamma=gamma, kappa=kappa)  # Eq. 11, 12
    maps = torch.zeros_like(ranked).scatter(1, order, ranked)
    extras = {"order": order, "insertion": insertion, "deletion": deletion, "sparse": sparse}
    shaped = {name: value.unflatten(0, targets.shape) for name, value in extras.items()}
    return Attribution(maps.unflatten(0, targets.shape).unflatten(-1, cells), shaped)


def _prior_rankings(
    model: Classifier, images: Images, targets: Targets, prior: str | None, cells: tuple[int, int], *, several: bool
) -> list[Int[Tensor, "cases patches"]]:
    """Patches from most to least promising, by the map of each prior on the grid."""
    if prior is None:
        return [torch.arange(math.prod(cells), device=images.device).expand(targets.numel(), -1)]
    automatic = PRIORS[: 2 if several else 1] if isinstance(model, ViT) else ("grad_cam",)
    maps = [
        resolve_method(name)(model, images.detach(), targets).maps
        for name in (automatic if prior == "auto" else (prior,))
    ]
    on_grid = [shrink_maps(each, cells).flatten(0, 1).flatten(1) for each in maps]
    return [each.argsort(dim=1, descending=True, stable=True) for each in on_grid]


def _better(results: list[SearchResult]) -> SearchResult:
    """For every case the result with the largest insertion minus deletion, by its own curves."""
    if len(results) == 1:
        return results[0]
    areas = torch.stack([_area(each) for each in results])
    best, cases = areas.argmax(dim=0), torch.arange(areas.shape[1], device=areas.device)
    return SearchResult(*(torch.stack(parts)[best, cases] for parts in zip(*results, strict=True)))


def _area(result: SearchResult) -> Float[Tensor, " cases"]:
    """Insertion minus deletion of the relative curves."""
    insertion, deletion = relative_curves(result.insertion, result.deletion)
    return torch.trapezoid(insertion - deletion, dim=-1) / (insertion.shape[-1] - 1)


def _blurred(
    model: Classifier, images: Images, classes: Int[Tensor, "cases 1"], blur: Literal["adaptive"] | int, start: int
) -> Images:
    """Every image under the first blur from `start` on that occludes its class; the widest where none does."""
    if blur != "adaptive":
        return folded_blur(images, model.mean, size=blur, sigma=blur)
    result = images.clone()
    visible = torch.arange(len(result), device=result.device)
    for size in range(start, WIDEST + 1, 2):
        result[visible] = folded_blur(images[visible], model.mean, size=size, sigma=size)
        visible = visible[_response(model, result[visible], classes[visible]) > OCCLUDED]
        if len(visible) == 0:
            return result
    warnings.warn(
        f"no blur up to {WIDEST} pixels occludes the class in {len(visible)} of {len(result)} cases", stacklevel=4
    )
    return result


def _response(model: Classifier, images: Images, classes: Int[Tensor, "rows 1"]) -> Float[Tensor, " rows"]:
    with torch.no_grad():
        return model.scores(model.logits(images), classes, kind="prob").squeeze(1)  # MR  Eq. 1


def _responder(
    model: Classifier, images: Images, reference: Images, classes: Int[Tensor, "cases 1"], cells: tuple[int, int]
) -> Respond:
    """MR of a reference image with some patches of the image shown, for any rows of cases."""
    show = mosaic(model, images, reference, cells)
    return lambda case, shown: model.scores(show(case, shown), classes[case], kind="prob").squeeze(1)  # MR  Eq. 1
