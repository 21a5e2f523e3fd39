"""Cases (one image with one class), and the reference images whose pixels replace theirs."""

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from seewhy.interventions.blurred import weakest_blur
from seewhy.metrics.predictions import Key, PredictionCache, image_digests, query_model
from seewhy.metrics.references import AdaptiveBlur, FixedReference, FoldedBlur, Reference
from seewhy.models.classifier import Classifier
from seewhy.registry import register_evidence
from seewhy.types import Images, Targets

GROUP = 16  # images that are processed together, so that memory does not grow with their number

PerReference = Float[Tensor, "batch classes references"]


@dataclass(frozen=True)
class Referenced:
    """Evidence with one value per reference."""

    references: tuple[str, ...]


@dataclass(frozen=True)
class ReferenceImages:
    """Distinct reference images and, by reference and case, the index of the image, its key, and whether it exists."""

    images: Images
    index: Int[Tensor, "references cases"]
    keys: list[list[FixedReference]]
    found: Bool[Tensor, "references cases"]


class Cases:
    """Images and targets as a flat list of cases (image 0 class 0, image 0 class 1, …), with the model to query."""

    def __init__(
        self,
        model: Classifier,
        images: Images,
        targets: Targets,
        cache: PredictionCache,
        digests: list[str] | None = None,
    ) -> None:
        self.model, self.images, self.targets, self.cache = model, images, targets, cache
        self.mean, self.std = model.preprocess.mean, model.preprocess.std
        self.shape, self.classes = tuple(targets.shape), targets.flatten().tolist()
        self.image_of = torch.arange(len(images), device=images.device).repeat_interleave(targets.shape[1])
        self.image_digests = image_digests(images) if digests is None else digests
        self.digests = [digest for digest in self.image_digests for _ in range(targets.shape[1])]  # by case
        starts = range(0, len(images), GROUP) or [0]
        self.groups = [slice(start, start + GROUP) for start in starts]  # of images that are processed together
        self._references: dict[Reference, ReferenceImages] = {}  # of all sweeps of these images

    def group(self, rows: slice) -> "Cases":
        """The cases of one of the `groups`."""
        if len(self.groups) == 1:
            return self
        return Cases(self.model, self.images[rows], self.targets[rows], self.cache, self.image_digests[rows])

    def reference_images(self, references: Sequence[Reference]) -> ReferenceImages:
        """Reference images for all cases; equal references are made once."""
        distinct = list(dict.fromkeys(references))
        self._references |= {each: self._make(each) for each in distinct if each not in self._references}
        made = [self._references[reference] for reference in distinct]
        offsets = [sum(len(each.images) for each in made[:number]) for number in range(len(made))]
        order = [distinct.index(reference) for reference in references]
        return ReferenceImages(
            torch.cat([each.images for each in made]),
            torch.cat([made[i].index + offsets[i] for i in order]),
            [made[i].keys[0] for i in order],
            torch.cat([made[i].found for i in order]),
        )

    def _make(self, reference: Reference) -> ReferenceImages:
        if isinstance(reference, AdaptiveBlur):
            return self._search(reference)
        images = reference.make(self.images, self.mean, self.std)
        found = torch.ones_like(self.image_of, dtype=torch.bool)
        return ReferenceImages(images, self.image_of[None], [[reference] * len(self.image_of)], found[None])

    def _search(self, adaptive: AdaptiveBlur) -> ReferenceImages:
        """The weakest blur that removes the class, per case; the strongest one where none does."""
        images, sizes, found = weakest_blur(
            self.images[self.image_of],
            self.mean,
            self._blurred_probabilities,
            start=adaptive.start,
            stop=adaptive.stop,
            max_probability=adaptive.max_probability,
        )
        chosen: list[FixedReference] = [FoldedBlur(size, float(size)) for size in sizes.tolist()]
        cases = torch.arange(len(images), device=images.device)
        return ReferenceImages(images, cases[None], [chosen], found[None])

    def _blurred_probabilities(
        self, images: Images, cases: Int[Tensor, " cases"], size: int
    ) -> Float[Tensor, " cases"]:
        blur = FoldedBlur(size, float(size))
        keys: list[Key] = [(self.digests[case], 0, blur) for case in cases.tolist()]  # 0: no pixel of the image is kept
        targets = [self.classes[case] for case in cases.tolist()]
        return query_model(self.model, keys, targets, images.__getitem__, self.cache, like=self.images).probability


@register_evidence("cases")
def cases(model: Classifier, images: Images, targets: Targets, cache: PredictionCache) -> Cases:
    """Images and targets as a flat list of cases."""
    return Cases(model, images, targets, cache)
