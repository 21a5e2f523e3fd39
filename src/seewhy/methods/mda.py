"""MDA: order the patches by the insertion and deletion metrics themselves, then fit magnitudes to the two curves.

`mda_algorithm` is Sec. 3 of the paper from start to end, one candidate at a time: patch order (3.1), magnitudes (3.2),
dense maps (3.3). `mda` is the same for all images and classes at once (`interventions/greedy_search.py`).

| symbol of the paper    | name here           | shape                                    |
|------------------------|---------------------|------------------------------------------|
| MR(P_k), Eq. 1         | on_blur, on_black   | class probability with k patches shown   |
| I                      | I, order            | patches, most important first            |
| C                      | len(inserted)       |                                          |
| MR_ins, MR_del         | insertion, deletion | patches + 1                              |
| MR_mean                | MR_mean             | patches + 1, from 0 to 1                 |
| AD, ΔAD_i              | AD, increments      | patches + 1, concave, from 0 to 1        |
| τ                      | insert_until, threshold |                                      |
| A_sparse, A_dense, A_γ | A_sparse, sparse; A_dense, dense; magnitudes, ranked | patches |
| M                      | side of the grid    | 2M candidates by default                 |

formula: A_sparse,i = ΔAD_i + ΔAD_i (N - i) / N along the order I (Eq. 4, 5, 10); A_dense,i = (N - i) / N where
A_sparse,i ≥ κ, else A_sparse,i (Eq. 11); A_γ = (1 - γ) A_sparse + γ A_dense (Eq. 12)

differs from the paper: insertion stops at the fraction `insert_until` (τ) of the rise, as in the published code; the
prior map that limits the candidates is used on the patch grid; patches are the model's own, not nearly square segments;
curves have one point per patch (the published code runs 452 more images); the quadratic program is solved exactly; any
class can be explained; a small term preserves the order where the program gives zeros. Deleted patches take the model's
mean color, as in the published code, which also evaluates this way (protocol `mda`); the text says black.

extras: `order`, `insertion` and `deletion` (the curves), `sparse` (magnitudes by rank), from which
`explanation.with_density` makes denser maps without running the model.
"""

import math
from collections.abc import Callable
from typing import Annotated, Literal, NamedTuple

import numpy as np
import torch
from jaxtyping import Float, Int
from numpy import ndarray
from scipy.optimize import nnls
from torch import Tensor

from seewhy.interventions.blurred import weakest_blur
from seewhy.interventions.patch_order import class_probability, find_order, prior_rankings
from seewhy.models.classifier import Classifier
from seewhy.models.vit import ViT
from seewhy.ops.curves import Curve, relative_curves
from seewhy.ops.references import AnyReference, folded_blur, reference_image
from seewhy.registry import register_method
from seewhy.runtime.notes import note
from seewhy.runtime.options import ODD, at_least, between
from seewhy.types import Attribution, Images, Targets

Response = Callable[[list[int]], float]  # MR of a reference image with these patches shown  Eq. 1
TieTerm = Literal["paper", "official"]
ByPatch = Float[ndarray, " patches"]


# Sec. 3, for one image and one class


class MDAResult(NamedTuple):
    """A_γ of every patch, the order I, the number C of patches found by insertion, and both curves along I."""

    magnitudes: ByPatch
    order: list[int]
    inserted: int
    insertion: Curve
    deletion: Curve


