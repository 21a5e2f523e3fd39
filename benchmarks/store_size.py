"""Bytes, memory and seconds of a map store with many maps: the constants of the plan in docs/datasets.md.

    python benchmarks/store_size.py --maps 30000 --out benchmarks/data/store_size.csv

Rows and maps are drawn, names as long as ImageNet's; all else is the code that `explain --store` runs.
"""

import argparse
import csv
import random
import statistics
import tempfile
import time
from pathlib import Path
from typing import Any

import torch

from seewhy import MapStore
from seewhy.store.index import consolidate
from seewhy.store.schema import Recipe, map_key
from seewhy.store.writer import FULL, MapWriter

GRIDS = {"7x7 float16": (7, "float16"), "14x14 float16": (14, "float16"), "224x224 float16": (224, "float16")}


def draw_rows(start: int, count: int) -> list[dict[str, Any]]:
    recipe, rows = Recipe("grad_cam", "{}", "0123456789abcdef"), []
    for number in range(start, start + count):
        chance = random.Random(number)
        name, content = f"n{number % 1000:08d}/ILSVRC2012_{number:08d}.JPEG", f"{chance.getrandbits(80):020x}"
        target = number % 1000
        rows.append(
            recipe._asdict()
            | {"key": map_key(recipe, name, content, [target], target), "image": name, "image_key": content}
            | {"source": "/data/imagenet/train", "stamp": f"{chance.randrange(10**5, 10**6)}:{chance.getrandbits(60)}"}
            | {"label": target, "target": target, "target_name": f"class {target}", "probability": chance.random()}
            | {"predicted": target, "confidence": chance.random(), "classes": [target], "model": "timm/resnet50"}
            | {"failed_checks": "", "forwards": 1.0, "backwards": 0.1, "seconds": chance.random()}
        )
    return rows


def fill(folder: Path, maps: int, side: int, precision: Any) -> float:
    """Write drawn maps; seconds of the writing alone."""
    MapStore(folder, create=True)
    writer, seconds = MapWriter(folder, precision), 0.0
    for start in range(0, maps, FULL):
        count = min(FULL, maps - start)
        rows, drawn = draw_rows(start, count), torch.rand(count, side, side)
        begin = time.process_time()
        writer.add(rows, drawn)
        seconds += time.process_time() - begin
    writer.close()
    return seconds


def open_often(folder: Path, times: int = 9) -> float:
    """Median CPU seconds of opening a store and reading its index."""
    seconds = []
    for _ in range(times):
        start = time.process_time()
        len(MapStore(folder))
        seconds.append(time.process_time() - start)
    return statistics.median(seconds)


def size(folder: Path, pattern: str) -> int:
    return sum(path.stat().st_size for path in folder.glob(pattern))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--maps", type=int, default=30_000)
    parser.add_argument("--out", type=Path)
    options = parser.parse_args()
    rows = []
    for name, (side, precision) in GRIDS.items():
        maps = options.maps if side < 100 else options.maps // 100
        with tempfile.TemporaryDirectory() as place:
            folder = Path(place) / "maps"
            seconds = fill(folder, maps, side, precision)
            consolidate(folder)
            opened = open_often(folder)
            rows.append(
                {
                    "maps": maps,
                    "kind": name,
                    "bytes of a map": f"{size(folder, 'shards/*') / maps:.0f}",
                    "bytes of a row": f"{size(folder, 'index.parquet') / maps:.0f}",
                    "CPU ms to write a map": f"{1000 * seconds / maps:.3f}",
                    "CPU s to open": f"{opened:.4f}",
                    "bytes of a row in memory": f"{MapStore(folder).index.nbytes / maps:.0f}",
                }
            )
        print(rows[-1], flush=True)
    if options.out:
        with options.out.open("w", newline="") as file:
            table = csv.DictWriter(file, rows[0], lineterminator="\n")
            table.writeheader()
            table.writerows(rows)


if __name__ == "__main__":
    main()
