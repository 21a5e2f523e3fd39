"""AHA: amortized hybrid attribution. A network, the explainer Φ, is trained to rank pixels for deletion and insertion.

Training minimizes L(θ) = λ_del · delAUC^soft(A, I, t) − λ_ins · insAUC^soft(A, I, t) for A = Φ(I, t) (Eq. 11) over many
images; Eq. 6 to 11 are in `explainers/loss.py`. A map then takes one forward pass. Refinement (Sec. 3.3) minimizes the
same loss for a few steps on the image at hand, without Gumbel noise and at the final temperature.

| symbol of the paper | name here     | shape                     |
|---------------------|---------------|---------------------------|
| Φ_f,θ               | explainer     |                           |
| A                   | maps          | batch classes height width|
| T                   | refine_steps  |                           |
| τ_final             | tau           |                           |

formula: A = Φ_f,θ(I, t) + δ; refinement: δ ← δ - η ∇L(δ) for this image, T times from δ = 0 (Eq. 11)

differs from the paper: Sec. 3.3 fine-tunes θ, the explainer's head; three such steps changed insertion minus deletion
by next to nothing. Here a score δ is added to each region of the map, and Adam follows its gradient, scaled to a mean
square of one. A step uses all references, each at fractions of its own, others in every step, so that refinement does
not overfit to a few sets of regions. Of the maps after 0 to T steps, the one with the best true objective is returned:
insertion minus deletion with hard masks, over all references. Only the order of pixels is trained, so scores have no
unit. Maps get the mean and standard deviation of the explainer's last prior map, which changes no order: sums, signs
and contrasts of classes (`var:aha`) then mean what they mean for the prior. Maps of explainers without a prior are
scaled to [0, 1].

extras of refinement: `path`, small maps in [0, 1] after 0 to T steps, `objective`, the true objective of each (NaN once
a case has stopped), `kept`, the step whose map is returned, and `gain`, its objective minus that without refinement.
"""

import os
from dataclasses import replace
from typing import Annotated, Any, Literal

import torch
from jaxtyping import Float
from torch import Tensor

from seewhy.explainers.files import TENSORS, find_explainer
from seewhy.explainers.loss import scaled
from seewhy.explainers.network import AHAExplainer, Reading
from seewhy.interventions.soft_sweep import Lattice, SoftSweep, unit_mean_square, upsampled
from seewhy.models.classifier import Classifier
from seewhy.ops.perturb import pool_cells, upsample_cells
from seewhy.ops.resize import shrink_maps, unit_range
from seewhy.registry import register_method
from seewhy.runtime.options import above, at_least
from seewhy.runtime.progress import Step, report_step
from seewhy.types import Attribution, Images, Targets

LATTICE = 14  # regions per side, unless the explainer has a score per patch
POINTS = 4  # fractions of both curves, for each reference
SCORE_STD = 5.0  # standard deviation of the map that refinement starts from
AUTO_STEPS, PATIENCE = 30, 3  # of refine_steps="auto"
PATH_SIZE = (56, 56)  # of the maps after each step of refinement, which are for display only


@register_method("aha", paper="schinagl2026", optimizes=True, may_refuse=True)
def aha(
    model: Classifier,
    images: Images,
    targets: Targets,
    *,
    explainer: str | None = None,
    refine_steps: Annotated[int, at_least(0)] | Literal["auto"] = 0,
    learning_rate: Annotated[float, above(0)] = 4.0,
    tau: Annotated[float, above(0)] | None = None,
    allow_mismatch: bool = False,
    encoder_weights: str | None = None,
) -> Attribution:
    """The map of a trained explainer (a folder, or a bundled one), optionally refined on each image.

    Default of `explainer`: the one bundled for the model. The authors' released file works as well, with the DINOv3
    weights as `encoder_weights`. `allow_mismatch` accepts an explainer of another model, which refinement adapts to
    this one. `refine_steps="auto"` stops after three steps without improvement of the true objective, at most after 30.
    A step of `learning_rate` changes scores whose standard deviation is 5; default of `tau`: the final temperature of
    training. `encoder_weights` is the weights file of a timm encoder, if it has moved since training.
    """
    trained = load_cached(model, explainer, allow_mismatch=allow_mismatch, encoder_weights=encoder_weights)
    reading = trained.read(images, targets)
    if refine_steps == 0:
        with torch.inference_mode():  # less overhead than no_grad for many small operations
            maps = trained(images, targets, reading)
        return Attribution(reading.in_unit_of_prior(maps.clone()))  # a normal tensor again
    limit, patience = (AUTO_STEPS, PATIENCE) if refine_steps == "auto" else (refine_steps, refine_steps)
    with torch.inference_mode():
        plain = trained(images, targets, reading)
    references = trained.config.loss.references
    refined = refined_maps(
        trained,
        SoftSweep(model, images, targets, points=POINTS, sigma=0.0, references=references),
        plain.flatten(0, 1).clone(),
        lattice_of(trained, reading, images),
        steps=limit,
        patience=patience,
        learning_rate=learning_rate,
        tau=trained.tau if tau is None else tau,
    )
    maps, path, objective = (part.unflatten(0, targets.shape) for part in refined)
    highest, kept = objective.nan_to_num(-torch.inf).max(dim=2)
    extras = {"path": unit_range(path), "objective": objective, "kept": kept, "gain": highest - objective[..., 0]}
    return Attribution(reading.in_unit_of_prior(maps).to(images.dtype), extras)


