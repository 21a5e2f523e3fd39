"""The image tower of a Hugging Face transformer as pieces.

transformers names the same parts differently from model to model and from version to version (4.48 to 5.x), so a
part is looked for under all its names; the computation is the one of `seewhy.models.vit` everywhere.
"""

import functools
from collections.abc import Callable
from operator import attrgetter
from typing import Any

from torch import Tensor, nn

from seewhy.models.vit import Block, Heads
from seewhy.types import Tokens

_LAYERS = ("layers", "encoder.layers", "encoder.layer", "layer")
_PREFIX = ("cls_token", "class_embedding", "distillation_token", "register_tokens")


def find(module: Any, *paths: str) -> Any:
    """The first of these attributes that exists."""
    for path in paths:
        try:
            return attrgetter(path)(module)
        except AttributeError:
            continue
    raise AttributeError(f"{type(module).__name__} has none of {', '.join(paths)}")


def tower_grid(tower: Any, image_size: tuple[int, int]) -> tuple[int, int]:
    """Rows and columns of patches; networks that interpolate their positions take other sizes than configured."""
    patching = next(part for part in tower.embeddings.modules() if isinstance(part, nn.Conv2d))
    return image_size[0] // patching.stride[0], image_size[1] // patching.stride[1]


def tower_prefix(tower: Any) -> int:
    """How many tokens come before the patches."""
    rows = [getattr(tower.embeddings, name, None) for name in _PREFIX]
    return sum(1 if row.ndim == 1 else row.shape[1] for row in rows if row is not None)


def tower_embed(tower: Any, normalized: Tensor) -> Tokens:
    """h^0; CLIP normalizes it once more."""
    tokens = tower.embeddings(normalized)
    return tower.pre_layrnorm(tokens) if hasattr(tower, "pre_layrnorm") else tokens


def tower_blocks(tower: Any) -> list[Block]:
    return [_block(layer) for layer in find(tower, *_LAYERS)]


def _block(layer: Any) -> Block:
    attention = find(layer, "attention", "self_attn")
    projections = [find(attention, f"{name[0]}_proj", f"attention.{name}") for name in ("query", "key", "value")]
    head_dim = find(attention, "head_dim", "attention.attention_head_size")
    out = find(attention, "o_proj", "out_proj", "output.dense")
    return Block(
        norm1=find(layer, "layernorm_before", "norm1", "layer_norm1"),
        qkv=functools.partial(_qkv, projections, head_dim),
        attention_scale=head_dim**-0.5,
        attention_out=lambda mixed, _normed: out(mixed.transpose(1, 2).flatten(2)),
        layer_scale1=getattr(layer, "layer_scale1", nn.Identity()),
        norm2=find(layer, "layernorm_after", "norm2", "layer_norm2"),
        mlp=_mlp(layer),
        layer_scale2=getattr(layer, "layer_scale2", nn.Identity()),
    )


def _qkv(
    projections: list[nn.Linear], head_dim: int, normed: Tokens, _positions: Tensor | None
) -> tuple[Heads, Heads, Heads]:
    q, k, v = (project(normed).unflatten(-1, (-1, head_dim)).transpose(1, 2) for project in projections)
    return q, k, v


def _mlp(layer: Any) -> Callable[[Tokens], Tokens]:
    if hasattr(layer, "mlp"):
        return layer.mlp
    return lambda tokens: layer.output.dense(layer.intermediate(tokens))  # ViT and DeiT before transformers 5
