"""The one sweep behind Deletion, Insertion, Positive, Negative, MAS and monotonicity, and the masked images of ADP.

Removing the least important k pixels is inserting the other N - k, so Negative reads the insertion sweep; no point of
any curve is an image of its own if another curve has it (both ends, equal maps).

A *case* is one image with one class, a *side* is one direction with one reference.
"""

import dataclasses
from dataclasses import dataclass
from typing import Any, TypeVar

import torch
from jaxtyping import Float, Int
from torch import Tensor

from seewhy.metrics._fills import Cases, Fills
from seewhy.metrics._stream import Key, ask, map_hashes, set_hashes
from seewhy.metrics.protocols import Protocol
from seewhy.ops.curves import pixel_order, pixel_ranks
from seewhy.ops.resize import unit_range
from seewhy.types import Images, Maps, Scores

Sweeps = Float[Tensor, "batch classes references points"]
Winners = Int[Tensor, "batch classes references points"]
Ends = Float[Tensor, "batch classes references"]
Masses = Float[Tensor, "batch classes points"]


Part = TypeVar("Part", "Curves", "Masked")


@dataclass(frozen=True)
class Curves:
    """Target probability and top-1 class along both sweeps, per reference; NaN where a reference was not found.

    Point i of `deletion` has the `deleted[i]` most important pixels replaced, point i of `insertion` has only the
    `inserted[i]` most important ones of the image. Masses are the share of |map| in those pixels.
    """

    references: tuple[str, ...]
    deleted: Int[Tensor, " points"]
    inserted: Int[Tensor, " points"]
    clean: Scores
    deletion: Sweeps
    insertion: Sweeps
    deletion_top1: Winners
    insertion_top1: Winners
    deletion_floor: Ends  # probability of the bare reference
    insertion_floor: Ends
    deleted_mass: Masses
    inserted_mass: Masses


@dataclass(frozen=True)
class Masked:
    """Target probability of the clean image, and of the image faded into each reference where the map is low."""

    references: tuple[str, ...]
    clean: Scores
    masked: Ends


def sweep(cases: Cases, heatmaps: Maps, protocol: Protocol) -> Curves:
    """Both sweeps for every case and reference; `heatmaps` have the size of the images."""
    return join([_sweep_block(block, heatmaps[rows], protocol) for rows, block in cases.blocks()])


def fade(cases: Cases, heatmaps: Maps, protocol: Protocol) -> Masked:
    """The image faded into each reference: a·I + (1 - a)·I₀, with the map a scaled to [0, 1]."""
    return join([_fade_block(block, heatmaps[rows], protocol) for rows, block in cases.blocks()])


def join(parts: list[Part]) -> Part:
    """Evidence about several groups of images as one; what all have in common is taken from the first."""
    first = parts[0]
    shared = {"references", "deleted", "inserted"}
    names = [field.name for field in dataclasses.fields(first) if field.name not in shared]
    joined: dict[str, Any] = {name: torch.cat([getattr(part, name) for part in parts]) for name in names}
    return dataclasses.replace(first, **joined)


def _sweep_block(cases: Cases, heatmaps: Maps, protocol: Protocol) -> Curves:
    """One stream of pictures. Each side is asked at its points and, for the ends, at none and all pixels."""
    order = pixel_order(heatmaps.flatten(0, 1))
    pixels = order.shape[-1]
    deleted, inserted = protocol.counts(pixels), protocol.inserted(pixels)
    counts = torch.tensor([[*deleted, 0, pixels], [*inserted, 0, pixels]], device=order.device)  # direction points
    fills = cases.fills([pair.deletion for pair in protocol.references] + [p.insertion for p in protocol.references])
    said, top1 = _ask_kept(cases, fills, order, counts)
    clean = said[:, :, 0, 0, -2]
    said = said.where(fills.found.T.view(*cases.shape, 2, -1, 1), torch.nan)
    mass = _mass(heatmaps.flatten(0, 1), order)
    return Curves(
        references=tuple(pair.name for pair in protocol.references),
        deleted=counts[0, :-2],
        inserted=counts[1, :-2],
        clean=clean,
        deletion=said[:, :, 0, :, :-2],
        insertion=said[:, :, 1, :, :-2],
        deletion_top1=top1[:, :, 0, :, :-2],
        insertion_top1=top1[:, :, 1, :, :-2],
        deletion_floor=said[:, :, 0, :, -1],
        insertion_floor=said[:, :, 1, :, -2],
        deleted_mass=mass[:, counts[0, :-2]].view(*cases.shape, -1),
        inserted_mass=mass[:, counts[1, :-2]].view(*cases.shape, -1),
    )


