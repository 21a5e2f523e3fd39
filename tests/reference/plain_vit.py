"""A timm ViT for one image: no batch, one head at a time, no fused kernels."""

from dataclasses import dataclass, field

import torch
from torch import Tensor


@dataclass
class Run:
    """Intermediate values of one image, one entry per block."""

    tokens: list[Tensor] = field(default_factory=list)  # h^0 … h^L, each (T, d)
    attention: list[list[Tensor]] = field(default_factory=list)  # per block, per head (T, T)
    middle: list[Tensor] = field(default_factory=list)  # after attention and its residual
    logits: Tensor | None = None


def layer_norm(x: Tensor, norm) -> Tensor:
    mean = x.mean(-1, keepdim=True)
    variance = ((x - mean) ** 2).mean(-1, keepdim=True)
    return (x - mean) / (variance + norm.eps) ** 0.5 * norm.weight + norm.bias


def affine(x: Tensor, linear) -> Tensor:
    return x @ linear.weight.T + linear.bias


def gelu(x: Tensor) -> Tensor:
    return x * 0.5 * (1 + torch.erf(x / 2**0.5))


def embed(module, image: Tensor) -> Tensor:
    """h^0 of one normalized image; the class token first."""
    weight, bias = module.patch_embed.proj.weight, module.patch_embed.proj.bias
    size = weight.shape[-1]
    rows = []
    for top in range(0, image.shape[1], size):
        for left in range(0, image.shape[2], size):
            patch = image[:, top : top + size, left : left + size]
            rows.append((weight * patch).sum((1, 2, 3)) + bias)
    return torch.cat([module.cls_token[0], torch.stack(rows)]) + module.pos_embed[0]


def attend(block, tokens: Tensor, change=lambda logits: logits) -> tuple[Tensor, list[Tensor]]:
    """Tokens after attention and its residual; `change` modifies the logits of each head before the softmax."""
    attention = block.attn
    q, k, v = affine(layer_norm(tokens, block.norm1), attention.qkv).chunk(3, dim=1)
    width = q.shape[1] // attention.num_heads
    outputs, weights = [], []
    for head in range(attention.num_heads):
        part = slice(head * width, (head + 1) * width)
        weights.append(torch.softmax(change(q[:, part] @ k[:, part].T / width**0.5), dim=1))
        outputs.append(weights[-1] @ v[:, part])
    return tokens + affine(torch.cat(outputs, dim=1), attention.proj), weights


def feed(block, tokens: Tensor) -> Tensor:
    hidden = gelu(affine(layer_norm(tokens, block.norm2), block.mlp.fc1))
    return tokens + affine(hidden, block.mlp.fc2)


def read(module, tokens: Tensor) -> Tensor:
    return affine(layer_norm(tokens, module.norm)[0], module.head)


def run(module, tokens: Tensor, change=lambda logits: logits) -> Run:
    """The network from h^0 on, for any number of tokens."""
    record = Run(tokens=[tokens])
    for block in module.blocks:
        middle, weights = attend(block, record.tokens[-1], change)
        record.middle.append(middle)
        record.attention.append(weights)
        record.tokens.append(feed(block, middle))
    record.logits = read(module, record.tokens[-1])
    return record