def refined_maps(
    trained: AHAExplainer,
    sweep: SoftSweep,
    plain: Float[Tensor, "cases height width"],
    lattice: int,
    *,
    steps: int,
    patience: int,
    learning_rate: float,
    tau: float,
) -> tuple[Float[Tensor, "cases height width"], Float[Tensor, "cases maps 56 56"], Float[Tensor, "cases maps"]]:
    """The best map of each case, its path and its objectives (Sec. 3.3).

    A case stops after `patience` steps without improvement.
    """
    start = scaled(plain.float(), replace(trained.config.loss, score_std=SCORE_STD))
    change = start.new_zeros(len(plain), lattice, lattice).requires_grad_()
    optimizer, generator = torch.optim.Adam([change], lr=learning_rate, eps=1.0), torch.Generator()
    best, path = start.clone(), start.new_zeros(len(plain), steps + 1, *PATH_SIZE)
    objective = start.new_full((len(plain), steps + 1), torch.nan)
    active = torch.arange(len(plain), device=plain.device)
    for step in range(steps + 1):
        maps = start + enlarged(change, sweep.size, patchwise=trained.config.shape.patchwise)  # A = Φ(I, t) + change
        shown = maps.detach()[active].unsqueeze(1)
        objective[active, step] = sweep.of(active).hard_objective(shown).squeeze(1).to(objective)
        path[active, step:] = shrink_maps(shown, PATH_SIZE)
        stop = report_step(Step(step, steps, objective[:, step], path[:, step]))
        first = objective.nan_to_num(-torch.inf).argmax(dim=1)  # the best step so far of each
        best = torch.where((first == step).view(-1, 1, 1), maps.detach(), best)
        active = active[step - first[active] < patience]
        if step == steps or stop or not len(active):
            break
        cells = pool_cells(maps, lattice)[active]
        _, gradient = sweep.of(active).staggered(step).gradient(cells, lattice, tau, generator)
        (raw,) = torch.autograd.grad(cells, change, gradient)  # Eq. 11
        change.grad = unit_mean_square(raw)
        optimizer.step()
    return best, path, objective


def enlarged(cells: Lattice, size: tuple[int, int], *, patchwise: bool) -> Float[Tensor, "cases height width"]:
    """Scores of regions at the size of the images, interpolated unless the explainer has one score per patch."""
    return upsample_cells(cells, size) if patchwise else upsampled(cells, size)


def lattice_of(trained: AHAExplainer, reading: Reading, images: Images) -> int:
    """Regions per side: the patches of an explainer that has a score for each, else those of ViT/16 at 224 pixels."""
    rows, cols = reading.features[-1].shape[-2:]
    return rows if trained.config.shape.patchwise and rows == cols else min(LATTICE, *images.shape[-2:])


def load_cached(model: Classifier, explainer: str | None, **options: Any) -> AHAExplainer:
    """The explainer, loaded again only if it or the model has changed since the last call."""
    key = (explainer, explainer and _modified(explainer), model.fingerprint, model.device, options)
    cached_key, trained = model.cache.get("aha", (None, None))
    if cached_key != key or trained.model is not model:
        trained = AHAExplainer.load(explainer or find_explainer(model), model, **options)
        model.cache["aha"] = key, trained
    return trained


def _modified(explainer: str) -> int | None:
    """Modification time of a folder's tensors; None for a bundled explainer. `Path` would be slow on every call."""
    try:
        return os.stat(os.path.join(os.path.expanduser(explainer), TENSORS)).st_mtime_ns
    except OSError:
        return None
