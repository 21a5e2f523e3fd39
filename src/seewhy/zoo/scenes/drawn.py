"""Scenes drawn once into files, so that training reads pictures instead of drawing them."""

from __future__ import annotations

from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import NamedTuple

import numpy as np

from seewhy.zoo.scenes.dataset import random_for
from seewhy.zoo.scenes.drawing import SIZE
from seewhy.zoo.scenes.picture import draw

CELL = 4  # masks are stored as shares of cells of 4 x 4 pixels
CHUNK = 500


class DrawnScenes(NamedTuple):
    """`pixels` (pictures, rows, columns, 3), and the shares of object and part (pictures, cells, cells), all bytes."""

    pixels: np.ndarray
    objects: np.ndarray
    parts: np.ndarray

    def __len__(self):
        return len(self.pixels)


def draw_scenes(folder: Path, split: str, size: int, *, workers: int = 2) -> DrawnScenes:
    """Draw what is missing of the first `size` pictures of a split (12 classes in turn), then open them all."""
    folder.mkdir(parents=True, exist_ok=True)
    chunks = [(folder, split, start) for start in range(0, size, CHUNK) if not _path(folder, split, start).exists()]
    with ProcessPoolExecutor(workers) as pool:
        for _ in pool.map(_draw_chunk, chunks):
            pass
    return open_scenes(folder, split, size)


def open_scenes(folder: Path, split: str, size: int) -> DrawnScenes:
    """Read as many of the first `size` pictures as have been drawn; they stay in memory."""
    paths = [_path(folder, split, start) for start in range(0, size, CHUNK)]
    chunks = [np.load(path) for path in paths if path.exists()]
    return DrawnScenes(*(np.concatenate([chunk[name] for chunk in chunks]) for name in DrawnScenes._fields))


def _path(folder, split, start):
    return folder / f"{split}-{start:06d}.npz"


def _draw_chunk(job):
    folder, split, start = job
    drawings = [draw(random_for(split, index, 1), [index % 12]) for index in range(start, start + CHUNK)]
    cache = DrawnScenes(
        np.stack([drawing.pixels for drawing in drawings]),
        np.stack([_shares(drawing.objects[0]) for drawing in drawings]),
        np.stack([_shares(drawing.parts[0]) for drawing in drawings]),
    )
    target = _path(folder, split, start)
    partial = target.with_suffix(".partial.npz")
    np.savez(partial, **cache._asdict())
    partial.rename(target)


def _shares(mask):
    cells = mask.reshape(SIZE // CELL, CELL, SIZE // CELL, CELL).mean(axis=(1, 3))
    return np.rint(cells * 255).astype(np.uint8)
