"""AHA's objective: deletion and insertion, made differentiable (Sec. 3.1 and 3.2 of the paper).

`published_loss` is the objective as published, from top to bottom, with autograd through all of it. `explainer_loss`,
which training and refinement use, is the same in less memory.

| symbol of the paper       | name here               | shape                      |
|---------------------------|-------------------------|----------------------------|
| f, I, I₀, t               | f, I, I0, t             | batch 3 height width       |
| A                         | A, maps                 | batch height width         |
| K = G·G regions, a        | grid², a                | batch regions              |
| p                         | p                       | ranks                      |
| L, L̃, P^soft              | L, P                    | batch ranks regions        |
| S, k                      | points, fractions (k/K) | points                     |
| m^soft,(k)                | m                       | batch points regions       |
| λ_del, λ_ins, λ_reg       | `LossConfig.*_weight`   |                            |

**Both curves start at the clean image.** Inserting the k most important regions into the reference shows the same image
as deleting the K − k least important ones from the original. So insertion is computed as a second deletion curve, in
the order that −a sorts, and read backwards, as in the authors' code, with independent noise for each sort. The area by
the trapezoid rule is the same in both directions. The mean without the first point (`area="mean_after_first"`, as
printed) then omits the clean image in both curves, where Eq. 10 omits the reference. The difference is a constant: the
endpoints of a curve are the same for every map.

**Forward passes per image**, for S = 16 points per curve: the clean image and the reference are shared by both curves,
which leaves 2 · 14 = 28 perturbed images, each with a backward pass. The reference is one more (of a single color, one
for all images), the clean image, which training runs anyway to choose the classes, another, and so is reading the
features of the explained model: a training step takes 31.

differs from the paper: `LossConfig` has a field for each point in which the paper and the authors' code disagree;
`presets.PAPER` is as printed.
"""

from typing import Any, NamedTuple

import torch
from jaxtyping import Float
from torch import Tensor

from seewhy.errors import ModelError
from seewhy.explainers.config import LossConfig
from seewhy.interventions.perturbed import autocast, masked_probabilities
from seewhy.models.classifier import Classifier
from seewhy.ops.curves import evenly_spaced
from seewhy.ops.perturb import (
    AHAReference,
    PixelMaps,
    aha_reference_images,
    peak_penalty,
    pool_cells,
    sample_offset,
    soft_masks,
    upsample_cells,
)
from seewhy.ops.sinkhorn import gumbel_noise, rank_anchors, soft_permutation
from seewhy.types import Images, Scores, Targets


class Perturbation(NamedTuple):
    """The grid, reference and curve points of one training step, the same for all images of its batch."""

    grid: int  # G
    offset: tuple[int, int]
    reference: AHAReference
    fractions: tuple[float, ...]  # k/K, ascending from 0 to 1


class Loss(NamedTuple):
    """The loss with its graph, and its parts without."""

    total: Float[Tensor, ""]
    deletion: Float[Tensor, ""]
    insertion: Float[Tensor, ""]
    peak: Float[Tensor, ""]


# the objective as published


