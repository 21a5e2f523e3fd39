"""The model's answers to perturbed images: each distinct image once, assembled in chunks, only the answer kept.

A perturbed image is named by its content: which image, which pixels of it are still there (a hash of the set), what
stands in for the others. Whoever asks for the same picture again, for another class with an equal map, for another
method, for the clean image or a bare reference, gets the answer that is already known.
"""

import hashlib
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import torch
from jaxtyping import Float, Int
from torch import Tensor

from seewhy.models.classifier import Classifier
from seewhy.runtime.progress import track
from seewhy.types import Images

Key = tuple[Hashable, ...]


class Answers(NamedTuple):
    """What the model said to each question: probability of the target, and the class it puts first."""

    probability: Float[Tensor, " questions"]
    top1: Int[Tensor, " questions"]


@dataclass
class Cache:
    """Answers by model, picture and class. Keep one per image (or batch) while its methods are scored, then drop it.

    It grows with every map by some 20 kB; `clear` forgets.
    """

    answers: dict[Key, tuple[float, int]] = field(default_factory=dict)

    def clear(self) -> None:
        self.answers.clear()


def ask(
    model: Classifier,
    keys: Sequence[Key],
    targets: Sequence[int],
    assemble: Callable[[Int[Tensor, " chosen"]], Images],
    cache: Cache,
    *,
    like: Tensor,
) -> Answers:
    """Answer question i: what does `model` say to picture `keys[i]`, for class `targets[i]`?

    `assemble` makes the pictures of the chosen questions; it is called for a chunk at a time.
    """
    model_key = model.fingerprint
    full = [(model_key, *key, target) for key, target in zip(keys, targets, strict=True)]
    pending: dict[Key, list[int]] = {}  # picture -> the questions about it
    for i, key in enumerate(full):
        if key not in cache.answers:
            pending.setdefault(keys[i], []).append(i)
    pictures = list(pending.values())
    starts = range(0, len(pictures), model.chunk)
    with torch.no_grad(), model.frozen_eval():
        for start in track(starts, "perturbing", total=len(starts)):
            part = pictures[start : start + starts.step]
            chosen = torch.tensor([questions[0] for questions in part], device=like.device)
            _keep(model, assemble(chosen), part, targets, full, cache)
    probability, top1 = zip(*(cache.answers[key] for key in full), strict=True)
    return Answers(
        torch.tensor(probability, dtype=like.dtype, device=like.device), torch.tensor(top1, device=like.device)
    )


def _keep(
    model: Classifier, images: Images, part: list[list[int]], targets: Sequence[int], full: list[Key], cache: Cache
) -> None:
    """Run one chunk and note the answers to all questions about its pictures."""
    probabilities = model.to_probabilities(model.logits(images))
    asked = [(row, question) for row, questions in enumerate(part) for question in questions]
    rows = [row for row, _ in asked]
    values = probabilities[rows, [targets[question] for _, question in asked]].tolist()
    top1 = probabilities.argmax(dim=-1).tolist()
    for (row, question), value in zip(asked, values, strict=True):
        cache.answers[full[question]] = (value, top1[row])


def image_digests(images: Images) -> list[str]:
    """A name for each image's content."""
    return [
        hashlib.blake2b(image.contiguous().numpy().tobytes(), digest_size=12).hexdigest()
        for image in images.detach().cpu()
    ]


def pixel_codes(pixels: int, device: torch.device) -> Int[Tensor, " pixels"]:
    """A random 64-bit number per pixel: a set of pixels is named by the sum of its numbers (which may wrap)."""
    generator = torch.Generator().manual_seed(0x5EE)
    return torch.randint(-(2**63), 2**63 - 1, (pixels,), generator=generator).to(device)


def set_hashes(
    order: Int[Tensor, "cases pixels"], counts: Int[Tensor, " points"]
) -> tuple[Int[Tensor, "cases points"], Int[Tensor, "cases points"]]:
    """Names of the top-k set and of the rest, for every count k."""
    codes = pixel_codes(order.shape[-1], order.device)
    sums = codes[order].cumsum(dim=-1)
    sums = torch.cat([torch.zeros_like(sums[:, :1]), sums], dim=-1)
    top = sums[:, counts]
    return top, sums[:, -1:] - top


def map_hashes(maps: Float[Tensor, "cases height width"]) -> Int[Tensor, " cases"]:
    """Names of soft masks: equal numbers, equal name."""
    bits = maps.flatten(1).contiguous().view(torch.int64 if maps.dtype == torch.float64 else torch.int32).long()
    return (bits * (pixel_codes(bits.shape[-1], maps.device) | 1)).sum(dim=-1)
