"""Do `torch.compile` and channels-last make passes faster? CPU time of both beside the plain network.

    python benchmarks/speed_compile.py /path/to/data --out benchmarks/data/speed_compile.csv

Forward passes, and passes with the gradient of the class scores; plain and changed network take turns. Ratios above 1
mean that the change helps. Rows that are in the file are not measured again.
"""

import argparse
import copy
import csv
import os
import random
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path

import torch
from torch import Tensor, nn

import seewhy

NETWORKS = {
    "DeiT-Tiny": ("timm/deit_tiny_patch16_224", "models/deit_tiny_patch16_224.safetensors"),
    "EfficientNet-Lite0": ("seewhy/efficientnet-lite0", None),
}
WORKS = ("forward", "gradient")
CHANGES = ("channels-last", "torch.compile")


def network(name: str, data: Path) -> nn.Module:
    source, weights = NETWORKS[name]
    model = seewhy.load_model(source, **({} if weights is None else {"weights": data / weights}))
    return model.module.eval().to(memory_format=torch.contiguous_format)


def changed(module: nn.Module, change: str) -> nn.Module:
    module = copy.deepcopy(module).to(memory_format=torch.channels_last)  # as seewhy loads EfficientNet-Lite0
    return torch.compile(module) if change == "torch.compile" else module


def work(module: nn.Module, images: Tensor, kind: str) -> Tensor:
    if kind == "forward":
        with torch.no_grad():
            return module(images)
    pixels = images.detach().requires_grad_()
    return torch.autograd.grad(module(pixels).amax(dim=1).sum(), pixels)[0]


def cpu_seconds(task: Callable[[], Tensor]) -> float:
    start = time.process_time()
    task()
    return time.process_time() - start


def interval(values: list[float], draws: int = 5000) -> str:
    """The 95 % bootstrap interval of the median."""
    chance = random.Random(0)
    medians = sorted(statistics.median(chance.choices(values, k=len(values))) for _ in range(draws))
    return f"{medians[draws // 40]:.2f} to {medians[-draws // 40]:.2f}"


def measure(base: nn.Module, images: Tensor, change: str, kind: str, rounds: int) -> dict[str, str]:
    """Channels-last is compared with the plain network, `torch.compile` with channels-last."""
    before = changed(base, "channels-last") if change == "torch.compile" else base
    after = changed(base, change)
    starting = time.perf_counter()
    outputs = [work(each, images, kind) for each in (after, before)]
    starting = time.perf_counter() - starting
    ratios = [
        cpu_seconds(lambda: work(before, images, kind)) / cpu_seconds(lambda: work(after, images, kind))
        for _ in range(rounds)
    ]
    difference = float((outputs[0] - outputs[1]).abs().max() / outputs[1].abs().max())
    return {
        "times faster": f"{statistics.median(ratios):.2f}",
        "95 %": interval(ratios),
        "rounds": str(rounds),
        "outputs differ by": f"{difference:.0e}",
        "s until the first result": f"{starting:.0f}",
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("--images", type=int, default=8)
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    torch.set_num_threads(1)
    os.environ.setdefault("TORCHINDUCTOR_COMPILE_THREADS", "1")
    torch.manual_seed(0)
    images = torch.randn(options.images, 3, 224, 224)
    with options.out.open(newline="") if options.out.exists() else open(os.devnull) as file:
        rows = list(csv.DictReader(file))
    done = {(row["network"], row["change"], row["work"]) for row in rows}
    for kind in WORKS:
        for change in CHANGES:
            for name in NETWORKS:
                if (name, change, kind) in done:
                    continue
                found = measure(network(name, options.data), images, change, kind, options.rounds)
                rows.append({"network": name, "change": change, "work": kind, "images": str(len(images)), **found})
                print(*rows[-1].values(), file=sys.stderr, flush=True)
                with options.out.open("w", newline="") as file:
                    writer = csv.DictWriter(file, rows[0], lineterminator="\n")
                    writer.writeheader()
                    writer.writerows(rows)


if __name__ == "__main__":
    main()