def published_loss(
    f: Classifier,
    I: Images,  # noqa: E741 - the paper's name
    A: PixelMaps,
    t: Targets,
    *,
    config: LossConfig,
    perturbation: Perturbation,
    tau: float,
    generator: torch.Generator | None = None,
) -> Loss:
    """Eq. 6 to 11 for one map per image, averaged over images and classes; without a generator there is no noise."""
    grid, offset, reference, fractions = perturbation
    q, ranks = A.new_tensor(fractions), torch.arange(grid**2).to(A)
    I0, size = aha_reference_images(I, reference), (I.shape[-2], I.shape[-1])
    A = scaled(A, config)
    a = pool_cells(A, grid, offset=offset, overlap=config.overlap).flatten(1)  # mean of each region    Sec. 3.2
    areas = []
    for scores in (a, -a):  # most important first, then least important first
        p = rank_anchors(scores, kind=config.anchors)
        L = -(scores.unsqueeze(1) - p.view(-1, 1)).square()  # rows are ranks                           Eq. 6
        L = (L + sort_noise(scores, config, generator)) / tau  # L̃                                      Eq. 7
        P = sinkhorn_knopp(L, config.sinkhorn)  # P^soft
        first_k = (q.view(-1, 1) * grid**2 - ranks).clamp(0, 1)  # the first k = qK ranks, the last in part
        m = (first_k @ P).clamp(0, 1)  # m^soft,(k)                                                     Eq. 8
        curve = []
        for m_k in m.unflatten(2, (grid, grid)).unbind(1):
            M = upsample_cells(m_k, size, offset=offset, sigma=config.sigma).unsqueeze(1)
            perturbed = I * (1 - M) + I0 * M  #                                                         Eq. 1
            curve.append(f.scores(f.logits(perturbed), t, kind="prob").mean())
        areas.append(torch.stack(curve) @ area_weights(q, config).to(curve[0]))  #                      Eq. 9, 10
    deletion, insertion = areas
    peak = peak_penalty(A, size=config.peak_size, two_sided=config.peak_two_sided).mean()  #            Sec. 3.2
    return total_loss(deletion, insertion, peak, config)  #                                             Eq. 11


def sinkhorn_knopp(
    logits: Float[Tensor, "batch ranks regions"], iterations: int
) -> Float[Tensor, "batch ranks regions"]:
    """The Sinkhorn-Knopp iteration in the log domain: normalize columns and rows in turn."""
    for _ in range(iterations):
        logits = logits - logits.logsumexp(dim=1, keepdim=True)
        logits = logits - logits.logsumexp(dim=2, keepdim=True)
    return logits.exp()


def total_loss(deletion: Tensor, insertion: Tensor, peak: Tensor, config: LossConfig) -> Loss:
    """Eq. 11 with the regularizer, and 1 − insertion in place of −insertion (the same gradient, never negative)."""
    total = config.deletion_weight * deletion + config.insertion_weight * (1 - insertion) + config.peak_weight * peak
    return Loss(total, deletion.detach(), insertion.detach(), peak.detach())


def area_weights(fractions: Float[Tensor, " points"], config: LossConfig) -> Float[Tensor, " points"]:
    """Quadrature weights of the area under a curve: the trapezoid rule, or the mean without the first point (paper)."""
    widths, end = fractions.diff(), fractions.new_zeros(1)
    if config.area == "mean_after_first":
        return torch.cat([end, torch.full_like(widths, 1 / len(widths))])
    return (torch.cat([widths, end]) + torch.cat([end, widths])) / 2


def scaled(maps: PixelMaps, config: LossConfig) -> PixelMaps:
    """Maps scaled to the standard deviation `score_std`, so that only the temperature controls how soft the sort is."""
    if config.score_std is None:
        return maps
    return maps * (config.score_std / maps.std(dim=(1, 2), keepdim=True).clamp(min=1e-6))  # a flat map stays flat


def sort_noise(
    scores: Float[Tensor, "batch regions"], config: LossConfig, generator: torch.Generator | None
) -> Float[Tensor, "batch ranks regions"]:
    """Gumbel noise for each rank and region, or zeros."""
    if generator is None or not config.gumbel:
        return scores.new_zeros(()).expand(*scores.shape, scores.shape[1])
    return gumbel_noise(scores.detach(), generator)


# the same, in less memory


