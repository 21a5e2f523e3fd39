"""The image tower of a Hugging Face transformer as pieces.

transformers names the same parts differently between models and versions (4.48 to 5.x), so a part is looked up under
all its names; the computation is always that of `seewhy.models.vit`.
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


def find(module: Any, *paths: str, **default: Any) -> Any:
    """The first of these attributes that exists, else `default` if one is given."""
    for path in paths:
        try:
            return attrgetter(path)(module)
        except AttributeError:
            continue
    if default:
        return default["default"]
    raise AttributeError(f"{type(module).__name__} has none of {', '.join(paths)}")


def tower_grid(tower: Any, image_size: tuple[int, int]) -> tuple[int, int]:
    """Rows and columns of patches, from the image size: networks that interpolate positions accept several sizes."""
    patching = next(part for part in tower.embeddings.modules() if isinstance(part, nn.Conv2d))
    return image_size[0] // patching.stride[0], image_size[1] // patching.stride[1]


def tower_prefix(tower: Any) -> int:
    """The number of tokens before the patches."""
    rows = [getattr(tower.embeddings, name, None) for name in _PREFIX]
    return sum(1 if row.ndim == 1 else row.shape[1] for row in rows if row is not None)


def tower_embed(tower: Any, normalized: Tensor) -> Tokens:
    """h^0; CLIP normalizes it once more."""
    tokens = tower.embeddings(normalized)
    tokens = tokens[0] if isinstance(tokens, tuple) else tokens  # BEiT before transformers 5
    return tower.pre_layrnorm(tokens) if hasattr(tower, "pre_layrnorm") else tokens


def tower_blocks(tower: Any, grid: tuple[int, int]) -> list[Block]:
    return [_block(layer, _bias(tower, layer, grid)) for layer in find(tower, *_LAYERS)]


def _block(layer: Any, bias: Callable[[], Tensor] | None) -> Block:
    attention = find(layer, "attention", "self_attn")
    projections = [find(attention, f"{name[0]}_proj", f"attention.{name}") for name in ("query", "key", "value")]
    head_dim = find(attention, "head_dim", "attention.attention_head_size")
    out = find(attention, "o_proj", "out_proj", "output.dense")
    return Block(
        norm1=find(layer, "layernorm_before", "norm1", "layer_norm1"),
        qkv=functools.partial(_qkv, projections, head_dim),
        attention_scale=head_dim**-0.5,
        project=out,
        layer_scale1=_layer_scale(layer, 1),
        norm2=find(layer, "layernorm_after", "norm2", "layer_norm2"),
        mlp=_mlp(layer),
        layer_scale2=_layer_scale(layer, 2),
        bias=bias,
    )


def _layer_scale(layer: Any, number: int) -> Callable[[Tokens], Tokens]:
    factor = getattr(layer, f"lambda_{number}", None)  # BEiT
    if factor is not None:
        return lambda tokens: tokens * getattr(layer, f"lambda_{number}")
    return getattr(layer, f"layer_scale{number}", nn.Identity())


def _bias(tower: Any, layer: Any, grid: tuple[int, int]) -> Callable[[], Tensor] | None:
    """The relative position bias of a BEiT layer: its own plus the one shared by all layers."""
    own = find(layer, "relative_position_bias", "attention.attention.relative_position_bias", default=None)
    shared = find(tower, "shared_position_bias", "encoder.relative_position_bias", default=None)
    tables = [table for table in (own, shared) if table is not None]
    return (lambda: sum(table(grid) for table in tables).squeeze(0)) if tables else None


def _qkv(
    projections: list[nn.Linear], head_dim: int, normed: Tokens, _positions: Tensor | None
) -> tuple[Heads, Heads, Heads]:
    q, k, v = (project(normed).unflatten(-1, (-1, head_dim)).transpose(1, 2) for project in projections)
    return q, k, v


def _mlp(layer: Any) -> Callable[[Tokens], Tokens]:
    if hasattr(layer, "mlp"):
        return layer.mlp
    return lambda tokens: layer.output.dense(layer.intermediate(tokens))  # ViT and DeiT before transformers 5
