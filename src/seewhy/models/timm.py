"""timm models: ViT, DeiT, DINOv2/v3, towers of CLIP and SigLIP, EVA, BEiT, relative positions, and every CNN."""

import functools
from collections.abc import Callable, Sequence
from types import ModuleType
from typing import Any

import torch
from jaxtyping import Float
from torch import Tensor, nn

from seewhy.errors import ModelError, UnknownName, UnsupportedModel
from seewhy.models.adapters import register_adapter
from seewhy.models.preprocess import Preprocess
from seewhy.models.torchvision_operators import declare_operators
from seewhy.models.vit import Block, Heads, Pool, ViT
from seewhy.types import Images, Logits, Tokens


@functools.cache
def import_timm() -> ModuleType:
    """Import timm, even if torchvision has no compiled operators for this torch."""
    declare_operators()
    import timm

    return timm


@register_adapter("timm", library="timm")
class TimmViT(ViT):
    """A timm `VisionTransformer`, `Eva`, `Beit` or `VisionTransformerRelPos`."""

    def __init__(
        self,
        module: nn.Module,
        preprocess: Preprocess,
        *,
        name: str,
        class_names: Sequence[str] | None = None,
    ) -> None:
        check_timm(module)
        super().__init__(module, preprocess, name=name, class_names=class_names)
        net: Any = module
        self.grid = tuple(net.patch_embed.grid_size)
        self.prefix = net.num_prefix_tokens
        self.pool = _pool(net)
        self.head_tokens = (0, 1) if hasattr(net, "head_dist") else (0,) if self.pool == "token" else ()
        rotations = self._rotations()
        self.blocks = [_block(block, rotations[index], _bias(net, block)) for index, block in enumerate(net.blocks)]

    def forward(self, normalized: Tensor) -> Any:
        return self.module(normalized)

    def embed(self, images: Images) -> Tokens:
        return self._positioned(self.normalize(images))[0]

    def read_out(self, tokens: Tokens) -> Logits:
        net: Any = self.module
        return self.as_logits(net.forward_head(net.norm(tokens)))

    def _positioned(self, normalized: Tensor) -> tuple[Tokens, Tensor | None]:
        """h^0, and the rotary embedding of the patches if the network has one."""
        net: Any = self.module
        tokens = net.patch_embed(normalized)
        if not hasattr(net, "_pos_embed"):  # BEiT, relative positions
            return _with_class_token(net, tokens), None
        tokens = net._pos_embed(tokens)
        tokens, rotation = tokens if isinstance(tokens, tuple) else (tokens, None)
        return net.norm_pre(tokens), rotation

    def _rotations(self) -> list[Tensor | None]:
        """Per block, sin and cos of every token; those of prefix tokens are the identity."""
        with torch.no_grad(), self.frozen_eval():
            black = torch.zeros(1, self.channels, *self.image_size, device=self.device)
            rotation = self._positioned(self.normalize(black))[1]
        depth = len(self.module.blocks)  # type: ignore[arg-type]
        if rotation is None:
            return [None] * depth
        sin, cos = rotation.chunk(2, dim=-1)
        unrotated = [torch.full_like(part[..., : self.prefix, :], value) for part, value in ((sin, 0.0), (cos, 1.0))]
        table = torch.cat([torch.cat([unrotated[0], sin], -2), torch.cat([unrotated[1], cos], -2)], -1)
        return list(table) if getattr(self.module, "rope_mixed", False) else [table] * depth


def _pool(net: Any) -> Pool:
    if getattr(net, "attn_pool", None) is not None:
        return "map"
    if hasattr(net, "head_dist") or net.global_pool == "token":
        return "token"
    return "avg" if net.global_pool == "avg" else "other"


def check_timm(module: nn.Module) -> None:
    """Raise `UnsupportedModel` unless the module is a timm transformer of known blocks and attention."""
    import_timm()
    from timm.layers import attention
    from timm.models import beit, eva, vision_transformer, vision_transformer_relpos

    networks = (
        vision_transformer.VisionTransformer, eva.Eva, beit.Beit, vision_transformer_relpos.VisionTransformerRelPos,
    )  # fmt: skip
    blocks = (vision_transformer.Block, eva.EvaBlock, beit.Block, vision_transformer_relpos.RelPosBlock)
    attentions = (
        attention.Attention, attention.AttentionRope, eva.EvaAttention, beit.Attention,
        vision_transformer_relpos.RelPosAttention,
    )  # fmt: skip
    if not isinstance(module, networks):
        raise UnsupportedModel(f"{type(module).__name__} is not a plain timm Vision Transformer")
    for block in module.blocks:
        if type(block) not in blocks or not hasattr(block, "attn"):
            raise UnsupportedModel(f"its blocks are {type(block).__name__}, not pre-norm blocks")
        if type(block.attn) not in attentions:
            raise UnsupportedModel(f"its attention is {type(block.attn).__name__}")


def _with_class_token(net: Any, patches: Float[Tensor, "batch patches dim"]) -> Tokens:
    """h^0 of networks without `_pos_embed`: class token and absolute positions where there are any."""
    tokens = patches if net.cls_token is None else torch.cat([net.cls_token.expand(len(patches), -1, -1), patches], 1)
    positions = getattr(net, "pos_embed", None)
    return tokens if positions is None else tokens + positions


