"""Infidelity: does the map predict how the score changes when the image is perturbed?

INFD(Φ, f, x) = E_I [ (Iᵀ Φ − (f(x) − f(x − I)))² ], lower is better; I is random.

| symbol | name here        | shape                  |
|--------|------------------|------------------------|
| I      | change           | samples 3 height width |
| Φ      | heatmaps         | batch classes height width |
| IᵀΦ    | expected         | classes samples        |
| f      | probability of the target |               |

differs from the paper: a map has one value per pixel, so I is averaged over the colors in IᵀΦ. Maps have no unit, so
each is scaled by the β that minimizes its infidelity, as in the published code; `normalize=False` is the definition.
"""

from typing import Annotated, Literal

import torch
from jaxtyping import Float
from torch import Tensor

from seewhy.models.classifier import Classifier
from seewhy.registry import register_metric
from seewhy.runtime.options import above, at_least
from seewhy.runtime.progress import track
from seewhy.types import Images, Maps, Scores, Targets

PerturbationKind = Literal["noisy_baseline", "square"]
DRAWN = 64  # samples drawn at once, independent of the model's chunk size: the score must not depend on it
PerSample = Float[Tensor, "classes samples"]


@register_metric("infidelity", higher_is_better=False, paper="yeh2019", costly=True)
def infidelity(
    model: Classifier,
    images: Images,
    targets: Targets,
    heatmaps: Maps,
    *,
    perturbation: PerturbationKind = "noisy_baseline",
    samples: Annotated[int, at_least(1)] = 200,
    deviation: Annotated[float, above(0)] = 0.2,
    size: Annotated[int, at_least(1)] = 32,
    normalize: bool = True,
    seed: int = 0,
) -> Scores:
    """Mean squared error of the score changes that the map predicts.

    `perturbation`: the whole image becomes black with noise (`deviation`), or a square of `size` pixels becomes black.
    """
    clean = model.probabilities(images).gather(1, targets)
    scores = []
    for i in track(range(len(images)), "perturbing"):
        generator = torch.Generator().manual_seed(seed)
        expected, actual = [], []
        for start in range(0, samples, DRAWN):
            count = min(DRAWN, samples - start)
            perturbed = _perturb(images[i], count, perturbation, deviation, size, generator)
            change = images[i] - perturbed  # I
            expected.append(torch.einsum("shw,khw->ks", change.mean(dim=1), heatmaps[i]))  # IᵀΦ
            actual.append(clean[i, :, None] - model.probabilities(perturbed)[:, targets[i]].T)  # f(x) − f(x − I)
        scores.append(_squared_error(torch.cat(expected, dim=1), torch.cat(actual, dim=1), normalize))
    return torch.stack(scores)


def _perturb(
    image: Float[Tensor, "colors height width"],
    count: int,
    perturbation: PerturbationKind,
    deviation: float,
    size: int,
    generator: torch.Generator,
) -> Float[Tensor, "samples colors height width"]:
    """x − I for `count` random I."""
    if perturbation == "noisy_baseline":
        noise = torch.randn(count, *image.shape, generator=generator).to(image)
        return (deviation * noise).clamp(0, 1)
    height, width = image.shape[-2:]
    tops, lefts = (
        torch.randint(max(1, side - size + 1), (count, 1), generator=generator).to(image.device)
        for side in (height, width)
    )
    rows, cols = (torch.arange(side, device=image.device) for side in (height, width))
    in_rows, in_cols = (rows >= tops) & (rows < tops + size), (cols >= lefts) & (cols < lefts + size)
    square = in_rows[:, None, :, None] & in_cols[:, None, None, :]
    return torch.where(square, 0.0, image)


def _squared_error(expected: PerSample, actual: PerSample, normalize: bool) -> Float[Tensor, " classes"]:
    if normalize:
        power = expected.square().mean(dim=1, keepdim=True)
        factor = (expected * actual).mean(dim=1, keepdim=True) / power.where(power > 0, 1.0)  # β
        expected = factor * expected
    return (expected - actual).square().mean(dim=1)
