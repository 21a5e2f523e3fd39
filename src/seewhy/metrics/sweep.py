"""The one sweep behind deletion, insertion, positive, negative, MAS and monotonicity.

Removing the least important k pixels is inserting the other N - k, so Negative reads the insertion sweep; an image
that two curves share (both ends, equal maps) is run once.

A *side* is one direction with one reference.
"""

import dataclasses
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, TypeVar

import torch
from jaxtyping import Float, Int, Shaped
from torch import Tensor

from seewhy.metrics.cases import Cases, PerReference, Referenced, ReferenceImages
from seewhy.metrics.evidence import Line
from seewhy.metrics.predictions import Key, query_model, set_hashes
from seewhy.metrics.references import DEFAULT_REFERENCES, FixedReference, ReferencePair, References, find_references
from seewhy.ops.curves import pixel_counts, pixel_order, pixel_ranks
from seewhy.ops.references import center_bump
from seewhy.ops.resize import resize_maps
from seewhy.registry import register_evidence
from seewhy.types import Images, Maps, Scores

SweepCurves = Float[Tensor, "batch classes references points"]
Top1 = Int[Tensor, "batch classes references points"]
Masses = Float[Tensor, "batch classes points"]
PixelOrder = Int[Tensor, "cases pixels"]
Direction = Literal["deletion", "insertion"]

Part = TypeVar("Part", bound=Referenced)


def evenly(steps: int) -> tuple[float, ...]:
    """0, 1/steps, …, 1.

    >>> evenly(4)
    (0.0, 0.25, 0.5, 0.75, 1.0)
    """
    return tuple(step / steps for step in range(steps + 1))


@dataclass(frozen=True)
class Sweep:
    """Points and references of both sweeps.

    >>> Sweep(fractions=evenly(20)).counts(50176)[0][:4]
    [0, 2509, 5018, 7526]
    """

    pairs: tuple[ReferencePair, ...] = ()
    fractions: tuple[float, ...] = evenly(20)
    truncate: bool = False

    def counts(self, pixels: int) -> tuple[list[int], list[int]]:
        """Pixels deleted and pixels inserted at each point.

        Inserted are those left when as many of the least important are deleted.
        """
        deleted = pixel_counts(self.fractions, pixels, truncate=self.truncate)
        return deleted, [pixels - count for count in reversed(deleted)]


@dataclass(frozen=True)
class Curves(Referenced):
    """Target probability and top-1 class along both sweeps, per reference; NaN where a reference was not found.

    Point i of `deletion` has the `deleted[i]` most important pixels replaced, point i of `insertion` has only the
    `inserted[i]` most important ones of the image. Masses are the share of |map| in those pixels.
    """

    sweep: Sweep
    deleted: Int[Tensor, " points"]
    inserted: Int[Tensor, " points"]
    clean: Scores
    deletion: SweepCurves
    insertion: SweepCurves
    deletion_top1: Top1
    insertion_top1: Top1
    deletion_floor: PerReference  # probability of the bare reference
    insertion_floor: PerReference
    deleted_mass: Masses
    inserted_mass: Masses


def sweep_lines(curves: Curves, pixels: int) -> list[Line]:
    """Probability over the share of pixels."""
    deleted, inserted = (curves.deleted / pixels).tolist(), (curves.inserted / pixels).tolist()
    lines = []
    for r, reference in enumerate(curves.references):
        lines.append(Line("deletion", reference, deleted, curves.deletion[:, :, r]))
        lines.append(Line("insertion", reference, inserted, curves.insertion[:, :, r]))
    return lines


@register_evidence("curves", costly=True, lines=sweep_lines)
def curves(
    cases: Cases,
    ranked_maps: Maps,
    *,
    references: References = DEFAULT_REFERENCES,
    fractions: tuple[float, ...] = evenly(20),
    truncate: bool = False,
) -> Curves:
    """Deletion and insertion sweeps per reference; `truncate` cuts pixel counts off instead of rounding them."""
    return run_sweep(cases, ranked_maps, Sweep(find_references(references), tuple(fractions), truncate))


@register_evidence("random_curves", costly=True)
def random_curves(cases: Cases, curves: Curves, *, seed: int = 0) -> Curves:
    """The sweeps of `curves` for smooth noise, the same for all images."""
    noise = torch.rand(1, 1, 14, 14, generator=torch.Generator().manual_seed(seed))
    height, width = cases.images.shape[-2:]
    return _sweep_control(cases, resize_maps(noise, (height, width))[0, 0], curves.sweep)


@register_evidence("center_curves", costly=True)
def center_curves(cases: Cases, curves: Curves) -> Curves:
    """The sweeps of `curves` for a centered Gaussian."""
    return _sweep_control(cases, center_bump(*cases.images.shape[-2:]), curves.sweep)


def _sweep_control(cases: Cases, heatmap: Float[Tensor, "height width"], sweep: Sweep) -> Curves:
    return run_sweep(cases, heatmap.to(cases.images).expand(*cases.shape, -1, -1), sweep)


def run_sweep(cases: Cases, heatmaps: Maps, sweep: Sweep) -> Curves:
    """Both sweeps for every case and reference; `heatmaps` have the size of the images."""
    return join([_sweep_group(group, heatmaps[rows], sweep) for rows, group in cases.groups()])


def join(parts: list[Part]) -> Part:
    """Evidence about several groups of images as one; fields without a batch dimension are taken from the first."""
    first = parts[0]
    shared = {"references", "sweep", "deleted", "inserted"}
    names = [field.name for field in dataclasses.fields(first) if field.name not in shared]
    joined: dict[str, Any] = {name: torch.cat([getattr(part, name) for part in parts]) for name in names}
    return dataclasses.replace(first, **joined)


