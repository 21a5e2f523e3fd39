"""Deletion and insertion curves of one image, with the probabilities of the watched classes at every point."""

from collections.abc import Sequence
from typing import NamedTuple

import torch
from jaxtyping import Float, Int
from torch import Tensor

from seewhy.models.classifier import Classifier
from seewhy.types import Images

Ranks = Int[Tensor, "classes height width"]


class Sweep(NamedTuple):
    """One direction: the pixels replaced (deletion) or shown (insertion) at each point, and one image per reference."""

    direction: str
    counts: tuple[int, ...]
    references: Images


class MeasuredCurves(NamedTuple):
    """Probabilities of the watched classes and the top-1 class at every point; direction 0 is deletion."""

    probabilities: Float[Tensor, "classes directions references points watched"]
    top1: Int[Tensor, "classes directions references points"]


def measure_curves(
    model: Classifier, image: Images, ranks: Ranks, sweeps: Sequence[Sweep], watched: Sequence[int]
) -> MeasuredCurves:
    """Run the model on every perturbed image that the deletion and insertion metrics look at."""
    measured = [
        torch.stack([model.probabilities(perturbed_images(image, reference, rank, sweep)) for reference in references])
        for rank in ranks
        for sweep in sweeps
        for references in [sweep.references.unsqueeze(1)]
    ]
    table = torch.stack(measured).unflatten(
        0, (len(ranks), len(sweeps))
    )  # classes directions references points outputs
    return MeasuredCurves(table[..., list(watched)].cpu(), table.argmax(dim=-1).cpu())


def perturbed_images(
    image: Images, reference: Images, ranks: Int[Tensor, "height width"], sweep: Sweep
) -> Float[Tensor, "points 3 height width"]:
    """The images along one curve: the top pixels replaced by the reference, or only they shown on it."""
    top = ranks < torch.tensor(sweep.counts, device=ranks.device).view(-1, 1, 1, 1)
    return torch.where(top, reference, image) if sweep.direction == "deletion" else torch.where(top, image, reference)


def flip_count(
    counts: Sequence[int], top1: Sequence[int], prediction: int, *, direction: str = "deletion"
) -> int | None:
    """Smallest measured count at which deletion changes the top class, or insertion restores it; None if it never does.

    >>> flip_count([0, 10, 20, 30], [7, 7, 2, 2], prediction=7)
    20
    """
    wanted = direction == "insertion"
    return next((count for count, top in zip(counts, top1, strict=True) if (top == prediction) == wanted), None)
