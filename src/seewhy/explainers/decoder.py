"""AHA's decoder, a variant of DPT: from four feature maps and a class to a map of scores.

Reassemble (class embedding at every position, common width, pyramid) -> fuse (deep to shallow) -> head.

| part of the paper           | name here  | shape at 224 px, ViT/16         |
|-----------------------------|------------|---------------------------------|
| e_t                         | embedding  | classes embed                   |
| reassembled stages          | stages     | 56, 28, 14, 7 positions a side  |
| fusion                      | fusions    | 7 -> 14 -> 28 -> 56 -> 112      |
| head                        | head       | 112 -> 224                      |

differs from the paper: the authors' code (preset `official`) keeps the encoder's width in the read-out, followed by
batch norm and a 1x1 convolution, and has dropout, batch norm and a bottleneck in the head; preset `paper` is as
printed. Preset `small` is ours: it is narrow, stops at half resolution, and reads the edges of the image through a
`stem`. A learned class embedding would have to learn the appearance of a thousand classes from a few thousand images.
Instead, e_t is a linear function of the model's class vectors, which also scales the features of every stage
(`vectors`), and class maps that need no training are an input of every stage and are added to the output (`prior`).
Scores are averaged over squares as large as the finest regions of training (`pool`): finer detail is untrained, and
makes curves worse. Explainers of ViTs may give one score per patch, not interpolated (`patchwise`): an order that keeps
whole patches, instead of parts of several, has a better insertion, and a better difference from a worse deletion.
"""

from typing import Any, NamedTuple

import torch
from jaxtyping import Float
from torch import Tensor, nn
from torch.nn.functional import adaptive_avg_pool2d, avg_pool2d, conv2d, interpolate

from seewhy.explainers.config import DEPTHS, DecoderShape
from seewhy.explainers.features import Features
from seewhy.explainers.prior import PriorMaps
from seewhy.types import Images, Maps, Targets


class Sizes(NamedTuple):
    """The inputs that a decoder is built for."""

    widths: tuple[int, ...]  # channels of the four feature maps
    classes: int
    pyramid: bool  # whether the feature maps differ in resolution, as the stages of a CNN
    prior: int = 0  # number of prior maps per class; the output is initialized as the last one
    vectors: int = 0  # width of the model's class vectors; 0: the class embedding is learned


class Decoder(nn.Module):
    """Score maps for any class, from feature maps. `vectors` are the model's class vectors, if `sizes.vectors` > 0."""

    def __init__(
        self, sizes: Sizes, *, shape: DecoderShape, vectors: Float[Tensor, "classes width"] | None = None
    ) -> None:
        super().__init__()
        self.gain = nn.Parameter(torch.eye(int(sizes.prior))[-1]) if sizes.prior else None
        embed = shape.embed or sizes.widths[-1]
        self.embedding = nn.Embedding(sizes.classes, embed) if vectors is None else ProjectedClasses(vectors, embed)
        resizers = [None] * DEPTHS if sizes.pyramid else ["up4", "up2", None, "down2"]
        self.stages = nn.ModuleList(
            Reassemble(width, embed, resize, shape, sizes) for width, resize in zip(sizes.widths, resizers, strict=True)
        )
        last = shape.head[0] if shape.small_head else shape.fusion  # channels are expensive at full resolution
        outputs = (shape.fusion, shape.fusion, shape.fusion, last)
        self.fusions = nn.ModuleList(Fusion(shape.fusion, to, first=i == 0) for i, to in enumerate(outputs))
        self.project = None if shape.small_head else _conv(shape.fusion, shape.fusion, 3)
        self.head = SmallHead(shape) if shape.small_head else Head(shape)
        self.pool, self.patchwise = shape.pool, shape.patchwise
        _initialize(self)
        # the fastest layout for few channels
        self.to(memory_format=torch.channels_last)  # type: ignore[call-overload]

    def forward(self, features: Features, images: Images, targets: Targets, prior: PriorMaps | None = None) -> Maps:
        """A map for each image and class, at the size of the images."""
        classes = self.embedding(targets)  # e_t
        stages = [stage(each, classes, prior) for stage, each in zip(self.stages, features[:DEPTHS], strict=True)]
        fused = self.fusions[0](stages[3], None)
        for fusion, skip in zip(self.fusions[1:], reversed(stages[:3]), strict=True):
            fused = fusion(fused, skip)
        maps = self.head(fused if self.project is None else self.project(fused).relu_(), images)
        start = None if self.gain is None or prior is None else torch.einsum("p,cphw->chw", self.gain, prior)[:, None]
        size = (images.shape[-2], images.shape[-1])
        if self.patchwise:
            rows, cols = features[DEPTHS - 1].shape[-2:]
            maps = _added(adaptive_avg_pool2d(maps, (rows, cols)), start)
            maps = interpolate(maps, size, mode="nearest")
        else:
            maps = _added(maps, start)
            maps = avg_pool2d(maps, self.pool, ceil_mode=True) if self.pool > 1 else maps
            maps = _resized(maps, size, corners=False)
        return maps.squeeze(1).unflatten(0, targets.shape)


