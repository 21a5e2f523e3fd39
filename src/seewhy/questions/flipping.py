"""Pixels that change the decision: those of a map, or few patches found by greedy search without any map."""

import itertools
from dataclasses import dataclass, replace
from typing import Annotated, Any

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from seewhy.errors import InputError
from seewhy.explanation import Explanation
from seewhy.interventions.patch_sets import patch_grid
from seewhy.metrics.flips import Flip, Flips, find_flips
from seewhy.models.classifier import Classifier
from seewhy.ops.windows import patch_cells
from seewhy.questions.covering import read_one, reference_pixels
from seewhy.runtime.options import at_least, check_value
from seewhy.runtime.progress import track
from seewhy.runtime.targets import class_name
from seewhy.types import Color, Images

Rows = Bool[Tensor, "rows patches"]
FIRST_ROUND, LATER_ROUNDS = "trying every patch", "deleting patches"  # what their progress is called


def flip(model: Classifier, explanation: Explanation, **options: Any) -> Flips:
    """The smallest fraction of pixels that changes the decision: see `Explanation.flip`.

    Of a network with independent labels, the decision whether the image has the explained label.
    """
    if explanation.images is None:
        raise InputError("this explanation holds no images: pass images= to Explanation.from_maps")
    if model.outputs.target is not None or explanation.target_function:
        raise InputError("a function of the outputs makes no decision that could flip: explain a class")
    images = explanation.images.to(model.device)
    targets = explanation.targets.to(images.device)
    if not model.outputs.independent(model.probabilities(images)):
        return find_flips(model, images, explanation.maps, targets, **options)
    return Flips(
        itertools.chain.from_iterable(
            _label_flips(model, images, explanation, *case, options) for case in _cases(targets)
        )
    )


def _cases(targets: Tensor) -> list[tuple[int, int, int]]:
    """Image, position and label of each map."""
    return [(image, k, label) for image, row in enumerate(targets.tolist()) for k, label in enumerate(row)]


def _label_flips(
    model: Classifier, images: Images, explanation: Explanation, image: int, k: int, label: int, options: dict[str, Any]
) -> list[Flip]:
    """Where the image gains or loses one label, by its map."""
    yes, one = torch.ones(1, 1, dtype=torch.long, device=images.device), slice(image, image + 1)
    flips = find_flips(model.of_label(label), images[one], explanation.maps[one, k : k + 1], yes, **options)
    return [replace(each, image=image) for each in flips]


@dataclass(frozen=True)
class SmallestFlip:
    """A small set of patches whose deletion changes the decision; if none was found, the patches that were deleted."""

    patches: tuple[int, ...]
    found: bool
    decision: int
    becomes: int  # the decision without the patches
    before: Float[Tensor, " outputs"]
    after: Float[Tensor, " outputs"]
    forwards: int
    class_names: tuple[str, ...] | None = None

    def __repr__(self) -> str:
        old, new = (class_name(each, self.class_names) for each in (self.decision, self.becomes))
        verdict = f"the decision changes from {old} to {new}" if self.found else f"the decision stays {old}"
        return f"{len(self.patches)} patches deleted: {verdict} ({self.forwards} forward passes)"


def smallest_flip(
    model: Classifier,
    image: Any,
    *,
    reference: str | Color = "blur",
    candidates: Annotated[int, at_least(1)] = 24,
) -> SmallestFlip:
    """Greedy search for few patches whose deletion changes the decision; no map is needed.

    The first round deletes every patch alone. Each round keeps the patch whose deletion lowers the margin of the
    decision over the best other class most; later rounds try only the `candidates` that lowered it most when they were
    last tried. At the end, patches that are not needed for the change are restored.
    """
    check_value("candidates", candidates, Annotated[int, at_least(1)])
    images = read_one(model, image, "smallest_flip").images.to(model.device)
    if model.outputs.independent(model.probabilities(images)):
        raise InputError("independent labels make no single decision: smallest_flip(model.of_label(index), image)")
    search = _Search(model, images, reference_pixels(reference, model, images))
    chosen = search.grow(candidates)
    chosen = search.prune(chosen)
    after = search.probabilities(chosen[None])[0]
    patches = tuple(chosen.nonzero().flatten().tolist())
    becomes = int(after.argmax())
    return SmallestFlip(
        patches,
        becomes != search.decision,
        search.decision,
        becomes,
        search.before.cpu(),
        after.cpu(),
        search.forwards,
        model.class_names,
    )


class _Search:
    """One image whose patches are deleted."""

    def __init__(self, model: Classifier, image: Images, reference: Images) -> None:
        self.model, self.image, self.reference, self.forwards = model, image, reference, 0
        self.cells = patch_cells(patch_grid(model), model.image_size).to(image.device)
        self.before = self.probabilities(torch.zeros(1, len(self.cells), dtype=torch.bool, device=image.device))[0]
        self.decision = int(self.before.argmax())

    def probabilities(self, deleted: Rows, description: str = "") -> Float[Tensor, "rows outputs"]:
        """Probabilities of the image without these patches; with progress, if it is described."""
        parts, chunks = [], deleted.split(self.model.chunk)
        for rows in track(chunks, description) if description else chunks:
            pixels = (rows.float() @ self.cells.flatten(1).float() > 0).unflatten(1, self.cells.shape[1:])
            parts.append(self.model.probabilities(torch.where(pixels.unsqueeze(1), self.reference, self.image)))
        self.forwards += len(deleted)
        return torch.cat(parts)

    def margins(self, deleted: Rows, description: str = "") -> Float[Tensor, " rows"]:
        """Probability of the decision minus that of the best other class; negative once it has changed."""
        probabilities = self.probabilities(deleted, description)
        others = probabilities.clone()
        others[:, self.decision] = -torch.inf
        return probabilities[:, self.decision] - others.amax(dim=1)

    def grow(self, candidates: int) -> Bool[Tensor, " patches"]:
        """Delete patches one by one until the decision changes or none is left."""
        patches = len(self.cells)
        chosen = torch.zeros(patches, dtype=torch.bool, device=self.image.device)
        alone = torch.eye(patches, dtype=torch.bool, device=self.image.device)
        known = self.margins(alone, FIRST_ROUND)  # when last tried
        for number in track(range(patches), LATER_ROUNDS):
            if number > 0:
                tried = self._promising(known, chosen, candidates)
                known[tried] = self.margins(_with_each(chosen, tried))
            else:
                tried = torch.arange(patches, device=known.device)
            best = tried[known[tried].argmin()]
            chosen[best] = True
            if known[best] < 0:
                break
        return chosen

    @staticmethod
    def _promising(known: Tensor, chosen: Tensor, candidates: int) -> Int[Tensor, " tried"]:
        left = (~chosen).nonzero().flatten()
        return left[known[left].argsort(stable=True)[:candidates]]

    def prune(self, chosen: Bool[Tensor, " patches"]) -> Bool[Tensor, " patches"]:
        """Restore, one by one, patches that are not needed for the change of the decision."""
        while chosen.sum() > 1:
            members = chosen.nonzero().flatten()
            without = chosen.repeat(len(members), 1)
            without[torch.arange(len(members)), members] = False
            margins = self.margins(without)
            if margins.min() >= 0:
                break
            chosen = without[margins.argmin()]
        return chosen


def _with_each(chosen: Bool[Tensor, " patches"], tried: Int[Tensor, " tried"]) -> Rows:
    """The chosen patches, each time with one of the tried ones added."""
    rows = chosen.repeat(len(tried), 1)
    rows[torch.arange(len(tried)), tried] = True
    return rows
