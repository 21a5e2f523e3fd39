"""AHA: amortized hybrid attribution. A network, the explainer Φ, is trained to rank pixels for deletion and insertion.

Training minimizes L(θ) = λ_del · delAUC^soft(A, I, t) − λ_ins · insAUC^soft(A, I, t) for A = Φ(I, t) (Eq. 11) over many
images; Eq. 6 to 11 are in `explainers/loss.py`. A map then takes one forward pass. Refinement (Sec. 3.3) minimizes the
same loss for a few steps on the image at hand, without Gumbel noise and at the final temperature, starting from a copy
of the trained decoder.

| symbol of the paper | name here     | shape                     |
|---------------------|---------------|---------------------------|
| Φ_f,θ               | explainer     |                           |
| A                   | maps          | batch classes height width|
| T                   | refine_steps  |                           |
| τ_final             | tau           |                           |

formula: A = Φ_f,θ(I, t); refinement: θ ← θ - η ∇L(θ) for this image, T times (Eq. 11)

differs from the paper: Sec. 3.3 leaves some choices open. Here: AdamW without weight decay, gradient clipping norm 1,
evaluation mode, the explained class only; references cycle, and grids cycle through 14, 7 and 28, in a different
pairing each time, so that refinement does not overfit to the reference of a single metric. Of the maps after 0 to T
steps, the one with the best true objective is returned: insertion minus deletion with hard masks, over all references.
Only the order of pixels is trained, so scores have no unit. Maps get the mean and standard deviation of the explainer's
last prior map, which changes no order: sums, signs and contrasts of classes (`var:aha`) then mean what they mean for
the prior. Maps of explainers without a prior are scaled to [0, 1].

extras of refinement: `path`, small maps in [0, 1] after 0 to T steps, `objective`, the true objective of each (NaN once
a case has stopped), `kept`, the step whose map is returned, and `gain`, its objective minus that without refinement.
"""

import copy
import os
from typing import Annotated, Any, Literal, NamedTuple

import torch
from jaxtyping import Float
from torch import Tensor

from seewhy.explainers.files import TENSORS, find_explainer
from seewhy.explainers.loss import Perturbation, explainer_loss
from seewhy.explainers.network import AHAExplainer, Reading
from seewhy.interventions.perturbed import hard_objective
from seewhy.models.classifier import Classifier
from seewhy.ops.curves import evenly_spaced
from seewhy.ops.perturb import aha_reference_images
from seewhy.ops.resize import shrink_maps, unit_range
from seewhy.registry import register_method
from seewhy.runtime.options import above, at_least
from seewhy.runtime.progress import Step, report_step, track
from seewhy.types import Attribution, Images, Targets

GRIDS = (14, 7, 28)  # regions per side, in turn; those that fit the image
AUTO_STEPS, PATIENCE = 30, 3  # of refine_steps="auto"
OBJECTIVE_POINTS = 4  # points of each curve of the true objective
MAX_COPIED = 60_000_000  # parameters in all copies of the decoder
PATH_SIZE = (56, 56)  # of the maps after each step of refinement, which are for display only


@register_method("aha", paper="schinagl2026", optimizes=True, may_refuse=True)
def aha(
    model: Classifier,
    images: Images,
    targets: Targets,
    *,
    explainer: str | None = None,
    refine_steps: Annotated[int, at_least(0)] | Literal["auto"] = 0,
    learning_rate: Annotated[float, above(0)] | None = None,
    tau: Annotated[float, above(0)] | None = None,
    allow_mismatch: bool = False,
    encoder_weights: str | None = None,
) -> Attribution:
    """The map of a trained explainer (a folder, or a bundled one), optionally refined on each image.

    Default of `explainer`: the one bundled for the model. The authors' released file works as well, with the DINOv3
    weights as `encoder_weights`. `allow_mismatch` accepts an explainer of another model, which refinement adapts to
    this one. `refine_steps="auto"` stops after three steps without improvement of the true objective, at most after 30.
    Defaults of refinement: a third of the peak `learning_rate` of training, as in the paper (1e-4 after 3e-4), and the
    final temperature `tau`. `encoder_weights` is the weights file of a timm encoder, if it has moved since training.
    """
    trained = load_cached(model, explainer, allow_mismatch=allow_mismatch, encoder_weights=encoder_weights)
    reading = trained.read(images, targets)
    if refine_steps == 0:
        with torch.inference_mode():  # less overhead than no_grad for many small operations
            maps = trained(images, targets, reading)
        return Attribution(reading.in_unit_of_prior(maps.clone()))  # a normal tensor again
    clean = model.probabilities(images).gather(1, targets)
    cases = [
        Case(images[image : image + 1], targets[image, k].view(1, 1), clean[image, k].view(1, 1), part)
        for image in range(len(images))
        for k, part in enumerate(reading.of_classes(image, targets.shape[1]))
    ]
    limit, patience = (AUTO_STEPS, PATIENCE) if refine_steps == "auto" else (refine_steps, refine_steps)
    rate = trained.learning_rate / 3 if learning_rate is None else learning_rate
    size = group_size(trained.decoder)
    groups = [cases[start : start + size] for start in range(0, len(cases), size)]
    refined = [
        refined_maps(
            trained, group, steps=limit, patience=patience, learning_rate=rate, tau=trained.tau if tau is None else tau
        )
        for group in track(groups, "refining")
    ]
    maps, path, objective = (torch.cat(parts).unflatten(0, targets.shape) for parts in zip(*refined, strict=True))
    highest, kept = objective.nan_to_num(-torch.inf).max(dim=2)
    extras = {"path": unit_range(path), "objective": objective, "kept": kept, "gain": highest - objective[..., 0]}
    return Attribution(reading.in_unit_of_prior(maps).to(images.dtype), extras)


