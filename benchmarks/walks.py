"""Count the functions, files and file switches of a call: how far a reader must walk to follow it.

    python benchmarks/walks.py

A switch is a call from one file of seewhy into another; a generator that goes on, as a context manager does at its end,
is not called again. Only frames of the package count, and only the second call of each kind, when caches are warm. A
training step is the difference between two trainings, one a step longer. Exits with 1 if a call is over its limit.
"""

import inspect
import sys
import tempfile
import threading
from collections.abc import Callable
from pathlib import Path
from types import CodeType, FrameType
from typing import Any, NamedTuple

import numpy as np
import torch
from PIL import Image

import seewhy
from seewhy.bench import BenchConfig
from seewhy.models.classifier import Classifier

PACKAGE = str(Path(seewhy.__file__).parent)
VIT = dict(img_size=32, patch_size=8, embed_dim=16, depth=6, num_heads=2, num_classes=5)
STEPS = 3
LIMITS = {"caap": 70, "grad_cam": 30, "evaluate": 60, "benchmark": 1500, "training step": 200}


class Walk(NamedTuple):
    functions: int
    files: int
    switches: int


class Counter:
    """A profiler of the functions of seewhy that are called while it is active, also by threads started meanwhile."""

    def __init__(self) -> None:
        self.calls: list[tuple[CodeType, str]] = []  # what was called, and the file that called it
        self.generators: set[FrameType] = set()  # those that have started

    def __enter__(self) -> "Counter":
        threading.setprofile(self.count)
        sys.setprofile(self.count)
        return self

    def __exit__(self, *_: object) -> None:
        sys.setprofile(None)
        threading.setprofile(None)

    def count(self, frame: FrameType, event: str, _: Any) -> None:
        if event != "call" or not frame.f_code.co_filename.startswith(PACKAGE) or frame in self.generators:
            return
        self.calls.append((frame.f_code, calling_file(frame)))
        if frame.f_code.co_flags & inspect.CO_GENERATOR:
            self.generators.add(frame)

    @property
    def walk(self) -> Walk:
        functions = {code for code, _ in self.calls if not code.co_name.startswith("<")}  # comprehensions do not count
        files = {code.co_filename for code, _ in self.calls}
        return Walk(len(functions), len(files), sum(code.co_filename != caller for code, caller in self.calls))


def calling_file(frame: FrameType) -> str:
    """The file of the nearest frame of seewhy below this one; empty for the first."""
    below = frame.f_back
    while below is not None and not below.f_code.co_filename.startswith(PACKAGE):
        below = below.f_back
    return below.f_code.co_filename if below is not None else ""


def second_call(call: Callable[[], object]) -> Walk:
    call()
    with Counter() as counter:
        call()
    return counter.walk


def tiny_vit() -> Classifier:
    torch.manual_seed(0)
    return seewhy.load_model("timm/test_vit", weights="random", device="cpu", **VIT)


def count_explain(method: str) -> Walk:
    model, image = tiny_vit(), torch.rand(1, 3, 32, 32)
    return second_call(lambda: seewhy.explain(model, image, method))


def count_evaluate() -> Walk:
    model, image = tiny_vit(), torch.rand(1, 3, 32, 32)
    explanation = seewhy.explain(model, image, "grad_cam")
    return second_call(lambda: seewhy.evaluate(model, explanation, ["deletion", "insertion"]))


def count_benchmark(folder: Path) -> Walk:
    pixels = np.random.default_rng(0).integers(0, 256, (2, 80, 96, 3), dtype=np.uint8)
    for number, image in enumerate(pixels):
        (folder / "images" / f"class{number}").mkdir(parents=True)
        Image.fromarray(image).save(folder / "images" / f"class{number}" / "image.png")
    outs = iter(["first", "second"])  # a finished benchmark would have nothing left to do

    def run() -> None:
        table = {
            "name": "walks",
            "out": str(folder / next(outs)),
            "model": {"name": "timm/test_vit", "weights": "random", "options": VIT},
            "data": {"kind": "imagenet", "path": str(folder / "images")},
            "methods": ["gradient", "random", "rollout"],
            "protocols": ["aha"],
        }
        seewhy.benchmark(BenchConfig.from_dict(table))

    return second_call(run)


def count_training_step(folder: Path) -> Walk:
    model, images = tiny_vit(), list(torch.rand(64, 3, 32, 32))

    def train(steps: int) -> None:
        settings = {"iterations": steps, "held_out": 2, "evaluated": 2}
        seewhy.train_explainer(model, images, out=folder / f"{steps} steps", **settings)

    train(STEPS - 1)
    shorter, longer = Counter(), Counter()
    for counter, steps in ((shorter, STEPS), (longer, STEPS + 1)):
        with counter:
            train(steps)
    return longer.walk._replace(switches=longer.walk.switches - shorter.walk.switches)


def main() -> None:
    torch.set_num_threads(1)
    with tempfile.TemporaryDirectory() as folder:
        for name in ("benchmark", "training"):
            Path(folder, name).mkdir()
        walks = {
            "caap": count_explain("caap"),
            "grad_cam": count_explain("grad_cam"),
            "evaluate": count_evaluate(),
            "benchmark": count_benchmark(Path(folder, "benchmark")),
            "training step": count_training_step(Path(folder, "training")),
        }
    print(f"{'call':<16}{'functions':>10}{'files':>8}{'switches':>10}{'limit':>8}")
    for name, walk in walks.items():
        over = "  over" if walk.switches > LIMITS[name] else ""
        print(f"{name:<16}{walk.functions:>10}{walk.files:>8}{walk.switches:>10}{LIMITS[name]:>8}{over}")

    sys.exit(any(walk.switches > LIMITS[name] for name, walk in walks.items()))


if __name__ == "__main__":
    main()
