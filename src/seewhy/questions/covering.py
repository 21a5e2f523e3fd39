"""Counterfactual question: the prediction when a region of the image is covered."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from jaxtyping import Bool, Float
from torch import Tensor

from seewhy.data import read_images
from seewhy.data.read import ImageBatch
from seewhy.data.regions import Boxes, Mask, Region, crop_region
from seewhy.errors import InputError, OptionError, ShapeError, or_list
from seewhy.interventions.patch_sets import patch_pixels
from seewhy.metrics.references import REFERENCES, AdaptiveBlur, SolidColor
from seewhy.models.classifier import Classifier
from seewhy.ops.references import check_color
from seewhy.runtime.tables import html_table, text_table
from seewhy.runtime.targets import class_name
from seewhy.types import Color, Images

TOP = 5  # classes in the table


@dataclass(frozen=True)
class PredictionChange:
    """Probabilities of all classes, or the values of a target function, before and after a change of the image."""

    before: Float[Tensor, " outputs"]
    after: Float[Tensor, " outputs"]
    share: float  # fraction of the model's input that is changed
    images: Images  # the model's input, and the changed one
    class_names: tuple[str, ...] | None = None
    independent: bool = False  # labels that do not exclude each other: each is a decision of its own
    score: str = ""  # name of the target function, whose values are no probabilities and decide nothing

    @property
    def flipped(self) -> bool:
        """Whether the decision, or one about a label, changed."""
        if self.score:
            return False
        if self.independent:
            return self.decisions[0] != self.decisions[1]
        return int(self.before.argmax()) != int(self.after.argmax())

    @property
    def decisions(self) -> tuple[str, str]:
        """Names of the top classes, or of all labels above 50 %, before and after; of a function its name."""
        if self.score:
            return self.score, self.score
        if self.independent:
            return self._labels(self.before), self._labels(self.after)
        first, last = (class_name(int(p.argmax()), self.class_names) for p in (self.before, self.after))
        return first, last

    def _labels(self, probabilities: Float[Tensor, " outputs"]) -> str:
        """Names of the labels that the image has."""
        labels = (probabilities > 0.5).nonzero().flatten().tolist()
        return ", ".join(class_name(label, self.class_names) for label in labels) or "none"

    def top(self) -> list[tuple[str, float, float]]:
        """Name and probabilities of the classes that are most probable before or after; all values of a function."""
        if self.score:
            names = [self.score, *(f"{self.score} {i}" for i in range(1, len(self.before)))]
            return list(zip(names, self.before.tolist(), self.after.tolist(), strict=True))
        classes = torch.maximum(self.before, self.after).argsort(descending=True)[:TOP].tolist()
        return [(class_name(i, self.class_names), float(self.before[i]), float(self.after[i])) for i in classes]

    def table(self) -> tuple[list[str], list[list[str]]]:
        """Header and cells of the classes that are most probable before or after."""
        head, form = ("score", "{:.4g}") if self.score else ("class", "{:.1%}")
        return [head, "before", "after"], [[name, form.format(a), form.format(b)] for name, a, b in self.top()]

    def describe(self, done: str) -> str:
        """The change, its effect on the decision, and the table."""
        if self.score:
            return f"{self.share:.1%} of what the model sees {done}\n{text_table(*self.table())}"
        first, last = self.decisions
        what, verb = ("labels", "") if self.independent else ("decision", "s")
        verdict = (
            f"the {what} change{verb} from {first} to {last}" if self.flipped else f"the {what} stay{verb} {first}"
        )
        return f"{self.share:.1%} of what the model sees {done}: {verdict}\n{text_table(*self.table())}"

    def _repr_html_(self) -> str:
        return html_table(*self.table())


class Cover(PredictionChange):
    """The effect of covering a region."""

    def __repr__(self) -> str:
        return self.describe("covered")


def cover(
    model: Classifier,
    image: Any,
    region: Any = None,
    *,
    patches: Sequence[int] | None = None,
    reference: str | Color = "blur",
    inverse: bool = False,
) -> Cover:
    """Cover a region of an image and compare the predictions before and after.

    `region`: a box (left, top, right, bottom) in pixels of the image as given, or a boolean mask of its size or of the
    model's, such as `explanation.heatmaps()[0, 0] > 0.5`; or instead `patches`: numbers of patches, row by row, of a
    ViT's grid or of about 16 pixels each. `reference` replaces it: a name in `seewhy.metrics.references.REFERENCES`, or
    a color (red, green, blue) in [0, 1]. With `inverse` everything else is covered.
    """
    if (region is None) == (patches is None):
        raise InputError("cover takes either a region or patches")
    batch = read_one(model, image, "cover")
    images = batch.images.to(model.device)
    pixels = _region(region, image, batch) if patches is None else patch_pixels(model, patches)
    if not bool(pixels.any()):
        raise OptionError(
            "the region holds no pixel of what the model sees: a box is in pixels of the image (not fractions), and "
            f"the model sees the crop {tuple(round(side) for side in batch.boxes[0])}"
        )
    covered = pixels.to(images.device) ^ inverse
    both = torch.cat([images, torch.where(covered, reference_pixels(reference, model, images), images)])
    before, after = probabilities = model.probabilities(both).cpu()
    share = float(covered.float().mean())
    return Cover(before, after, share, both.cpu(), model.class_names, *kind_of_change(model, probabilities))


def kind_of_change(model: Classifier, probabilities: Float[Tensor, "batch outputs"]) -> tuple[bool, str]:
    """Whether the outputs are labels that do not exclude each other, and the name of the target function, if any."""
    name = model.outputs.target_name if model.outputs.target else ""
    return not name and model.outputs.independent(probabilities), name


def read_one(model: Classifier, image: Any, name: str) -> ImageBatch:
    """The single image of a question, as the model sees it."""
    batch = read_images(image, model.preprocess)
    if len(batch.images) != 1:
        raise InputError(f"{name} takes one image, got {len(batch.images)}")
    return batch


def _region(region: Any, image: Any, batch: ImageBatch) -> Bool[Tensor, "height width"]:
    """A box or mask of the given image, as a mask of the model's input."""
    values = np.asarray(region.cpu() if isinstance(region, Tensor) else region)
    original, size = batch.originals[0], (batch.images.shape[-2], batch.images.shape[-1])
    width, height = original.size if original is not None else tuple(image.shape[-2:])[::-1]
    if values.dtype == bool and values.shape == size:
        return torch.from_numpy(values)
    return crop_region(_as_region(values, (height, width)), batch.boxes[0], (width, height), size)