class ProjectedClasses(nn.Module):
    """A class embedding that is a linear function of the model's class vectors, standardized over the classes."""

    def __init__(self, vectors: Float[Tensor, "classes width"], embed: int) -> None:
        super().__init__()
        vectors = vectors.float() - vectors.float().mean(dim=0)
        vectors = vectors / vectors.square().mean().sqrt().clamp(min=1e-12)
        self.register_buffer("vectors", vectors, persistent=False)  # part of the model
        self.project = nn.Linear(vectors.shape[1], embed)

    def forward(self, targets: Targets) -> Float[Tensor, "batch classes embed"]:
        return self.project(self.get_buffer("vectors")[targets])


class Reassemble(nn.Module):
    """Features of one depth, conditioned on the class at every position, at the resolution of their stage."""

    def __init__(self, width: int, embed: int, resize: str | None, shape: DecoderShape, sizes: Sizes) -> None:
        super().__init__()
        inner = (shape.readout or width) if shape.project else shape.stage
        self.readout = nn.Linear(width + embed, inner)
        self.by_class = nn.Parameter(torch.zeros(inner, embed)) if sizes.vectors else None
        self.by_prior = nn.Parameter(torch.zeros(inner, sizes.prior)) if sizes.prior else None
        self.width, norm = width, nn.BatchNorm2d(inner)
        self.to_stage = nn.Sequential(norm, _conv(inner, shape.stage, 1), nn.ReLU()) if shape.project else nn.Identity()
        self.resize = _resizer(resize, shape.stage)
        self.conv = _conv(shape.stage, shape.fusion, 3, bias=False)

    def forward(
        self,
        features: Tensor,
        classes: Float[Tensor, "batch classes embed"],
        prior: PriorMaps | None,
    ) -> Tensor:
        for_features, for_class = self.readout.weight.split([self.width, classes.shape[-1]], dim=1)
        projected = (features.permute(0, 2, 3, 1) @ for_features.T).permute(0, 3, 1, 2)  # shared by all classes
        offsets = classes @ for_class.T + self.readout.bias
        scaled = projected.unsqueeze(1)
        if self.by_class is not None:
            scaled = scaled * (1 + classes @ self.by_class.T)[..., None, None]
        mixed = (scaled + offsets[..., None, None]).flatten(0, 1)
        if self.by_prior is not None and prior is not None:
            mixed = mixed + conv2d(_resized(prior, mixed.shape[-2:], corners=False), self.by_prior[..., None, None])
        mixed = nn.functional.gelu(mixed)
        return self.conv(self.resize(self.to_stage(mixed))).relu_()


class Fusion(nn.Module):
    """Merge a shallower stage and double the resolution."""

    def __init__(self, width: int, outputs: int, *, first: bool) -> None:
        super().__init__()
        self.skip = None if first else Residual(width)
        self.mix = Residual(width)
        self.project = _conv(width, outputs, 1)

    def forward(self, fused: Tensor, skip: Tensor | None) -> Tensor:
        if self.skip is not None and skip is not None:
            fused = self.skip(_resized(skip, fused.shape[-2:], corners=False)).add_(fused)
        fused = self.mix(fused)
        return _upsampled(self.project(fused)).relu_()  # a 1x1 convolution commutes with resizing


class Residual(nn.Module):
    """x + conv(ReLU(conv(ReLU(x))))."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.first, self.second = (_conv(width, width, 3, bias=False) for _ in range(2))

    def forward(self, inputs: Tensor) -> Tensor:
        return self.second(self.first(inputs.relu()).relu_()).add_(inputs)


class Head(nn.Module):
    """Double the resolution, then one score per pixel."""

    def __init__(self, shape: DecoderShape) -> None:
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
        return self.last(self.refine(self.before(self.widen(_upsampled(self.enlarge(fused))))))


class SmallHead(nn.Module):
    """One score per position at the fusion's resolution, from the fused features and the image at that resolution."""

    def __init__(self, shape: DecoderShape) -> None:
        super().__init__()
        self.stem = nn.Conv2d(3, shape.stem, 3, stride=2, padding=1) if shape.stem else None
        self.mix = _conv(shape.head[0] + shape.stem, shape.mid, 3)
        self.last = nn.Conv2d(shape.mid, 1, 1)  # a 3x3 window would cost more than everything before it

    def forward(self, fused: Tensor, images: Images) -> Tensor:
        if self.stem is not None:
            stem = self.stem(images).relu_()
            if len(fused) > len(stem):  # shared by all classes of an image
                stem = stem.repeat_interleave(len(fused) // len(stem), dim=0)
            fused = torch.cat([_resized(fused, stem.shape[-2:], corners=True), stem], dim=1)
        return self.last(self.mix(fused).relu_())


def _conv(inputs: int, outputs: int, size: int, *, bias: bool = True, groups: int = 1) -> nn.Conv2d:
    """A convolution that preserves the resolution, with Kaiming initialization."""
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


def _added(maps: Tensor, start: Tensor | None) -> Tensor:
    return maps if start is None else maps + _resized(start, maps.shape[-2:], corners=False)


def _upsampled(maps: Tensor) -> Tensor:
    return interpolate(maps, scale_factor=2, mode="bilinear", align_corners=True)


def _initialize(decoder: Decoder) -> None:
    """Initialize maps near zero; with a prior, which already separates classes, a learned embedding to zero as well."""
    if decoder.gain is not None and isinstance(decoder.embedding, nn.Embedding):
        nn.init.zeros_(decoder.embedding.weight)
    last: Any = decoder.head.last
    nn.init.normal_(last.weight, std=0.01)
    nn.init.zeros_(last.bias)