def explainer_loss(
    model: Classifier,
    images: Images,
    maps: PixelMaps,
    targets: Targets,
    clean: Scores,
    *,
    config: LossConfig,
    perturbation: Perturbation,
    tau: float,
    generator: torch.Generator | None = None,
) -> Loss:
    """`published_loss`, given the targets' probabilities for the `clean` images.

    Four things differ. The sort stores only the potentials of its iterations (`ops/sinkhorn.py`). The model runs in
    chunks that fit into memory (`interventions/perturbed.py`) and yields the curves and d area / d mask as constants.
    The first point of both curves, the clean image, is not recomputed. Their last is the reference itself, without a
    gradient: the sum of all ranks is 1 for every region, once Sinkhorn has converged.
    """
    maps = scaled(maps, config)
    masks = _both_masks(maps, config, perturbation, tau, generator)
    quadrature = area_weights(maps.new_tensor(perturbation.fractions), config)
    inner = quadrature[1:-1]
    signed = torch.cat([config.deletion_weight * inner, -config.insertion_weight * inner])
    references = aha_reference_images(images, perturbation.reference)
    replaced = reference_probabilities(model, references, targets)
    ends = quadrature[0] * clean.mean() + quadrature[-1] * replaced.mean()
    response = masked_probabilities(
        model,
        images,
        references.unsqueeze(0),
        masks,
        targets,
        signed.unsqueeze(1).expand(-1, targets.shape[1]) / targets.numel(),
        offset=perturbation.offset,
        sigma=config.sigma,
    )
    curves = response.probabilities.mean(dim=(0, 2)).unflatten(0, (2, -1))  # without their ends
    deletion, insertion = ends + curves @ inner.to(curves)  # Eq. 9, 10
    peak = peak_penalty(maps, size=config.peak_size, two_sided=config.peak_two_sided).mean()
    loss = total_loss(deletion, insertion, peak, config)
    # the curves are constants: a term of value zero carries the gradient d loss / d mask · d mask / d map
    term = (masks * response.gradients).sum()
    return loss._replace(total=loss.total + term - term.detach())


def reference_probabilities(model: Classifier, references: Images, targets: Targets) -> Scores:
    """Probabilities of the targets for reference images, without gradient; equal ones take one forward pass."""
    distinct = references[:1] if (references == references[:1]).all() else references
    with autocast(references.device):
        return model.probabilities(distinct).expand(len(targets), -1).gather(1, targets)


def _both_masks(
    maps: PixelMaps,
    config: LossConfig,
    perturbation: Perturbation,
    tau: float,
    generator: torch.Generator | None,
) -> Float[Tensor, "batch both_points grid grid"]:
    """Masks of both curves without their ends: most important first, then least important first."""
    grid, offset, _, fractions = perturbation
    cells = pool_cells(maps, grid, offset=offset, overlap=config.overlap).flatten(1)
    if not cells.isfinite().all():
        raise ModelError("the explainer's map is not finite: lower the learning rate, or resume from a checkpoint")
    points, masks = maps.new_tensor(fractions[1:-1]), []
    for scores in (cells, -cells):
        permutation = soft_permutation(
            scores,
            tau=tau,
            noise=sort_noise(scores, config, generator),
            iterations=config.sinkhorn,
            tolerance=config.tolerance,
            anchors=config.anchors,
            start=config.sort_start,
        )
        masks.append(soft_masks(permutation, points))
    return torch.cat(masks, dim=1).unflatten(2, (grid, grid))


# augmentation of the objective


def sample_perturbation(config: LossConfig, size: tuple[int, int], generator: torch.Generator) -> Perturbation:
    """Grid, offset, reference and curve points of one step, drawn in this order (Sec. 3.2)."""
    grid = _choice(config.grids, generator)
    offset = sample_offset(size, grid, generator, share=config.shift)
    reference = _choice(config.references, generator)
    fractions = evenly_spaced(config.points)
    if config.sample_points:
        inner = torch.rand(config.points - 2, generator=generator).sort().values.tolist()
        fractions = (0.0, *inner, 1.0)
    return Perturbation(grid, offset, reference, fractions)


def _choice(values: tuple[Any, ...], generator: torch.Generator) -> Any:
    return values[int(torch.randint(len(values), (), generator=generator))]
