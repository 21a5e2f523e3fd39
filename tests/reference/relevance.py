"""Relevance methods for one image and one class.

`t_attr` propagates relevance by hand, operation by operation; `libra` freezes everything that is a constant, which
leaves an affine network: the contribution of a token is then the drop when it is set to zero, without gradients.
"""

import torch
from torch import Tensor

from reference import plain_vit
from reference.attention_methods import mean, slopes, trace

EPS = 1e-9


def over(a: Tensor, b: Tensor) -> Tensor:
    out = torch.zeros_like(a * b)
    filled = b.expand_as(out)
    nonzero = filled != 0
    out[nonzero] = a.expand_as(out)[nonzero] / filled[nonzero]
    return out


def through_linear(x: Tensor, linear, relevance: Tensor) -> Tensor:
    """One token at a time, all positive products x_j w_ij."""
    rows = []
    for token, r in zip(x, relevance, strict=True):
        products = (linear.weight * token).clamp(min=0)  # (out, in)
        rows.append((over(r, products.sum(dim=1))[:, None] * products).sum(dim=0))
    return torch.stack(rows)


def through_product(a: Tensor, b: Tensor, relevance: Tensor) -> tuple[Tensor, Tensor]:
    """z_ij = Σ_k a_ik b_kj; relevance in proportion to the summands, half to each factor."""
    summands = a[:, :, None] * b[None]  # i k j
    parts = summands * over(relevance, a @ b)[:, None, :] / 2
    return parts.sum(dim=2), parts.sum(dim=0)


def through_sum(a: Tensor, b: Tensor, relevance: Tensor) -> tuple[Tensor, Tensor]:
    each = over(relevance, a + b)
    a, b = a * each, b * each
    whole = a.sum().abs() + b.sum().abs()
    return (
        a * (a.sum().abs() / whole * relevance.sum() / a.sum()),
        b * (b.sum().abs() / whole * relevance.sum() / b.sum()),
    )


def block_back(block, entering: Tensor, relevance: Tensor) -> tuple[Tensor, list[Tensor]]:
    """Relevance of the input of a block, and of the attention of each head."""
    normed = plain_vit.layer_norm(entering, block.norm1)
    q, k, v = plain_vit.affine(normed, block.attn.qkv).chunk(3, dim=1)
    width = q.shape[1] // block.attn.num_heads
    parts = [slice(h * width, (h + 1) * width) for h in range(block.attn.num_heads)]
    weights = [torch.softmax(q[:, p] @ k[:, p].T / width**0.5, dim=1) for p in parts]
    mixed = torch.cat([w @ v[:, p] for w, p in zip(weights, parts, strict=True)], dim=1)
    attended = plain_vit.affine(mixed, block.attn.proj)
    middle = entering + attended
    hidden = plain_vit.gelu(plain_vit.affine(plain_vit.layer_norm(middle, block.norm2), block.mlp.fc1))
    fed = plain_vit.affine(hidden, block.mlp.fc2)

    r_middle, r_fed = through_sum(middle, fed, relevance)
    r_hidden = through_linear(hidden, block.mlp.fc2, r_fed)
    r_middle = r_middle + through_linear(plain_vit.layer_norm(middle, block.norm2), block.mlp.fc1, r_hidden)
    r_entering, r_attended = through_sum(entering, attended, r_middle)
    r_mixed = through_linear(mixed, block.attn.proj, r_attended)
    r_qkv, r_weights = [torch.zeros_like(q), torch.zeros_like(k), torch.zeros_like(v)], []
    for w, p in zip(weights, parts, strict=True):
        r_weight, r_value = through_product(w, v[:, p], r_mixed[:, p])
        r_query, r_key = through_product(q[:, p], k[:, p].T, r_weight)
        r_weights.append(r_weight)
        for total, part in zip(r_qkv, (r_query, r_key.T, r_value), strict=True):
            total[:, p] += part
    return r_entering + through_linear(normed, block.attn.qkv, torch.cat(r_qkv, dim=1)), r_weights


def t_attr(module, image: Tensor, target: int, start: int = 0, normalize: bool = False) -> Tensor:
    run = trace(module, image)
    grads = slopes(run.logits[target], run.attention)
    with torch.no_grad():
        final = plain_vit.layer_norm(run.tokens[-1], module.norm)
        seed = torch.zeros(1, len(run.logits))
        seed[0, target] = 1.0
        relevance = torch.zeros_like(final)
        relevance[:1] = through_linear(final[:1], module.head, seed)
        joint = torch.eye(len(final))
        for index in range(len(module.blocks) - 1, start - 1, -1):
            relevance, parts = block_back(module.blocks[index], run.tokens[index], relevance)
            positive = [(g * r).clamp(min=0) for g, r in zip(grads[index], parts, strict=True)]
            matrix = mean(positive) + torch.eye(len(final))
            joint = joint @ (matrix / matrix.sum(dim=1, keepdim=True) if normalize else matrix)
    return joint[0, 1:]


class Frozen:
    """The network from the input of a block on, with attention, standard deviations and gates frozen for one image."""

    def __init__(self, module, image: Tensor) -> None:
        self.module = module
        self.run = plain_vit.run(module, plain_vit.embed(module, image))

    def logits(self, tokens: Tensor, start: int) -> Tensor:
        for index in range(start, len(self.module.blocks)):
            tokens = self.block(index, tokens)
        return plain_vit.affine(self.norm(tokens, self.run.tokens[-1], self.module.norm)[0], self.module.head)

    def block(self, index: int, tokens: Tensor) -> Tensor:
        block, width = self.module.blocks[index], tokens.shape[1] // self.module.blocks[index].attn.num_heads
        normed = self.norm(tokens, self.run.tokens[index], block.norm1)
        v = plain_vit.affine(normed, block.attn.qkv)[:, 2 * tokens.shape[1] :]
        heads = [w @ v[:, h * width : (h + 1) * width] for h, w in enumerate(self.run.attention[index])]
        middle = tokens + plain_vit.affine(torch.cat(heads, dim=1), block.attn.proj)
        true_hidden = plain_vit.affine(plain_vit.layer_norm(self.run.middle[index], block.norm2), block.mlp.fc1)
        gate = 0.5 * (1 + torch.erf(true_hidden / 2**0.5))
        hidden = plain_vit.affine(self.norm(middle, self.run.middle[index], block.norm2), block.mlp.fc1)
        return middle + plain_vit.affine(hidden * gate, block.mlp.fc2)

    @staticmethod
    def norm(tokens: Tensor, true: Tensor, norm) -> Tensor:
        deviation = (true.var(dim=1, correction=0, keepdim=True) + norm.eps).sqrt()
        return (tokens - tokens.mean(dim=1, keepdim=True)) / deviation * norm.weight + norm.bias


@torch.no_grad()
def libra(module, image: Tensor, target: int, start: int = 0) -> Tensor:
    frozen = Frozen(module, image)
    total = torch.zeros(len(frozen.run.tokens[0]))
    for index in range(start, len(module.blocks)):
        tokens = frozen.run.tokens[index]
        whole = frozen.logits(tokens, index)[target]
        for token in range(len(tokens)):
            without = tokens.clone()
            without[token] = 0
            total[token] += whole - frozen.logits(without, index)[target]
    return total[1:]
