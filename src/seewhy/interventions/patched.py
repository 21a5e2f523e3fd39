"""Many patched contexts of a ViT at once: a blank run in which every row has written over the tokens of one window.

h^l is what block l gives and block l+1 takes. The read tokens (those the head reads) start from the blank run at
h^first and run in the row's own context. The window's tokens are the source image's up to h^last; after that they

    propagate   run on, seeing the row's own context,
    blank       are the blank run's again,
    source      stay the source image's.

All other tokens stay those of the blank run. Tokens that run are packed into one long sequence (the read tokens of
all rows, then the window tokens of all rows), so that no empty slot of a border window is ever computed.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from seewhy.interventions.recorded import Streams, fused_block, run_streams
from seewhy.models.vit import Block, ViT
from seewhy.ops.patching import overwritten_attention
from seewhy.ops.windows import window_members
from seewhy.types import Images, Logits, Tokens

ELEMENTS = 2**24  # numbers in the largest tensor of a turn; more rows than that allows are done in several
After = Literal["propagate", "blank", "source"]
Heads = Float[Tensor, "heads ... head_dim"]
ReadTokens = Float[Tensor, "1 running dim"]  # those of all rows, one after the other
WindowTokens = Float[Tensor, "1 packed dim"]


@dataclass(frozen=True)
class PatchedRows:
    """Row i: the window of `patch[i]` (the tokens `members[i]` of the sequence) of `image[i]` in a blank run."""

    model: ViT
    blank: Streams
    source: Streams
    image: Int[Tensor, " rows"]
    patch: Int[Tensor, " rows"]
    members: Int[Tensor, "rows slots"]
    valid: Bool[Tensor, "rows slots"]

    @property
    def read(self) -> Int[Tensor, "rows read"]:
        """Positions of the tokens that the head reads, once per row."""
        return self.image.new_tensor(self.model.read_tokens).expand(len(self.image), -1)

    @property
    def row(self) -> Int[Tensor, " packed"]:
        """The row of every window token."""
        return torch.arange(len(self.image), device=self.image.device)[:, None].expand_as(self.members)[self.valid]

    def start(self, level: int) -> ReadTokens:
        """The read tokens of the blank run, once per row."""
        return self.blank.tokens[level][:, self.read.flatten()]

    def window(self, level: int) -> WindowTokens:
        """The source image's window tokens, packed."""
        return self.source.tokens[level][self.image[self.row], self.members[self.valid]].unsqueeze(0)

    def read_heads(self, read: ReadTokens, level: int, first: int) -> tuple[Heads, ...]:
        """q, k and v of the read tokens; at the first level all rows still share those of the blank run."""
        at = self.read.flatten()
        if level == first:
            return self.blank.heads(level, torch.zeros_like(at), at)
        block = self.model.blocks[level]
        return tuple(part[0] for part in block.qkv(block.norm1(read), at))

    def attend(self, level: int, q: Heads, own: tuple[Heads, Heads], columns: Tensor, valid: Tensor) -> Heads:
        """Attention of block level+1, the row's own keys and values written over the blank ones."""
        context = self.blank.keys[level][0], self.blank.values[level][0]
        columns = columns.where(valid, context[0].shape[1])
        return overwritten_attention(q, context, own, columns, valid, scale=self.model.blocks[level].scale)

    def finish(self, block: Block, tokens: ReadTokens, mixed: Heads) -> ReadTokens:
        """What follows the attention in a block, for packed tokens."""
        self.model.count(forwards=self.model.share(tokens, 1))
        return block.feed(tokens + block.scale1(block.attention_out(mixed.unsqueeze(0), block.norm1(tokens))))

    # the three stretches of a run

    def own_heads(self, read: ReadTokens, level: int, *, first: int, window: bool) -> tuple[Tensor, ...]:
        """q of the read tokens; k and v of all tokens of the row's own; their places, and which of them are real."""
        q, k, v = (part.unflatten(1, self.read.shape) for part in self.read_heads(read, level, first))
        columns, valid = self.read, torch.ones_like(self.read, dtype=torch.bool)
        if window:
            _, keys, values = self.source.heads(level, self.image[:, None].expand_as(self.members), self.members)
            k, v = torch.cat([k, keys], dim=2), torch.cat([v, values], dim=2)
            columns, valid = torch.cat([columns, self.members], dim=1), torch.cat([valid, self.valid], dim=1)
        return q, k, v, columns, valid

    def run_read(self, read: ReadTokens, levels: range, *, first: int, window: bool) -> ReadTokens:
        """The read tokens through blocks whose window tokens are kept ones: the source's, or the blank run's."""
        for level in levels:
            q, k, v, columns, valid = self.own_heads(read, level, first=first, window=window)
            mixed = self.attend(level, q, (k, v), columns, valid)
            read = self.finish(self.model.blocks[level], read, mixed.flatten(1, 2))
        return read

    def run_both(self, read: ReadTokens, levels: range, *, first: int) -> tuple[ReadTokens, WindowTokens]:
        """Read and window tokens through the last blocks, the window beginning as the source's h^last."""
        count, reads = read.shape[1], self.read.shape[1]
        tokens = torch.cat([read, self.window(levels.start)], dim=1)
        columns = torch.cat([self.read, self.members], dim=1)
        valid = torch.cat([torch.ones_like(self.read, dtype=torch.bool), self.valid], dim=1)
        places = torch.cat([columns[:, :reads].flatten(), self.members[self.valid]])
        spread, packed = self._packing(count, reads)
        for level in levels:
            block = self.model.blocks[level]
            if level == levels.start:  # the source run has them already
                kept = self.source.heads(level, self.image[self.row], self.members[self.valid])
                heads = [torch.cat(both, 1) for both in zip(self.read_heads(read, level, first), kept, strict=True)]
            else:
                heads = [part[0] for part in block.qkv(block.norm1(tokens), places)]
            q, k, v = (part[:, spread] for part in heads)
            if level == len(self.model.blocks) - 1 and self.model.pool == "token":  # nobody reads the window any more
                mixed = self.attend(level, q[:, :, :reads], (k, v), columns, valid)
                return self.finish(block, tokens[:, :count], mixed.flatten(1, 2)), tokens[:, count:]
            mixed = self.attend(level, q, (k, v), columns, valid).flatten(1, 2)[:, packed]
            tokens = self.finish(block, tokens, mixed)
        return tokens[:, :count], tokens[:, count:]

    def run_all(self, sequences: Tokens, levels: range, *, after: After) -> Tokens:
        """All tokens of every row through the last blocks; the window pinned to a kept run unless it propagates."""
        for level in levels:
            block = self.model.blocks[level]
            normed = block.norm1(sequences)
            sequences = fused_block(block, sequences, normed, block.qkv(normed, None))
            if after != "propagate":
                sequences = self.write(sequences, self.window_after(level + 1, after))
        self.model.count(forwards=self.model.share(sequences, len(levels)))
        return sequences

    def _packing(self, count: int, reads: int) -> tuple[Int[Tensor, "rows own"], Int[Tensor, " packed"]]:
        """Where the own tokens of a row lie in the packed sequence, and the way back."""
        rows, slots = self.members.shape
        spread = self.members.new_zeros(rows, reads + slots)
        spread[:, :reads] = torch.arange(count, device=spread.device).view(rows, reads)
        spread[:, reads:][self.valid] = torch.arange(int(self.valid.sum()), device=spread.device) + count
        flat = torch.arange(spread.numel(), device=spread.device).view_as(spread)
        return spread, torch.cat([flat[:, :reads].flatten(), flat[:, reads:][self.valid]])

    # whole sequences

    def window_after(self, level: int, after: After) -> WindowTokens:
        """The packed window of a kept run at h^level."""
        if after == "source":
            return self.window(level)
        return self.blank.tokens[level][:, self.members[self.valid]]

    def compose(self, level: int, read: ReadTokens, window: WindowTokens | None) -> Tokens:
        """c*(p_i) at h^level as full sequences; without `window` the window is blank."""
        sequences = self.blank.tokens[level].expand(len(self.image), -1, -1).clone()
        sequences[:, list(self.model.read_tokens)] = read[0].unflatten(0, self.read.shape)
        return sequences if window is None else self.write(sequences, window)

    def read_out(self, read: ReadTokens, window: WindowTokens | None) -> Logits:
        """The head on h^L; one that reads a class token needs no patches."""
        depth = len(self.model.blocks)
        if self.model.pool != "token":
            return self.model.read_out(self.compose(depth, read, window))
        prefix = self.blank.tokens[depth][:, : self.model.prefix].expand(len(self.image), -1, -1).clone()
        prefix[:, list(self.model.read_tokens)] = read[0].unflatten(0, self.read.shape)
        return self.model.read_out(prefix)

    def write(self, sequences: Tokens, window: WindowTokens) -> Tokens:
        sequences[self.row, self.members[self.valid]] = window[0]
        return sequences