def mda_algorithm(
    on_blur: Response,
    on_black: Response,
    ranking: list[int],
    *,
    candidates: int,
    insert_until: float = 0.9,
    gamma: float = 0.0,
    kappa: float = 0.005,
) -> MDAResult:
    """Sec. 3 of the paper; `ranking` lists all patches, most promising first (Sec. 3.4)."""
    N = len(ranking)

    # 3.1 Patch order: insert the most important patches into the blurred image, most important first …
    blurred, clean = on_blur([]), on_blur(ranking)
    threshold = blurred + insert_until * abs(clean - blurred) if insert_until < 1 else math.inf  # τ
    inserted: list[int] = []
    response = blurred
    while len(inserted) < N and response < threshold:
        trials = [i for i in ranking if i not in inserted][:candidates]
        responses = [on_blur([*inserted, i]) for i in trials]
        response = max(responses)
        inserted.append(trials[responses.index(response)])  # arg max MR(P_k + X_i)  Eq. 4
    # … then insert the others into the black image, least important first: reversed, this is the deletion order
    deleted: list[int] = []
    while len(inserted) + len(deleted) < N:
        trials = [i for i in reversed(ranking) if i not in inserted + deleted][:candidates]
        responses = [on_black([*deleted, i]) for i in trials]
        deleted.append(trials[responses.index(min(responses))])  # arg min MR(P_k + X_i)  Eq. 5
    I = inserted + deleted[::-1]  # noqa: E741 - the paper's symbol

    # 3.2 Magnitudes: the slopes of a concave curve, fitted to the mean of both curves
    MR_ins = torch.tensor([on_blur(I[:k]) for k in range(N + 1)], dtype=torch.float64)
    MR_del = torch.tensor([on_black(I[k:]) for k in range(N + 1)], dtype=torch.float64)
    MR_ins, MR_del = relative_curves(MR_ins, MR_del)
    MR_mean = (MR_ins + (1 - MR_del)) / 2  # Eq. 7
    AD = fit_density(MR_mean.numpy())  # min Σ (AD_i - MR_mean_i)², AD concave from 0 to 1  Eq. 9
    increments, decreasing = np.diff(AD), 1 - np.arange(1, N + 1) / N  # ΔAD_i  Eq. 8; (N - i) / N
    A_sparse = increments + increments * decreasing  # Eq. 10

    # 3.3 Dense maps
    A_dense = np.where(A_sparse >= kappa, decreasing, A_sparse)  # Eq. 11
    A_dense = A_dense * A_sparse.max() / A_dense.max()
    magnitudes = np.zeros(N)
    magnitudes[I] = (1 - gamma) * A_sparse + gamma * A_dense  # A_γ  Eq. 12
    return MDAResult(magnitudes, I, len(inserted), MR_ins, MR_del)


