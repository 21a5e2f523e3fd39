"""Confidence when the image is masked with the map: average drop (ADP) and increase in confidence."""

from dataclasses import dataclass

import torch
from jaxtyping import Int
from torch import Tensor

from seewhy.metrics.cases import Cases, PerReference, Referenced
from seewhy.metrics.predictions import Key, map_hashes, query_model
from seewhy.metrics.references import DEFAULT_REFERENCES, ReferencePair, References, find_references
from seewhy.metrics.sweep import join
from seewhy.ops.resize import unit_range
from seewhy.registry import register_evidence, register_metric
from seewhy.types import Images, Maps, Scores

UNDEFINED = "no blur removes the class"


@dataclass(frozen=True)
class Masked(Referenced):
    """Target probability of the clean image, and of the image masked with the map, per reference."""

    clean: Scores
    masked: PerReference


@register_evidence("masked", costly=True)
def masked(cases: Cases, heatmaps: Maps, *, references: References = DEFAULT_REFERENCES) -> Masked:
    """The image masked with the map and faded into each reference: a·I + (1 - a)·I₀, a scaled to [0, 1]."""
    pairs = find_references(references)
    return join([_mask_group(cases.group(rows), heatmaps[rows], pairs) for rows in cases.groups])


@register_metric("average_drop", higher_is_better=False, paper="chattopadhay2018", undefined=UNDEFINED)
def average_drop(masked: Masked) -> PerReference:
    """100 · max(0, y - o) / y with y of the clean and o of the masked image; the mean over images is ADP, in percent.

    A constant map shows nothing and drops nearly everything.
    """
    clean = masked.clean.unsqueeze(-1)
    drop = (clean - masked.masked).clamp(min=0)
    return 100 * drop / clean.clamp(min=1e-12)


@register_metric("increase_in_confidence", higher_is_better=True, paper="chattopadhay2018", undefined=UNDEFINED)
def increase_in_confidence(masked: Masked) -> PerReference:
    """100 where the masked image scores strictly higher than the clean one, else 0; in percent over images.

    Some papers call this PIC, a name that others use for performance information curves (`aic`, `sic`).
    """
    more = (masked.masked > masked.clean.unsqueeze(-1)).to(masked.masked.dtype)
    return (100 * more).where(masked.masked.isfinite(), masked.masked)


def _mask_group(cases: Cases, heatmaps: Maps, pairs: tuple[ReferencePair, ...]) -> Masked:
    """Queries by case: masked with each reference, then the clean image."""
    masks = unit_range(heatmaps).flatten(0, 1)
    references = cases.reference_images([pair.deletion for pair in pairs])
    count, hashes = len(pairs), map_hashes(masks).tolist()
    keys: list[Key] = []
    for case, digest in enumerate(cases.digests):
        keys += [(digest, "masked", hashes[case], names[case]) for names in references.keys] + [(digest,)]

    def assemble(chosen: Int[Tensor, " chosen"]) -> Images:
        case, reference = (each.to(masks.device) for each in (chosen // (count + 1), chosen % (count + 1)))
        clean = (reference == count).view(-1, 1, 1, 1)
        mask, images = masks[case].unsqueeze(1), cases.images[cases.image_of[case]]
        replaced = references.images[references.index[reference.clamp(max=count - 1), case]]
        return torch.where(clean, images, mask * images + (1 - mask) * replaced)

    targets = [target for target in cases.classes for _ in range(count + 1)]
    predictions = query_model(cases.model, keys, targets, assemble, cases.cache, like=cases.images)
    *masked, clean = predictions.probability.view(*cases.shape, count + 1).unbind(-1)
    found = references.found.T.view(*cases.shape, -1)
    names = tuple(pair.name for pair in pairs)
    return Masked(names, clean, torch.stack(masked, dim=-1).where(found, torch.nan))
