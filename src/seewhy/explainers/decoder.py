"""AHA's decoder: four feature maps and a class to a map of scores, in the manner of DPT.

reassemble (class embedding beside every place, to a common width, to a pyramid) -> fuse (deep to shallow) -> head.

| part of the paper           | name here  | shape at 224 px, ViT/16         |
|-----------------------------|------------|---------------------------------|
| e_t                         | embedding  | classes embed                   |
| reassembled stages          | stages     | 56, 28, 14, 7 places per side   |
| fusion                      | fusions    | 7 -> 14 -> 28 -> 56 -> 112      |
| head                        | head       | 112 -> 224                      |

differs from the paper (`Shape`'s defaults are the authors' code): the read-out keeps the encoder's width, with a batch
norm and a 1x1 convolution behind it; dropout, batch norm and a bottleneck stand in the head. `PAPER` is as printed.
`SMALL` is ours: narrow, ends at half resolution, sees the picture's own edges through a `stem`, and begins, where the
network ends in an average and a linear layer, with what that layer sees at each place (`evidence`). An embedding alone
would have to learn from a few thousand photos what a thousand classes look like. Its scores are averaged over squares
as large as the finest regions of training (`pool`): what lies below was never trained, and makes curves worse.
"""

from dataclasses import dataclass, replace
from typing import Any

import torch
from jaxtyping import Float
from torch import Tensor, nn
from torch.nn.functional import avg_pool2d, instance_norm, interpolate

from seewhy.explainers.features import DEPTHS, Features
from seewhy.runtime.options import require
from seewhy.types import Images, Maps, Targets


@dataclass(frozen=True)
class Shape:
    """Widths and switches of the decoder."""

    embed: int | None = None  # width of the class embedding; none: the deepest features' width
    readout: int | None = None  # width of the class-conditioned linear; none: each feature map's own
    project: bool = True  # batch norm and 1x1 convolution to `stage` behind it; else it maps to `stage` itself
    stage: int = 256  # width of the reassembled maps
    fusion: int = 128  # width of the fusions
    head: tuple[int, int, int] = (64, 32, 128)  # widths of the head; a second one of 0: no bottleneck
    mid: int = 64  # width before the last convolution
    dropout: float = 0.1  # in the head
    pre_norm: bool = True  # a batch norm at the head's beginning
    small_head: bool = False  # end at the fusion's resolution with two convolutions
    stem: int = 0  # channels of the picture itself, at half resolution, for the small head
    evidence: bool = False  # the last features times the class's weights, beside every place and as a first map
    pool: int = 1  # scores are averaged over squares of so many places of the head's resolution

    def __post_init__(self) -> None:
        for name in ("embed", "readout", "stage", "fusion", "mid"):
            width = getattr(self, name)
            require({f"{name} must be at least 1, got {width}": width is None or width >= 1})
        require(
            {
                f"head must not have negative widths, and a first of at least 1; got {self.head}": min(self.head) >= 0
                and self.head[0] >= 1,
                f"without small_head, head must end in at least 1, got {self.head}": self.small_head
                or self.head[2] >= 1,
                f"a small_head has no dropout, got {self.dropout}": not (self.small_head and self.dropout),
                f"stem must not be negative, got {self.stem}": self.stem >= 0,
                f"pool must be at least 1, got {self.pool}": self.pool >= 1,
                f"dropout must be from 0 to below 1, got {self.dropout}": 0 <= self.dropout < 1,
            }
        )


OFFICIAL = Shape()
PAPER = replace(OFFICIAL, project=False, head=(64, 0, 128), dropout=0.0, pre_norm=False)
SMALL = Shape(
    embed=48,
    readout=64,
    stage=24,
    fusion=16,
    head=(8, 0, 0),
    mid=8,
    dropout=0.0,
    small_head=True,
    stem=8,
    evidence=True,
    pool=4,
)


