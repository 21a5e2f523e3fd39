"""`explain` against the method itself: passes by the meter and time, for methods of one pass.

    python benchmarks/speed_explain.py FOLDER --rounds 25 --threads 1

FOLDER holds `models/`. Calls alternate; a ratio is that of two calls in a row. The results go to
`data/speed_explain.csv`.
"""

import argparse
import time
from collections import defaultdict
from collections.abc import Callable
from functools import partial
from pathlib import Path

import torch
from ratios import record

import seewhy
from seewhy.models.classifier import Classifier
from seewhy.models.vit import ViT
from seewhy.registry import resolve_method

LIMIT = 1.1
METHODS = {"gradient": Classifier, "grad_cam": Classifier, "grad_cam_attention": ViT}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--rounds", type=int, default=25)
    parser.add_argument("--threads", type=int, default=1)
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    for name, weights in {
        "timm/deit_tiny_patch16_224": "deit_tiny_patch16_224.safetensors",
        "seewhy/resnet50-keras": "resnet50_keras.fp16.safetensors",
    }.items():
        model = seewhy.load_model(name, weights=options.folder / "models" / weights)
        ratios = measure(model, options.rounds)
        record("speed_explain", name, options.threads, ratios, dict.fromkeys(ratios, LIMIT))


def measure(model: Classifier, rounds: int) -> dict[str, list[float]]:
    """Cost of `explain` over that of the method, round by round."""
    image, target = torch.rand(1, 3, 224, 224, generator=torch.Generator().manual_seed(0)), torch.tensor([[0]])
    ratios: dict[str, list[float]] = defaultdict(list)
    for method in (name for name, kind in METHODS.items() if isinstance(model, kind)):
        calls = partial(resolve_method(method), model, image, target), partial(explain, model, image, method)
        for call in calls:
            call()  # warm-up
        for _ in range(rounds):
            (bare, passes), (whole, all_passes) = (cost(model, call) for call in calls)
            ratios[f"{method}, seconds"].append(whole / bare)
            ratios[f"{method}, passes"].append(all_passes / passes)
    return ratios


def explain(model: Classifier, image: torch.Tensor, method: str) -> None:
    seewhy.explain(model, image, method, targets=0)


def cost(model: Classifier, call: Callable[[], object]) -> tuple[float, float]:
    """Seconds, and forward and backward passes."""
    with model.meter() as spent:
        start = time.perf_counter()
        call()
        seconds = time.perf_counter() - start
    return seconds, spent.forwards + spent.backwards


if __name__ == "__main__":
    main()
