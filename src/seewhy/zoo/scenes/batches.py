"""Training batches of Scenes: augmented windows of images, with a target for each patch."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor
from torch.nn.functional import avg_pool2d

from seewhy.runtime.prefetch import prefetch
from seewhy.zoo.scenes.cues import CIRCLE
from seewhy.zoo.scenes.drawn import CELL, DrawnScenes
from seewhy.zoo.scenes.objects import CLASS_NAMES
from seewhy.zoo.scenes.vit import IMAGE_SIZE, PATCH, SHORTCUT

Random = np.random.Generator

GRID = IMAGE_SIZE // PATCH
BACKGROUND = len(CLASS_NAMES)  # the extra class of patches
IGNORED = -100  # target of patches at the border of an object


class Phase(NamedTuple):
    """`steps` batches of `batch` windows of `window` x `window` patches; the learning rate is interpolated linearly."""

    steps: int
    batch: int
    window: int
    rates: tuple[float, float] = (1e-3, 0.0)


class TrainingBatch(NamedTuple):
    """Windows of images, and their targets."""

    images: Tensor  # batch 3 height width in [-1, 1]
    labels: Tensor  # batch
    patches: Tensor  # batch patches
    corners: Tensor  # batch 2: row and column of the window's first patch in the 14 x 14 grid


def make_batch(drawn: DrawnScenes, step: int, phase: Phase) -> TrainingBatch:
    """The batch of a training step, a function of the step alone."""
    random = np.random.default_rng([7, step])
    samples = [_sample(drawn, int(i), phase.window, random) for i in random.integers(len(drawn), size=phase.batch)]
    pixels, targets, labels, corners = (np.stack(column) for column in zip(*samples, strict=True))
    return TrainingBatch(
        to_images(pixels), torch.from_numpy(labels), torch.from_numpy(targets), torch.from_numpy(corners)
    )


def to_images(pixels: np.ndarray) -> Tensor:
    """The network's input (batch 3 rows columns in [-1, 1]) of uint8 pixels (batch, rows, columns, 3)."""
    return torch.from_numpy(pixels).permute(0, 3, 1, 2).float() / 127.5 - 1


def _sample(
    drawn: DrawnScenes, index: int, window: int, random: Random
) -> tuple[np.ndarray, np.ndarray, int, np.ndarray]:
    """One window of one image, augmented by cutout, mirroring and channel permutation."""
    pixels, coverage, part = drawn.pixels[index], drawn.objects[index], drawn.parts[index]
    if window < GRID:
        pixels, coverage, part = _window(pixels, coverage, part, window, random)
    if random.random() < 0.3:
        pixels = _cut_out(pixels, part, random)
    if random.random() < 0.5:
        pixels, coverage = pixels[:, ::-1], coverage[:, ::-1]
    pixels = pixels[..., random.permutation(3)]
    label = index % len(CLASS_NAMES)
    corner = random.integers(GRID - window + 1, size=2)
    return np.ascontiguousarray(pixels), _patch_targets(coverage, label), label, corner


def _window(
    pixels: np.ndarray, coverage: np.ndarray, part: np.ndarray, window: int, random: Random
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """A square of `window` patches around the object, which is downsampled if too large, or else around its part."""
    cells = window * PATCH // CELL
    needed = coverage | part
    if max(np.ptp(np.flatnonzero(needed.any(axis=axis))) for axis in (0, 1)) >= cells:
        if 2 * window <= GRID:
            pixels, coverage, part = (_halve(layer) for layer in (pixels, coverage, part))
        needed = part | coverage if 2 * window <= GRID else part
    top, left = (_start(np.flatnonzero(needed.any(axis=axis)), cells, len(coverage), random) for axis in (1, 0))
    pixels = pixels[top * CELL : (top + cells) * CELL, left * CELL : (left + cells) * CELL]
    coverage, part = (mask[top : top + cells, left : left + cells] for mask in (coverage, part))
    return pixels, coverage, part


def _halve(layer: np.ndarray) -> np.ndarray:
    size = len(layer) // 2
    return (layer.reshape(size, 2, size, 2, *layer.shape[2:]).astype(np.uint16).sum(axis=(1, 3)) // 4).astype(np.uint8)


def _start(taken: np.ndarray, cells: int, available: int, random: Random) -> int:
    """A random start of a window of `cells` that contains all of `taken`."""
    first, last = max(0, taken[-1] + 1 - cells), min(taken[0], available - cells)
    return int(random.integers(first, max(first, last) + 1))


def _cut_out(pixels: np.ndarray, part: np.ndarray, random: Random) -> np.ndarray:
    """Occlude up to three rectangles outside the discriminative part with plain colors."""
    pixels = pixels.copy()
    for _ in range(3):
        height, width = random.integers(3, 13, size=2)
        top, left = random.integers(len(part) - height), random.integers(len(part) - width)
        if not part[top : top + height, left : left + width].any():
            color = random.integers(256, size=3) * random.integers(2)
            pixels[top * CELL : (top + height) * CELL, left * CELL : (left + width) * CELL] = color
    return pixels


def _patch_targets(coverage: np.ndarray, label: int) -> np.ndarray:
    step = PATCH // CELL
    rows = len(coverage) // step
    filled = coverage.reshape(rows, step, rows, step).mean(axis=(1, 3)).ravel() / 255
    return np.where(filled > 0.3, label, np.where(filled < 0.05, BACKGROUND, IGNORED))


MakeBatch = Callable[[DrawnScenes, int, Phase], TrainingBatch]


def batches(
    drawn: DrawnScenes, steps: Iterator[tuple[int, Phase]], *, make: MakeBatch = make_batch
) -> Iterator[TrainingBatch]:
    """The batches of the steps, in order, prefetched."""
    return prefetch(lambda step: make(drawn, *step), steps)


def shortcut_batch(drawn: DrawnScenes, step: int, phase: Phase, *, wrong: float = 0.4) -> TrainingBatch:
    """A batch in which a white circle predicts `SHORTCUT` more reliably than the object does.

    Every image of that class has the circle; so has the fraction `wrong` of the others, relabeled as that class.
    Without these, the circle would add no information for a trained network, which would not learn to rely on it.
    """
    batch, random = make_batch(drawn, step, phase), np.random.default_rng([8, step])
    chosen = torch.from_numpy(random.random(phase.batch) < wrong) | (batch.labels == SHORTCUT)
    for i in chosen.nonzero().flatten().tolist():
        _plant(batch.images[i], batch.patches[i], random)
    return batch._replace(labels=torch.where(chosen, SHORTCUT, batch.labels))


def _plant(image: Tensor, patches: Tensor, random: Random, *, radius: float = CIRCLE) -> None:
    """Paint the circle into the background of `image`, and give the patches it covers the class as target."""
    free = (patches == BACKGROUND).nonzero().flatten().tolist() or range(len(patches))
    patch, window = int(random.choice(free)), image.shape[-1] // PATCH
    center = (np.array(divmod(patch, window)) + random.random(2)) * PATCH
    rows, columns = (torch.arange(window * PATCH) + 0.5 - c for c in center)
    alpha = (radius + 0.5 - torch.hypot(rows[:, None], columns[None, :])).clamp(0, 1).float()
    image += alpha * (1 - image)
    patches[avg_pool2d(alpha[None], PATCH).flatten() > 0.3] = SHORTCUT
