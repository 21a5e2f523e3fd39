"""Feature maps of four depths, shallow to deep: what an explainer reads of a network.

From the explained model itself (`target_features`: a ViT's patch tokens after four blocks, a CNN's last map of each of
its last four resolutions), in the one pass it makes anyway; or from any timm backbone (`TimmEncoder`).
"""

from collections.abc import Sequence
from typing import Any

import torch
from jaxtyping import Float
from torch import Tensor, nn
from torch.nn.functional import layer_norm, pad

from seewhy.models.classifier import Classifier
from seewhy.models.module import has_places, is_channels_last
from seewhy.models.splice import network_blocks
from seewhy.models.streams import fused_block
from seewhy.models.timm import import_timm
from seewhy.models.vit import ViT
from seewhy.models.weights import load_weights
from seewhy.types import Images

Features = list[Float[Tensor, "_ _ _ _"]]  # batch channels rows cols, of different sizes
DEPTHS = 4


def target_features(model: Classifier, images: Images, taps: Sequence[int] | None = None) -> Features:
    """Four feature maps of the explained model, from one forward pass without a graph."""
    with torch.no_grad():
        if isinstance(model, ViT):
            return _token_maps(model, images, taps)
        return [layer_norm(features, features.shape[1:]) for features in _block_maps(model, images, taps)]


def spread_taps(blocks: int) -> tuple[int, ...]:
    """The last block of each quarter.

    >>> spread_taps(12), spread_taps(6)
    ((2, 5, 8, 11), (0, 2, 3, 5))
    """
    return tuple(max((depth + 1) * blocks // DEPTHS - 1, 0) for depth in range(DEPTHS))


def _token_maps(model: ViT, images: Images, taps: Sequence[int] | None) -> Features:
    tokens = [model.embed(images)]
    for block in model.blocks:
        inner = block.norm1(tokens[-1])
        tokens.append(fused_block(block, tokens[-1], inner, block.qkv(inner, None)))
    model.count(forwards=len(images))
    chosen = [tokens[tap + 1][:, model.prefix :] for tap in taps or spread_taps(len(model.blocks))]
    normed = [layer_norm(each, each.shape[-1:]) for each in chosen]
    return [model.to_grid(each.transpose(1, 2)) for each in normed]


def _block_maps(model: Classifier, images: Images, taps: Sequence[int] | None) -> Features:
    maps: Features = []

    def catch(layer: nn.Module, _inputs: Any, output: Any) -> None:
        if has_places(output):
            maps.append(output.permute(0, 3, 1, 2) if is_channels_last(layer, output) else output.clone())

    handles = [block.register_forward_hook(catch) for block in network_blocks(model)]
    try:
        model.forward(model.normalize(images))
    finally:
        for handle in handles:
            handle.remove()
    model.count(forwards=len(images))
    if taps:
        return [maps[tap] for tap in taps]
    last = list({each.shape[-2:]: each for each in maps}.values())[-DEPTHS:]  # the last map of each resolution
    return [last[0]] * (DEPTHS - len(last)) + last


class TimmEncoder(nn.Module):
    """A frozen timm backbone, always in evaluation mode; `weights` as in `load_model`."""

    def __init__(self, name: str, *, taps: Sequence[int] | None = None, weights: str | None = None) -> None:
        super().__init__()
        backbone = import_timm().create_model(name, pretrained=weights is None, num_classes=0)
        if weights not in (None, "random"):
            load_weights(backbone, weights)
        self.backbone = backbone.eval().requires_grad_(False)
        self.taps = list(taps) if taps else _timm_taps(backbone)
        colors = [backbone.pretrained_cfg[key] for key in ("mean", "std")]
        self.register_buffer("colors", torch.tensor(colors).view(2, 3, 1, 1))

    def train(self, mode: bool = True) -> "TimmEncoder":  # noqa: ARG002 - the backbone stays as it is
        return super().train(False)

    def forward(self, images: Images) -> Features:
        mean, std = self.get_buffer("colors")
        padded = self._padded((images - mean) / std)
        with torch.no_grad():
            return self.backbone.forward_intermediates(padded, indices=self.taps, norm=True, intermediates_only=True)

    def _padded(self, images: Tensor) -> Tensor:
        """Zeros around up to whole patches; an odd one at the right and bottom."""
        embed: Any = getattr(self.backbone, "patch_embed", None)
        patch = embed.patch_size[0] if hasattr(embed, "patch_size") else 1
        down, right = (-side % patch for side in images.shape[-2:])
        return pad(images, (right // 2, right - right // 2, down // 2, down - down // 2))


def _timm_taps(backbone: Any) -> list[int]:
    """Four spread blocks of a transformer, the last four stages of anything else."""
    stages = len(backbone.feature_info)
    if hasattr(backbone, "blocks") and hasattr(backbone, "patch_embed"):
        return list(spread_taps(stages))
    return list(range(stages))[-DEPTHS:]
