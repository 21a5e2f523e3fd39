"""Sampling methods for one image and class: one mask, one patch, one pair at a time."""

import math

import numpy as np
import torch
from scipy import stats
from torch import Tensor

from reference import plain_vit


def probability(module, tokens: Tensor, kept: list[int], target: int) -> float:
    """Class probability with the class token and these patches only."""
    rows = [0, *(patch + 1 for patch in kept)]
    return float(torch.softmax(plain_vit.run(module, tokens[rows]).logits, dim=0)[target])


def average(masks: list[list[int]], scores: list[float], patches: int) -> Tensor:
    """Mean score of the masks that keep a patch, 0 if none does."""
    values = torch.zeros(patches)
    for patch in range(patches):
        mine = [score for mask, score in zip(masks, scores, strict=True) if patch in mask]
        values[patch] = sum(mine) / len(mine) if mine else 0.0
    return values


def k_means(points: np.ndarray, clusters: int, seed: int) -> np.ndarray:
    order = torch.randperm(len(points), generator=torch.Generator().manual_seed(seed)).numpy()
    centers = points[order[:clusters]].copy()
    for _ in range(100):
        labels = [int(np.argmin([np.sum((p - c) ** 2) for c in centers])) for p in points]
        moved = centers.copy()
        for index in range(len(centers)):
            members = [p for p, label in zip(points, labels, strict=True) if label == index]
            if members:
                moved[index] = np.mean(members, axis=0)
        shift = np.sum((moved - centers) ** 2)
        centers = moved
        if shift <= 1e-4:
            break
    return centers


@torch.no_grad()
def tis(module, image: Tensor, target: int, masks: int, keep: float, seed: int) -> Tensor:
    run = plain_vit.run(module, plain_vit.embed(module, image))
    channels = [tokens[1:, c].numpy() for tokens in run.tokens[1:] for c in range(tokens.shape[1])]
    centers = k_means(np.stack(channels), masks, seed)
    count = int(keep * centers.shape[1])
    chosen = [sorted(np.argsort(-center)[:count].tolist()) for center in centers]
    scores = [probability(module, run.tokens[0], kept, target) for kept in chosen]
    return average(chosen, scores, centers.shape[1])


@torch.no_grad()
def mutex(module, image: Tensor, target: int, keep: float = 0.5, cut: float = 0.01) -> Tensor:
    run = plain_vit.run(module, plain_vit.embed(module, image))
    chosen = []
    for joining in (np.min, np.max, np.sum):
        for axis in (0, 1):
            layers = []
            for heads in run.attention:
                joined = joining(np.stack([head[1:, 1:].numpy() for head in heads]), axis=0)
                joined[joined < cut * joined.max()] = 0
                layers.append(joined.sum(axis=axis))
            for order in statistics(np.stack(layers)):
                value = np.sort(order)[math.ceil((1 - keep) * len(order)) - 1]
                chosen.append([patch for patch in range(len(order)) if order[patch] >= value])
    scores = [probability(module, run.tokens[0], kept, target) for kept in chosen]
    return average(chosen, scores, len(run.tokens[0]) - 1)


def statistics(layers: np.ndarray) -> list[np.ndarray]:
    columns = list(layers.T)
    return [
        np.array([function(column) for column in columns])
        for function in (
            stats.entropy,
            np.max,
            np.min,
            np.sum,
            np.std,
            lambda column: column.sum() / column.std(),
            np.median,
            stats.skew,
            stats.kurtosis,
        )
    ]


@torch.no_grad()
def atman(module, image: Tensor, target: int, factor: float, similarity: float | None) -> Tensor:
    tokens = plain_vit.embed(module, image)

    def loss(change) -> float:
        return float(-torch.log_softmax(plain_vit.run(module, tokens, change).logits, dim=0)[target])

    values = []
    for patch in range(len(tokens) - 1):

        def turn_down(logits: Tensor, patch: int = patch) -> Tensor:
            shifted = logits - logits.min(dim=1, keepdim=True).values
            for other in range(len(tokens) - 1):
                alike = float(torch.cosine_similarity(tokens[patch + 1], tokens[other + 1], dim=0))
                if other == patch:
                    shifted[:, other + 1] *= factor
                elif similarity is not None and alike >= similarity:
                    shifted[:, other + 1] *= (1 - factor) * (1 - alike) + factor
            return shifted

        values.append(loss(turn_down) - loss(lambda logits: logits))
    return torch.tensor(values)


def merge_similar(channels: np.ndarray, threshold: float) -> list[list[int]]:
    """Complete linkage by definition: merge the two groups with the smallest largest distance, up to the threshold."""

    def distance(a: int, b: int) -> float:
        x, y = channels[a], channels[b]
        return 1 - float(x @ y) / (np.linalg.norm(x) * np.linalg.norm(y))

    groups = [[index] for index in range(len(channels))]
    while len(groups) > 1:
        pairs = [(max(distance(a, b) for a in g for b in h), i, j) for i, g in enumerate(groups)
                 for j, h in enumerate(groups) if i < j]  # fmt: skip
        nearest, i, j = min(pairs)
        if nearest > threshold:
            break
        groups[i] += groups.pop(j)
    return groups


def unit(channel: Tensor) -> Tensor:
    return (channel - channel.min()) / (channel.max() - channel.min())


@torch.no_grad()
def vit_cx(module, image: Tensor, target: int, threshold: float, noise: Tensor) -> Tensor:
    """One value per pixel; everything in normalized colors, and the same noise for every mask."""
    entering = plain_vit.run(module, plain_vit.embed(module, image)).tokens[-2]
    normed = plain_vit.layer_norm(entering, module.blocks[-1].norm1)[1:]
    side, size = math.isqrt(len(normed)), image.shape[1]
    channels = []
    for channel in normed.T:
        small = channel.view(1, 1, side, side)
        channels.append(unit(torch.nn.functional.interpolate(small, (size, size), mode="bilinear")[0, 0]))
    groups = merge_similar(np.stack([channel.flatten().numpy() for channel in channels]), threshold)
    masks = [unit(sum(channels[index] for index in group)) for group in groups]

    def p(values: Tensor) -> float:
        return float(torch.softmax(plain_vit.run(module, plain_vit.embed(module, values)).logits, dim=0)[target])

    total = torch.zeros(size, size)
    for mask in masks:
        rest = noise * (1 - mask)
        score = p(image * mask + rest) - p(image + rest) + p(image)
        total += score * mask / len(masks)
    coverage = sum(masks)
    return torch.where(coverage > 0, total / coverage, 0.0)  # a pixel outside all masks is 0