class Decoder(nn.Module):
    """`pyramid`: the features are already a pyramid (a CNN's stages), nothing is enlarged or reduced.

    `vectors` are the classes' weights; with them there is a fifth feature map, which they are made for.
    """

    def __init__(
        self,
        widths: tuple[int, ...],
        classes: int,
        *,
        shape: Shape,
        pyramid: bool = False,
        vectors: Float[Tensor, "classes width"] | None = None,
    ) -> None:
        super().__init__()
        self.register_buffer("vectors", vectors, persistent=False)  # they are the model's
        self.gain = nn.Parameter(torch.ones(())) if vectors is not None else None
        self.embedding = nn.Embedding(classes, shape.embed or widths[-1])
        resizers = [None] * 4 if pyramid else ["up4", "up2", None, "down2"]
        embed = self.embedding.embedding_dim
        self.stages = nn.ModuleList(
            Reassemble(width, embed, resize, shape, evidence=vectors is not None)
            for width, resize in zip(widths, resizers, strict=True)
        )
        last = shape.head[0] if shape.small_head else shape.fusion  # full resolution is where channels are expensive
        outputs = (shape.fusion, shape.fusion, shape.fusion, last)
        self.fusions = nn.ModuleList(Fusion(shape.fusion, to, first=i == 0) for i, to in enumerate(outputs))
        self.project = None if shape.small_head else _conv(shape.fusion, shape.fusion, 3)
        self.head = SmallHead(shape) if shape.small_head else Head(shape)
        self.pool = shape.pool
        _initialize(self)
        # so few channels are fastest side by side
        self.to(memory_format=torch.channels_last)  # type: ignore[call-overload]

    def forward(self, features: Features, images: Images, targets: Targets) -> Maps:
        """A map per image and class, of the images' size."""
        classes = self.embedding(targets)  # e_t
        evidence = None if self.vectors is None else self._evidence(features[DEPTHS], targets)
        stages = [stage(each, classes, evidence) for stage, each in zip(self.stages, features[:DEPTHS], strict=True)]
        fused = self.fusions[0](stages[3], None)
        for fusion, skip in zip(self.fusions[1:], reversed(stages[:3]), strict=True):
            fused = fusion(fused, skip)
        maps = self.head(fused if self.project is None else self.project(fused).relu_(), images)
        if evidence is not None and self.gain is not None:
            maps = maps + self.gain * _resized(evidence, maps.shape[-2:], corners=False)
        if self.pool > 1:
            maps = avg_pool2d(maps, self.pool, ceil_mode=True)
        maps = _resized(maps, images.shape[-2:], corners=False)
        return maps.squeeze(1).unflatten(0, targets.shape)

    def _evidence(self, last: Tensor, targets: Targets) -> Float[Tensor, "cases 1 rows cols"]:
        """How much each place speaks for the class by the model's own last layer, of mean 0 and deviation 1."""
        found = torch.einsum("bchw,bkc->bkhw", last, self.get_buffer("vectors")[targets].to(last))
        return instance_norm(found.flatten(0, 1).unsqueeze(1))


class Reassemble(nn.Module):
    """Features of one depth, with the class beside every place, at the resolution of their stage."""

    def __init__(self, width: int, embed: int, resize: str | None, shape: Shape, *, evidence: bool) -> None:
        super().__init__()
        inner = (shape.readout or width) if shape.project else shape.stage
        self.readout = nn.Linear(width + embed, inner)
        self.by_evidence = nn.Parameter(torch.zeros(inner)) if evidence else None
        self.width, norm = width, nn.BatchNorm2d(inner)
        self.to_stage = nn.Sequential(norm, _conv(inner, shape.stage, 1), nn.ReLU()) if shape.project else nn.Identity()
        self.resize = _resizer(resize, shape.stage)
        self.conv = _conv(shape.stage, shape.fusion, 3, bias=False)

    def forward(
        self,
        features: Tensor,
        classes: Float[Tensor, "batch classes embed"],
        evidence: Float[Tensor, "cases 1 _ _"] | None,
    ) -> Tensor:
        by_place, by_class = self.readout.weight.split([self.width, classes.shape[-1]], dim=1)
        places = (features.permute(0, 2, 3, 1) @ by_place.T).permute(0, 3, 1, 2)  # once for all classes
        offsets = classes @ by_class.T + self.readout.bias
        mixed = (places.unsqueeze(1) + offsets[..., None, None]).flatten(0, 1)
        if self.by_evidence is not None and evidence is not None:
            mixed = mixed + self.by_evidence[:, None, None] * _resized(evidence, mixed.shape[-2:], corners=False)
        mixed = nn.functional.gelu(mixed)
        return self.conv(self.resize(self.to_stage(mixed))).relu_()


class Fusion(nn.Module):
    """Takes in a shallower stage and doubles the resolution."""

    def __init__(self, width: int, outputs: int, *, first: bool) -> None:
        super().__init__()
        self.skip = None if first else Residual(width)
        self.mix = Residual(width)
        self.project = _conv(width, outputs, 1)

    def forward(self, fused: Tensor, skip: Tensor | None) -> Tensor:
        if self.skip is not None and skip is not None:
            fused = self.skip(_resized(skip, fused.shape[-2:], corners=False)).add_(fused)
        fused = self.mix(fused)
        return _doubled(self.project(fused)).relu_()  # 1x1 convolutions commute with resizing, and are cheaper before


