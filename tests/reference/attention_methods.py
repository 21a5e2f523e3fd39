"""Attention methods for one image and class, with full graphs and loops. Each returns one value per patch."""

import torch
from torch import Tensor

from reference import plain_vit


def trace(module, image: Tensor) -> plain_vit.Run:
    return plain_vit.run(module, plain_vit.embed(module, image.clone().requires_grad_()))


def slopes(score: Tensor, nodes: list) -> list:
    """Gradients, in the nesting of `nodes`."""
    flat = [node for row in nodes for node in row]
    grads = iter(torch.autograd.grad(score, flat, retain_graph=True))
    return [[next(grads) for _ in row] for row in nodes]


def mean(tensors: list[Tensor]) -> Tensor:
    return sum(tensors) / len(tensors)


def raw_attention(module, image: Tensor) -> Tensor:
    return mean(trace(module, image).attention[-1])[0, 1:].detach()


def rollout(module, image: Tensor) -> Tensor:
    joint = None
    for heads in trace(module, image).attention:
        size = len(heads[0])
        matrix = mean(heads).detach() * 0.5 + torch.eye(size) * 0.5
        joint = matrix if joint is None else matrix @ joint
    return joint[0, 1:]


def grad_rollout(module, image: Tensor, target: int, discard: float) -> Tensor:
    run = trace(module, image)
    joint = None
    for heads, grads in zip(run.attention, slopes(run.logits[target], run.attention), strict=True):
        fused = mean([a.detach() * g for a, g in zip(heads, grads, strict=True)]).clamp(min=0)
        entries = sorted((float(value), i) for i, value in enumerate(fused.flatten()))
        gone = [i for _, i in entries[: int(len(entries) * discard)]]
        fused.view(-1)[gone] = 0
        matrix = fused + torch.eye(len(fused))
        for row in matrix:
            row /= row.sum()
        joint = matrix if joint is None else matrix @ joint
    return joint[0, 1:]


def integral(module, image: Tensor, target: int, steps: int) -> Tensor:
    """Mean last-block attention gradient from zero (the mean color) to the image: the full graph at each step."""
    total = None
    for step in range(steps):
        run = trace(module, image * (step / (steps - 1)))
        (grads,) = slopes(run.logits[target], run.attention[-1:])
        total = grads if total is None else [a + b for a, b in zip(total, grads, strict=True)]
    return mean([(part / steps).clamp(min=0) for part in total])


def ig_attention(module, image: Tensor, target: int, steps: int) -> Tensor:
    return integral(module, image, target, steps)[0, 1:]


def t_attn(module, image: Tensor, target: int, steps: int, start: int = 0, include_last: bool = False) -> Tensor:
    attention = [mean(heads).detach() for heads in trace(module, image).attention]
    state = attention[-1][0]
    last = len(attention) if include_last else len(attention) - 1
    for index in range(last - 1, start - 1, -1):
        state = state @ attention[index] + state
    return (state * integral(module, image, target, steps)[0])[1:]


def importance(heads: list[Tensor], grads: list[Tensor]) -> list[Tensor]:
    raw = [(a.detach().T @ g).abs().mean() for a, g in zip(heads, grads, strict=True)]
    return [value / sum(raw) for value in raw]


def bi_attn(module, image: Tensor, target: int, steps: int, start_layer: int = 4) -> Tensor:
    run = trace(module, image)
    grads = slopes(run.logits[target], run.attention)
    relations = torch.eye(len(run.tokens[0]))
    for index in range(start_layer - 1, len(run.attention)):
        weights = importance(run.attention[index], grads[index])
        mixed = sum(w * a.detach() for w, a in zip(weights, run.attention[index], strict=True))
        relations = relations + mixed @ relations
    return (integral(module, image, target, steps) * relations)[0, 1:]


def in_flow(module, image: Tensor, target: int) -> Tensor:
    run = trace(module, image)
    grads = slopes(run.logits[target], run.attention)
    joint = None
    for index, heads in enumerate(run.attention):
        weights = importance(heads, grads[index])
        strongest = torch.stack([w * a.detach() for w, a in zip(weights, heads, strict=True)]).max(dim=0).values
        normed = plain_vit.layer_norm(run.tokens[index + 1], module.norm)
        local = plain_vit.affine(normed.mean(dim=0), module.head)[target]
        (own,) = slopes(local, [heads])
        attention = strongest * mean(own).clamp(min=0)
        matrix = join(attention, run.tokens[index], run.middle[index], run.tokens[index + 1])
        joint = matrix if joint is None else matrix @ joint
    return joint[0, 1:]


def join(attention: Tensor, entering: Tensor, middle: Tensor, leaving: Tensor) -> Tensor:
    size = len(attention)
    a1, b1 = entering.norm(dim=1), (middle - entering).norm(dim=1)
    a2, b2 = middle.norm(dim=1), (leaving - middle).norm(dim=1)
    a1, b1 = (a1 / (a1 + b1)).detach(), (b1 / (a1 + b1)).detach()
    a2, b2 = (a2 / (a2 + b2)).detach(), (b2 / (a2 + b2)).detach()
    ratio = b2 / a2 / (b2 / a2).sum()
    matrix = torch.zeros(size, size)
    for i in range(size):
        for j in range(size):
            first = attention[i, j] * b1[j] + (a1[j] if i == j else 0)
            matrix[i, j] = first * (ratio[j] * b2[j] + a2[j])
        matrix[i] /= matrix[i].sum()
    return matrix


def legrad(module, image: Tensor, target: int, blocks: int) -> Tensor:
    run = trace(module, image)
    total = torch.zeros(len(run.tokens[0]))
    for index in range(len(run.attention) - blocks, len(run.attention)):
        pooled = run.tokens[index + 1].mean(dim=0)
        score = plain_vit.affine(plain_vit.layer_norm(pooled, module.norm), module.head)[target]
        (grads,) = slopes(score, [run.attention[index]])
        total += mean([grad.clamp(min=0).mean(dim=0) for grad in grads])
    return total[1:]


def token_gradients(module, image: Tensor, target: int) -> tuple[plain_vit.Run, list[Tensor]]:
    """(h · ∂y/∂h) per token and block."""
    run = trace(module, image)
    states = run.tokens[:-1]
    grads = torch.autograd.grad(run.logits[target], states)
    return run, [(h.detach() * g).sum(dim=1) for h, g in zip(states, grads, strict=True)]


def ixg_plus(module, image: Tensor, target: int, start: int = 0) -> Tensor:
    return sum(token_gradients(module, image, target)[1][start:])[1:]


def att_cat(module, image: Tensor, target: int) -> Tensor:
    run, products = token_gradients(module, image, target)
    total = 0
    for heads, product in zip(run.attention, products, strict=True):
        received = torch.stack([mean(heads)[:, token].mean() for token in range(len(product))])
        total = total + received.detach() * product
    return total[1:]
