"""The pixels of a cue: what distinguishes the cells under the evidence from the same positions in other images.

A classifier of pixels (color, local mean, local contrast, position) learns to tell cells of the candidate from the same
cells of images of other classes. Pixels that look the same in both stay undecided, so that the mask is what is special
about the cue, at the resolution of the image and not of the feature grid.
"""

from typing import Any

import numpy as np
from jaxtyping import Bool, Float
from numpy import ndarray
from torch import Tensor

from seewhy.audits.find import sklearn_module

PIXELS = 12000  # of each kind, that the classifier learns from
FOLDS = 4  # of the images: each is judged by a classifier of the others
CERTAIN = 0.75  # probability from which a pixel belongs to the cue
WINDOW = 5  # pixels of the local mean and contrast
SPECK = 9  # pixels of the largest part that is dropped

Masks = Bool[ndarray, "images height width"]


def cell_masks(cells: list[tuple[int, ...]], grid: tuple[int, int], size: tuple[int, int]) -> Masks:
    """Masks of the pixels in some cells of a grid, one per image."""
    coarse = np.zeros((len(cells), grid[0] * grid[1]), dtype=bool)
    for mask, chosen in zip(coarse, cells, strict=True):
        mask[list(chosen)] = True
    rows, cols = (np.arange(side) * count // side for side, count in zip(size, grid, strict=True))
    return coarse.reshape(-1, *grid)[:, rows[:, None], cols[None, :]]


def refine_masks(
    images: Float[Tensor, "images 3 height width"],
    seeds: Masks,
    others: Float[Tensor, "_ 3 height width"],
    *,
    free: Masks | None = None,
    seed: int = 0,
) -> Masks:
    """The pixels of the cue in each image: special ones that are connected with the cells of the candidate.

    What is special in an image is learned from other images, so that their own backgrounds do not count. Only pixels in
    `free` belong to a cue (default: all).
    """
    free = np.ones_like(seeds) if free is None else free
    seeds = seeds & free
    own, plain = pixel_features(images), pixel_features(others)
    folds = np.arange(len(own)) % min(FOLDS, len(own))
    special = np.zeros(seeds.shape)
    for fold in np.unique(folds):
        learned = folds != fold if len(own) > 1 else folds == fold
        booster = _fit(own[learned], seeds[learned], plain, seed)
        for index in np.flatnonzero(folds == fold):
            flat = own[index].reshape(-1, own.shape[-1])
            special[index] = booster.predict_proba(flat)[:, 1].reshape(seeds.shape[1:]) * free[index]
    return np.stack([_connected(mask > CERTAIN, *each) for mask, *each in zip(special, seeds, free, strict=True)])


def _fit(own: ndarray, seeds: Masks, plain: ndarray, seed: int) -> Any:
    """A classifier of pixels: those of the cells against the same positions of other images."""
    random = np.random.default_rng(seed)
    chosen = np.argwhere(seeds)
    chosen = chosen[random.permutation(len(chosen))[:PIXELS]]
    image, row, col = chosen.T
    inside, outside = own[image, row, col], plain[random.integers(len(plain), size=len(chosen)), row, col]
    booster = sklearn_module("ensemble").HistGradientBoostingClassifier(
        max_iter=40, max_depth=5, random_state=seed, early_stopping=False
    )
    return booster.fit(np.concatenate([inside, outside]), np.repeat([1, 0], len(chosen)))


def pixel_features(
    images: Float[Tensor, "images channels height width"],
) -> Float[ndarray, "images height width features"]:
    """Color, local mean and contrast, and position of every pixel."""
    from scipy.ndimage import uniform_filter

    colors = images.cpu().numpy().transpose(0, 2, 3, 1).astype(np.float32)
    window = (1, WINDOW, WINDOW, 1)
    mean = uniform_filter(colors, window)
    contrast = np.sqrt(np.clip(uniform_filter(colors**2, window) - mean**2, 0, None)).mean(-1, keepdims=True)
    rows, cols = np.meshgrid(*(np.linspace(0, 1, side, dtype=np.float32) for side in colors.shape[1:3]), indexing="ij")
    position = np.broadcast_to(np.stack([rows, cols], -1), (*colors.shape[:3], 2))
    return np.concatenate([colors, mean, contrast, position], axis=-1)


def _connected(
    special: Bool[ndarray, "height width"], cells: Bool[ndarray, "height width"], free: Bool[ndarray, "height width"]
) -> Bool[ndarray, "height width"]:
    """The parts of `special` that reach into the cells; the cells themselves if there are none."""
    from scipy.ndimage import binary_erosion, binary_fill_holes, label

    parts, count = label(special)
    sizes = np.bincount(parts.ravel(), minlength=count + 1)
    touching = np.zeros(count + 1, dtype=bool)
    touching[np.unique(parts[cells & special])] = True
    touching &= sizes > min(SPECK, sizes[1:].max(initial=0) - 1)
    touching[0] = False
    mask = touching[parts]
    if not mask.any():
        return cells
    filled = np.asarray(binary_fill_holes(mask)) & free
    mask = filled if filled.sum() <= 2 * mask.sum() else mask  # what a frame surrounds is no hole
    tight = np.asarray(binary_erosion(mask, iterations=WINDOW // 2, border_value=1))  # windows reach beyond the cue
    return tight if tight.sum() >= mask.sum() / 5 else mask


def shift_masks(
    masks: Masks, weights: Float[ndarray, "images height width"], *, tries: int = 24, seed: int = 0
) -> tuple[Masks, Masks]:
    """Controls: each mask shifted (cyclically) to a random position, and to the one with most other evidence."""
    random = np.random.default_rng(seed)
    pairs = [_shifts(mask, weight, random, tries) for mask, weight in zip(masks, weights, strict=True)]
    anywhere, salient = zip(*pairs, strict=True)
    return np.stack(anywhere), np.stack(salient)


def _shifts(mask: ndarray, weight: ndarray, random: np.random.Generator, tries: int) -> tuple[ndarray, ndarray]:
    moves = random.integers(mask.shape, size=(tries, 2))
    moved = [np.roll(mask, move, axis=(0, 1)) for move in moves]
    overlaps = np.array([(each & mask).sum() for each in moved])
    apart = np.flatnonzero(overlaps <= max(overlaps.min(), 0.1 * mask.sum()))
    evidence = [weight[moved[i] & ~mask].sum() for i in apart]
    return moved[apart[0]], moved[apart[int(np.argmax(evidence))]]