def _ask_kept(
    cases: Cases, fills: Fills, order: Int[Tensor, "cases pixels"], counts: Int[Tensor, "directions points"]
) -> tuple[Float[Tensor, "batch classes 2 pairs points"], Int[Tensor, "batch classes 2 pairs points"]]:
    """Answers for every case, direction, reference and count; deletion keeps the rest, insertion the top."""
    ranks = pixel_ranks(order).int()
    sides, points = len(fills.names), counts.shape[1]
    pairs = sides // 2
    keys = _keys(cases, fills, order, counts)
    ranks, counts = ranks.view(-1, 1, 1, *cases.images.shape[-2:]), counts.int()
    rows = fills.rows.tolist()

    def assemble(chosen: Int[Tensor, " chosen"]) -> Images:
        """Points of one case and side lie together: neither image nor reference is copied for them."""
        pictures = cases.images.new_empty(len(chosen), *cases.images.shape[1:])
        groups, sizes = (chosen // points).unique_consecutive(return_counts=True)
        for group, part in zip(groups.tolist(), torch.split(pictures, sizes.tolist()), strict=True):
            case, side = divmod(group, sides)
            point = chosen[chosen // points == group] % points
            top = ranks[case] < counts[side // pairs, point].view(-1, 1, 1, 1)
            image, reference = cases.images[case // cases.shape[1]], fills.pictures[rows[side][case]]
            torch.where(top, *((image, reference) if side >= pairs else (reference, image)), out=part)
        return pictures

    answers = ask(cases.model, keys, cases.repeat_targets(sides * points), assemble, cases.cache, like=cases.images)
    probability, top1 = (answer.view(*cases.shape, 2, pairs, points) for answer in answers)
    return probability, top1


def _keys(cases: Cases, fills: Fills, order: Tensor, counts: Tensor) -> list[Key]:
    """Names of the pictures, by case, side and point; a whole image has no reference in its name."""
    pixels, pairs = order.shape[-1], len(fills.names) // 2
    hashes = set_hashes(order, counts[0])[1].tolist(), set_hashes(order, counts[1])[0].tolist()  # rest, top
    whole = (counts[0] == 0).tolist(), (counts[1] == pixels).tolist()
    return [
        (digest,) if all_kept else (digest, kept, fills.names[side][case])
        for case, digest in enumerate(cases.digests)
        for side in range(2 * pairs)
        for kept, all_kept in zip(hashes[side >= pairs][case], whole[side >= pairs], strict=True)
    ]


def _mass(maps: Float[Tensor, "cases height width"], order: Tensor) -> Float[Tensor, "cases counts"]:
    """Share of |map| in the top k pixels, k = 0 … N; NaN for an empty map."""
    values = maps.flatten(1).abs().gather(1, order).cumsum(dim=-1)
    return torch.cat([torch.zeros_like(values[:, :1]), values], dim=-1) / values[:, -1:]


def _fade_block(cases: Cases, heatmaps: Maps, protocol: Protocol) -> Masked:
    masks = unit_range(heatmaps).flatten(0, 1)
    fills = cases.fills([pair.deletion for pair in protocol.references])
    sides, hashes = len(fills.names), map_hashes(masks).tolist()
    keys: list[Key] = []
    for case, digest in enumerate(cases.digests):
        keys += [(digest, "faded", hashes[case], fills.names[side][case]) for side in range(sides)] + [(digest,)]

    def assemble(chosen: Int[Tensor, " chosen"]) -> Images:
        case, side = chosen // (sides + 1), chosen % (sides + 1)
        clean = (side == sides).view(-1, 1, 1, 1)
        mask, images = masks[case].unsqueeze(1), cases.images[cases.image_of[case]]
        replaced = fills.pictures[fills.rows[side.clamp(max=sides - 1), case]]
        return torch.where(clean, images, mask * images + (1 - mask) * replaced)

    answers = ask(cases.model, keys, cases.repeat_targets(sides + 1), assemble, cases.cache, like=cases.images)
    said = answers.probability.view(*cases.shape, sides + 1)
    found = fills.found.T.view(*cases.shape, -1)
    references = tuple(pair.name for pair in protocol.references)
    return Masked(references, said[..., -1], said[..., :-1].where(found, torch.nan))
