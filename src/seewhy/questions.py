"""Questions about a decision that need no method, or any map: what if this region is covered, what changes it?"""

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
from seewhy.explanation import Explanation
from seewhy.metrics.flips import Flips, find_flips
from seewhy.metrics.references import REFERENCES, AdaptiveBlur, SolidColor
from seewhy.models.classifier import Classifier
from seewhy.runtime.tables import html_table, text_table
from seewhy.runtime.targets import class_name
from seewhy.types import Color, Images

SHOWN = 5  # classes of the table


@dataclass(frozen=True)
class Cover:
    """The answer to "what if this region is covered?": probabilities of all classes before and after.

    `images` holds the image as the model sees it, and the covered one.
    """

    before: Float[Tensor, " outputs"]
    after: Float[Tensor, " outputs"]
    share: float  # of the image that the model sees
    images: Images
    class_names: tuple[str, ...] | None = None

    @property
    def flipped(self) -> bool:
        """Whether the decision changed."""
        return int(self.before.argmax()) != int(self.after.argmax())

    def table(self) -> tuple[list[str], list[list[str]]]:
        """The classes that are likeliest before or after."""
        classes = torch.maximum(self.before, self.after).argsort(descending=True)[:SHOWN].tolist()
        names, both = [class_name(i, self.class_names) for i in classes], (self.before, self.after)
        rows = [[name, *(f"{float(p[i]):.1%}" for p in both)] for name, i in zip(names, classes, strict=True)]
        return ["class", "before", "after"], rows

    def __repr__(self) -> str:
        first, last = (class_name(int(p.argmax()), self.class_names) for p in (self.before, self.after))
        verdict = f"the decision changes from {first} to {last}" if self.flipped else f"the decision stays {first}"
        return f"{self.share:.1%} of the image covered: {verdict}\n{text_table(*self.table())}"

    def _repr_html_(self) -> str:
        return html_table(*self.table())


def cover(
    model: Classifier, image: Any, region: Any, *, reference: str | Color = "blur", inverse: bool = False
) -> Cover:
    """Cover a region of an image and see what the model says.

    `region`: a box (left, top, right, bottom) in pixels of the image as given, or a boolean mask of its size or of the
    model's, such as `explanation.heatmaps()[0, 0] > 0.5`. `reference` replaces it: a name of `seewhy list evidence`'s
    references, or a color (red, green, blue) in [0, 1]. With `inverse` everything else is covered.
    """
    batch = read_images(image, model.preprocess)
    if len(batch.images) != 1:
        raise InputError(f"cover takes one image, got {len(batch.images)}")
    images = batch.images.to(model.device)
    covered = _region(region, image, batch).to(images.device) ^ inverse
    both = torch.cat([images, torch.where(covered, _reference(reference, model, images), images)])
    before, after = model.probabilities(both).cpu()
    return Cover(before, after, float(covered.float().mean()), both.cpu(), model.class_names)


def flip(model: Classifier, explanation: Explanation, **options: Any) -> Flips:
    """What changes the decision: see `Explanation.flip`."""
    if explanation.images is None:
        raise InputError("this explanation holds no images: pass images= to Explanation.from_maps")
    images = explanation.images.to(model.device)
    return find_flips(model, images, explanation.maps, explanation.targets.to(images.device), **options)


def _region(region: Any, image: Any, batch: ImageBatch) -> Bool[Tensor, "height width"]:
    """The pixels that the model sees of a box or mask of the image as given."""
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


def _reference(reference: str | Color, model: Classifier, images: Images) -> Images:
    if not isinstance(reference, str):
        return SolidColor(reference).make(images, model.mean, model.std)
    fixed = {name: pair.deletion for name, pair in REFERENCES.items() if not isinstance(pair.deletion, AdaptiveBlur)}
    if reference not in fixed:
        raise OptionError(f"reference must be {or_list(fixed)} or a color, got {reference!r}")
    return fixed[reference].make(images, model.mean, model.std)