def _as_region(values: np.ndarray, original: tuple[int, int]) -> Region:
    if values.dtype == bool and values.shape == original:
        return Mask(values)
    if values.shape != (4,) or values.dtype == bool:
        raise ShapeError(
            "region must be a box (left, top, right, bottom) in pixels, or a boolean mask of the image's size "
            f"{original} (height, width), got {values.dtype} of shape {values.shape}"
        )
    left, top, right, bottom = values.astype(float).tolist()
    if not (left < right and top < bottom):
        given = values.tolist()
        raise OptionError(f"a box is (left, top, right, bottom) with left < right and top < bottom, got {given}")
    height, width = original
    return Boxes(((left / width, top / height, right / width, bottom / height),))


def reference_pixels(reference: str | Color, model: Classifier, images: Images) -> Images:
    """The images' reference by name or color."""
    if not isinstance(reference, str):
        check_color(reference, model.channels)
        return SolidColor(reference).make(images, model.mean, model.std)
    fixed = {name: pair.deletion for name, pair in REFERENCES.items() if not isinstance(pair.deletion, AdaptiveBlur)}
    if reference not in fixed:
        raise OptionError(f"reference must be {or_list(fixed)} or a color, got {reference!r}")
    return fixed[reference].make(images, model.mean, model.std)