class Residual(nn.Module):
    """x + conv(ReLU(conv(ReLU(x))))."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.first, self.second = (_conv(width, width, 3, bias=False) for _ in range(2))

    def forward(self, inputs: Tensor) -> Tensor:
        return self.second(self.first(inputs.relu()).relu_()).add_(inputs)


class Head(nn.Module):
    """From 112 to 224 places per side, then to one score per pixel."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        first, bottleneck, last = shape.head
        self.enlarge = nn.Conv2d(shape.fusion, first, 3, padding=1)
        parts = [(first, bottleneck, 3), (bottleneck, last, 1)] if bottleneck else [(first, last, 3)]
        convs = [nn.Conv2d(inputs, outputs, size, padding=size // 2) for inputs, outputs, size in parts]
        self.widen = nn.Sequential(convs[0], nn.ReLU(), convs[1]) if bottleneck else convs[0]
        self.before = nn.Sequential(
            nn.Dropout2d(shape.dropout) if shape.dropout else nn.Identity(),
            nn.BatchNorm2d(last) if shape.pre_norm else nn.Identity(),
        )
        self.refine = nn.Sequential(
            *(_conv(last, last, 3, bias=False, groups=last), nn.BatchNorm2d(last), nn.GELU()),
            *(_conv(last, shape.mid, 1, bias=False), nn.BatchNorm2d(shape.mid), nn.GELU()),
            *(_conv(shape.mid, shape.mid, 3, bias=False), nn.BatchNorm2d(shape.mid), nn.GELU()),
        )
        self.last = nn.Conv2d(shape.mid, 1, 3, padding=1)

    def forward(self, fused: Tensor, images: Images) -> Tensor:  # noqa: ARG002 - same call as the small head
        return self.last(self.refine(self.before(self.widen(_doubled(self.enlarge(fused))))))


class SmallHead(nn.Module):
    """One score per place of the fusion's resolution; the picture at that resolution comes in beside it."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.stem = nn.Conv2d(3, shape.stem, 3, stride=2, padding=1) if shape.stem else None
        self.mix = _conv(shape.head[0] + shape.stem, shape.mid, 3)
        self.last = nn.Conv2d(shape.mid, 1, 1)  # with a window it would take longer than all that goes before

    def forward(self, fused: Tensor, images: Images) -> Tensor:
        if self.stem is not None:
            stem = self.stem(images).relu_()
            if len(fused) > len(stem):  # the same for all classes of an image
                stem = stem.repeat_interleave(len(fused) // len(stem), dim=0)
            fused = torch.cat([_resized(fused, stem.shape[-2:], corners=True), stem], dim=1)
        return self.last(self.mix(fused).relu_())


def _conv(inputs: int, outputs: int, size: int, *, bias: bool = True, groups: int = 1) -> nn.Conv2d:
    """A convolution that keeps the resolution, with He's initialization."""
    conv = nn.Conv2d(inputs, outputs, size, padding=size // 2, bias=bias, groups=groups)
    nn.init.kaiming_normal_(conv.weight, mode="fan_out", nonlinearity="relu")
    if conv.bias is not None:
        nn.init.zeros_(conv.bias)
    return conv


def _resizer(kind: str | None, width: int) -> nn.Module:
    if kind is None:
        return nn.Identity()
    if kind == "down2":
        return nn.Conv2d(width, width, 3, stride=2, padding=1)
    times = int(kind[-1])
    return nn.ConvTranspose2d(width, width, times, stride=times)


def _resized(maps: Tensor, size: tuple[int, ...], *, corners: bool) -> Tensor:
    return (
        maps
        if maps.shape[-2:] == tuple(size)
        else interpolate(maps, tuple(size), mode="bilinear", align_corners=corners)
    )


def _doubled(maps: Tensor) -> Tensor:
    return interpolate(maps, scale_factor=2, mode="bilinear", align_corners=True)


def _initialize(decoder: Decoder) -> None:
    """The first maps are near zero everywhere; where evidence tells classes apart, the embedding has yet to."""
    if decoder.gain is not None:
        nn.init.zeros_(decoder.embedding.weight)
    last: Any = decoder.head.last
    nn.init.normal_(last.weight, std=0.01)
    nn.init.zeros_(last.bias)
