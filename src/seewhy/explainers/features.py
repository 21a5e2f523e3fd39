"""Feature maps of four depths, shallow to deep: the input of an explainer's decoder.

They come from the explained model itself (`model_features`: the patch tokens of a ViT after four blocks, the last map
of each of the last four resolutions of a CNN), in one forward pass, or from a timm backbone (`TimmEncoder`). If a
network has fewer depths, the shallowest is repeated.
"""

from collections.abc import Callable, Iterable, Sequence
from contextlib import nullcontext
from functools import partial
from pathlib import Path
from typing import Any

import torch
from jaxtyping import Float
from torch import Tensor, nn
from torch.nn.functional import group_norm, layer_norm

from seewhy.errors import OptionError, UnknownName, UnsupportedModel, WeightsError
from seewhy.explainers.config import DEPTHS
from seewhy.interventions.spliced import network_blocks
from seewhy.models.classifier import Classifier, fingerprint_of
from seewhy.models.loading import downloading
from seewhy.models.module import ModuleClassifier, is_channels_last, is_feature_map
from seewhy.models.timm import import_timm, timm_preprocess
from seewhy.models.vit import ViT
from seewhy.models.weights import load_weights
from seewhy.models.zero_shot import ZeroShotViT
from seewhy.ops.resize import resize_maps
from seewhy.types import Images, Tokens

Features = list[Float[Tensor, "_ _ _ _"]]  # batch channels rows cols, of different sizes


def model_features(
    model: Classifier,
    images: Images,
    taps: Sequence[int] | None = None,
    *,
    last: bool = False,
    tokens: list[Tokens] | None = None,
) -> Features:
    """Four feature maps of the explained model, from one forward pass without gradients.

    `last` appends the maps that the model's head can be applied to at every position: the patch tokens of a ViT after
    the same blocks, the last feature map of a CNN. `tokens` are h^0 … h^L of a ViT, if already computed.
    """
    with torch.no_grad():
        if isinstance(model, ViT):
            maps = _token_maps(model, tokens or run_blocks(model, images), taps)
            return [layer_norm_maps(each) for each in maps] + (maps if last else [])
        final: Any = model.last_features() if last and isinstance(model, ModuleClassifier) else nullcontext([])
        with final as last_map:
            maps = _block_maps(model, images, taps)
        return [group_norm(each, 1) for each in maps] + last_map  # over all channels and positions


def class_vectors(model: Classifier, classes: int) -> Float[Tensor, "classes width"] | None:
    """The embedded prompts of a zero-shot model, else the rows of the last linear layer; None if there is none."""
    if isinstance(model, ZeroShotViT):
        return model.module.get_buffer("prompts").detach()
    linear = [layer for layer in model.module.modules() if isinstance(layer, nn.Linear)]
    return linear[-1].weight.detach() if linear and linear[-1].out_features == classes else None


