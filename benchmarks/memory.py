"""Peak memory of a benchmark by the number of images, each run in a separate process.

python benchmarks/memory.py --images 50 500
"""

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
from PIL import Image

VIT = dict(img_size=32, patch_size=8, embed_dim=16, depth=2, num_heads=2, num_classes=5)


def measure(count: int, folder: Path) -> dict:
    """Run with `count` images in a separate process."""
    photos = folder / f"photos{count}"
    photos.mkdir()
    random = np.random.default_rng(0)
    for number in range(count):
        Image.fromarray(random.integers(0, 256, (64, 64, 3), dtype=np.uint8)).save(photos / f"{number:05d}.png")
    command = [sys.executable, __file__, "--run", str(photos)]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()[-1])


def run(photos: Path) -> None:
    import torch

    from seewhy.bench import BenchConfig, benchmark
    from seewhy.bench.environment import peak_memory

    torch.set_num_threads(1)
    table = {
        "out": str(photos.with_name(f"{photos.name}.out")),
        "model": {"name": "timm/test_vit", "weights": "random", "options": VIT},
        "data": {"kind": "folder", "path": str(photos)},
        "methods": ["gradient", "random"],
        "metrics": ["deletion", "insertion"],
    }
    results = benchmark(BenchConfig.from_dict(table))
    peak = peak_memory() / 2**20  # before the rows are read for analysis
    print(json.dumps({"rows": len(results), "megabytes": peak}))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--images", type=int, nargs="+", default=[50, 500])
    parser.add_argument("--run", type=Path)
    options = parser.parse_args()
    if options.run:
        run(options.run)
    else:
        with tempfile.TemporaryDirectory() as folder:
            for count in options.images:
                print(f"{count:6d} images: {measure(count, Path(folder))}", flush=True)
