"""Prove that a candidate causes the decision: remove it, paste it, transplant its activations, each beside controls.

- `remove`: the cue's pixels are replaced by two references, in the images that have it. Controls: the same shape
  elsewhere in the image, at random, and where most of the other evidence is.
- `paste`: the cue's pixels are pasted into images predicted as other classes. Control: the same shape from the same
  image, where most of the other evidence is.
- `transplant` (ViTs, if pasting does something): the cue's activations are inserted instead of its pixels (CAAP), with
  the same control.

Every control is made of the same images, so that effects are paired. Each recipient receives one cue and one control.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import torch
from jaxtyping import Bool, Float
from numpy import ndarray
from torch import Tensor
from torch.nn.functional import interpolate

from seewhy.audits.config import AuditConfig
from seewhy.audits.find import Candidate
from seewhy.audits.masks import Masks, cell_masks, refine_masks, shift_masks
from seewhy.audits.source import SampleCache
from seewhy.data.items import Sample
from seewhy.interventions.transplanted import transplanted_logits
from seewhy.metrics.references import REFERENCES, FixedReference
from seewhy.models.classifier import Classifier
from seewhy.models.vit import ViT
from seewhy.types import Images

REMOVED = ("blur", "model_mean")  # references that replace the cue
CUE, RANDOM, SALIENT = "cue", "random", "salient"
EXAMPLES = 4  # recipients whose picture is kept

Row = dict[str, Any]
Others = Float[Tensor, "recipients colors height width"]


class Task(NamedTuple):
    """A candidate with the images that are needed: those that have it, their evidence, and those that receive it."""

    candidate: Candidate
    donors: tuple[int, ...]
    recipients: tuple[int, ...]
    evidence: bytes  # float16, donors x cells

    def __hash__(self) -> int:
        return hash(self.candidate.key)


class Proof(NamedTuple):
    """Rows of all tests, and the pixels of the cue in the donors."""

    rows: list[Row]
    masks: Masks
    names: list[str]  # of the donors
    images: ndarray  # uint8, donors height width 3
    pasted: ndarray  # uint8, examples height width 3: recipients with the cue
    off_object: bool  # whether that is known: all donors have a mask of the object
    forwards: float


@dataclass
class ProofJob:
    """Tests candidates, one after the other or in other processes."""

    model: Classifier
    images: SampleCache
    config: AuditConfig

    def work(self, task: Task, ahead: Sequence[Task] = ()) -> Proof:  # noqa: ARG002 - the protocol of jobs
        model, candidate, seed = self.model, task.candidate, self.config.seed
        donors, recipients = (self._read(indices) for indices in (task.donors, task.recipients))
        images, others = (torch.stack([each.image for each in samples]) for samples in (donors, recipients))
        size = (images.shape[2], images.shape[3])
        seeds = cell_masks([candidate.cells[index] for index in task.donors], candidate.grid, size)
        masks = refine_masks(images, seeds, others, free=np.stack([free_pixels(each) for each in donors]), seed=seed)
        weights = np.frombuffer(task.evidence, dtype=np.float16).reshape(len(donors), *candidate.grid)
        dense = interpolate(torch.from_numpy(weights.astype(np.float32))[:, None], size)[:, 0].numpy()
        controls = dict(zip((CUE, RANDOM, SALIENT), (masks, *shift_masks(masks, dense, seed=seed)), strict=True))
        with model.meter() as cost:
            rows = self._remove(candidate.target, donors, images, controls)
            rows += self._insert(candidate.target, donors, recipients, images, others, controls)
        return Proof(
            [{"candidate": candidate.name, **row} for row in rows],
            masks,
            [sample.name for sample in donors],
            _to_bytes(images),
            _to_bytes(paste(images, others, masks)[:EXAMPLES]),
            all(sample.regions is not None for sample in donors),
            cost.forwards,
        )

    def _read(self, indices: Sequence[int]) -> list[Sample]:
        return [self.images.read(index) for index in indices]

    def _remove(self, target: int, donors: list[Sample], images: Images, regions: dict[str, Masks]) -> list[Row]:
        rows = _rows("remove", "none", "whole", donors, donors, self._probabilities(images), target)
        for name in REMOVED:
            reference = REFERENCES[name].deletion
            assert isinstance(reference, FixedReference)
            replaced = reference.make(images, self.model.mean, self.model.std)
            for kind, masks in regions.items():
                covered = torch.where(torch.from_numpy(masks).unsqueeze(1), replaced, images)
                rows += _rows("remove", name, kind, donors, donors, self._probabilities(covered), target)
        return rows

    def _insert(
        self,
        target: int,
        donors: list[Sample],
        recipients: list[Sample],
        images: Images,
        others: Others,
        regions: dict[str, Masks],
    ) -> list[Row]:
        """Cue and control of a donor into each recipient; donors take turns."""
        turn = take_turns(len(recipients), len(donors))
        givers, source = [donors[i] for i in turn], images[turn]
        rows = _rows("paste", "none", "whole", recipients, givers, self._probabilities(others), target)
        rises = {}
        for kind in (CUE, SALIENT):
            probabilities = self._probabilities(paste(images, others, regions[kind]))
            rows += _rows("paste", "pixels", kind, recipients, givers, probabilities, target)
            rises[kind] = float(probabilities[:, target].mean())
        if isinstance(self.model, ViT) and rises[CUE] - rises[SALIENT] >= self.config.effect / 2:
            for kind in (CUE, SALIENT):
                probabilities = self._transplant(source, others, torch.from_numpy(regions[kind][turn]))
                rows += _rows("transplant", "activations", kind, recipients, givers, probabilities, target)
        return rows

    def _transplant(self, source: Images, others: Images, masks: Tensor) -> Float[Tensor, "batch outputs"]:
        assert isinstance(self.model, ViT)
        logits = transplanted_logits(self.model, *(each.to(self.model.device) for each in (source, others, masks)))
        return self.model.to_probabilities(logits).cpu()

    def _probabilities(self, images: Images) -> Float[Tensor, "batch outputs"]:
        return self.model.probabilities(images.to(self.model.device)).cpu()


def take_turns(recipients: int, donors: int) -> ndarray:
    """The donor of each recipient."""
    return np.arange(recipients) % donors


def paste(donors: Images, recipients: Others, masks: Masks) -> Others:
    """The recipients with the pixels of a donor's mask; donors take turns."""
    turn = take_turns(len(recipients), len(donors))
    return torch.where(torch.from_numpy(masks[turn]).unsqueeze(1), donors[turn], recipients)


def _to_bytes(images: Images) -> ndarray:
    return (images.permute(0, 2, 3, 1).numpy() * 255).round().astype(np.uint8)


def _rows(
    test: str,
    how: str,
    region: str,
    images: Sequence[Sample],
    donors: Sequence[Sample],
    probabilities: Tensor,
    target: int,
) -> list[Row]:
    return [
        {
            "test": test,
            "how": how,
            "region": region,
            "image": image.name,
            "donor": donor.name,
            "label": next(iter(image.labels), None),
            "probability": float(each[target]),
            "decision": int(each.argmax()),
        }
        for image, donor, each in zip(images, donors, probabilities, strict=True)
    ]


def free_pixels(sample: Sample) -> Bool[ndarray, "height width"]:
    """The pixels off the object; all without a mask."""
    if sample.regions is None:
        return np.ones(sample.image.shape[1:], dtype=bool)
    return ~sample.regions.any(0).numpy()


def iou(first: Bool[ndarray, "height width"], second: Bool[ndarray, "height width"]) -> float:
    """Intersection over union of two masks.

    >>> iou(np.array([[True, True]]), np.array([[True, False]]))
    0.5
    """
    return float((first & second).sum() / max((first | second).sum(), 1))
