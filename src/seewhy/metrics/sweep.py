"""The one sweep behind deletion, insertion, positive, negative, MAS and monotonicity.

Removing the least important k pixels is inserting the other N - k, so Negative reads the insertion sweep; an image
that two curves share (both ends, equal maps) is run once. A direction that no metric reads is not run.
"""

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, TypeVar

import torch
from jaxtyping import Float, Int
from torch import Tensor

from seewhy.metrics.cases import Cases, PerReference, Referenced, ReferenceImages
from seewhy.metrics.evidence import Line
from seewhy.metrics.predictions import Key, Predictions, query_model, set_hashes
from seewhy.metrics.references import DEFAULT_REFERENCES, ReferencePair, References, find_references
from seewhy.ops.curves import evenly_spaced, pixel_counts, pixel_order, pixel_ranks
from seewhy.ops.references import center_bump
from seewhy.ops.resize import resize_maps
from seewhy.registry import register_evidence
from seewhy.runtime.options import check
from seewhy.types import Images, Maps

SweepCurves = Float[Tensor, "batch classes references points"]
Top1 = Int[Tensor, "batch classes references points"]
WatchedCurves = Float[Tensor, "batch classes references points watched"]
Masses = Float[Tensor, "batch classes points"]
PixelOrder = Int[Tensor, "cases pixels"]
Direction = Literal["deletion", "insertion"]

DIRECTIONS: tuple[Direction, ...] = ("deletion", "insertion")

Part = TypeVar("Part", bound=Referenced)


@dataclass(frozen=True)
class SweepSettings:
    """Points and references of both sweeps; `truncate` truncates pixel counts instead of rounding.

    >>> SweepSettings(fractions=evenly_spaced(21)).counts(50176)[0][:4]
    [0, 2509, 5018, 7526]
    """

    pairs: tuple[ReferencePair, ...] = ()
    fractions: tuple[float, ...] = evenly_spaced(21)
    truncate: bool = False

    def counts(self, pixels: int) -> tuple[list[int], list[int]]:
        """Pixels deleted and pixels inserted at each point.

        Insertion counts are the complements of the deletion counts.
        """
        deleted = pixel_counts(self.fractions, pixels, truncate=self.truncate)
        return deleted, [pixels - count for count in reversed(deleted)]


@dataclass(frozen=True)
class DirectionCurves(Referenced):
    """Probabilities and top-1 class along one sweep, per reference; the target's are NaN where none was found.

    At point i the `counts[i]` most important pixels are deleted or inserted; `clean` and `bare` are the probabilities
    of the whole image and of the bare reference. `mass` is the fraction of |map| in those pixels. Probabilities of the
    cache's `watched` classes are measured with the strongest blur where none removes the class.
    """

    counts: Int[Tensor, " points"]
    probability: SweepCurves
    top1: Top1
    top1_probability: SweepCurves
    watched: WatchedCurves
    clean: PerReference
    bare: PerReference
    mass: Masses


@dataclass(frozen=True)
class Curves(Referenced):
    """Both sweeps of some maps; a direction runs when a metric first reads it."""

    settings: SweepSettings
    run: Callable[[Direction], DirectionCurves]

    @cached_property
    def deletion(self) -> DirectionCurves:
        return self.run("deletion")

    @cached_property
    def insertion(self) -> DirectionCurves:
        return self.run("insertion")


def sweep_lines(curves: Curves, pixels: int) -> list[Line]:
    """Probability over the fraction of pixels, for the directions that were run."""
    run: dict[str, DirectionCurves] = {name: vars(curves)[name] for name in DIRECTIONS if name in vars(curves)}
    return [
        Line(name, reference, (sweep.counts / pixels).tolist(), sweep.probability[:, :, r])
        for r, reference in enumerate(curves.references)
        for name, sweep in run.items()
    ]


@register_evidence("curves", costly=True, lines=sweep_lines)
def curves(
    cases: Cases,
    ranked_maps: Maps,
    *,
    references: References = DEFAULT_REFERENCES,
    fractions: tuple[float, ...] = evenly_spaced(21),
    truncate: bool = False,
) -> Curves:
    """Deletion and insertion sweeps per reference; `truncate` truncates pixel counts instead of rounding."""
    gaps = torch.tensor(fractions, dtype=torch.float64).diff()
    check(
        len(gaps) > 0 and bool((gaps > 0).all() and (gaps - gaps[0]).abs().max() < 1e-6),
        f"fractions must be at least two, ascending and evenly spaced (areas are means over them), got {fractions}",
    )
    return run_sweep(cases, ranked_maps, SweepSettings(find_references(references), tuple(fractions), truncate))


@register_evidence("random_curves", costly=True)
def random_curves(cases: Cases, curves: Curves, *, seed: int = 0) -> Curves:
    """The sweeps of `curves` for smooth noise, the same for all images."""
    noise = torch.rand(1, 1, 14, 14, generator=torch.Generator().manual_seed(seed))
    height, width = cases.images.shape[-2:]
    return _sweep_baseline(cases, resize_maps(noise, (height, width))[0, 0], curves.settings)


@register_evidence("center_curves", costly=True)
def center_curves(cases: Cases, curves: Curves) -> Curves:
    """The sweeps of `curves` for a centered Gaussian."""
    return _sweep_baseline(cases, center_bump(*cases.images.shape[-2:]), curves.settings)


