"""Reference images: the values that replace deleted pixels.

A reference is a frozen dataclass that turns images into reference images. A `ReferencePair` names the one that deletion
fades to and the one that insertion starts from; options take such a pair or one of these names:

| name               | deletion fades to          | insertion starts from                                      |
|--------------------|----------------------------|------------------------------------------------------------|
| `black`            | black                      | black                                                      |
| `imagenet_mean`    | ImageNet's mean color      | ImageNet's mean color                                      |
| `model_mean`       | the mean color of the model's normalization | the same                                  |
| `blur`             | Gaussian blur (37, sigma 37) | the same                                                 |
| `rise`             | the model's mean color     | RISE's blur (11, sigma 5)                                  |
| `mda`              | the model's mean color     | the weakest blur, from 31 pixels on, that removes the class |
| `mda_monotonicity` | the weakest such blur, from one pixel on | the same                                     |
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from seewhy.errors import UnknownName
from seewhy.ops.references import folded_blur, gaussian_blur, one_color
from seewhy.runtime.options import Limit
from seewhy.types import IMAGENET_MEAN, Color, Images


@dataclass(frozen=True)
class SolidColor:
    """One color, raw in [0, 1]."""

    color: Color

    def make(self, images: Images, mean: Color, std: Color) -> Images:  # noqa: ARG002 - same call for all
        return one_color(images, self.color)


@dataclass(frozen=True)
class NormalizedConstant:
    """One value in the space after normalization: 0 is the model's mean color."""

    value: float = 0.0

    def make(self, images: Images, mean: Color, std: Color) -> Images:
        red, green, blue = (m + self.value * s for m, s in zip(mean, std, strict=True))
        return one_color(images, (red, green, blue))


@dataclass(frozen=True)
class GaussianBlur:
    """Gaussian blur of the raw image with mirrored border."""

    size: int = 37
    sigma: float = 37.0

    def make(self, images: Images, mean: Color, std: Color) -> Images:  # noqa: ARG002
        return gaussian_blur(images, size=self.size, sigma=self.sigma)


@dataclass(frozen=True)
class FoldedBlur:
    """RISE's `gkern` blur in normalized space, padded with zeros."""

    size: int = 11
    sigma: float = 5.0

    def make(self, images: Images, mean: Color, std: Color) -> Images:  # noqa: ARG002
        return folded_blur(images, mean, size=self.size, sigma=self.sigma)


@dataclass(frozen=True)
class AdaptiveBlur:
    """MDA's blur: for every image and class the weakest `FoldedBlur(k, k)` that removes the class.

    k = start, start + 2, …; the first whose target probability is at most `max_probability`. If none up to `stop` is,
    scores with this reference are undefined (NaN).
    """

    start: int = 31
    stop: int = 101
    max_probability: float = 0.01


FixedReference = SolidColor | NormalizedConstant | GaussianBlur | FoldedBlur
Reference = FixedReference | AdaptiveBlur


@dataclass(frozen=True)
class ReferencePair:
    """The reference that deletion fades to and the one that insertion starts from; often the same."""

    name: str
    deletion: Reference
    insertion: Reference


def both_ways(name: str, reference: Reference) -> ReferencePair:
    """One reference for both directions."""
    return ReferencePair(name, reference, reference)


MODEL_MEAN = NormalizedConstant(0.0)
REFERENCES = {
    pair.name: pair
    for pair in (
        both_ways("black", SolidColor((0.0, 0.0, 0.0))),
        both_ways("imagenet_mean", SolidColor(IMAGENET_MEAN)),
        both_ways("model_mean", MODEL_MEAN),
        both_ways("blur", GaussianBlur(37, 37.0)),
        ReferencePair("rise", MODEL_MEAN, FoldedBlur(11, 5.0)),
        ReferencePair("mda", MODEL_MEAN, AdaptiveBlur(31)),
        both_ways("mda_monotonicity", AdaptiveBlur(1)),
    )
}
_KNOWN = Limit(f"among {', '.join(REFERENCES)}", lambda value: isinstance(value, ReferencePair) or value in REFERENCES)
References = tuple[Annotated[str | ReferencePair, _KNOWN], ...]  # the type of an option
DEFAULT_REFERENCES: References = ("black", "imagenet_mean", "blur")


def find_references(references: Sequence[str | ReferencePair]) -> tuple[ReferencePair, ...]:
    """Reference pairs, looked up where a name is given."""
    for each in references:
        if isinstance(each, str) and each not in REFERENCES:
            raise UnknownName("reference", each, REFERENCES)
    return tuple(REFERENCES[each] if isinstance(each, str) else each for each in references)