def _bias(net: Any, block: Any) -> Callable[[], Tensor] | None:
    """The relative position bias of a block: its own plus the one shared by all blocks."""
    parts: list[Callable[[], Tensor]] = []
    if getattr(block.attn, "relative_position_bias_table", None) is not None:  # BEiT
        parts.append(block.attn._get_rel_pos_bias)
    if getattr(net, "rel_pos_bias", None) is not None:  # BEiT, shared
        parts.append(net.rel_pos_bias)
    relative = getattr(block.attn, "rel_pos", None) or getattr(net, "shared_rel_pos", None)
    if relative is not None:
        parts.append(relative.get_bias)
    if not parts:
        return None
    return lambda: functools.reduce(torch.add, [part() for part in parts]).flatten(end_dim=-3)  # without the batch


def _block(block: Any, rotation: Tensor | None, bias: Callable[[], Tensor] | None) -> Block:
    attention = block.attn
    return Block(
        norm1=block.norm1,
        qkv=functools.partial(_qkv, attention, rotation),
        attention_scale=attention.scale,
        project=attention.proj,
        layer_scale1=_layer_scale(block, "ls1", "gamma_1"),
        norm2=block.norm2,
        mlp=block.mlp,
        layer_scale2=_layer_scale(block, "ls2", "gamma_2"),
        bias=bias,
        inner_norm=getattr(attention, "norm", None),
        gate=getattr(attention, "gate", None),
        native=block if rotation is None and bias is None else None,
    )


def _layer_scale(block: Any, module: str, parameter: str) -> Callable[[Tokens], Tokens]:
    if hasattr(block, module):
        return getattr(block, module)
    return lambda tokens: tokens if getattr(block, parameter) is None else tokens * getattr(block, parameter)


def _qkv(
    attention: Any, rotation: Tensor | None, normed: Tokens, positions: Tensor | None
) -> tuple[Heads, Heads, Heads]:
    projected = _project(attention, normed)
    head_dim = getattr(attention, "head_dim", None) or projected[0].shape[-1] // attention.num_heads
    q, k, v = (part.unflatten(-1, (-1, head_dim)).transpose(1, 2) for part in projected)
    if hasattr(attention, "q_norm"):
        q, k = attention.q_norm(q), attention.k_norm(k)
    if rotation is not None:
        q, k = (_rotate(part, rotation, positions, getattr(attention, "rotate_half", False)) for part in (q, k))
    groups = q.shape[1] // k.shape[1]
    if groups > 1:  # grouped-query attention: several heads share keys and values
        k, v = (part.repeat_interleave(groups, dim=1) for part in (k, v))
    return q, k, v


def _project(attention: Any, normed: Tokens) -> tuple[Tensor, ...]:
    if attention.qkv is None:
        return attention.q_proj(normed), attention.k_proj(normed), attention.v_proj(normed)
    packed = attention.qkv(normed)
    if getattr(attention, "q_bias", None) is not None:  # EVA keeps the biases apart; keys have none
        packed = packed + torch.cat([attention.q_bias, attention.k_bias, attention.v_bias])
    return packed.chunk(3, dim=-1)


def _rotate(heads: Heads, rotation: Tensor, positions: Tensor | None, half: bool) -> Heads:
    """Rotary position embedding of the tokens at these positions."""
    from timm.layers.pos_embed_sincos import apply_rot_embed_cat

    if positions is not None:
        rotation = rotation[..., positions, :]
        if positions.ndim == 2 and rotation.ndim == 3:  # batch kept dim: the heads share it
            rotation = rotation.unsqueeze(1)
        elif positions.ndim == 2:  # heads batch kept dim
            rotation = rotation.transpose(0, 1)
    return apply_rot_embed_cat(heads, rotation, half=half).type_as(heads)


def build_timm(name: str, *, num_classes: int | None = None, pretrained: bool = False, **options: Any) -> nn.Module:
    """A timm architecture; `options` go to its constructor (`img_size=`, `global_pool=` …)."""
    timm = import_timm()
    if name.partition(".")[0] not in timm.list_models():
        raise UnknownName("timm architecture", name.partition(".")[0], timm.list_models())
    if num_classes is not None:
        options["num_classes"] = num_classes
    module = timm.create_model(name, pretrained=pretrained, **options)
    if module.num_classes == 0:
        raise ModelError(f"timm/{name} has no classification head. Pass num_classes=… and weights with a head.")
    return module


def timm_preprocess(module: nn.Module) -> Preprocess:
    """Preprocessing as in the architecture's configuration."""
    import_timm()
    from timm.data import resolve_model_data_config

    config = resolve_model_data_config(module)
    return Preprocess(
        size=_input_size(module, config),
        mean=tuple(config["mean"]),
        std=tuple(config["std"]),
        crop=config["crop_pct"],
        squash=config["crop_mode"] == "squash",
        interpolation=config["interpolation"],
    )


def _input_size(module: nn.Module, config: dict) -> tuple[int, int]:
    """Input size; a ViT's own `img_size` overrides its configuration."""
    own = getattr(getattr(module, "patch_embed", None), "img_size", None)
    return tuple(own) if own is not None else tuple(config["input_size"][1:])


def timm_class_names(module: nn.Module) -> list[str] | None:
    """ImageNet's class names, if the head has the classes of one of its known subsets."""
    import_timm()
    from timm.data import ImageNetInfo, infer_imagenet_subset

    subset = infer_imagenet_subset(module)
    if subset is None:
        return None
    info = ImageNetInfo(subset)
    return [info.index_to_description(index) for index in range(info.num_classes())]