class Case(NamedTuple):
    """One image and one class of it."""

    image: Images
    target: Targets
    clean: Float[Tensor, "1 1"]  # probability of the class for the clean image
    reading: Reading

    def map_of(self, decoder: Any) -> Float[Tensor, "height width"]:
        features, prior, _ = self.reading
        return decoder(features, self.image.float(), self.target, prior)[0, 0]


def group_size(decoder: torch.nn.Module) -> int:
    """The number of cases refined at once, each with its own copy of the decoder."""
    return max(1, min(16, MAX_COPIED // sum(parameter.numel() for parameter in decoder.parameters())))


def refined_maps(
    trained: AHAExplainer, cases: list[Case], *, steps: int, patience: int, learning_rate: float, tau: float
) -> tuple[Float[Tensor, "cases height width"], Float[Tensor, "cases maps 56 56"], Float[Tensor, "cases maps"]]:
    """The best map of each case, its path and its objectives; the explainer is not modified (Sec. 3.3).

    A case stops after `patience` steps without improvement.
    """
    decoders = [copy.deepcopy(trained.decoder).eval().requires_grad_() for _ in cases]
    optimizers = [torch.optim.AdamW(each.parameters(), lr=learning_rate, weight_decay=0.0) for each in decoders]
    best = torch.stack([case.map_of(trained.decoder).detach() for case in cases])
    path = best.new_zeros(len(cases), steps + 1, *PATH_SIZE)
    objective = best.new_full((len(cases), steps + 1), torch.nan)
    active = list(range(len(cases)))
    for step in range(steps + 1):
        maps = torch.stack([cases[i].map_of(decoders[i]) for i in active])  # A = Φ(I, t)
        finite = maps.flatten(1).isfinite().all(dim=1)
        value = true_objective(trained, [cases[i] for i in active], maps.detach()).to(objective)
        objective[active, step] = value.where(finite, torch.nan)
        path[active, step:] = shrink_maps(maps.detach().float().unsqueeze(1), PATH_SIZE)
        stop = report_step(Step(step, steps, objective[:, step], path[:, step]))
        first = objective[active].nan_to_num(-torch.inf).argmax(dim=1).tolist()  # the best step so far of each
        for row, i in enumerate(active):
            best[i] = maps[row].detach() if first[row] == step else best[i]
        sound = finite.tolist()
        going = [row for row in range(len(active)) if sound[row] and step - first[row] < patience]
        active = [active[row] for row in going]
        if step == steps or stop or not active:
            break
        loss = soft_loss(trained, [cases[i] for i in active], maps[going], step, tau)  # Eq. 11
        (loss * len(active)).backward()  # the loss is a mean; the sum makes cases independent of each other
        for i in active:
            torch.nn.utils.clip_grad_norm_(decoders[i].parameters(), 1.0)
            optimizers[i].step()
            optimizers[i].zero_grad()
    return best, path, objective


def soft_loss(trained: AHAExplainer, cases: list[Case], maps: Tensor, step: int, tau: float) -> Float[Tensor, ""]:
    """AHA's loss at the grid and reference of a step."""
    config, side = trained.config.loss, min(maps.shape[-2:])
    grids = [grid for grid in GRIDS if grid <= side] or [side]
    grid = grids[(step + step // len(grids)) % len(grids)]
    reference = config.references[step % len(config.references)]
    perturbation = Perturbation(grid, (0, 0), reference, evenly_spaced(config.points))
    images, targets, clean = (torch.cat(parts) for parts in list(zip(*cases, strict=True))[:3])
    return explainer_loss(
        trained.model, images, maps, targets, clean, config=config, perturbation=perturbation, tau=tau
    ).total


def true_objective(trained: AHAExplainer, cases: list[Case], maps: Tensor) -> Float[Tensor, " cases"]:
    """Insertion minus deletion with hard masks, over the references of training."""
    images, targets = (torch.cat(parts) for parts in list(zip(*cases, strict=True))[:2])
    references = torch.stack(
        [aha_reference_images(images, name) for name in dict.fromkeys(trained.config.loss.references)]
    )
    fractions = maps.new_tensor(evenly_spaced(OBJECTIVE_POINTS, endpoints=False))
    return hard_objective(trained.model, images, references, maps, targets[:, 0], fractions)


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