class Side(NamedTuple):
    """One direction with one reference. Sides are evaluated at their points and at 0 and all pixels."""

    direction: Direction
    counts: Int[Tensor, " points"]  # of the top pixels: deleted, or inserted
    reference: list[int]  # position of each case's reference image
    keys: list[FixedReference]  # and its key


class Points(NamedTuple):
    """Values of one direction: along the sweep, with none and with all of the pixels deleted or inserted."""

    swept: Shaped[Tensor, "batch classes references points"]
    none: Shaped[Tensor, "batch classes references"]
    all: Shaped[Tensor, "batch classes references"]


def _sweep_group(cases: Cases, heatmaps: Maps, sweep: Sweep) -> Curves:
    order = pixel_order(heatmaps.flatten(0, 1))
    pixels, pairs = order.shape[-1], sweep.pairs
    deleted, inserted = (torch.tensor(counts, device=order.device) for counts in sweep.counts(pixels))
    references = cases.reference_images([pair.deletion for pair in pairs] + [pair.insertion for pair in pairs])
    sides = _sides(references, deleted, inserted, pixels)
    probability, top1 = _query_sides(cases, references, order, sides)
    found = references.found.T.view(*cases.shape, 2, len(pairs), 1)
    deletion, insertion = map(_points, probability.where(found, torch.nan).unbind(2))
    deletion_top1, insertion_top1 = map(_points, top1.unbind(2))
    clean = _points(probability[:, :, 0]).none[:, :, 0]  # nothing deleted
    mass = _mass(heatmaps.flatten(0, 1), order)
    return Curves(
        references=tuple(pair.name for pair in pairs),
        sweep=sweep,
        deleted=deleted,
        inserted=inserted,
        clean=clean,
        deletion=deletion.swept,
        insertion=insertion.swept,
        deletion_top1=deletion_top1.swept,
        insertion_top1=insertion_top1.swept,
        deletion_floor=deletion.all,
        insertion_floor=insertion.none,
        deleted_mass=mass[:, deleted].view(*cases.shape, -1),
        inserted_mass=mass[:, inserted].view(*cases.shape, -1),
    )


def _sides(references: ReferenceImages, deleted: Tensor, inserted: Tensor, pixels: int) -> list[Side]:
    """Deletion with each reference, then insertion with each."""
    ends = deleted.new_tensor([0, pixels])
    half = len(references.keys) // 2
    directions: list[tuple[Direction, Tensor]] = [("deletion", deleted), ("insertion", inserted)]
    return [
        Side(name, torch.cat([counts, ends]), references.index[i].tolist(), references.keys[i])
        for number, (name, counts) in enumerate(directions)
        for i in range(number * half, (number + 1) * half)
    ]


def _points(values: Shaped[Tensor, "batch classes references points"]) -> Points:
    return Points(values[..., :-2], values[..., -2], values[..., -1])


def _query_sides(
    cases: Cases, references: ReferenceImages, order: PixelOrder, sides: list[Side]
) -> tuple[Float[Tensor, "batch classes 2 references points"], Int[Tensor, "batch classes 2 references points"]]:
    """Target probability and top-1 by direction and reference."""
    points = len(sides[0].counts)
    ranks = pixel_ranks(order).int().view(-1, 1, 1, *cases.images.shape[-2:])

    def assemble(chosen: Int[Tensor, " chosen"]) -> Images:
        """Points of one case and side are adjacent: neither image nor reference is copied for them."""
        images = cases.images.new_empty(len(chosen), *cases.images.shape[1:])
        groups, sizes = (chosen // points).unique_consecutive(return_counts=True)
        for group, part in zip(groups.tolist(), torch.split(images, sizes.tolist()), strict=True):
            case, side = group // len(sides), sides[group % len(sides)]
            point = chosen[chosen // points == group] % points
            is_top = ranks[case] < side.counts[point].int().view(-1, 1, 1, 1)
            image, reference = cases.images[case // cases.shape[1]], references.images[side.reference[case]]
            top, rest = (reference, image) if side.direction == "deletion" else (image, reference)
            torch.where(is_top, top, rest, out=part)
        return images

    targets = cases.repeat_targets(len(sides) * points)
    probability, top1 = query_model(
        cases.model, _keys(cases, order, sides), targets, assemble, cases.cache, like=cases.images
    )
    shape = *cases.shape, 2, len(sides) // 2, points
    return probability.view(shape), top1.view(shape)


def _keys(cases: Cases, order: PixelOrder, sides: list[Side]) -> list[Key]:
    """Keys of the images by case, side and point; that of a whole image names no reference."""
    kept: dict[Direction, list[list[int]]] = {}  # hashes of the kept pixels, by case and point
    whole: dict[Direction, list[bool]] = {}  # whether all pixels are kept, by point
    for side in sides:
        if side.direction not in kept:
            top, rest = set_hashes(order, side.counts)
            deletes = side.direction == "deletion"
            kept[side.direction] = (rest if deletes else top).tolist()
            whole[side.direction] = (side.counts == (0 if deletes else order.shape[-1])).tolist()
    return [
        (digest,) if is_whole else (digest, pixels, side.keys[case])
        for case, digest in enumerate(cases.digests)
        for side in sides
        for pixels, is_whole in zip(kept[side.direction][case], whole[side.direction], strict=True)
    ]


def _mass(maps: Float[Tensor, "cases height width"], order: PixelOrder) -> Float[Tensor, "cases counts"]:
    """Share of |map| in the top k pixels, k = 0 … N; NaN for an empty map."""
    values = maps.flatten(1).abs().gather(1, order).cumsum(dim=-1)
    return torch.cat([torch.zeros_like(values[:, :1]), values], dim=-1) / values[:, -1:]
