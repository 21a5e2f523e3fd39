"""Protocols: frozen settings under which a score was measured. Two numbers compare only if their protocols are equal.

The fields of `Protocol` default to what we consider right; what a publication does differently, quirks of its code
included, is written where its protocol is defined and nowhere else. Options of a metric take the field of their name.

    >>> get_protocol("aha").counts(50176)[:4]
    [0, 2509, 5018, 7526]
    >>> dataclasses.replace(get_protocol("rise"), fractions=evenly(224)).fingerprint == get_protocol("rise").fingerprint
    False
"""

import dataclasses
import hashlib
from dataclasses import dataclass, field
from typing import Any, Literal

from seewhy.errors import UnknownName
from seewhy.metrics._references import (
    AdaptiveBlur,
    FoldedBlur,
    GaussianBlur,
    NormalizedConstant,
    ReferencePair,
    SolidColor,
    same,
)
from seewhy.ops.curves import Area, pixel_counts
from seewhy.types import IMAGENET_MEAN

PAIR_THRESHOLDS = (0.005, 0.01, 0.02, 0.03, 0.04, 0.05, 0.07, 0.10, 0.13, 0.21, 0.34, 0.5, 0.75)

BLACK = SolidColor((0.0, 0.0, 0.0))
MEAN = SolidColor(IMAGENET_MEAN)
AHA_REFERENCES = (same("black", BLACK), same("mean", MEAN), same("blur", GaussianBlur(37, 37.0)))


def evenly(steps: int) -> tuple[float, ...]:
    """0, 1/steps, …, 1.

    >>> evenly(4)
    (0.0, 0.25, 0.5, 0.75, 1.0)
    """
    return tuple(step / steps for step in range(steps + 1))


@dataclass(frozen=True)
class Protocol:
    """Everything that decides a number, besides model, image, class and map."""

    name: str
    about: str = field(default="", repr=False)  # words, no setting
    evidence: tuple[str, ...] = ("curves", "masked")  # what is computed when no metric is asked for by name

    # deletion and insertion
    references: tuple[ReferencePair, ...] = AHA_REFERENCES
    fractions: tuple[float, ...] = evenly(20)
    truncate: bool = False  # pixel counts: cut off instead of rounded
    sign: Literal["signed", "absolute", "positive"] = "signed"  # what of the map is ranked and weighed
    rule: Area = "trapezoid"
    relative: bool = False  # MDA: curves as 0…1 between reference and clean image, clipped, never turning back
    judge: Literal["target", "label"] = "target"  # the class that top-1 must hit in Positive and Negative

    # AIC and SIC
    thresholds: tuple[float, ...] = PAIR_THRESHOLDS
    random_share: float = 0.01  # pixels shown from the start
    min_probability: float = 0.8  # images below it are skipped
    seed: int = 0  # also of every other random choice

    # localization
    tolerance: int = 0  # pointing game: pixels around the peak that count as hit
    precision_recall: Literal["average", "trapezoid"] = "average"
    region_smoothing: int = 0  # Gaussian on the positive part before region attribution: taps, 0 for none
    selection: Literal["positive", "mean", "median"] = "positive"  # a pixel is selected above 0, mean or median
    select_from: Literal["map", "clip_blur", "blur_clip"] = "map"  # of the map, or of it smoothed before/after clipping

    # segmentation
    binary_ap: bool = False  # MDA: average precision of the binarized map
    foreground_accuracy: bool = False  # MDA: accuracy over foreground pixels only, which is recall
    rowwise_f1: bool = False  # Chefer's code: F1 of every pixel row, then the mean

    # randomization, time
    depths: int | None = None  # at most so many stages, evenly chosen; None for each
    repredict: bool = False  # explain what the randomized model predicts, not the original class
    compare: Literal["signed", "absolute"] = "signed"
    warmup: int = 10
    repeats: int = 100

    @property
    def fingerprint(self) -> str:
        """Hash of all settings."""
        return hashlib.blake2b(repr(self).encode(), digest_size=6).hexdigest()

    def counts(self, pixels: int) -> list[int]:
        """Pixels deleted at each point."""
        return pixel_counts(self.fractions, pixels, truncate=self.truncate)

    def inserted(self, pixels: int) -> list[int]:
        """Pixels inserted at each point: what is left when as many of the least important are deleted."""
        return [pixels - count for count in reversed(self.counts(pixels))]


_PROTOCOLS = (
    Protocol(
        "aha",
        "AHA's evaluation, our default: 21 points; black, ImageNet's mean color, blur (37, sigma 37); raw space.",
    ),
    Protocol(
        "rise",
        "RISE's data set numbers: 28 steps; deletion to the mean color, insertion from its own blur (11, sigma 5).",
        references=(ReferencePair("rise", NormalizedConstant(0.0), FoldedBlur(11, 5.0)),),
        fractions=evenly(28),
    ),
    Protocol(
        "mda",
        "MDA's code: 224 steps on the absolute map, adaptive blur, relative curves; MDA's segmentation quirks. "
        "Its Positive and Negative are those of `chefer`, its monotonicity that of `mda_monotonicity`.",
        references=(ReferencePair("mda", NormalizedConstant(0.0), AdaptiveBlur(31)),),
        fractions=evenly(224),
        sign="absolute",
        relative=True,
        evidence=("curves",),
        binary_ap=True,
        foreground_accuracy=True,
        rowwise_f1=True,
    ),
    Protocol(
        "mda_monotonicity",
        "MDA's monotonicity script: both directions share an adaptive blur that starts at one pixel.",
        references=(same("mda", AdaptiveBlur(1)),),
        fractions=evenly(224),
        sign="absolute",
        evidence=("curves",),
    ),
    Protocol(
        "chefer",
        "Chefer's perturbation and segmentation tests: 10 % to 90 %, true black, top-1 against the data set's label.",
        references=(same("black", BLACK),),
        fractions=tuple(tenth / 10 for tenth in range(1, 10)),
        truncate=True,
        judge="label",
        evidence=("curves",),
        rowwise_f1=True,
    ),
    Protocol("pair", "AIC and SIC as PAIR's code computes them.", evidence=("information",)),
    Protocol(
        "caap",
        "CAAP's tables. Assumed, for the paper does not say: steps, constant and blur as in RISE, average precision.",
        references=(ReferencePair("rise", NormalizedConstant(0.0), FoldedBlur(11, 5.0)),),
        fractions=evenly(28),
        evidence=("curves",),
    ),
    Protocol(
        "var",
        "VAR's localization, AIC, randomization. Assumed: sigma 2, selection above zero before the blur, PAIR's AIC.",
        region_smoothing=11,
        evidence=("information", "randomization"),
    ),
)


def list_protocols() -> list[str]:
    """Names of all protocols."""
    return sorted(protocol.name for protocol in _PROTOCOLS)


def get_protocol(name: str | Protocol) -> Protocol:
    """A protocol by name; one that is already a protocol is returned as it is."""
    if isinstance(name, Protocol):
        return name
    found = {protocol.name: protocol for protocol in _PROTOCOLS}
    if name not in found:
        raise UnknownName("protocol", name, found)
    return found[name]


def fields_for(protocol: Protocol, options: list[str]) -> dict[str, Any]:
    """The values of a protocol that a metric's options ask for."""
    known = {entry.name for entry in dataclasses.fields(protocol)}
    return {option: getattr(protocol, option) for option in options if option in known}