def fit_density(mean: Float[ndarray, " points"]) -> Float[ndarray, " points"]:
    """AD, the concave curve from 0 to 1 nearest to MR_mean: the quadratic program of Eq. 9, solved exactly.

    Concave curves from 0 to 1 that stay below 1 are the convex combinations of N ramps, of which ramp j rises linearly
    to 1 at step j, so the program is a projection onto a simplex. With a row of ones it is non-negative least squares.

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


# The same for every class of every image


@register_method("mda", paper="walker2025", optimizes=True)
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
    deletion_reference: AnyReference = "model_mean",
    tie_term: TieTerm = "paper",
    fast: bool = False,
    grid: Annotated[int, at_least(1)] = 14,
) -> Attribution:
    """Patches ordered by the metrics themselves, magnitudes fitted to their curves; `fast` takes far fewer passes.

    `prior` is the method whose map limits the candidates (Sec. 3.4; "auto": bi_attn, or grad_cam for a CNN; None: all
    patches are candidates). `candidates` defaults to twice the side of the grid. `blur` is the size of the blur kernel
    in pixels; "adaptive" takes the first from `blur_start` on that removes the class (the paper's scripts start at 31,
    those for monotonicity, segmentation and perturbation at 1). `deletion_reference` is what deleted patches show: a
    name, a color or an image. `grid` is the side of the patch grid for networks without patches. `fast` ranks
    candidates by a surrogate (`interventions/surrogate_search.py`); with the prior "auto" it also searches with
    `libra_ixg_plus` and keeps the better order, and where that is poor it searches again without the surrogate.
    Networks without patch tokens keep several patches per round instead, at a sixth of the passes.
    """
    cells = model.grid if isinstance(model, ViT) else (grid, grid)
    patches = math.prod(cells)
    candidates = candidates or (2 * math.isqrt(patches) if prior else patches)
    cases, classes = images.detach().repeat_interleave(targets.shape[1], dim=0), targets.reshape(-1, 1)
    blurred = _blurred(model, cases, classes, blur, blur_start)
    deleted = reference_image(deletion_reference, cases, mean=model.mean, std=model.std).expand_as(cases)
    rankings = prior_rankings(model, images, targets, prior, cells, several=fast)
    order, *curves = find_order(  # I  Eq. 4, 5
        model, cases, classes, (blurred, deleted), rankings, cells,
        fast=fast, candidates=candidates, insert_until=insert_until,
    )  # fmt: skip
    insertion, deletion = relative_curves(*curves)
    MR_mean = ((insertion + (1 - deletion)) / 2).cpu().double().numpy()  # Eq. 7
    pixels = images.shape[-2] * images.shape[-1] // patches
    magnitudes = [sparse_magnitudes(fit_density(curve), tie_term=tie_term, patch_pixels=pixels) for curve in MR_mean]
    sparse = torch.from_numpy(np.stack(magnitudes)).to(images)  # Eq. 9, 10
    ranked = densify(sparse, gamma=gamma, kappa=kappa)  # Eq. 11, 12
    maps = torch.zeros_like(ranked).scatter(1, order, ranked)
    extras = {"order": order, "insertion": insertion, "deletion": deletion, "sparse": sparse}
    shaped = {name: value.unflatten(0, targets.shape) for name, value in extras.items()}
    return Attribution(maps.unflatten(0, targets.shape).unflatten(-1, cells), shaped)


def sparse_magnitudes(
    density: Float[ndarray, " points"], *, tie_term: TieTerm = "paper", patch_pixels: int = 256
) -> ByPatch:
    """A_sparse by rank: the increments of AD plus a term that decreases with the rank.

    `tie_term="official"` divides the first term by the number of pixels of a patch, as in the published code.
    """
    increments = np.diff(density)  # ΔAD_i, the magnitudes of Eq. 8
    patches = len(increments)
    decreasing = 1 - np.arange(1, patches + 1) / patches  # (N - i) / N
    first = increments if tie_term == "paper" else increments / patch_pixels
    magnitudes = first + increments * decreasing  # A_i  Eq. 10
    return magnitudes + 1e-6 * magnitudes.max() * decreasing  # A_i > A_j iff I_i < I_j, also where ΔAD is 0  Eq. 6


def densify(
    sparse: Float[Tensor, "*cases patches"], *, gamma: float, kappa: float = 0.005
) -> Float[Tensor, "*cases patches"]:
    """A_γ by rank: magnitudes blended with linearly decreasing ones; patches below `kappa` are unchanged."""
    patches = sparse.shape[-1]
    decreasing = 1 - torch.arange(1, patches + 1, dtype=sparse.dtype, device=sparse.device) / patches
    dense = torch.where(sparse >= kappa, decreasing, sparse)  # A_dense  Eq. 11
    largest = dense.amax(dim=-1, keepdim=True)
    dense = dense * sparse.amax(dim=-1, keepdim=True) / largest.where(largest > 0, largest.new_ones(()))
    return (1 - gamma) * sparse + gamma * dense  # A_γ  Eq. 12


def _blurred(
    model: Classifier, images: Images, classes: Int[Tensor, "cases 1"], blur: Literal["adaptive"] | int, start: int
) -> Images:
    """Every image blurred with this kernel size, or with the first from `start` on that removes its class."""
    if blur != "adaptive":
        return folded_blur(images, model.mean, size=blur, sigma=blur)

    def probability(blurred: Images, cases: Int[Tensor, " rows"], _size: int) -> Float[Tensor, " rows"]:
        return class_probability(model, blurred, classes[cases])

    blurred, sizes, found = weakest_blur(images, model.mean, probability, start=start)
    if not found.all():
        missing = f"{int((~found).sum())} of {len(found)} cases"
        strongest = f"no blur up to {int(sizes.max())} pixels removes the class in {missing}"
        note(f"mda: {strongest}; the strongest blur is the reference, with some evidence left", stacklevel=4)
    return blurred
