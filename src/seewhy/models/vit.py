"""A Vision Transformer decomposed into the components that papers refer to.

One block, as every ViT method here reads it (h: batch tokens dim):

    normed  = norm1(h)
    q, k, v = qkv(normed, positions)                    batch heads tokens head_dim, after q/k-norm and rotation
    A       = softmax(q kᵀ · attention_scale + bias)    batch heads queries keys
    h       = h + layer_scale1(attention_out(A v, normed))
    h       = h + layer_scale2(mlp(norm2(h)))

Running these pieces instead of the network's own forward makes every attention weight a node of the graph, even where
fused kernels hide it, and leaves the network unmodified.
"""

import math
from abc import abstractmethod
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn
from torch.nn.functional import scaled_dot_product_attention

from seewhy.models.classifier import Classifier
from seewhy.models.layers import FeatureLayer, layer_name
from seewhy.models.layouts import Layout
from seewhy.models.splitting import Split, split_at
from seewhy.types import FeatureMaps, Images, Logits, Tokens, Weights

Pool = Literal["token", "avg", "map", "token+avg", "other"]
Heads = Float[Tensor, "batch heads tokens head_dim"]
QKV = tuple[Float[Tensor, "batch heads queries head_dim"], Float[Tensor, "batch heads keys head_dim"], Tensor]
Positions = Int[Tensor, "*batch kept"]  # of tokens in the full sequence


@dataclass(frozen=True)
class Block:
    """The pieces of one block; with `positions`, the tokens are those at these positions of the full sequence.

    `bias()` is added to the attention logits of the full sequence, `heads tokens tokens` (relative positions),
    `inner_norm` and `gate` act on the joined heads, `native` is the network's own block if it takes tokens only.
    """

    norm1: Callable[[Tokens], Tokens]
    qkv: Callable[[Tokens, Tensor | None], tuple[Heads, Heads, Heads]]
    attention_scale: float
    project: Callable[[Tokens], Tokens]
    layer_scale1: Callable[[Tokens], Tokens]
    norm2: Callable[[Tokens], Tokens]
    mlp: Callable[[Tokens], Tokens]
    layer_scale2: Callable[[Tokens], Tokens]
    bias: Callable[[], Float[Tensor, "heads tokens tokens"]] | None = None
    inner_norm: Callable[[Tokens], Tokens] | None = None
    gate: Callable[[Tokens], Tokens] | None = None
    native: Callable[[Tokens], Tokens] | None = None

    def attention_logits(
        self, q: Heads, k: Heads, positions: Positions | None = None
    ) -> Float[Tensor, "batch heads queries keys"]:
        """q kᵀ · attention_scale, plus the bias of the block."""
        logits = q @ k.transpose(-2, -1) * self.attention_scale
        if self.bias is None:
            return logits
        bias = self.bias()
        if positions is not None:
            bias = bias[:, positions[..., :, None], positions[..., None, :]].movedim(0, -3)
        return logits + bias

    def attend(self, tokens: Tokens, normed: Tokens, positions: Positions | None = None) -> tuple[Tokens, Weights]:
        """The attention half of the block, residual included, and its weights."""
        q, k, v = self.qkv(normed, positions)
        weights = self.attention_logits(q, k, positions).softmax(dim=-1)
        return tokens + self.layer_scale1(self.attention_out(weights @ v, normed)), weights

    def attention_out(self, mixed: Heads, normed: Tokens) -> Tokens:
        """The output projection of A v."""
        joined = mixed.transpose(1, 2).flatten(2)
        joined = joined if self.inner_norm is None else self.inner_norm(joined)
        return self.project(joined if self.gate is None else joined * self.gate(normed).sigmoid())

    def feed_forward(self, tokens: Tokens) -> Tokens:
        """The MLP half of the block, residual included."""
        return tokens + self.layer_scale2(self.mlp(self.norm2(tokens)))

    def finish(self, tokens: Tokens, normed: Tokens, mixed: Heads) -> Tokens:
        """The output of the block from A v: output projection, residual, MLP."""
        return self.feed_forward(tokens + self.layer_scale1(self.attention_out(mixed, normed)))

    def fused(self, tokens: Tokens, normed: Tokens, qkv: QKV) -> Tokens:
        """The output of the block, by a fused attention kernel; queries may be those of the first tokens only."""
        q, k, v = qkv
        bias = None if self.bias is None else self.bias()[:, : q.shape[2]]
        return self.finish(
            tokens, normed, scaled_dot_product_attention(q, k, v, attn_mask=bias, scale=self.attention_scale)
        )

    def plain_forward(self, tokens: Tokens) -> Tokens:
        """The output of the block, for runs that need no attention weights."""
        if self.native is not None:
            return self.native(tokens)
        normed = self.norm1(tokens)
        return self.fused(tokens, normed, self.qkv(normed, None))

    def __call__(self, tokens: Tokens, positions: Positions | None = None) -> tuple[Tokens, Weights]:
        tokens, weights = self.attend(tokens, self.norm1(tokens), positions)
        return self.feed_forward(tokens), weights


