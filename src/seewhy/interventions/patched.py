"""CAAP's Algorithm 1 for all patches at once, in about four forward passes (`patched_logits`).

h^l is the output of block l and the input of block l+1, which is `model.blocks[l]`. Run i is a forward pass of the
reference image in which the tokens of the window S(p_i) are those of the source image from h^l_s to h^l_e. Only the
tokens that differ from the reference's are computed per run:

    cls      the tokens that the head reads (the class token; two in a distilled network), from block l_s+1 on
    window   the tokens of S(p_i), after h^l_e and only with `after="propagate"`; with `after="reference"` they are the
             reference's again, with `after="source"` they stay the source's

All other tokens are those of the reference, whose keys and values are computed once for all runs. The tokens of all
runs are packed into one long sequence (cls of all runs, then the windows of all runs), so that nothing is computed for
the empty slots of the smaller windows at the border.

    patched_runs     the forward pass of the source images, and a `PatchedRuns` for each chunk of runs
    patched_logits   f(c*(p_i)): cls through the blocks up to l_e, then what `after` says, then the head
    PatchedRuns      the tokens, keys and values of a chunk, and its attention (`ops/patching.py`)
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from seewhy.interventions.recorded import RecordedRun, record_run
from seewhy.models.vit import ViT
from seewhy.ops.patching import overwritten_attention
from seewhy.ops.windows import window_members
from seewhy.runtime.options import check
from seewhy.types import Images, Logits, Tokens

ELEMENTS = 2**24  # of the largest tensor of a chunk, which limits the runs per chunk
After = Literal["propagate", "reference", "source"]
Context = Literal["frozen", "recompute"]
Packed = Float[Tensor, "1 _packed dim"]  # tokens of all runs, one after the other
PackedHeads = Float[Tensor, "heads ... head_dim"]


def block_range(blocks: Sequence[int] | str | None, depth: int) -> tuple[int, int]:
    """(l_s, l_e) of an option: None (the paper's 1 to two thirds of the blocks), a pair, or text like "1-8".

    >>> block_range(None, 12), block_range("0-7", 12)
    ((1, 8), (0, 7))
    """
    if blocks is None:
        return 1, math.ceil(2 * depth / 3)
    parts = blocks.split("-") if isinstance(blocks, str) else list(blocks)
    numbers = [int(part) for part in parts if str(part).strip().isdecimal()]
    check(
        len(parts) == len(numbers) == 2 and 0 <= numbers[0] <= numbers[1] <= depth,
        f"blocks must be l_s <= l_e from 0 to {depth} (the number of blocks), such as (1, {depth}) or '1-{depth}', "
        f"got {blocks!r}",
    )
    return numbers[0], numbers[1]


@dataclass(frozen=True)
class PatchedRuns:
    """Run i: the window of patch `patch_index[i]` of image `image_index[i]` in the reference's forward pass."""

    model: ViT
    reference: RecordedRun
    source: RecordedRun
    image_index: Int[Tensor, " runs"]
    patch_index: Int[Tensor, " runs"]
    window_positions: Int[Tensor, "runs slots"]  # positions of S(p_i) in the sequence
    valid: Bool[Tensor, "runs slots"]  # False for the empty slots of smaller windows
    l_s: int
    l_e: int

    @cached_property
    def cls_positions(self) -> Int[Tensor, "runs cls"]:
        """Positions of cls in the sequence."""
        return self.image_index.new_tensor(self.model.head_tokens).expand(len(self.image_index), -1)

    @cached_property
    def packed_window(self) -> tuple[Int[Tensor, " packed"], Int[Tensor, " packed"]]:
        """Run and position of every packed window token."""
        positions = self.window_positions
        runs = torch.arange(len(positions), device=positions.device)[:, None].expand_as(positions)
        return runs[self.valid], positions[self.valid]

    def reference_cls(self, block: int) -> Packed:
        """The reference's cls in h^block, repeated for every run."""
        return self.reference.tokens[block][:, self.cls_positions.flatten()]

    def source_window(self, block: int) -> Packed:
        """The source's window tokens in h^block."""
        run, position = self.packed_window
        return self.source.tokens[block][self.image_index[run], position].unsqueeze(0)

    # attention of one block

    def cls_qkv(self, cls: Packed, block: int) -> Sequence[PackedHeads]:
        """q, k and v of cls; in the first block, where all runs still agree, those of the reference."""
        positions = self.cls_positions.flatten()
        if block == self.l_s:
            return list(self.reference.qkv[block][:, :, 0, positions])
        pieces = self.model.blocks[block]
        return [part[0] for part in pieces.qkv(pieces.norm1(cls), positions)]

    def own_qkv(self, cls: Packed, block: int, *, use_source: bool) -> tuple[Tensor, ...]:
        """q of cls; k and v of all tokens that differ from the reference's, with their positions and valid slots."""
        q, k, v = (part.unflatten(1, self.cls_positions.shape) for part in self.cls_qkv(cls, block))
        positions, valid = self.cls_positions, torch.ones_like(self.cls_positions, dtype=torch.bool)
        if use_source:
            keys, values = self.source.qkv[block][1:, :, self.image_index[:, None], self.window_positions]
            k, v = torch.cat([k, keys], dim=2), torch.cat([v, values], dim=2)
            positions = torch.cat([positions, self.window_positions], dim=1)
            valid = torch.cat([valid, self.valid], dim=1)
        return q, k, v, positions, valid

    def attend(
        self, block: int, q: PackedHeads, k: PackedHeads, v: PackedHeads, positions: Tensor, valid: Tensor
    ) -> Tensor:
        """A v for the queries q, those of the first `positions`; k and v overwrite the reference's at all of them."""
        pieces = self.model.blocks[block]
        keys, values = self.reference.qkv[block][1:, :, 0]
        columns = positions.where(valid, keys.shape[1])
        bias = None if pieces.bias is None else pieces.bias()[:, positions[:, : q.shape[2]]]
        return overwritten_attention(q, (keys, values), (k, v), columns, valid, scale=pieces.attention_scale, bias=bias)

    # the parts of a run; `blocks` are indices of model.blocks

    def run_cls(self, cls: Packed, blocks: range, *, use_source: bool) -> Packed:
        """cls through blocks in which the window is the source's, or (`use_source=False`) the reference's."""
        for block in blocks:
            q, k, v, positions, valid = self.own_qkv(cls, block, use_source=use_source)
            mixed = self.attend(block, q, k, v, positions, valid).flatten(1, 2)
            pieces = self.model.blocks[block]
            cls = pieces.finish(cls, pieces.norm1(cls), mixed.unsqueeze(0))
        self.model.count_tokens(cls.shape[1] * len(blocks))
        return cls

    def run_cls_and_window(self, cls: Packed) -> tuple[Packed, Packed]:
        """cls and window through the blocks after l_e; the window starts as the source's h^l_e."""
        depth, per_run, count, token_count = len(self.model.blocks), self.cls_positions.shape[1], cls.shape[1], 0
        positions = torch.cat([self.cls_positions, self.window_positions], dim=1)
        valid = torch.cat([torch.ones_like(self.cls_positions, dtype=torch.bool), self.valid], dim=1)
        unpack, pack = self._packing()
        tokens = torch.cat([cls, self.source_window(self.l_e)], dim=1)
        for block in range(self.l_e, depth):
            pieces = self.model.blocks[block]
            normed = pieces.norm1(tokens)
            q, k, v = (part[:, unpack] for part in self._packed_qkv(cls, normed, block))
            if block == depth - 1 and self.model.pool == "token":  # the head does not read the window
                q, tokens, normed, pack = q[:, :, :per_run], tokens[:, :count], normed[:, :count], pack[:0]
            mixed = self.attend(block, q, k, v, positions, valid).flatten(1, 2)
            mixed = mixed[:, pack] if len(pack) else mixed
            tokens = pieces.finish(tokens, normed, mixed.unsqueeze(0))
            token_count += tokens.shape[1]
        self.model.count_tokens(token_count)
        return tokens[:, :count], tokens[:, count:]

    def _packed_qkv(self, cls: Packed, normed: Packed, block: int) -> Sequence[PackedHeads]:
        """q, k and v of cls and window; those of the window at h^l_e are in the source's recorded run."""
        run, position = self.packed_window
        if block > self.l_e:
            positions = torch.cat([self.cls_positions.flatten(), position])
            return [part[0] for part in self.model.blocks[block].qkv(normed, positions)]
        recorded = self.source.qkv[block][:, :, self.image_index[run], position]
        return [torch.cat(both, dim=1) for both in zip(self.cls_qkv(cls, block), recorded, strict=True)]

    def _packing(self) -> tuple[Int[Tensor, "runs own"], Int[Tensor, " packed"]]:
        """The index of each run's tokens in the packed sequence, and the inverse."""
        count = self.cls_positions.numel()
        slots = torch.zeros_like(self.window_positions)
        slots[self.valid] = torch.arange(int(self.valid.sum()), device=slots.device) + count
        unpack = torch.cat([torch.arange(count, device=slots.device).view(self.cls_positions.shape), slots], dim=1)
        flat = torch.arange(unpack.numel(), device=slots.device).view_as(unpack)
        cls, window = flat.split([self.cls_positions.shape[1], slots.shape[1]], dim=1)
        return unpack, torch.cat([cls.flatten(), window[self.valid]])

    def run_all(self, sequences: Tokens, *, after: After) -> Tokens:
        """Whole sequences through the blocks after l_e (`context="recompute"`)."""
        depth = len(self.model.blocks)
        for block in range(self.l_e, depth):
            pieces = self.model.blocks[block]
            normed = pieces.norm1(sequences)
            sequences = pieces.fused(sequences, normed, pieces.qkv(normed, None))
            if after == "source":
                sequences = self.write_window(sequences, self.source_window(block + 1))
            if after == "reference":
                sequences = self.write_window(sequences, self.reference.tokens[block + 1][:, self.packed_window[1]])
        self.model.count_tokens(sequences[..., 0].numel() * (depth - self.l_e))
        return sequences

    # whole sequences

    def compose(self, block: int, cls: Packed, window: Packed | None) -> Tokens:
        """h^block(c*(p_i)) as whole sequences; without `window`, the window is the reference's."""
        sequences = self.reference.tokens[block].expand(len(self.cls_positions), -1, -1).clone()
        sequences[:, list(self.model.head_tokens)] = cls[0].unflatten(0, self.cls_positions.shape)
        return sequences if window is None else self.write_window(sequences, window)

    def write_window(self, sequences: Tokens, window: Packed) -> Tokens:
        sequences[self.packed_window] = window[0]
        return sequences

    def read_out(self, cls: Packed, window: Packed | None) -> Logits:
        """Logits from h^L; a head that reads the class token needs no patches."""
        model, depth = self.model, len(self.model.blocks)
        if model.pool != "token":
            return model.read_out(self.compose(depth, cls, window))
        prefix = self.reference.tokens[depth][:, : model.prefix].expand(len(self.cls_positions), -1, -1).clone()
        prefix[:, list(model.head_tokens)] = cls[0].unflatten(0, self.cls_positions.shape)
        return model.read_out(prefix)


def patched_logits(runs: PatchedRuns, *, after: After, recompute: bool = False) -> Logits:
    """f(c*(p_i)) of every run: the loop of `caap_algorithm1` for all of them."""
    model, l_s, l_e, depth = runs.model, runs.l_s, runs.l_e, len(runs.model.blocks)
    cls = runs.run_cls(runs.reference_cls(l_s), range(l_s, l_e), use_source=True)
    if recompute:
        return model.read_out(runs.run_all(runs.compose(l_e, cls, runs.source_window(l_e)), after=after))
    if l_e == depth:
        return runs.read_out(cls, runs.source_window(depth))
    if after == "propagate":
        return runs.read_out(*runs.run_cls_and_window(cls))
    if model.head_tokens:
        # the input of block l_e+1 is h^l_e, in which the window is still the source's: `after` applies to its output
        cls = runs.run_cls(cls, range(l_e, l_e + 1), use_source=True)
        cls = runs.run_cls(cls, range(l_e + 1, depth), use_source=after == "source")
    return runs.read_out(cls, runs.source_window(depth) if after == "source" else None)


def patched_runs(
    model: ViT,
    images: Images,
    reference: RecordedRun,
    windows: Bool[Tensor, "windows patches"],
    *,
    blocks: tuple[int, int],
    stop: int | None = None,
    whole: bool = False,
) -> Iterator[tuple[Int[Tensor, " runs"], PatchedRuns]]:
    """Chunks of runs, one run for every window of every image, each with the index of the image of its runs.

    The source images run up to h^stop (default: l_e). `whole` announces that whole sequences will be composed.
    """
    l_s, l_e = blocks
    l_s = l_s if model.head_tokens else l_e  # without a class token nothing runs before the window does
    members, valid = (part.to(images.device) for part in window_members(windows))
    patches, whole = len(windows), whole or model.pool != "token"
    chunk = _runs_per_chunk(model, reference, members.shape[1], whole=whole)
    groups = torch.arange(len(images), device=images.device).split(max(1, chunk // patches))
    if len(groups) > 1:
        model.ensure_first_pass(images)
    for group in groups:
        source = record_run(model, images[group], stop=l_e if stop is None else stop)
        if model.listener is not None:
            model.notify(images, model.logits_from(source.tokens[-1], len(source.tokens) - 1))
        for flat in torch.arange(len(group) * patches, device=images.device).split(chunk):
            image, patch = flat // patches, flat % patches
            window = members[patch] + model.prefix
            yield group[image], PatchedRuns(model, reference, source, image, patch, window, valid[patch], l_s, l_e)


def _runs_per_chunk(model: ViT, reference: RecordedRun, slots: int, *, whole: bool) -> int:
    """Runs that fit into `ELEMENTS`: attention logits are the largest tensors, or whole sequences if composed."""
    _, heads, _, tokens, head_dim = reference.qkv[0].shape
    size = (len(model.head_tokens) + slots) * heads * (tokens + 1)
    return max(1, ELEMENTS // (max(size, 4 * tokens * heads * head_dim) if whole else size))
