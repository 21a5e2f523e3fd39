"""Images with their classes, and what stands in for the pixels that are taken away from them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import torch
from jaxtyping import Bool, Int
from torch import Tensor

from seewhy.metrics._references import AdaptiveBlur, Fixed, Reference
from seewhy.metrics._stream import Cache, Key, ask, image_digests
from seewhy.models.classifier import Classifier
from seewhy.types import Images, Targets


@dataclass(frozen=True)
class Fills:
    """Reference pictures and, for each reference and case, which picture, its name, and whether there is one."""

    pictures: Images
    rows: Int[Tensor, "references cases"]
    names: list[list[Fixed]]
    found: Bool[Tensor, "references cases"]


class Cases:
    """Images and targets as a flat list of cases (image 0 class 0, image 0 class 1, …), and the model asked."""

    def __init__(
        self,
        model: Classifier,
        images: Images,
        targets: Targets,
        cache: Cache,
        digests: list[str] | None = None,
    ) -> None:
        self.model, self.images, self.targets, self.cache = model, images, targets, cache
        self.shape = tuple(targets.shape)
        self.image_of = torch.arange(len(images), device=images.device).repeat_interleave(targets.shape[1])
        self.image_digests = image_digests(images) if digests is None else digests
        self.digests = [digest for digest in self.image_digests for _ in range(targets.shape[1])]  # of every case

    def blocks(self, size: int = 16) -> Iterator[tuple[slice, "Cases"]]:
        """The images in groups that are worked on together, so that memory does not grow with their number."""
        for start in range(0, len(self.images), size):
            rows = slice(start, start + size)
            yield rows, Cases(self.model, self.images[rows], self.targets[rows], self.cache, self.image_digests[rows])

    def repeat_targets(self, times: int) -> list[int]:
        """The class of each case, so many times in a row."""
        return [target for target in self.targets.flatten().tolist() for _ in range(times)]

    def fills(self, references: Sequence[Reference]) -> Fills:
        """Reference pictures for all cases; equal references are made once."""
        distinct = list(dict.fromkeys(references))
        made = [self._make(reference) for reference in distinct]
        offsets = [sum(len(pictures) for pictures, *_ in made[:number]) for number in range(len(made))]
        places = [distinct.index(reference) for reference in references]
        return Fills(
            torch.cat([pictures for pictures, *_ in made]),
            torch.stack([made[place][1] + offsets[place] for place in places]),
            [made[place][2] for place in places],
            torch.stack([made[place][3] for place in places]),
        )

    def _make(self, reference: Reference) -> tuple[Images, Tensor, list[Fixed], Tensor]:
        if isinstance(reference, AdaptiveBlur):
            return self._search(reference)
        pictures = reference.pictures(self.images, self.model.mean, self.model.std)
        always = torch.ones_like(self.image_of, dtype=torch.bool)
        return pictures, self.image_of, [reference] * len(self.image_of), always

    def _search(self, adaptive: AdaptiveBlur) -> tuple[Images, Tensor, list[Fixed], Tensor]:
        """The weakest blur that hides the class, per case; the strongest one where none does."""
        pictures = self.images[self.image_of]
        names: list[Fixed] = [adaptive.candidates()[-1]] * len(pictures)
        targets, open_cases = self.targets.flatten().tolist(), torch.arange(len(pictures), device=pictures.device)
        for candidate in adaptive.candidates():
            cases = open_cases.tolist()
            blurred = candidate.pictures(self.images[self.image_of[open_cases]], self.model.mean, self.model.std)
            pictures[open_cases] = blurred
            keys: list[Key] = [(self.digests[case], 0, candidate) for case in cases]
            asked = [targets[case] for case in cases]
            said = ask(self.model, keys, asked, blurred.__getitem__, self.cache, like=self.images).probability
            for case in cases:
                names[case] = candidate
            open_cases = open_cases[said > adaptive.hidden]
            if len(open_cases) == 0:
                break
        found = torch.ones(len(pictures), dtype=torch.bool, device=pictures.device)
        found[open_cases] = False
        return pictures, torch.arange(len(pictures), device=pictures.device), names, found
