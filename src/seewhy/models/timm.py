"""timm models: plain ViT, DeiT (also distilled), DeiT3, DINOv2/v3, CLIP and SigLIP towers, EVA, and every CNN."""

import functools
from collections.abc import Callable, Sequence
from types import ModuleType
from typing import Any

import torch
from torch import Tensor, nn

from seewhy.errors import ModelError, UnknownName
from seewhy.models.preprocess import Preprocess
from seewhy.models.torchvision_operators import declare_operators
from seewhy.models.vit import Block, Heads, Pool, ViT
from seewhy.types import Images, Logits, Tokens


@functools.cache
def import_timm() -> ModuleType:
    """timm, also beside a torch whose torchvision has no compiled operators."""
    declare_operators()
    import timm

    return timm


class TimmViT(ViT):
    """A timm `VisionTransformer` or `Eva` with pre-norm blocks."""

    def __init__(
        self,
        module: nn.Module,
        preprocess: Preprocess,
        *,
        name: str,
        class_names: Sequence[str] | None = None,
    ) -> None:
        super().__init__(module, preprocess, name=name, class_names=class_names)
        net: Any = module
        self.grid = tuple(net.patch_embed.grid_size)
        self.prefix = net.num_prefix_tokens
        self.pool = _pool(net)
        self.head_tokens = (0, 1) if hasattr(net, "head_dist") else (0,) if self.pool == "token" else ()
        rotations = self._rotations()
        self.blocks = [_block(block, rotations[index]) for index, block in enumerate(net.blocks)]

    @staticmethod
    def fits(module: nn.Module) -> str:
        """Why a module is not such a network; empty if it is."""
        import_timm()
        from timm.layers.attention import Attention, AttentionRope
        from timm.models.eva import Eva, EvaAttention, EvaBlock
        from timm.models.vision_transformer import Block as TimmBlock
        from timm.models.vision_transformer import VisionTransformer

        if not isinstance(module, (VisionTransformer, Eva)):
            return f"{type(module).__name__} is not a plain timm Vision Transformer"
        for block in module.blocks:
            if type(block) not in (TimmBlock, EvaBlock) or not hasattr(block, "attn"):
                return f"its blocks are {type(block).__name__}, not pre-norm blocks"
            if type(block.attn) not in (Attention, AttentionRope, EvaAttention):
                return f"its attention is {type(block.attn).__name__}"
        return ""

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
        tokens = net._pos_embed(net.patch_embed(normalized))
        tokens, rotation = tokens if isinstance(tokens, tuple) else (tokens, None)
        return net.norm_pre(tokens), rotation

    def _rotations(self) -> list[Tensor | None]:
        """Per block sin and cos of every token; those of prefix tokens leave them as they are."""
        with torch.no_grad(), self.frozen_eval():
            blank = torch.zeros(1, 3, *self.image_size, device=self.device)
            rotation = self._positioned(self.normalize(blank))[1]
        depth = len(self.module.blocks)  # type: ignore[arg-type]
        if rotation is None:
            return [None] * depth
        sin, cos = rotation.chunk(2, dim=-1)
        still = [torch.full_like(part[..., : self.prefix, :], value) for part, value in ((sin, 0.0), (cos, 1.0))]
        table = torch.cat([torch.cat([still[0], sin], -2), torch.cat([still[1], cos], -2)], -1)
        return list(table) if getattr(self.module, "rope_mixed", False) else [table] * depth


def _pool(net: Any) -> Pool:
    if getattr(net, "attn_pool", None) is not None:
        return "map"
    if hasattr(net, "head_dist") or net.global_pool == "token":
        return "token"
    return "avg" if net.global_pool == "avg" else "other"


def _block(block: Any, rotation: Tensor | None) -> Block:
    attention = block.attn

    def attention_out(mixed: Heads, normed: Tokens) -> Tokens:
        joined = attention.norm(mixed.transpose(1, 2).flatten(2))
        gate = getattr(attention, "gate", None)
        return attention.proj(joined if gate is None else joined * gate(normed).sigmoid())

    return Block(
        norm1=block.norm1,
        qkv=functools.partial(_qkv, attention, rotation),
        attention_scale=attention.scale,
        attention_out=attention_out,
        layer_scale1=_layer_scale(block, "ls1", "gamma_1"),
        norm2=block.norm2,
        mlp=block.mlp,
        layer_scale2=_layer_scale(block, "ls2", "gamma_2"),
    )


def _layer_scale(block: Any, module: str, parameter: str) -> Callable[[Tokens], Tokens]:
    if hasattr(block, module):
        return getattr(block, module)
    return lambda tokens: tokens if getattr(block, parameter) is None else tokens * getattr(block, parameter)


def _qkv(
    attention: Any, rotation: Tensor | None, normed: Tokens, positions: Tensor | None
) -> tuple[Heads, Heads, Heads]:
    q, k, v = (part.unflatten(-1, (-1, attention.head_dim)).transpose(1, 2) for part in _project(attention, normed))
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
        raise ModelError(f"timm/{name} has no classification head. Pass num_classes=… and weights that fill the head.")
    return module


def timm_preprocess(module: nn.Module) -> Preprocess:
    """What the architecture's configuration says about its pictures."""
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
    """A ViT built for another size than its configuration's knows better."""
    own = getattr(getattr(module, "patch_embed", None), "img_size", None)
    return tuple(own) if own is not None else tuple(config["input_size"][1:])


def timm_class_names(module: nn.Module) -> list[str] | None:
    """ImageNet's names, where the head has the classes of one of its known subsets."""
    import_timm()
    from timm.data import ImageNetInfo, infer_imagenet_subset

    subset = infer_imagenet_subset(module)
    if subset is None:
        return None
    info = ImageNetInfo(subset)
    return [info.index_to_description(index) for index in range(info.num_classes())]
