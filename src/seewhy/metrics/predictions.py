"""Predictions for perturbed images: each distinct image is run once, in chunks, and only the prediction is kept.

A perturbed image is identified by its content: the image, the pixels of it that are kept (a hash of the set), and the
reference that replaces the others. An image that occurs again (another class with an equal map, another method, the
clean image, a bare reference) is looked up in the cache.
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


class Predictions(NamedTuple):
    """For each query: probability of its target, the top-1 class with its own, and those of the watched classes."""

    probability: Float[Tensor, " queries"]
    top1: Int[Tensor, " queries"]
    top1_probability: Float[Tensor, " queries"]
    watched: Float[Tensor, "queries watched"]


@dataclass
class PredictionCache:
    """Predictions by model, image and class. Keep one per image (or batch) while its methods are scored.

    It grows by about 20 kB per map; `clear` empties it. `watched` are classes whose probabilities are kept
    besides the target's, at no extra forward pass.
    """

    watched: tuple[int, ...] = ()
    known: dict[Key, tuple[float, int, float, list[float]]] = field(default_factory=dict)

    def clear(self) -> None:
        self.known.clear()


def query_model(
    model: Classifier,
    keys: Sequence[Key],
    targets: Sequence[int],
    assemble: Callable[[Int[Tensor, " chosen"]], Images],
    cache: PredictionCache,
    *,
    like: Tensor,
) -> Predictions:
    """Predictions for the images `keys` and their `targets`; deduplicated, cached forward passes.

    `assemble` makes the images of the chosen queries; it is called for one chunk at a time. Predictions leave the
    device once, after the last chunk, so that a GPU never waits for this process.
    """
    model_key = model.fingerprint
    full = [(model_key, *key, target) for key, target in zip(keys, targets, strict=True)]
    pending: dict[Key, list[int]] = {}  # image -> the queries about it
    for i, key in enumerate(full):
        if key not in cache.known:
            pending.setdefault(keys[i], []).append(i)
    images = list(pending.values())
    starts, found = range(0, len(images), model.chunk), []
    for start in track(starts, "perturbing") if len(starts) > 1 else starts:
        part = images[start : start + starts.step]
        probabilities = model.probabilities(assemble(torch.tensor([queries[0] for queries in part])))
        found.append(_read(probabilities, part, targets, cache.watched))
    if found:
        _cache_predictions(found, [query for queries in images for query in queries], full, cache)
    probability, top1, highest, others = zip(*(cache.known[key] for key in full), strict=True)
    return Predictions(
        torch.tensor(probability, dtype=like.dtype, device=like.device),
        torch.tensor(top1, device=like.device),
        torch.tensor(highest, dtype=like.dtype, device=like.device),
        torch.tensor(others, dtype=like.dtype, device=like.device).view(len(full), len(cache.watched)),
    )


def _read(
    probabilities: Float[Tensor, "images outputs"],
    queries_of: list[list[int]],
    targets: Sequence[int],
    watched: tuple[int, ...],
) -> Predictions:
    """The predictions for all queries about the images of a chunk, on their device."""
    pairs = [(row, targets[query]) for row, queries in enumerate(queries_of) for query in queries]
    rows, classes = torch.tensor(pairs, device=probabilities.device).T
    top1 = probabilities.argmax(dim=-1)[rows]
    return Predictions(
        probabilities[rows, classes],
        top1,
        probabilities[rows, top1],
        probabilities[:, list(watched)][rows],
    )


def _cache_predictions(
    found: Sequence[Predictions], queries: Sequence[int], full: list[Key], cache: PredictionCache
) -> None:
    """Cache the predictions of all chunks."""
    columns = (torch.cat(parts).tolist() for parts in zip(*found, strict=True))
    for query, *values in zip(queries, *columns, strict=True):
        cache.known[full[query]] = (values[0], values[1], values[2], values[3])


def image_digests(images: Images) -> list[str]:
    """A hash of each image's content."""
    return [
        hashlib.blake2b(image.contiguous().numpy().tobytes(), digest_size=12).hexdigest()
        for image in images.detach().cpu()
    ]


def pixel_codes(pixels: int, device: torch.device) -> Int[Tensor, " pixels"]:
    """A random 64-bit number per pixel: the hash of a set of pixels is the sum of its numbers (which may wrap)."""
    generator = torch.Generator().manual_seed(0x5EE)
    return torch.randint(-(2**63), 2**63 - 1, (pixels,), generator=generator).to(device)


def set_hashes(
    order: Int[Tensor, "cases pixels"], counts: Int[Tensor, " points"]
) -> tuple[Int[Tensor, "cases points"], Int[Tensor, "cases points"]]:
    """Hashes of the top-k set and of its complement, for every count k."""
    codes = pixel_codes(order.shape[-1], order.device)
    sums = codes[order].cumsum(dim=-1)
    sums = torch.cat([torch.zeros_like(sums[:, :1]), sums], dim=-1)
    top = sums[:, counts]
    return top, sums[:, -1:] - top


def map_hashes(maps: Float[Tensor, "cases height width"]) -> Int[Tensor, " cases"]:
    """Hashes of soft masks: equal values, equal hash."""
    bits = maps.flatten(1).contiguous().view(torch.int64 if maps.dtype == torch.float64 else torch.int32).long()
    return (bits * (pixel_codes(bits.shape[-1], maps.device) | 1)).sum(dim=-1)
