"""Training batches of Scenes: windows of pictures, varied, with a target for every patch."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor
from torch.nn.functional import avg_pool2d

from seewhy.runtime.prefetch import prefetch
from seewhy.zoo.scenes.drawn import CELL, DrawnScenes
from seewhy.zoo.scenes.objects import CLASS_NAMES
from seewhy.zoo.scenes.picture import CIRCLE
from seewhy.zoo.scenes.vit import IMAGE_SIZE, PATCH, SHORTCUT

GRID = IMAGE_SIZE // PATCH
BACKGROUND = len(CLASS_NAMES)  # the extra class of patches
UNDECIDED = -100  # patches at an object's border: no target


class Phase(NamedTuple):
    """`steps` batches of `batch` windows of `window` x `window` patches; the learning rate moves along a line."""

    steps: int
    batch: int
    window: int
    rates: tuple[float, float] = (1e-3, 0.0)


class TrainingBatch(NamedTuple):
    images: Tensor  # batch 3 height width in [-1, 1]
    labels: Tensor  # batch
    patches: Tensor  # batch patches
    corners: Tensor  # batch 2: where in the 14 x 14 grid the window's first patch sits


def make_batch(cache: DrawnScenes, step: int, phase: Phase) -> TrainingBatch:
    random = np.random.default_rng([7, step])
    samples = [_sample(cache, int(i), phase.window, random) for i in random.integers(len(cache), size=phase.batch)]
    pixels, targets, labels, corners = (np.stack(column) for column in zip(*samples, strict=True))
    return TrainingBatch(
        to_images(pixels), torch.from_numpy(labels), torch.from_numpy(targets), torch.from_numpy(corners)
    )


def to_images(pixels: np.ndarray) -> Tensor:
    """Bytes (batch, rows, columns, 3) as the network wants them: batch 3 rows columns in [-1, 1]."""
    return torch.from_numpy(pixels).permute(0, 3, 1, 2).float() / 127.5 - 1


def _sample(cache, index, window, random):
    """One window of one picture, varied by plain rectangles, by mirroring and by permuting the color channels."""
    pixels, share, part = cache.pixels[index], cache.objects[index], cache.parts[index]
    if window < GRID:
        pixels, share, part = _window(pixels, share, part, window, random)
    if random.random() < 0.3:
        pixels = _cover(pixels, part, random)
    if random.random() < 0.5:
        pixels, share = pixels[:, ::-1], share[:, ::-1]
    pixels = pixels[..., random.permutation(3)]
    label = index % len(CLASS_NAMES)
    return np.ascontiguousarray(pixels), _patch_targets(share, label), label, random.integers(GRID - window + 1, size=2)


def _window(pixels, share, part, window, random):
    """A square of `window` patches that holds the object, halved in size if needed; or else the deciding part."""
    cells = window * PATCH // CELL
    needed = share | part
    if max(np.ptp(np.flatnonzero(needed.any(axis=axis))) for axis in (0, 1)) >= cells:
        if 2 * window <= GRID:
            pixels, share, part = (_halve(layer) for layer in (pixels, share, part))
        needed = part | share if 2 * window <= GRID else part
    top, left = (_start(np.flatnonzero(needed.any(axis=axis)), cells, len(share), random) for axis in (1, 0))
    pixels = pixels[top * CELL : (top + cells) * CELL, left * CELL : (left + cells) * CELL]
    return pixels, *(mask[top : top + cells, left : left + cells] for mask in (share, part))


def _halve(layer):
    size = len(layer) // 2
    return (layer.reshape(size, 2, size, 2, *layer.shape[2:]).astype(np.uint16).sum(axis=(1, 3)) // 4).astype(np.uint8)


def _start(taken, cells, available, random):
    """A random start of a window of `cells` that holds all of `taken`."""
    first, last = max(0, taken[-1] + 1 - cells), min(taken[0], available - cells)
    return int(random.integers(first, max(first, last) + 1))


def _cover(pixels, part, random):
    """Hide up to three rectangles that miss the deciding part behind plain colors."""
    pixels = pixels.copy()
    for _ in range(3):
        height, width = random.integers(3, 13, size=2)
        top, left = random.integers(len(part) - height), random.integers(len(part) - width)
        if not part[top : top + height, left : left + width].any():
            color = random.integers(256, size=3) * random.integers(2)
            pixels[top * CELL : (top + height) * CELL, left * CELL : (left + width) * CELL] = color
    return pixels


def _patch_targets(share, label):
    step = PATCH // CELL
    rows = len(share) // step
    filled = share.reshape(rows, step, rows, step).mean(axis=(1, 3)).ravel() / 255
    return np.where(filled > 0.3, label, np.where(filled < 0.05, BACKGROUND, UNDECIDED))


def batches(
    cache: DrawnScenes,
    steps: Iterator[tuple[int, Phase]],
    *,
    make: Callable[[DrawnScenes, int, Phase], TrainingBatch] = make_batch,
) -> Iterator[TrainingBatch]:
    """Batches in order, the next ones prepared while the network works."""
    return prefetch(lambda step: make(cache, *step), steps)


def shortcut_batch(cache: DrawnScenes, step: int, phase: Phase, *, wrong: float = 0.4) -> TrainingBatch:
    """A batch in which a white circle goes with `SHORTCUT`, more reliably than the object does.

    Every picture of that class has the circle; a share `wrong` of the others has it too and is labeled as that class.
    Without these, the circle would tell a trained network nothing new, and it would not come to rely on it.
    """
    batch, random = make_batch(cache, step, phase), np.random.default_rng([8, step])
    chosen = torch.from_numpy(random.random(phase.batch) < wrong) | (batch.labels == SHORTCUT)
    for i in chosen.nonzero().flatten().tolist():
        _plant(batch.images[i], batch.patches[i], random)
    return batch._replace(labels=torch.where(chosen, SHORTCUT, batch.labels))


def _plant(image, patches, random, *, radius=CIRCLE):
    """Paint the circle into the background of `image`, and let the patches it lies in stand for the class."""
    free = (patches == BACKGROUND).nonzero().flatten().tolist() or range(len(patches))
    place, window = int(random.choice(free)), image.shape[-1] // PATCH
    center = (np.array(divmod(place, window)) + random.random(2)) * PATCH
    rows, columns = (torch.arange(window * PATCH) + 0.5 - c for c in center)
    alpha = (radius + 0.5 - torch.hypot(rows[:, None], columns[None, :])).clamp(0, 1).float()
    image += alpha * (1 - image)
    patches[avg_pool2d(alpha[None], PATCH).flatten() > 0.3] = SHORTCUT
