"""torchvision models: Vision Transformers decomposed; architectures, preprocessing and class names of all models."""

import functools
from collections.abc import Sequence
from types import ModuleType
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from seewhy.errors import UnknownName, UnsupportedModel
from seewhy.models.adapters import register_adapter
from seewhy.models.preprocess import Preprocess
from seewhy.models.torchvision_operators import declare_operators
from seewhy.models.vit import Block, Heads, ViT
from seewhy.types import Images, Logits, Tokens


def import_torchvision() -> ModuleType:
    """Import torchvision, even if its compiled operators do not fit this torch."""
    declare_operators()
    import torchvision

    return torchvision


@register_adapter("torchvision", library="torchvision")
class TorchvisionViT(ViT):
    """A `torchvision.models.VisionTransformer`: one class token, square images of one size."""

    def __init__(
        self,
        module: nn.Module,
        preprocess: Preprocess,
        *,
        name: str,
        class_names: Sequence[str] | None = None,
    ) -> None:
        check_torchvision(module)
        super().__init__(module, preprocess, name=name, class_names=class_names)
        net: Any = module
        side = net.image_size // net.patch_size
        self.grid = (side, side)
        self.prefix = 1
        self.head_tokens = (0,)
        self.pool = "token"
        self.blocks = [_block(layer) for layer in net.encoder.layers]

    def forward(self, normalized: Tensor) -> Any:
        return self.module(normalized)

    def embed(self, images: Images) -> Tokens:
        net: Any = self.module
        patches = net._process_input(self.normalize(images))
        tokens = torch.cat([net.class_token.expand(len(patches), -1, -1), patches], dim=1)
        return net.encoder.dropout(tokens + net.encoder.pos_embedding)

    def read_out(self, tokens: Tokens) -> Logits:
        net: Any = self.module
        return self.as_logits(net.heads(net.encoder.ln(tokens)[:, 0]))


def check_torchvision(module: nn.Module) -> None:
    """Raise `UnsupportedModel` unless the module is a torchvision `VisionTransformer` of plain blocks."""
    import_torchvision()
    from torchvision.models.vision_transformer import EncoderBlock, VisionTransformer

    if not isinstance(module, VisionTransformer):
        raise UnsupportedModel(f"{type(module).__name__} is not a torchvision VisionTransformer")
    for layer in module.encoder.layers:
        if type(layer) is not EncoderBlock:
            raise UnsupportedModel(f"its blocks are {type(layer).__name__}, not EncoderBlock")
        if type(layer.self_attention) is not nn.MultiheadAttention:
            raise UnsupportedModel(f"its attention is {type(layer.self_attention).__name__}")


def _block(layer: Any) -> Block:
    attention = layer.self_attention
    return Block(
        norm1=layer.ln_1,
        qkv=functools.partial(_qkv, attention),
        attention_scale=attention.head_dim**-0.5,
        project=attention.out_proj,
        layer_scale1=layer.dropout,
        norm2=layer.ln_2,
        mlp=layer.mlp,
        layer_scale2=nn.Identity(),
    )


def _qkv(attention: nn.MultiheadAttention, normed: Tokens, _positions: Tensor | None) -> tuple[Heads, Heads, Heads]:
    packed = F.linear(normed, attention.in_proj_weight, attention.in_proj_bias)
    q, k, v = (part.unflatten(-1, (attention.num_heads, -1)).transpose(1, 2) for part in packed.chunk(3, dim=-1))
    return q, k, v


def build_torchvision(name: str, *, weights: str | None = None, **options: Any) -> nn.Module:
    """A torchvision classifier, by default without weights; `options` go to its constructor."""
    torchvision = import_torchvision()
    known = torchvision.models.list_models(module=torchvision.models)
    if name not in known:
        raise UnknownName("torchvision architecture", name, known)
    return torchvision.models.get_model(name, weights=weights, **options)


def torchvision_preprocess(name: str) -> Preprocess:
    """The preprocessing of the architecture's default weights, which need not be downloaded for it."""
    recipe = _default_weights(name).transforms()
    size, resize = recipe.crop_size[0], recipe.resize_size[0]
    return Preprocess(
        size=(size, size),
        mean=tuple(recipe.mean),
        std=tuple(recipe.std),
        crop=size / resize,
        interpolation=recipe.interpolation.value,
    )


def torchvision_class_names(name: str) -> list[str]:
    """The classes of the architecture's default weights."""
    return list(_default_weights(name).meta["categories"])


def _default_weights(name: str) -> Any:
    return import_torchvision().models.get_model_weights(name).DEFAULT
