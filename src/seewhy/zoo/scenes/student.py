"""The ViT of Scenes in training: a second head for patch targets, and attention initialized as a convolution."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from seewhy.zoo.scenes.batches import BACKGROUND, GRID
from seewhy.zoo.scenes.vit import HEADS, WIDTH, new_scenes_vit


class Student(nn.Module):
    """The ViT with a second head that classifies patches; only the ViT is kept."""

    def __init__(self) -> None:
        super().__init__()
        self.vit: Any = new_scenes_vit()  # timm's modules are untyped
        self.patch_head = nn.Linear(WIDTH, BACKGROUND + 1)
        start_as_convolution(self.vit)

    def forward(self, images: Tensor, corners: Tensor) -> tuple[Tensor, Tensor]:
        tokens = self.vit.patch_embed(images)
        tokens = tokens + self._positions(corners, math.isqrt(tokens.shape[1]))
        first = (self.vit.cls_token + self.vit.pos_embed[:, :1]).expand(len(tokens), -1, -1)
        tokens = self.vit.norm(self.vit.blocks(torch.cat([first, tokens], dim=1)))
        return self.vit.head(tokens[:, 0]), self.patch_head(tokens[:, 1:])

    def _positions(self, corners: Tensor, window: int) -> Tensor:
        steps = torch.arange(window)
        rows, columns = corners[:, :1] + steps, corners[:, 1:] + steps
        tokens = 1 + rows[:, :, None] * GRID + columns[:, None, :]
        return self.vit.pos_embed[0][tokens.flatten(1)]


WAVES = WIDTH // HEADS // 4  # frequencies per axis: a sine and a cosine of each, for rows and columns, fill one head
OFFSETS = [(dy, dx) for dy in (-1, 0, 1) for dx in (-1, 0, 1)]


@torch.no_grad()
def start_as_convolution(vit: Any, *, seed: int = 0) -> None:
    """Initialize all heads but one of each block to attend to one neighbor (dilated in the later blocks).

    Position embeddings are sinusoids that are orthogonal for different positions. A shift by an offset is a rotation,
    which is linear: with a query matrix that rotates and a key matrix that does not, `query . key` peaks at the offset.
    """
    random = np.random.default_rng(seed)
    _initialize_layers(vit)
    vit.pos_embed.zero_()
    steps = torch.arange(GRID)
    vit.pos_embed[0, 1:, : 4 * WAVES] = 1.5 * _waves(steps[:, None], steps[None, :]).flatten(0, 1)
    for depth, block in enumerate(vit.blocks):
        offsets = random.permutation(OFFSETS)[: HEADS - 1] * (1 if depth < 3 else 2)
        sharpness = 0.75 + 0.12 * depth  # positions make up less of a token in later blocks
        queries, keys = block.attn.qkv.weight[:WIDTH], block.attn.qkv.weight[WIDTH : 2 * WIDTH]
        for head, offset in enumerate(offsets):
            rows = slice(head * 4 * WAVES, (head + 1) * 4 * WAVES)
            queries[rows, : 4 * WAVES] += sharpness * _rotation(*(int(o) for o in offset))
            keys[rows, : 4 * WAVES] += sharpness * torch.eye(4 * WAVES)


def _initialize_layers(vit: Any) -> None:
    """Standard initialization, with small residual branches so that position embeddings stay dominant."""
    for name, module in vit.named_modules():
        if isinstance(module, nn.Linear) and name != "head":
            nn.init.xavier_uniform_(module.weight)
        if isinstance(module, nn.Conv2d):
            nn.init.normal_(module.weight, std=(2 / module.weight[0].numel()) ** 0.5)
    for name, parameter in vit.named_parameters():
        if name.endswith("bias"):
            parameter.zero_()
    vit.patch_embed.proj[-1].weight.mul_(0.7)
    for block in vit.blocks:
        block.attn.qkv.weight[: 2 * WIDTH].mul_(0.3)
        block.attn.proj.weight.mul_(0.5)
        block.mlp.fc2.weight.mul_(0.5)


def _frequencies() -> Tensor:
    return math.pi * (torch.arange(WAVES) + 0.5) / WAVES


def _waves(rows: Tensor, columns: Tensor) -> Tensor:
    """Cosines and sines of both coordinates, (..., 4 * WAVES)."""
    rows, columns = torch.broadcast_tensors(rows, columns)
    angles = torch.cat([rows[..., None] * _frequencies(), columns[..., None] * _frequencies()], dim=-1)
    return torch.cat([angles.cos(), angles.sin()], dim=-1)


def _rotation(dy: int, dx: int) -> Tensor:
    """The rotation that maps the sinusoids of a position to those of the position shifted by `dy`, `dx`."""
    angles = torch.cat([dy * _frequencies(), dx * _frequencies()])
    cos, sin = torch.diag(angles.cos()), torch.diag(angles.sin())
    return torch.cat([torch.cat([cos, -sin], dim=1), torch.cat([sin, cos], dim=1)])
