"""What a contrast of four classes costs: `var:grad_cam` beside `grad_cam`, `var:caap` beside `caap`.

    python benchmarks/speed_var.py               ResNet-50, ResNet-18 and DeiT-Tiny, random weights, one image
    python benchmarks/speed_var.py --image 448   the networks without tokens at another size, as in the grid game

"Times grad_cam" has two readings, both are given: against `grad_cam` of one class (what a user of the plain method
pays) and of the same four (what VAR itself adds). "topk" is a single target whose rivals VAR chooses: one more forward
pass ranks the classes, because a method is not told the probabilities that its caller may have seen.

Other programs on the machine disturb: the variants take turns in one run, each is divided by the plain ones of its
turn, and the median counts, by the clock and by processor time.
"""

import argparse
import statistics
import time
from collections.abc import Callable
from dataclasses import replace

import torch

from seewhy.api import load_model
from seewhy.models.classifier import Classifier
from seewhy.models.vit import ViT
from seewhy.registry import resolve_method

CLASSES = 4
LIMITS = {"grad_cam": 1.6, "caap": 1.1}


def seconds(function: Callable[[], object]) -> tuple[float, float]:
    """By the clock, and of processor time."""
    start = time.perf_counter(), time.process_time()
    function()
    return time.perf_counter() - start[0], time.process_time() - start[1]


def measure(model: Classifier, method: str, repeats: int) -> None:
    """One line: seconds of the plain method, and what VAR of four classes, or of one, takes in multiples of it."""
    image, targets = torch.rand(1, 3, *model.image_size), torch.arange(CLASSES).view(1, -1)
    plain, contrast = resolve_method(method), resolve_method(f"var:{method}")
    runs = [
        lambda: contrast(model, image, targets),
        lambda: plain(model, image, targets[:, :1]),
        lambda: plain(model, image, targets),
        lambda: contrast(model, image, targets[:, :1]),
    ]
    for run in runs:
        run()  # warm-up; also caches the reference's run
    turns = [[seconds(run) for run in runs] for _ in range(repeats)]
    shown = []
    for own, beside, label in ((0, 1, "1 class"), (0, 2, f"{CLASSES} classes"), (3, 1, "1 class")):
        ratios = [[one / other for one, other in zip(turn[own], turn[beside], strict=True)] for turn in turns]
        clock, processor = (statistics.median(kind) for kind in zip(*ratios, strict=True))
        shown.append(f"{clock:.2f} / {processor:.2f} x {label}")
    alone = statistics.median(turn[1][1] for turn in turns)
    name = f"{model.name}, {model.image_size[0]} px"
    print(
        f"{name:36s} var:{method:9s} {shown[0]:24s} {shown[1]:26s} limit {LIMITS[method]}   "
        f"topk {shown[2]:24s} {method} {alone:.3f} s"
    )


def build(name: str, size: int | None) -> Classifier:
    model = load_model(f"timm/{name}", weights="random")
    if size is not None and not isinstance(model, ViT):
        model.preprocess = replace(model.preprocess, size=(size, size))
    return model


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--models", nargs="+", default=["resnet50", "resnet18", "deit_tiny_patch16_224"])
    parser.add_argument("--methods", nargs="+", default=list(LIMITS), choices=list(LIMITS))
    parser.add_argument("--image", type=int, help="pixels, for networks without tokens")
    parser.add_argument("--repeats", type=int, default=15)
    parser.add_argument("--threads", type=int, default=1)
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    torch.manual_seed(0)
    print(
        f"four classes with VAR, as a multiple of the plain method of …: clock / processor, {options.threads} thread(s)"
    )
    for name in options.models:
        model = build(name, options.image)
        for method in options.methods:
            if method == "caap" and not isinstance(model, ViT):
                continue  # one pass a patch: minutes, of which VAR is nothing
            measure(model, method, options.repeats)