def even_taps(blocks: int) -> tuple[int, ...]:
    """The last block of each quarter.

    >>> even_taps(12), even_taps(6)
    ((2, 5, 8, 11), (0, 2, 3, 5))
    """
    return tuple(max((depth + 1) * blocks // DEPTHS - 1, 0) for depth in range(DEPTHS))


def run_blocks(model: ViT, images: Images) -> list[Tokens]:
    """h^0 … h^L of one forward pass."""
    tokens = [model.embed(images)]
    for block in model.blocks:
        inner = block.norm1(tokens[-1])
        tokens.append(block.fused(tokens[-1], inner, block.qkv(inner, None)))
    model.count(forwards=len(images))
    return tokens


def _token_maps(model: ViT, tokens: list[Tokens], taps: Sequence[int] | None) -> Features:
    tapped = [each[:, model.prefix :] for each in _tapped(tokens[1:], taps or even_taps(len(model.blocks)))]
    return [model.to_grid(each.transpose(1, 2)) for each in tapped]


def layer_norm_maps(maps: Float[Tensor, "batch dim rows cols"]) -> Float[Tensor, "batch dim rows cols"]:
    """Layer norm of every position, without weights."""
    return layer_norm(maps.permute(0, 2, 3, 1), _static_shape(maps.shape[1:2])).permute(0, 3, 1, 2)


def _block_maps(model: Classifier, images: Images, taps: Sequence[int] | None) -> Features:
    outputs = _outputs(network_blocks(model), lambda: model.forward(model.normalize(images)))
    spatial = [(layer, each) for layer, each in outputs if is_feature_map(each)]
    maps = [each.permute(0, 3, 1, 2) if is_channels_last(layer, each) else each for layer, each in spatial]
    model.count(forwards=len(images))
    if taps:
        return _tapped(maps, taps)
    last_of_each_resolution = {_static_shape(each.shape[-2:]): each for each in maps}
    return _pad_depths(list(last_of_each_resolution.values())[-DEPTHS:])


def _tapped(maps: Sequence[Tensor], taps: Sequence[int]) -> list[Tensor]:
    if not all(0 <= tap < len(maps) for tap in taps):
        raise OptionError(f"taps must be from 0 to {len(maps) - 1}: the network has {len(maps)} blocks; got {taps}")
    return _pad_depths([maps[tap] for tap in taps])


def _static_shape(shape: Sequence[int]) -> tuple[int, ...]:
    """A shape as ints: while the ONNX exporter traces, sizes are tensors, which cannot be compared or hashed."""
    return tuple(int(side) for side in shape)


def _outputs(layers: Iterable[nn.Module], run: Callable[[], Any]) -> list[tuple[nn.Module, Tensor]]:
    """Feature maps that the layers output during `run`; copies, since a network may modify its own in place."""
    found: list[tuple[nn.Module, Tensor]] = []

    def record(layer: nn.Module, _inputs: Any, output: Any) -> None:
        parts = output if isinstance(output, tuple) else (output,)  # dual path networks output two
        if all(isinstance(part, Tensor) and part.ndim == 4 for part in parts):
            found.append((layer, torch.cat(parts, dim=1)))

    handles = [layer.register_forward_hook(record) for layer in layers]
    try:
        run()
    finally:
        for handle in handles:
            handle.remove()
    return found


def _pad_depths(maps: Sequence[Tensor]) -> list[Tensor]:
    return [maps[0]] * (DEPTHS - len(maps)) + list(maps)


class TimmEncoder(nn.Module):
    """A frozen timm backbone, in evaluation mode regardless of `train`; `weights` as in `load_model`.

    Images are resized if the backbone has a fixed input size or needs whole patches (the authors' code pads the image,
    and does not crop the map). The backbone must declare its stages (`feature_info`, as for timm's `features_only`), as
    nearly all do; others raise `UnsupportedModel`. `jitter` enables DINOv3's random rescaling of coordinates in train
    mode, which timm omits.
    """

    def __init__(
        self, name: str, *, taps: Sequence[int] | None = None, weights: str | None = None, jitter: bool = False
    ) -> None:
        super().__init__()
        options = {"rope_rescale_coords": 2.0} if jitter and "dinov3" in name else {}
        backbone = _build_backbone(name, weights, **options)
        self.name, self.backbone = name, backbone.eval().requires_grad_(False)
        if not hasattr(backbone, "feature_info"):
            raise self._unusable("it does not declare its stages (no feature_info)")
        self.taps = list(taps) if taps else _timm_taps(backbone)
        self.size = _fixed_size(backbone)
        colors = [backbone.pretrained_cfg[key] for key in ("mean", "std")]
        self.register_buffer("colors", torch.tensor(colors).view(2, 3, 1, 1))

    @property
    def fingerprint(self) -> str:
        """Hash of the backbone's weights."""
        return fingerprint_of(self.backbone.state_dict(), self.name)

    def train(self, mode: bool = True) -> "TimmEncoder":  # noqa: ARG002 - the backbone is frozen
        return super().train(False)

    def forward(self, images: Images) -> Features:
        mean, std = self.get_buffer("colors")
        read = self._intermediates if hasattr(self.backbone, "forward_intermediates") else self._stages
        try:
            with torch.no_grad():
                return _pad_depths(read(self._fitted((images - mean) / std)))
        except (AssertionError, IndexError) as error:  # timm rejects sizes and taps this way
            size = " x ".join(map(str, images.shape[-2:]))
            reason = str(error) or "no reason given"
            raise self._unusable(f"it rejects images of {size} pixels or the taps {self.taps} ({reason})") from error

    def _intermediates(self, images: Tensor) -> Features:
        read = partial(self.backbone.forward_intermediates, images, indices=self.taps, intermediates_only=True)
        try:
            return read(norm=True)
        except AssertionError:  # Hiera has no norm for these depths
            return read(norm=False)

    def _stages(self, images: Tensor) -> Features:
        """Outputs of the layers that timm's `features_only` reads, channels first."""
        backbone: Any = self.backbone
        channels = {backbone.feature_info[tap]["module"]: backbone.feature_info[tap]["num_chs"] for tap in self.taps}
        names = {layer: name for name, layer in backbone.named_modules() if name in channels}
        maps = {names[layer]: each for layer, each in _outputs(names, lambda: backbone.forward_features(images))}
        missing = channels.keys() - maps.keys()
        if missing:
            raise self._unusable(
                f"{', '.join(sorted(missing))} does not output a feature map (batch, channels, rows, cols)"
            )
        pairs = [(maps[name], width) for name, width in channels.items()]
        return [each if each.shape[1] == width else each.permute(0, 3, 1, 2) for each, width in pairs]

    def _fitted(self, images: Tensor) -> Tensor:
        """Images resized to the backbone's fixed size, or to whole patches."""
        patch: Any = getattr(getattr(self.backbone, "patch_embed", None), "patch_size", 1)
        rows, cols = (patch, patch) if isinstance(patch, int) else patch
        whole = (-(-images.shape[-2] // rows) * rows, -(-images.shape[-1] // cols) * cols)
        return resize_maps(images, self.size or whole)

    def _unusable(self, reason: str) -> UnsupportedModel:
        return UnsupportedModel(
            f"timm/{self.name} cannot be an explainer's encoder: {reason}. A plain ViT, a ResNet or a ConvNeXt works, "
            "such as timm/vit_small_patch16_224; so does encoder='model'."
        )


def _build_backbone(name: str, weights: str | None, **options: Any) -> Any:
    timm = import_timm()
    if weights not in (None, "random") and not Path(weights).is_file():
        raise WeightsError(f"there is no weights file {weights} for timm/{name}; pass its path as encoder_weights")
    if ":" not in name and not timm.is_model(name):  # hf-hub:NAME
        raise UnknownName("timm architecture", name, timm.list_models())
    backbone = downloading(
        f"timm/{name}",
        partial(timm.create_model, name, pretrained=weights is None, num_classes=0, **options),
        advice='Pass encoder_weights="FILE" with a local file, or encoder="model" to read the model itself.',
    )
    return backbone if weights in (None, "random") else load_weights(backbone, weights)


def _timm_taps(backbone: Any) -> list[int]:
    """Four evenly spaced blocks if all have one resolution, else the last four stages."""
    stages = len(backbone.feature_info)
    if stages > DEPTHS and len({stage["reduction"] for stage in backbone.feature_info}) == 1:
        return list(even_taps(stages))
    return list(range(stages))[-DEPTHS:]


def _fixed_size(backbone: Any) -> tuple[int, int] | None:
    """Height and width if the backbone accepts one size only, else None."""
    strict = getattr(getattr(backbone, "patch_embed", None), "strict_img_size", None)
    fixed = backbone.pretrained_cfg.get("fixed_input_size") if strict is None else strict
    return timm_preprocess(backbone).size if fixed else None
