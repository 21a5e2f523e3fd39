"""Reference images as settings: what replaces a pixel that is taken away.

Each is a frozen dataclass that turns images into pictures, so that a protocol can hold it, compare it and hash it.
"""

from dataclasses import dataclass

from seewhy.ops.references import folded_blur, gaussian_blur, one_color
from seewhy.types import Color, Images


@dataclass(frozen=True)
class SolidColor:
    """One color, raw in [0, 1]."""

    color: Color

    def pictures(self, images: Images, mean: Color, std: Color) -> Images:  # noqa: ARG002 - same call for all
        return one_color(images, self.color)


@dataclass(frozen=True)
class NormalizedConstant:
    """One value in the space after normalization: 0 is the model's mean color."""

    value: float = 0.0

    def pictures(self, images: Images, mean: Color, std: Color) -> Images:
        red, green, blue = (m + self.value * s for m, s in zip(mean, std, strict=True))
        return one_color(images, (red, green, blue))


@dataclass(frozen=True)
class GaussianBlur:
    """Gaussian blur of the raw image with mirrored border."""

    size: int = 37
    sigma: float = 37.0

    def pictures(self, images: Images, mean: Color, std: Color) -> Images:  # noqa: ARG002
        return gaussian_blur(images, size=self.size, sigma=self.sigma)


@dataclass(frozen=True)
class FoldedBlur:
    """RISE's `gkern` blur in normalized space, zeros around."""

    size: int = 11
    sigma: float = 5.0

    def pictures(self, images: Images, mean: Color, std: Color) -> Images:  # noqa: ARG002
        return folded_blur(images, mean, size=self.size, sigma=self.sigma)


@dataclass(frozen=True)
class AdaptiveBlur:
    """MDA's blur: for every image and class the first `FoldedBlur(k, k)` that hides the class.

    k = start, start + 2, …; the first whose target probability is at most `hidden`. If none up to `stop` is, the
    image is skipped.
    """

    start: int = 31
    stop: int = 101
    hidden: float = 0.01

    def candidates(self) -> list[FoldedBlur]:
        return [FoldedBlur(size, float(size)) for size in range(self.start, self.stop + 1, 2)]


Fixed = SolidColor | NormalizedConstant | GaussianBlur | FoldedBlur
Reference = Fixed | AdaptiveBlur


@dataclass(frozen=True)
class ReferencePair:
    """What deletion fades to and insertion starts from; often the same."""

    name: str
    deletion: Reference
    insertion: Reference


def same(name: str, reference: Reference) -> ReferencePair:
    """One reference for both directions."""
    return ReferencePair(name, reference, reference)
