"""A forward pass of a ViT with everything kept that activation patching takes from it.

Blank runs are remembered per model: as long as the model lives, its weights are the same and the blank image is the
same, the pass is not repeated.
"""

from dataclasses import dataclass
from weakref import WeakKeyDictionary

import torch
from jaxtyping import Float, Int
from torch import Tensor
from torch.nn.functional import scaled_dot_product_attention

from seewhy.models.vit import Block, ViT
from seewhy.ops.patching import grouping
from seewhy.types import Images, Tokens

Heads = Float[Tensor, "batch heads tokens head_dim"]
Keys = Float[Tensor, "batch heads keys head_dim"]


@dataclass(frozen=True)
class Streams:
    """`tokens[l]` is h^l; `queries[l]`, `keys[l]` and `values[l]` are what block l+1 makes of it."""

    tokens: list[Tokens]
    queries: list[Heads]
    keys: list[Heads]
    values: list[Heads]

    def heads(
        self, level: int, image: Int[Tensor, "*at"], token: Int[Tensor, "*at"]
    ) -> tuple[Float[Tensor, "heads ... head_dim"], ...]:
        """q, k and v of single tokens of h^level."""
        return tuple(kept[level].movedim(1, 0)[:, image, token] for kept in (self.queries, self.keys, self.values))


def run_streams(model: ViT, images: Images, *, stop: int) -> Streams:
    """h^0 … h^stop, with q, k and v also of block stop+1 where there is one."""
    model._check_size(images)
    streams = Streams([model.embed(images)], [], [], [])
    for number, block in enumerate(model.blocks[: stop + 1]):
        tokens = streams.tokens[-1]
        normed = block.norm1(tokens)
        q, k, v = block.qkv(normed, None)
        for kept, part in ((streams.queries, q), (streams.keys, k), (streams.values, v)):
            kept.append(part)
        if number < stop:
            streams.tokens.append(fused_block(block, tokens, normed, (q, k, v)))
    model.count(forwards=model.share(streams.tokens[0], len(streams.tokens) - 1))
    return streams


def fused_block(block: Block, tokens: Tokens, normed: Tokens, heads: tuple[Heads, Keys, Keys]) -> Tokens:
    """A block whose attention weights nobody asks for; keys and values may be those of more tokens."""
    q, k, v = heads
    mixed = scaled_dot_product_attention(q, k, v, scale=block.scale)
    return block.feed(tokens + block.scale1(block.attention_out(mixed, normed)))


def grouping_levels(model: ViT, images: Images) -> list[int]:
    """Per image the block whose attention groups alike patches most; never the last, which only feeds the head."""
    levels = []
    for image in images.split(1):
        streams = run_streams(model, image, stop=max(1, len(model.blocks) - 1))
        scores = []
        for block, q, k, tokens in zip(model.blocks, streams.queries, streams.keys, streams.tokens[1:], strict=False):
            q, k = (part[:, :, model.prefix :] for part in (q, k))
            attention = (q @ k.transpose(-2, -1) * block.scale).softmax(dim=-1)
            scores.append(grouping(attention, tokens[:, model.prefix :]))
        levels.append(int(torch.cat(scores).argmax()) + 1)
    return levels


_BLANKS: WeakKeyDictionary[ViT, list[tuple[str, Images, Streams]]] = WeakKeyDictionary()
REMEMBERED = 2  # blank runs per model


def blank_streams(model: ViT, blank: Images) -> Streams:
    """The whole run of a blank image, from memory if it is there."""
    known = _BLANKS.setdefault(model, [])
    fingerprint = model.fingerprint
    for stored, image, streams in known:
        if stored == fingerprint and _same(image, blank, streams.tokens[0]):
            return streams
    streams = run_streams(model, blank, stop=len(model.blocks))
    known[:] = [(fingerprint, blank.clone(), streams), *known[: REMEMBERED - 1]]
    return streams


def _same(stored: Tensor, image: Tensor, tokens: Tensor) -> bool:
    placed = stored.shape == image.shape and stored.dtype == image.dtype and stored.device == image.device
    return placed and torch.equal(stored, image) and tokens.device == image.device