def _sweep_baseline(cases: Cases, heatmap: Float[Tensor, "height width"], settings: SweepSettings) -> Curves:
    return run_sweep(cases, heatmap.to(cases.images).expand(*cases.shape, -1, -1), settings)


def run_sweep(cases: Cases, heatmaps: Maps, settings: SweepSettings) -> Curves:
    """The sweeps for every case and reference; `heatmaps` have the size of the images."""

    failed: dict[Direction, Exception] = {}  # a direction that fails is not tried again for the next metric

    def run(direction: Direction) -> DirectionCurves:
        if direction in failed:
            raise failed[direction]
        try:
            return join([_sweep_group(cases.group(rows), heatmaps[rows], settings, direction) for rows in cases.groups])
        except Exception as error:
            failed[direction] = error
            raise

    return Curves(tuple(pair.name for pair in settings.pairs), settings, run)


def join(parts: list[Part]) -> Part:
    """Evidence about several groups of images as one; fields without a batch dimension are taken from the first."""
    first = parts[0]
    shared = {"references", "counts"}
    names = [field.name for field in dataclasses.fields(first) if field.name not in shared]
    joined: dict[str, Any] = {name: torch.cat([getattr(part, name) for part in parts]) for name in names}
    return dataclasses.replace(first, **joined)


def _sweep_group(cases: Cases, heatmaps: Maps, settings: SweepSettings, direction: Direction) -> DirectionCurves:
    order = pixel_order(heatmaps.flatten(0, 1))
    pixels = order.shape[-1]
    counts = order.new_tensor(settings.counts(pixels)[DIRECTIONS.index(direction)])
    references = cases.reference_images([getattr(pair, direction) for pair in settings.pairs])
    at = torch.cat([counts, counts.new_tensor([0, pixels])])  # the ends are part of most sweeps, but not of all
    predictions = _query_sweep(cases, references, order, at, direction)
    shape = *cases.shape, len(settings.pairs), len(at)
    raw, watched = predictions.probability.view(shape), predictions.watched.view(*shape, -1)
    probability = raw.where(references.found.T.view(*shape[:-1], 1), torch.nan)
    clean, bare = (-2, -1) if direction == "deletion" else (-1, -2)
    return DirectionCurves(
        references=tuple(pair.name for pair in settings.pairs),
        counts=counts,
        probability=probability[..., :-2],
        top1=predictions.top1.view(shape)[..., :-2],
        top1_probability=predictions.top1_probability.view(shape)[..., :-2],
        watched=watched[..., :-2, :],
        clean=raw[..., clean],
        bare=probability[..., bare],
        mass=_mass(heatmaps.flatten(0, 1), order)[:, counts].view(*cases.shape, -1),
    )


def _query_sweep(
    cases: Cases, references: ReferenceImages, order: PixelOrder, counts: Int[Tensor, " points"], direction: Direction
) -> Predictions:
    """Predictions by case, reference and point."""
    points, per_case = len(counts), len(references.keys)
    ranks = pixel_ranks(order).int().view(-1, 1, 1, *cases.images.shape[-2:])
    reference_of = references.index.tolist()

    def assemble(chosen: Int[Tensor, " chosen"]) -> Images:
        """Images of the chosen queries. Points of a case and reference are adjacent, so neither image is copied."""
        images = cases.images.new_empty(len(chosen), *cases.images.shape[1:])
        groups, sizes = (chosen // points).unique_consecutive(return_counts=True)
        for group, part in zip(groups.tolist(), torch.split(images, sizes.tolist()), strict=True):
            case, number = divmod(group, per_case)
            point = chosen[chosen // points == group] % points
            is_top = ranks[case] < counts[point].int().view(-1, 1, 1, 1)
            image, reference = cases.images[case // cases.shape[1]], references.images[reference_of[number][case]]
            top, rest = (reference, image) if direction == "deletion" else (image, reference)
            torch.where(is_top, top, rest, out=part)
        return images

    targets = [target for target in cases.classes for _ in range(per_case * points)]
    keys = _keys(cases, references, order, counts, direction)
    return query_model(cases.model, keys, targets, assemble, cases.cache, like=cases.images)


def _keys(
    cases: Cases, references: ReferenceImages, order: PixelOrder, counts: Int[Tensor, " points"], direction: Direction
) -> list[Key]:
    """Keys of the images by case, reference and point; the key of a whole image has no reference."""
    top, rest = set_hashes(order, counts)
    kept = (rest if direction == "deletion" else top).tolist()  # hashes of the kept pixels, by case and point
    whole = (counts == (0 if direction == "deletion" else order.shape[-1])).tolist()
    return [
        (digest,) if is_whole else (digest, pixels, names[case])
        for case, digest in enumerate(cases.digests)
        for names in references.keys
        for pixels, is_whole in zip(kept[case], whole, strict=True)
    ]


def _mass(maps: Float[Tensor, "cases height width"], order: PixelOrder) -> Float[Tensor, "cases counts"]:
    """Fraction of |map| in the top k pixels, k = 0 … N; NaN for an empty map."""
    values = maps.flatten(1).abs().gather(1, order).cumsum(dim=-1)
    return torch.cat([torch.zeros_like(values[:, :1]), values], dim=-1) / values[:, -1:]
