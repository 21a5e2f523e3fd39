"""A benchmark small enough for tests: an untrained ViT of 32 pixels on small random images."""

from pathlib import Path

import numpy as np
import pyarrow as pa
from PIL import Image

from seewhy.bench import BenchConfig

VIT = dict(img_size=32, patch_size=8, embed_dim=16, depth=2, num_heads=2, num_classes=5)
TIMES = {"seconds"}  # differ from run to run


def write_images(folder: Path, count: int, *, seed: int = 0) -> Path:
    """Random images in two class folders, without boxes."""
    random = np.random.default_rng(seed)
    for number in range(count):
        target = folder / f"class{number % 2}"
        target.mkdir(parents=True, exist_ok=True)
        pixels = random.integers(0, 256, (40, 48, 3), dtype=np.uint8)
        Image.fromarray(pixels).resize((96, 80), Image.Resampling.BICUBIC).save(target / f"{number:03d}.png")
    return folder


def tiny_table(folder: Path, out: Path, **changes) -> dict:
    table = dict(
        name="tiny",
        out=str(out),
        model={"name": "timm/test_vit", "weights": "random", "options": VIT},
        data={"kind": "imagenet", "path": str(folder)},
        methods=["gradient", {"name": "random", "label": "Chance"}, "rollout"],
        protocols=["aha"],
        examples=2,
    )
    return table | changes


def tiny_config(folder: Path, out: Path, **changes) -> BenchConfig:
    return BenchConfig.from_dict(tiny_table(folder, out, **changes))


def same(first: pa.Table, second: pa.Table) -> bool:
    """Whether two tables are equal, except for times; numbers to 1e-5, since images run together in other batches."""
    kept = [name for name in first.column_names if name not in TIMES]
    plain = [table.select(kept).to_pylist() for table in (first, second)]
    return len(first) == len(second) and all(map(_same_row, *plain))


def _same_row(first: dict, second: dict) -> bool:
    return first.keys() == second.keys() and all(_same_value(first[name], second[name]) for name in first)


def _same_value(first, second) -> bool:
    if isinstance(first, (float, list)) and first is not None and second is not None:
        return np.allclose(first, second, rtol=1e-5, atol=1e-5, equal_nan=True)
    return first == second
