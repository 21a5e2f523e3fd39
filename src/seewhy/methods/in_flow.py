"""InFlow: information flow through attention, both residual paths and the MLP, weighted by each block's own gradient.

Per block, attention of the heads that matter (largest of I_h A_h) counts where it raises the block's own class score.
How much of a token is new and how much is carried along is measured by norms, at both residual joins.

| symbol          | name here   | shape                            |
|-----------------|-------------|----------------------------------|
| A_h             | weights     | batch heads queries keys         |
| I_h             | importance  | batch classes heads              |
| a1, b1          | carried, added | batch tokens, adding up to one: block input, attention output |
| a2, b2          | the same behind attention | batch tokens: attention's result, MLP output |

differs from the original code: head weights are shares per image, not per batch. The block's own score is the mean of
its tokens' own logits, which is the code's mean of normed tokens wherever the head is linear. 0/0 counts as 0.
"""

from typing import NamedTuple

import torch
from torch import Tensor

from seewhy.models.vit import ViT
from seewhy.ops.attention import flow, head_importance, normalize_rows, positive
from seewhy.registry import register_method
from seewhy.types import Images, Maps, Targets, Tokens, Weights


class Step(NamedTuple):
    """One block: what enters, what attention makes of it, what leaves, and the attention."""

    entering: Tokens
    middle: Tokens
    leaving: Tokens
    weights: Weights


@register_method(
    "in_flow",
    paper="walker2025a",
)
def in_flow(model: ViT, images: Images, targets: Targets) -> Maps:
    """Product of per-block transition matrices that account for residual paths and the MLP."""
    steps = _run(model, images.detach().requires_grad_())
    scores = model.scores(model.read_out(steps[-1].leaving), targets)
    gradients = model.gradients(scores, [step.weights for step in steps], retain=True)
    blocks = [_transition(model, step, slope, targets) for step, slope in zip(steps, gradients, strict=True)]
    return model.to_grid(model.read_rows(flow(blocks)))


def _run(model: ViT, images: Images) -> list[Step]:
    """A forward pass that keeps what lies between attention and MLP."""
    tokens, steps = model.embed(images), []
    for block in model.blocks:
        middle, weights = block.attend(tokens, block.norm1(tokens))
        leaving = block.feed(middle)
        steps.append(Step(tokens, middle, leaving, weights))
        tokens = leaving
    model.count(forwards=len(images))
    return steps


def _transition(model: ViT, step: Step, gradients: Tensor, targets: Targets) -> Tensor:
    """What each token at a block's end holds of each token at its start, `batch classes queries keys`."""
    weights = step.weights.detach()
    importance = head_importance(weights, gradients)
    strongest = torch.einsum("bch,bhij->bchij", importance, weights).amax(dim=2)  # max over heads of I_h A_h
    scores = model.scores(model.token_logits(step.leaving).mean(dim=1), targets)
    (slope,) = model.gradients(scores, [step.weights], share=1 / len(model.blocks), retain=True)
    attention = strongest * slope.mean(dim=2).clamp(min=0)

    carried, added = _parts(step.entering, step.middle)  # a1, b1
    first = attention * added.unsqueeze(-2) + carried.diag_embed()  # residual 1: b1 scales columns
    carried, added = _parts(step.middle, step.leaving)  # a2, b2
    growth = added / positive(carried)
    growth = growth / positive(growth.sum(dim=-1, keepdim=True))
    second = (growth * added + carried).diag_embed()  # residual 2
    return normalize_rows(first @ second)


def _parts(before: Tokens, after: Tokens) -> tuple[Tensor, Tensor]:
    """Sizes of what a residual join carries along and of what it adds, in shares of one, `batch 1 tokens`."""
    carried, added = before.detach().norm(dim=-1), (after - before).detach().norm(dim=-1)
    whole = positive(carried + added)
    return (carried / whole).unsqueeze(1), (added / whole).unsqueeze(1)
