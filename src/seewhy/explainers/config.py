"""Settings of an explainer: its encoder, its decoder and its loss. The defaults are the preset `small`.

The comment of each field is its line in the table of docs/explainers.md.
"""

from dataclasses import dataclass, field
from typing import Annotated, Literal

from seewhy.ops.perturb import AHA_REFERENCES, AHAReference
from seewhy.ops.sinkhorn import Anchors, Start
from seewhy.runtime.options import ODD, above, at_least, check, check_fields

DEPTHS = 4  # feature maps that a decoder reads

Width = Annotated[int, at_least(1)]


@dataclass(frozen=True)
class DecoderShape:
    """Widths and switches of the decoder."""

    embed: Width | None = 48  # width of the class embedding; none: width of the deepest features
    vectors: bool = True  # compute the class embedding from the model's class vectors instead of learning it
    readout: Width | None = 64  # width of the class-conditioned linear layer; none: width of its feature map
    project: bool = True  # follow the read-out with batch norm and a 1x1 convolution to `stage` channels
    stage: Width = 24  # channels of the reassembled feature maps
    fusion: Width = 16  # channels of the fusion blocks
    head: tuple[int, int, int] = (8, 0, 0)  # channels of the head: first, bottleneck (0: none), last
    mid: Width = 8  # channels before the last convolution
    dropout: float = 0.0  # dropout rate in the head
    pre_norm: bool = True  # batch norm at the start of the head
    small_head: bool = True  # stop at the resolution of the last fusion, with two convolutions
    stem: Annotated[int, at_least(0)] = 8  # channels of the image itself, at half resolution, in the small head
    prior: str | None = "head"  # untrained class maps to start from: "head", or also a method's, by its name
    pool: Annotated[int, at_least(1)] = 4  # average scores over squares of this side, at the head's resolution
    patchwise: bool = False  # one score per patch of a ViT instead, the same for all its pixels

    def __post_init__(self) -> None:
        check_fields(self)
        first, bottleneck, last = self.head
        check(first >= 1, f"head must start with a width of at least 1, got {self.head}")
        check(min(bottleneck, last) >= 0, f"head must not have negative widths, got {self.head}")
        check(self.small_head or last >= 1, f"without small_head, head must end in at least 1, got {self.head}")
        check(0 <= self.dropout < 1, f"dropout must be a number of at least 0 and below 1, got {self.dropout}")
        check(not (self.small_head and self.dropout), f"small_head has no dropout, got dropout={self.dropout}")


@dataclass(frozen=True)
class LossConfig:
    """Settings of the objective; one field for each point in which the paper and the authors' code disagree."""

    points: Annotated[int, at_least(3)] = 16  # points of each curve, including both endpoints
    sample_points: bool = False  # sample the inner points of the curves instead of spacing them evenly
    sinkhorn: Annotated[int, at_least(1)] = 30  # Sinkhorn iterations
    tolerance: Annotated[float, above(0)] | None = None  # stop Sinkhorn once all column sums are this close to 1
    anchors: Anchors = "official"  # target scores of the ranks: 1 … 0 (official) or 1 … 1/K (paper)
    sort_start: Start = "sorted"  # initial potentials of Sinkhorn: plain, or rescaled or sorted to converge faster
    score_std: Annotated[float, above(0)] | None = 5.0  # standard deviation of maps before sorting; none: unscaled
    gumbel: bool = True  # Gumbel noise in the sort
    overlap: bool = False  # pool overlapping regions (official) instead of disjoint ones (paper)
    grids: tuple[Annotated[int, at_least(1)], ...] = tuple(range(7, 29))  # regions per side; one is sampled per step
    shift: Annotated[float, at_least(0)] = 1.0  # maximum grid offset, as a fraction of a region
    sigma: Annotated[float, at_least(0)] = 1.0  # Gaussian smoothing of the masks, in pixels
    references: tuple[AHAReference, ...] = AHA_REFERENCES  # images that replace pixels; one is sampled per step
    area: Literal["trapezoid", "mean_after_first"] = "trapezoid"  # quadrature of the area under a curve
    deletion_weight: float = 1.0  # weight of deletion, λ_del
    insertion_weight: float = 1.0  # weight of insertion, λ_ins
    peak_weight: float = 2.5e-3  # weight of the penalty on isolated peaks, λ_reg
    peak_size: Annotated[int, ODD] = 15  # window of the penalty on isolated peaks, in pixels
    peak_two_sided: bool = False  # also penalize isolated minima

    def __post_init__(self) -> None:
        check_fields(self)
        check(len(self.grids) > 0, "grids must have at least one entry, got none")
        check(len(self.references) > 0, "references must have at least one entry, got none")


@dataclass(frozen=True)
class ExplainerConfig:
    """Everything that defines an explainer apart from its weights and its model."""

    encoder: str = "model"  # network that the decoder reads: "model" (the explained one) or timm/NAME
    encoder_weights: str | None = None  # weights file of the timm encoder; none: pretrained, "random": untrained
    backbone_train_mode: bool = False  # keep the frozen backbone in train mode (RoPE jitter)
    taps: tuple[int, ...] | None = None  # one to four blocks to read, shallow to deep; none: evenly spaced
    shape: DecoderShape = field(default_factory=DecoderShape)
    loss: LossConfig = field(default_factory=LossConfig)

    def __post_init__(self) -> None:
        check_fields(self)
        library, _, name = self.encoder.partition("/")
        known = self.encoder == "model" or (library == "timm" and name != "")
        check(known, f"encoder must be 'model' or 'timm/NAME', got {self.encoder!r}")
        fits = self.taps is None or 1 <= len(self.taps) <= DEPTHS
        check(fits, f"taps must be one to {DEPTHS} blocks, got {self.taps}")
