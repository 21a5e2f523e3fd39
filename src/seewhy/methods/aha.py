"""AHA: amortized hybrid attribution. A network, the explainer Φ, was trained to rank pixels by deletion and insertion.

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

differs from the paper: Sec. 3.3 leaves some choices open. Here: AdamW without weight decay, gradient clipping norm 1,
evaluation mode, the explained class only; references cycle, and grids cycle through 14, 7 and 28, each time in another
pairing, so that refinement is never tuned to the reference of a single metric. Maps are shifted to a minimum of 0.

extras of refinement: `steps`, small maps after 0 to T steps, and `objective`, soft insertion minus deletion before each
step, at that step's reference and grid.
"""

import copy
import os
from typing import Annotated, Any

import torch
from jaxtyping import Float
from torch import Tensor

from seewhy.explainers.files import TENSORS, find_explainer
from seewhy.explainers.loss import Perturbation, explainer_loss
from seewhy.explainers.network import AHAExplainer, Reading
from seewhy.models.classifier import Classifier
from seewhy.ops.perturb import evenly_spaced
from seewhy.ops.resize import shrink_maps
from seewhy.registry import register_method
from seewhy.runtime.options import above, at_least
from seewhy.runtime.progress import track
from seewhy.types import Attribution, Images, Targets

GRIDS = (14, 7, 28)  # regions per side, in turn, as far as the image is large enough
SMALL = (56, 56)  # size of the maps after each step of refinement, which are only looked at


@register_method("aha", paper="schinagl2026", may_refuse=True)
def aha(
    model: Classifier,
    images: Images,
    targets: Targets,
    *,
    explainer: str | None = None,
    refine_steps: Annotated[int, at_least(0)] = 0,
    learning_rate: Annotated[float, above(0)] | None = None,
    tau: Annotated[float, above(0)] | None = None,
    allow_mismatch: bool = False,
    encoder_weights: str | None = None,
) -> Attribution:
    """The map of a trained explainer (a folder, or a bundled one), optionally refined on each image.

    Default of `explainer`: the bundled one of the model. `allow_mismatch` accepts an explainer of another model, which
    refinement adapts to this one. Defaults of refinement: a third of the peak `learning_rate` of the training, as in
    the paper (1e-4 after 3e-4), and its final temperature `tau`. `encoder_weights` is the weights file of a timm
    encoder, if it has moved since training.
    """
    trained = load_cached(model, explainer, allow_mismatch=allow_mismatch, encoder_weights=encoder_weights)
    reading = trained.read(images, targets)
    if refine_steps == 0:
        with torch.inference_mode():  # less overhead than no_grad for many small operations
            maps = trained(images, targets, reading)
        return Attribution(from_zero(maps.clone()))  # a normal tensor again
    clean = model.probabilities(images).gather(1, targets)
    maps = torch.empty(*targets.shape, *images.shape[-2:], dtype=images.dtype, device=images.device)
    steps = torch.empty(*targets.shape, refine_steps + 1, *SMALL, device=images.device)
    objective = torch.empty(*targets.shape, refine_steps, device=images.device)
    cases = [(image, k) for image in range(len(images)) for k in range(targets.shape[1])]
    for image, k in track(cases, "refining"):
        one = slice(image, image + 1)
        maps[image, k], steps[image, k], objective[image, k] = refined_map(
            trained,
            images[one],
            targets[one, k : k + 1],
            clean[one, k : k + 1],
            _of_case(reading, image, k, targets.shape[1]),
            steps=refine_steps,
            learning_rate=trained.learning_rate / 3 if learning_rate is None else learning_rate,
            tau=trained.tau if tau is None else tau,
        )
    return Attribution(from_zero(maps), {"steps": from_zero(steps), "objective": objective})


def refined_map(
    trained: AHAExplainer,
    image: Images,
    target: Targets,
    clean: Float[Tensor, "1 1"],
    reading: Reading,
    *,
    steps: int,
    learning_rate: float,
    tau: float,
) -> tuple[Float[Tensor, "height width"], Float[Tensor, "maps 56 56"], Float[Tensor, " steps"]]:
    """One map after a few steps on its image and class (Sec. 3.3), and extras; the explainer is not changed."""
    config = trained.config.loss
    decoder = copy.deepcopy(trained.decoder).eval().requires_grad_()
    optimizer = torch.optim.AdamW(decoder.parameters(), lr=learning_rate, weight_decay=0.0)
    side = min(image.shape[-2:])
    grids = [grid for grid in GRIDS if grid <= side] or [side]
    path, objective = [], []
    for step in range(steps):
        grid = grids[(step + step // len(grids)) % len(grids)]
        reference = config.references[step % len(config.references)]
        perturbation = Perturbation(grid, (0, 0), reference, evenly_spaced(config.steps))
        maps = decoder(reading.features, image.float(), target, reading.evidence)[:, 0]  # A = Φ(I, t)
        loss = explainer_loss(
            trained.model, image, maps, target, clean, config=config, perturbation=perturbation, tau=tau
        )  # Eq. 11
        path.append(maps.detach())
        objective.append(loss.insertion - loss.deletion)
        optimizer.zero_grad()
        loss.total.backward()
        torch.nn.utils.clip_grad_norm_(decoder.parameters(), 1.0)
        optimizer.step()
    with torch.no_grad():
        path.append(decoder(reading.features, image.float(), target, reading.evidence)[:, 0])
    return path[-1][0], shrink_maps(torch.stack(path, dim=1).float(), SMALL)[0], torch.stack(objective).float()


def _of_case(reading: Reading, image: int, k: int, classes: int) -> Reading:
    """The reading of one image and class."""
    case = image * classes + k
    evidence = None if reading.evidence is None else reading.evidence[case : case + 1]
    return Reading([each[image : image + 1] for each in reading.features], evidence)


def from_zero(maps: Float[Tensor, "*cases rows cols"]) -> Float[Tensor, "*cases rows cols"]:
    """Maps with a minimum of 0: only the order of pixels was trained, so the sign of a score means nothing."""
    return maps - maps.amin(dim=(-2, -1), keepdim=True)


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
