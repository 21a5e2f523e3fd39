"""AHA: a network that was trained to rank pixels by what deletion and insertion say about them.

The explainer (`seewhy train`, or a bundled one) reads features of the model and gives a map of the size of the image
in a single pass. `refine_steps` trains its decoder a little further on the one image, with the same objective, free of
noise and at the final temperature; then it is as it was before.

| symbol of the paper | name here     | shape                     |
|---------------------|---------------|---------------------------|
| Φ                   | explainer     |                           |
| A                   | maps          | batch classes height width|
| T                   | refine_steps  |                           |

differs from the paper: what Sec. 3.3 leaves open is fixed so: AdamW without decay, gradients of norm at most one,
evaluation mode; the explained class alone; the references in turn and grids 14, 7, 28 in turn, in another pairing each
time round, never only the reference of one metric. The least important pixel of a map is 0.
"""

import copy
import math
import os
from typing import Any

import torch
from jaxtyping import Float
from torch import Tensor

from seewhy.explainers.features import Features
from seewhy.explainers.loss import Draw, explainer_loss
from seewhy.explainers.network import TENSORS, AHAExplainer, find_explainer
from seewhy.models.classifier import Classifier
from seewhy.ops.perturb import evenly_spaced
from seewhy.registry import register_method
from seewhy.runtime.options import require
from seewhy.runtime.progress import track
from seewhy.types import Images, Maps, Targets

GRIDS = (14, 7, 28)  # in turn, where the image is large enough


@register_method("aha", paper="schinagl2026", may_refuse=True)
def aha(
    model: Classifier,
    images: Images,
    targets: Targets,
    *,
    explainer: str | None = None,
    refine_steps: int = 0,
    learning_rate: float | None = None,
    tau: float | None = None,
    allow_mismatch: bool = False,
    encoder_weights: str | None = None,
) -> Maps:
    """The map of a trained explainer (a folder, or a bundled one), optionally refined on each image.

    Without `explainer` the bundled one of the model is taken. `allow_mismatch` accepts one trained for another model:
    refinement then brings it closer to this one. `learning_rate` and `tau` are those of refinement; left out they are a
    third of the training's, as in the paper (1e-4 after 3e-4), and the training's last. `encoder_weights` is where the
    weights of a timm encoder lie, if no longer where they were in training.
    """
    require(
        {
            f"refine_steps must not be negative, got {refine_steps}": refine_steps >= 0,
            f"learning_rate must be a number above 0, got {learning_rate}": learning_rate is None
            or 0 < learning_rate < math.inf,
            f"tau must be a number above 0, got {tau}": tau is None or 0 < tau < math.inf,
        }
    )
    trained = loaded(model, explainer, allow_mismatch=allow_mismatch, encoder_weights=encoder_weights)
    features = trained.features(images)
    if refine_steps == 0:
        with torch.inference_mode():  # spares many small operations what no_grad still costs them
            maps = trained(images, targets, features)
        return from_zero(maps.clone())  # which may take part in a graph again
    clean = model.probabilities(images).gather(1, targets)
    maps = torch.empty(*targets.shape, *images.shape[-2:], dtype=images.dtype, device=images.device)
    places = [(image, k) for image in range(len(images)) for k in range(targets.shape[1])]
    for image, k in track(places, "refining"):
        one = slice(image, image + 1)
        maps[image, k] = refined(
            trained,
            images[one],
            targets[one, k : k + 1],
            clean[one, k : k + 1],
            [each[one] for each in features],
            steps=refine_steps,
            learning_rate=trained.learning_rate / 3 if learning_rate is None else learning_rate,
            tau=trained.tau if tau is None else tau,
        )
    return from_zero(maps)


def from_zero(maps: Maps) -> Maps:
    """Only the order of pixels was trained: a zero of the scores' own would pass for the border of evidence against."""
    return maps - maps.amin(dim=(-2, -1), keepdim=True)


def loaded(model: Classifier, explainer: str | None, **options: Any) -> AHAExplainer:
    """The explainer, read again only if it or the model is another one than in the last call."""
    state = (explainer, explainer and _written(explainer), model.fingerprint, model.device, options)
    before, trained = model.cache.get("aha", (None, None))
    if before != state or trained.model is not model:
        trained = AHAExplainer.load(explainer or find_explainer(model), model, **options)
        model.cache["aha"] = state, trained
    return trained


def _written(explainer: str) -> int | None:
    """When a folder's tensors were; None for a bundled explainer. No `Path`, which takes long for every single call."""
    try:
        return os.stat(os.path.join(os.path.expanduser(explainer), TENSORS)).st_mtime_ns
    except OSError:
        return None


def refined(
    trained: AHAExplainer,
    image: Images,
    target: Targets,
    clean: Float[Tensor, "1 1"],
    features: Features,
    *,
    steps: int,
    learning_rate: float,
    tau: float,
) -> Float[Tensor, "height width"]:
    """The map for one image and class after a few steps on it (Sec. 3.3); the explainer is left as it was."""
    config = trained.config.loss
    decoder = copy.deepcopy(trained.decoder).eval().requires_grad_()
    optimizer = torch.optim.AdamW(decoder.parameters(), lr=learning_rate, weight_decay=0.0)
    side = min(image.shape[-2:])
    grids = [grid for grid in GRIDS if grid <= side] or [side]
    for step in range(steps):
        reference = config.references[step % len(config.references)]
        drawn = Draw(grids[(step + step // len(grids)) % len(grids)], (0, 0), reference, evenly_spaced(config.steps))
        maps = decoder(features, image.float(), target)[:, 0]
        loss = explainer_loss(trained.model, image, maps, target, clean, config=config, drawn=drawn, tau=tau)
        optimizer.zero_grad()
        loss.total.backward()
        torch.nn.utils.clip_grad_norm_(decoder.parameters(), 1.0)
        optimizer.step()
    with torch.no_grad():
        return decoder(features, image.float(), target)[0, 0]