def patched_logits(rows: PatchedRows, *, layers: tuple[int, int], after: After, recompute: bool = False) -> Logits:
    """f(c*(p_i)) of every row, Eq. 3."""
    model, (first, last) = rows.model, layers
    depth = len(model.blocks)
    first = first if model.read_tokens else last  # nothing runs before the window does
    read = rows.run_read(rows.start(first), range(first, last), first=first, window=True)
    if recompute:
        sequences = rows.compose(last, read, rows.window(last))
        return model.read_out(rows.run_all(sequences, range(last, depth), after=after))
    window = rows.window(depth) if last == depth or after == "source" else None
    if after == "propagate" and last < depth:
        read, window = rows.run_both(read, range(last, depth), first=first)
    elif model.read_tokens and last < depth:
        read = rows.run_read(read, range(last, last + 1), first=first, window=True)
        read = rows.run_read(read, range(last + 1, depth), first=first, window=after == "source")
    return rows.read_out(read, window)


def patched_rows(
    model: ViT,
    images: Images,
    blank: Streams,
    matrix: Bool[Tensor, "patches patches"],
    *,
    stop: int,
    whole: bool = False,
) -> Iterator[tuple[Int[Tensor, " rows"], PatchedRows]]:
    """Every patch of every image as a row, as many at a time as `ELEMENTS` allows, with the rows' images.

    `stop` is the last h^l of the source images that is needed; `whole` says that whole sequences will be formed.
    """
    members, valid = (part.to(images.device) for part in window_members(matrix))
    turn = rows_per_turn(model, blank, members.shape[1], whole=whole or model.pool != "token")
    for group in torch.arange(len(images), device=images.device).split(max(1, turn // model.patches)):
        source = run_streams(model, images[group], stop=stop)
        for flat in torch.arange(len(group) * model.patches, device=images.device).split(turn):
            image, patch = flat // model.patches, flat % model.patches
            yield (
                group[image],
                PatchedRows(model, blank, source, image, patch, members[patch] + model.prefix, valid[patch]),
            )


def rows_per_turn(model: ViT, blank: Streams, slots: int, *, whole: bool) -> int:
    """What limits the memory are the attention logits, or the sequences where whole ones are formed."""
    _, heads, tokens, head_dim = blank.keys[0].shape
    size = (len(model.read_tokens) + slots) * heads * (tokens + 1)
    return max(1, ELEMENTS // (max(size, 4 * tokens * heads * head_dim) if whole else size))
