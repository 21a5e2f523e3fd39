"""InFlow: information flow through attention, both residual paths and the MLP, weighted by a gradient per block.

In each block, the attention of the most important heads (the maximum of I_h A_h) counts where it raises the class score
of that block. At both residual connections, norms measure how much of a token is added and how much is carried over.

| symbol          | name here   | shape                            |
|-----------------|-------------|----------------------------------|
| A_h             | weights     | batch heads queries keys         |
| I_h             | importance  | batch classes heads              |
| a1, b1          | carried, added | batch tokens, adding up to one: block input, attention output |
| a2, b2          | the same after attention | batch tokens: attention's result, MLP output |

formula: block = (A b1 + diag(a1)) diag(g b2 + a2), with A = max_h(I_h A_h) · ReLU(mean_h ∂s^l/∂A_h), g ~ b2 / a2; map
= the product of all blocks, rows summing to 1, the row of the class token

differs from the original code: head weights are normalized per image, not per batch. The class score of a block is the
mean of the logits of its tokens, which equals the code's mean of normed tokens where the head is linear. 0/0 counts as
0.
"""

from typing import NamedTuple

import torch
from torch import Tensor

from seewhy.models.vit import ViT
from seewhy.ops.attention import flow, head_importance, normalize_rows, safe_divisor
from seewhy.registry import register_method
from seewhy.types import Images, Maps, Targets, Tokens, Weights


class BlockPass(NamedTuple):
    """One block: its input, the tokens after attention, its output, and the attention weights."""

    entering: Tokens
    middle: Tokens
    leaving: Tokens
    weights: Weights


@register_method("in_flow", paper="walker2025a")
def in_flow(model: ViT, images: Images, targets: Targets) -> Maps:
    """Product of transition matrices per block that account for residual paths and the MLP."""
    steps = _run(model, images.detach().requires_grad_())
    scores = model.scores(model.read_out(steps[-1].leaving), targets)
    gradients = model.gradients(scores, [step.weights for step in steps], retain=True)
    blocks = [_transition(model, step, slope, targets) for step, slope in zip(steps, gradients, strict=True)]
    return model.to_grid(model.read_rows(flow(blocks)))


def _run(model: ViT, images: Images) -> list[BlockPass]:
    """A forward pass that also records the tokens between attention and MLP."""
    tokens, steps = model.embed(images), []
    for block in model.blocks:
        middle, weights = block.attend(tokens, block.norm1(tokens))
        leaving = block.feed_forward(middle)
        steps.append(BlockPass(tokens, middle, leaving, weights))
        tokens = leaving
    model.count(forwards=len(images))
    return steps


def _transition(model: ViT, step: BlockPass, gradients: Tensor, targets: Targets) -> Tensor:
    """Contribution of each input token of a block to each of its output tokens, `batch classes queries keys`."""
    weights = step.weights.detach()
    importance = head_importance(weights, gradients)
    strongest = torch.einsum("bch,bhij->bchij", importance, weights).amax(dim=2)  # max over heads of I_h A_h
    scores = model.scores(model.token_logits(step.leaving).mean(dim=1), targets)
    (slope,) = model.gradients(scores, [step.weights], share=1 / len(model.blocks), retain=True)
    attention = strongest * slope.mean(dim=2).clamp(min=0)

    carried, added = _parts(step.entering, step.middle)  # a1, b1
    first = attention * added.unsqueeze(-2) + carried.diag_embed()  # residual 1: b1 scales columns
    carried, added = _parts(step.middle, step.leaving)  # a2, b2
    growth = added / safe_divisor(carried)
    growth = growth / safe_divisor(growth.sum(dim=-1, keepdim=True))
    second = (growth * added + carried).diag_embed()  # residual 2
    return normalize_rows(first @ second)


def _parts(before: Tokens, after: Tokens) -> tuple[Tensor, Tensor]:
    """Relative norms of what a residual connection carries over and of what it adds, `batch 1 tokens`."""
    carried, added = before.detach().norm(dim=-1), (after - before).detach().norm(dim=-1)
    whole = safe_divisor(carried + added)
    return (carried / whole).unsqueeze(1), (added / whole).unsqueeze(1)
