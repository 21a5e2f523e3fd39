"""Screen candidates: paste their cells into a few images, and keep for the proof what raises the class most.

A cue often falls into several clusters: parts of a frame, the edge and the middle of a disc. Beginning with the
candidate that raises the class most, others are added as long as the rise grows; where objects are not known, only
neighbors are, so that cue and object are not merged. A second group is proven only if pasting it does something. The
images that cells are pasted into are not those of the proof, and p-values are later corrected for every group that was
tried.
"""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from hashlib import blake2b
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor

from seewhy.audits.config import AuditConfig
from seewhy.audits.describe import Description
from seewhy.audits.find import Candidate, merge, touch
from seewhy.audits.masks import cell_masks
from seewhy.audits.prove import free_pixels, paste
from seewhy.audits.source import SampleCache
from seewhy.errors import InputError
from seewhy.models.classifier import Classifier
from seewhy.runtime.files import write_atomic
from seewhy.runtime.pool import run_units
from seewhy.runtime.progress import track

FEW, MANY = 4, 8  # images that a candidate, and a group, is pasted into
GAIN = 0.1  # smallest rise of the mean log probability for which a candidate is added
TRIED = 8  # candidates that may join a group
FLOOR = 1e-6  # of a probability

Group = Sequence[int]  # numbers of candidates


class Screening(NamedTuple):
    """The candidates of a class, and images of other classes."""

    candidates: tuple[Candidate, ...]
    recipients: tuple[int, ...]

    @property
    def key(self) -> str:
        content = (self.recipients, [each.key for each in self.candidates])
        return blake2b(repr(content).encode(), digest_size=6).hexdigest()

    def __hash__(self) -> int:
        return hash(self.key)


@dataclass(frozen=True)
class Screened:
    """The groups of candidates to prove, the best first, how many were tried, and the passes it took."""

    groups: Sequence[Group]
    rises: Sequence[float]  # of the mean log probability of the class
    tried: int
    forwards: float


@dataclass
class ScreenJob:
    """Screens the candidates of one class after the other, here or in other processes."""

    model: Classifier
    images: SampleCache
    config: AuditConfig

    def work(self, task: Screening, ahead: Sequence[Screening] = ()) -> Screened:  # noqa: ARG002 - the protocol of jobs
        candidates, tried = task.candidates, len(task.candidates)
        with self.model.meter() as cost:
            before = self._log_probabilities(self._read(task.recipients), task)
            singles = self._rises(candidates, task, before[:FEW])
            left = np.argsort(singles)[::-1].tolist()
            found: list[tuple[Group, float]] = []
            while left and len(found) < self.config.per_class and (not found or singles[left[0]] >= GAIN):
                group, rise, more = self._grow(left, singles, task, before)
                found.append((group, rise))
                left = [each for each in left if each not in group]
                tried += more
        groups, rises = zip(*found, strict=True)
        return Screened(groups, rises, tried, cost.forwards)

    def _grow(
        self, left: Sequence[int], singles: Sequence[float], task: Screening, before: Tensor
    ) -> tuple[Group, float, int]:
        """The best candidate with those that raise the class further, the rise, and the number of groups tried."""
        group: Group = (left[0],)
        best, tried = singles[left[0]], 0
        promising = [each for each in left[1 : 1 + TRIED] if singles[each] >= GAIN]
        if promising:
            best = self._rise(task.candidates[left[0]], task, before)
        for other in promising:
            merged, part = merge([task.candidates[each] for each in group]), task.candidates[other]
            if not (self._objects_known(task) or touch(merged, part)):
                continue
            rise = self._rise(merge([merged, part]), task, before)
            tried += 1
            if rise > best + GAIN:
                group, best = (*group, other), rise
        return group, best, tried

    def _objects_known(self, task: Screening) -> bool:
        return all(self.images.read(each).regions is not None for each in task.recipients)

    def _rise(self, candidate: Candidate, task: Screening, before: Tensor) -> float:
        return self._rises([candidate], task, before)[0]

    def _rises(self, candidates: Sequence[Candidate], task: Screening, before: Tensor) -> list[float]:
        """The rise of the class's mean log probability when the cells of each candidate are pasted."""
        others = self._read(task.recipients[: len(before)])
        pasted = torch.cat([self._paste(each, others) for each in candidates])
        after = self._log_probabilities(pasted, task).view(len(candidates), len(before))
        rises: list[float] = (after - before).mean(1).tolist()
        return rises

    def _paste(self, candidate: Candidate, others: Tensor) -> Tensor:
        """Images of other classes with the cells of those that have most of them."""
        owners = sorted(candidate.cells, key=lambda each: -len(candidate.cells[each]))[: len(others)]
        donors = [self.images.read(each) for each in owners]
        images = torch.stack([each.image for each in donors])
        cells = cell_masks(
            [candidate.cells[each] for each in owners], candidate.grid, (images.shape[2], images.shape[3])
        )
        return paste(images, others, cells & np.stack([free_pixels(each) for each in donors]))

    def _read(self, indices: Sequence[int]) -> Tensor:
        return torch.stack([self.images.read(each).image for each in indices])

    def _log_probabilities(self, images: Tensor, task: Screening) -> Tensor:
        probabilities = self.model.probabilities(images.to(self.model.device))
        return probabilities[:, task.candidates[0].target].cpu().clamp_min(FLOOR).log()


def screen_candidates(
    job: ScreenJob, tasks: Sequence[Screening], folder: Path, *, workers: int = 1, ray: str | None = None
) -> list[Screened]:
    """Screen the classes whose result is missing in the folder, then read all results."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = {task: folder / f"{task.candidates[0].target}-{task.key}.json" for task in tasks}
    missing = [task for task, path in paths.items() if not path.is_file()]
    finished = run_units(job, missing, workers=workers, ray=ray) if missing else iter(())
    for task, screened, _, error in track(finished, "screening", total=len(missing)):
        if error:
            raise InputError(f"the candidates of class {task.candidates[0].target} could not be screened: {error}")
        write_atomic(paths[task], json.dumps(asdict(screened)).encode(), resumes=True)
    return [Screened(**json.loads(path.read_text())) for path in paths.values()]


def make_screenings(candidates: Sequence[Candidate], described: Description, config: AuditConfig) -> list[Screening]:
    """One task per class; the recipients are the last of those in random order, the proof takes the first."""
    ordered = sorted(candidates, key=lambda each: each.target)
    return [
        Screening(tuple(group), tuple(recipients[::-1][:MANY]))
        for target, group in groupby(ordered, key=lambda each: each.target)
        if (recipients := draw_recipients(target, described, config))
    ]


def draw_recipients(target: int, described: Description, config: AuditConfig) -> list[int]:
    """Images predicted as other classes, in random order."""
    others = described.facts["index"][described.facts["predicted"] != target]
    order: list[int] = np.random.default_rng([config.seed, target]).permutation(others).tolist()
    return order


def merge_screened(tasks: Sequence[Screening], screened: Sequence[Screened]) -> list[Candidate]:
    """The candidates to prove, those with the largest rise first."""
    found = [
        (rise, merge([task.candidates[each] for each in group]))
        for task, result in zip(tasks, screened, strict=True)
        for group, rise in zip(result.groups, result.rises, strict=True)
    ]
    return [candidate for _, candidate in sorted(found, key=lambda each: -each[0])]