class Trace(NamedTuple):
    """One forward pass with its intermediate values: h^0 … h^L, A^1 … A^L and the logits, all in one graph."""

    tokens: list[Tokens]
    attention: list[Weights]
    logits: Logits


class ViT(Classifier):
    """A classifier whose blocks, tokens and attention can be read and run one by one.

    Adapters set, in their `__init__`:
    `grid` (rows, cols), `prefix` (number of tokens before the patches: class, distillation, registers),
    `head_tokens` (positions of those that the head reads), `pool` (how the head reads), `blocks`.
    """

    grid: tuple[int, int]
    prefix: int
    head_tokens: tuple[int, ...]
    pool: Pool
    blocks: Sequence[Block]
    _recorded: list[tuple[Images, list[Tokens]]] | None = None

    @abstractmethod
    def embed(self, images: Images) -> Tokens:
        """h^0: the sequence that enters the first block, positions and pre-norm included."""

    @abstractmethod
    def read_out(self, tokens: Tokens) -> Logits:
        """Logits from h^L: final norm, pooling, head."""

    @property
    def patches(self) -> int:
        """Number of patches."""
        return math.prod(self.grid)

    def describe(self) -> str:
        rows, cols = self.grid
        return f"{super().describe()}, {rows}x{cols} patches, {len(self.blocks)} blocks"

    def run(
        self,
        tokens: Tokens,
        *,
        start: int = 0,
        stop: int | None = None,
        positions: Positions | None = None,
    ) -> tuple[list[Tokens], list[Weights]]:
        """h^start … h^stop and the attention of the blocks between; `positions` when tokens were dropped."""
        sequence, attention = [tokens], []
        for block in self.blocks[start:stop]:
            tokens, weights = block(tokens, positions)
            sequence.append(tokens)
            attention.append(weights)
        self.count_tokens(tokens[..., 0].numel() * len(attention))
        return sequence, attention

    def trace(self, images: Images) -> Trace:
        """A whole forward pass with its attention; its logits equal `logits(images)` up to rounding."""
        tokens, attention = self.run(self.embed(images))
        logits = self.read_out(tokens[-1])
        self.notify(images, logits)
        if self._recorded is not None:
            self._recorded.append((images.detach(), [each.detach() for each in tokens]))
        return Trace(tokens, attention, logits)

    @contextmanager
    def recorded_traces(self) -> Iterator[list[tuple[Images, list[Tokens]]]]:
        """Inside the context, the images and tokens of every `trace` are appended to the list, for reuse."""
        outer, self._recorded = self._recorded, []
        try:
            yield self._recorded
        finally:
            self._recorded = outer

    def tokens_before(self, images: Images, block: int) -> Tokens:
        """The input of a block, h^block, without a graph."""
        with torch.no_grad():
            return self._run_plain(self.embed(images), self.blocks[:block])

    def logits_from(self, tokens: Tokens, start: int) -> Logits:
        """The rest of a forward pass, from h^start."""
        return self.read_out(self._run_plain(tokens, self.blocks[start:]))

    def _run_plain(self, tokens: Tokens, blocks: Sequence[Block]) -> Tokens:
        for block in blocks:
            tokens = block.plain_forward(tokens)
        self.count_tokens(tokens[..., 0].numel() * len(blocks))
        return tokens

    def last_attention(self, images: Images) -> tuple[Weights, Logits]:
        """A^L and the logits, in a graph that holds the last block and the head only.

        d logit / d A^L is the same as in the whole graph, at a small part of its memory and backward time. Rows of
        tokens that the head does not read have a gradient of exactly zero.
        """
        tokens = self.tokens_before(images, len(self.blocks) - 1)
        with torch.enable_grad():
            (_, tokens), (weights,) = self.run(tokens.detach().requires_grad_(), start=-1)
            logits = self.read_out(tokens)
        self.notify(images, logits)
        return weights, logits

    def count_tokens(self, tokens: int) -> None:
        """Count the cost of running a number of tokens through one block."""
        for cost in self._meters:
            cost.forwards += tokens / (self.prefix + self.patches) / len(self.blocks)

    def to_grid(self, values: Float[Tensor, "*batch patches"]) -> Float[Tensor, "*batch rows cols"]:
        """Values per patch, arranged as the patches of the image."""
        return values.unflatten(-1, self.grid)

    def read_rows(self, matrix: Float[Tensor, "*batch queries keys"]) -> Float[Tensor, "*batch patches"]:
        """The rows of the tokens that the head reads, averaged, at the columns of the patches.

        Rows of the matrix are queries, columns keys.

        The class token's row where the head reads one (the mean of both rows in a distilled network), the mean of the
        patches' rows where it pools them, the mean of the two where it does both.
        """
        rows = []
        if self.head_tokens:
            rows.append(matrix[..., list(self.head_tokens), :].mean(dim=-2))
        if self.pool != "token":
            rows.append(matrix[..., self.prefix :, :].mean(dim=-2))
        return torch.stack(rows).mean(dim=0)[..., self.prefix :]

    def token_logits(self, tokens: Tokens) -> Float[Tensor, "batch tokens outputs"]:
        """Logits of each token alone, as if the head read nothing else; tokens of any block."""
        alone = tokens.flatten(0, 1).unsqueeze(1).expand(-1, self.prefix + 1, -1)  # at every position the head reads
        return self.read_out(alone).unflatten(0, (-1, tokens.shape[1]))

    def split(self, images: Images) -> Split:
        """Cut at the first norm of a block. Default: the last block, after which no patch reaches the class token."""
        if isinstance(self.layer, (str, nn.Module)):
            return split_at(self, images, self.feature_layer)
        start = self._block_index(self.layer)
        block, tokens = self.blocks[start], self.tokens_before(images, start)
        with torch.no_grad():
            normed = block.norm1(tokens)
        prefix = normed[:, : self.prefix]

        def head(features: FeatureMaps) -> Logits:
            times = len(features) // len(tokens)
            patches = features.flatten(2).transpose(1, 2)
            entering = torch.cat([prefix.repeat_interleave(times, dim=0), patches], dim=1)
            mixed, _ = block.attend(tokens.repeat_interleave(times, dim=0), entering)
            self.count_tokens(mixed[..., 0].numel())
            return self.logits_from(block.feed_forward(mixed), start + 1)

        features = self.to_grid(normed[:, self.prefix :].transpose(1, 2)).clone()
        with torch.enable_grad():
            features.requires_grad_()
            logits = head(features)
        return Split(features, logits, head, share=1 - start / len(self.blocks))

    def _find_layer(self, layer: str | int | None) -> tuple[FeatureLayer, bool]:
        if isinstance(layer, str):
            return super()._find_layer(layer)
        start = self._block_index(layer)
        norm = self.blocks[start].norm1
        name = layer_name(self.module, norm) if isinstance(norm, nn.Module) else f"block {start}"
        return FeatureLayer(name, Layout("tokens", self.grid, self.prefix), 1 - start / len(self.blocks)), True

    def _block_index(self, layer: Any) -> int:
        if layer is None:
            return len(self.blocks) - 1
        return int(self.layer_at(layer, list(map(str, range(len(self.blocks))))))


def check_layout(vit: ViT) -> str:
    """The reason why the pieces do not reproduce the network, tested on one seeded random image; empty if they do.

    A network may look like a known one and still differ in a detail (a gate, a mask, another pooling).
    """
    generator = torch.Generator().manual_seed(0)
    image = torch.rand(1, vit.channels, *vit.image_size, generator=generator).to(vit.device)
    with torch.no_grad(), vit.frozen_eval(), vit.unmetered():
        return _difference(vit, image, vit.logits(image))


def _difference(vit: ViT, image: Images, plain: Logits) -> str:
    try:
        traced = vit.trace(image).logits
    except (AttributeError, IndexError, RuntimeError, TypeError, ValueError) as error:
        return f"it could not be run piece by piece ({type(error).__name__}: {error})"
    if plain.shape != traced.shape:
        return f"its pieces give logits of shape {tuple(traced.shape)}, the network {tuple(plain.shape)}"
    gap, allowed = (traced - plain).abs().max(), max(1e-3, 10 * torch.finfo(vit.dtype).eps) * plain.abs().max()
    return "" if gap <= allowed else f"its pieces give other logits than the network (they differ by {gap:.2g})"
