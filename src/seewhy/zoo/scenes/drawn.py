"""Scenes drawn in advance and stored in files, so that training does not wait for drawing."""

from __future__ import annotations

from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import NamedTuple

import numpy as np

from seewhy.zoo.scenes.dataset import random_for
from seewhy.zoo.scenes.drawing import SIZE
from seewhy.zoo.scenes.scene import draw_scene

CELL = 4  # masks are stored as the coverage of cells of 4 x 4 pixels
CHUNK = 500  # images per file


class DrawnScenes(NamedTuple):
    """`pixels` (images, rows, columns, 3), and the coverage of object and part (images, cells, cells), all uint8."""

    pixels: np.ndarray
    objects: np.ndarray
    parts: np.ndarray

    def __len__(self) -> int:
        return len(self.pixels)


def draw_scenes(folder: Path, split: str, size: int, *, workers: int = 2) -> DrawnScenes:
    """Draw those of the first `size` images of a split that are missing, then load them all."""
    folder.mkdir(parents=True, exist_ok=True)
    chunks = [(folder, split, start) for start in range(0, size, CHUNK) if not _path(folder, split, start).exists()]
    with ProcessPoolExecutor(workers) as pool:
        for _ in pool.map(_draw_chunk, chunks):
            pass
    return open_scenes(folder, split, size)


def open_scenes(folder: Path, split: str, size: int) -> DrawnScenes:
    """Load those of the first `size` images that have been drawn into memory."""
    paths = [_path(folder, split, start) for start in range(0, size, CHUNK)]
    chunks = [np.load(path) for path in paths if path.exists()]
    return DrawnScenes(*(np.concatenate([chunk[name] for chunk in chunks]) for name in DrawnScenes._fields))


def _path(folder: Path, split: str, start: int) -> Path:
    return folder / f"{split}-{start:06d}.npz"


def _draw_chunk(job: tuple[Path, str, int]) -> None:
    folder, split, start = job
    scenes = [draw_scene(random_for(split, index, 1), [index % 12]) for index in range(start, start + CHUNK)]
    drawn = DrawnScenes(
        np.stack([scene.pixels for scene in scenes]),
        np.stack([_coverage(scene.objects[0]) for scene in scenes]),
        np.stack([_coverage(scene.parts[0]) for scene in scenes]),
    )
    target = _path(folder, split, start)
    partial = target.with_suffix(".partial.npz")
    np.savez(partial, **drawn._asdict())
    partial.rename(target)


def _coverage(mask: np.ndarray) -> np.ndarray:
    cells = mask.reshape(SIZE // CELL, CELL, SIZE // CELL, CELL).mean(axis=(1, 3))
    return np.rint(cells * 255).astype(np.uint8)
