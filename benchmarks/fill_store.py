"""Images per second of `explain_dataset` beside plain batched forward passes with the same decoding, in one run.

    python benchmarks/fill_store.py PHOTOS --images 5000 --out benchmarks/data/fill_store.csv

Photos are linked under other names until there are enough. Both work on the same slices of the images, the first of the
two alternating, so that other load on the machine hits both; the plain side reads the same batches and as far ahead as
the store does. CPU seconds of this process and its readers are reported beside the wall clock. Then the memory after
1,000 and after all images, and the time to open the index.
"""

import argparse
import csv
import os
import random
import resource
import statistics
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import torch

import seewhy
from seewhy.data.decode import images_below
from seewhy.data.whole import open_source
from seewhy.runtime.malloc import keep_freed_memory
from seewhy.store.explaining import BATCH as BATCHES
from seewhy.store.reading import Reader

BATCH = BATCHES["cpu"]


def link_photos(photos: Path, folder: Path, count: int) -> list[str]:
    """Links to the photos under `count` different names."""
    found = images_below(photos)
    folder.mkdir(parents=True, exist_ok=True)
    names = []
    for number in range(count):
        source = found[number % len(found)]
        names.append(str(folder / f"{number:05d}{source.suffix}"))
        os.symlink(source.resolve(), names[-1])
    return names


def plain(model: seewhy.Classifier, files: list[str], readers: int) -> None:
    """Decode and predict, nothing else."""
    reader = Reader(open_source(files), model.preprocess, readers)
    batches = [tuple(range(start, min(start + BATCH, len(files)))) for start in range(0, len(files), BATCH)]
    for number, batch in enumerate(batches):
        model.probabilities(reader.read(batch, batches[number + 1 : number + 2 + readers]).images)
    reader.close()


def interval(values: list[float], draws: int = 5000) -> str:
    """The 95 % bootstrap interval of the median."""
    chance = random.Random(0)
    medians = sorted(statistics.median(chance.choices(values, k=len(values))) for _ in range(draws))
    return f"{medians[draws // 40]:.3f} to {medians[-draws // 40]:.3f}"


def cpu_seconds() -> float:
    """Of this process and of the readers that have ended."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(each.ru_utime + each.ru_stime for each in used)


def memory() -> float:
    """Resident megabytes of this process."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize() / 2**20


def timed(task: Callable[[], Any]) -> tuple[float, float]:
    wall, cpu = time.perf_counter(), cpu_seconds()
    task()
    return time.perf_counter() - wall, cpu_seconds() - cpu


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("photos", type=Path)
    parser.add_argument("--images", type=int, default=5000)
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--compared", type=int, default=0, help="images of all rounds of the comparison; 0: all")
    parser.add_argument("--readers", type=int, default=0)
    parser.add_argument("--method", default="grad_cam")
    parser.add_argument("--model", default="seewhy/efficientnet-lite0")
    parser.add_argument("--out", type=Path)
    options = parser.parse_args()
    torch.set_num_threads(1)
    keep_freed_memory()
    model = seewhy.load_model(options.model)
    with tempfile.TemporaryDirectory() as place:
        files = link_photos(options.photos, Path(place) / "photos", options.images)
        store = Path(place) / "maps"
        fill = partial(seewhy.explain_dataset, model, methods=options.method, store=store, readers=options.readers)
        seewhy.explain_dataset(model, files[:BATCH], options.method, store=Path(place) / "warm")
        size = -(-options.images // options.rounds)
        compared = options.compared or options.images
        ratios, seconds, resident = [], {"plain": [0.0, 0.0], "store": [0.0, 0.0]}, {}
        for number, start in enumerate(range(0, options.images, size)):
            part = files[start : start + size]
            tasks = {"store": partial(fill, part), "plain": partial(plain, model, part, options.readers)}
            if start >= compared:
                del tasks["plain"]
            spent = {name: timed(tasks[name]) for name in sorted(tasks, reverse=number % 2 == 0)}
            done = start + len(part)
            resident[done] = memory()
            if start < compared:
                ratios.append([spent["plain"][i] / spent["store"][i] for i in range(2)])
                for name, (wall, cpu) in spent.items():
                    seconds[name] = [seconds[name][0] + wall, seconds[name][1] + cpu]
                print(done, *(f"{value:.3f}" for value in ratios[-1]), f"{memory():.0f} MB", flush=True)
            else:
                print(done, f"{memory():.0f} MB", flush=True)
        opening = time.perf_counter()
        maps = len(seewhy.MapStore(store))
        opening = time.perf_counter() - opening
    count = min(compared, options.images)
    early = resident[min(resident, key=lambda done: abs(done - 1000))]
    row = {
        "model": options.model,
        "method": options.method,
        "images": maps,
        "compared": count,
        "rounds": len(ratios),
        "readers": options.readers,
        "images/s": f"{count / seconds['store'][0]:.2f}",
        "plain images/s": f"{count / seconds['plain'][0]:.2f}",
        "speed of plain": f"{statistics.median(wall for wall, _ in ratios):.3f}",
        "speed of plain, CPU": f"{statistics.median(cpu for _, cpu in ratios):.3f}",
        "95 %": interval([wall for wall, _ in ratios]),
        "95 %, CPU": interval([cpu for _, cpu in ratios]),
        "MB at 1000": f"{early:.0f}",
        "MB at the end": f"{resident[max(resident)]:.0f}",
        "index opens in s": f"{opening:.3f}",
    }
    for name, value in row.items():
        print(f"{name}: {value}")
    if options.out:
        with options.out.open("w", newline="") as file:
            writer = csv.DictWriter(file, row, lineterminator="\n")
            writer.writeheader()
            writer.writerow(row)


if __name__ == "__main__":
    main()
