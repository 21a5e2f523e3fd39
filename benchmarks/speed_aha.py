"""Speed of AHA relative to plain passes: a map against a forward pass, training against forward and backward passes.

    python benchmarks/speed_aha.py --model seewhy/scenes-vit
    python benchmarks/speed_aha.py --model timm/deit_tiny_patch16_224 --weights FILE --prior libra_ixg_plus

Plain passes and AHA alternate, so that both see the same load; medians. The explainer is untrained. A map's cost is
written to `data/speed_aha.csv`, with the quartiles of the rounds.
"""

import argparse
import csv
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from statistics import median, quantiles

import torch

import seewhy
from seewhy.explainers.network import AHAExplainer
from seewhy.methods.aha import aha
from seewhy.models.classifier import Classifier
from seewhy.runtime.malloc import keep_freed_memory
from seewhy.train.config import make_config
from seewhy.train.loop import TrainingRun
from seewhy.zoo.scenes import Scenes

OUT = Path(__file__).parent / "data" / "speed_aha.csv"
BATCH, PLAIN = 8, 64  # images per training step, and per plain forward and backward pass


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--model", default="seewhy/scenes-vit")
    parser.add_argument("--weights")
    parser.add_argument("--prior", default="head")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--no-training", action="store_true")
    options = parser.parse_args()
    keep_freed_memory()
    model = seewhy.load_model(options.model, **({"weights": options.weights} if options.weights else {}))
    print(f"{model.describe()}, {torch.get_num_threads()} threads")
    with tempfile.TemporaryDirectory() as folder:
        AHAExplainer(model, make_config(prior=options.prior).explainer).save(folder)
        for count in (1, 16):
            images = torch.rand(count, 3, *model.image_size)
            targets = torch.zeros(count, 1, dtype=torch.long)
            times = alternate(
                8 * options.rounds // count + 2,
                partial(forward, model, images),
                partial(run_aha, model, images, targets, folder),
            )
            ratios = sorted(ours / plain for plain, ours in zip(*times, strict=True))
            record(options, count, ratios)
            print(f"  a map, {count:2d} images at once: {median(ratios):.2f} plain forwards")
    if options.no_training:
        return
    with tempfile.TemporaryDirectory() as folder:
        measure_training(model, Path(folder), options.rounds)


def measure_training(model: Classifier, folder: Path, rounds: int) -> None:
    config = make_config(batch=BATCH, iterations=rounds + 1, held_out=2, evaluated=1)
    run = TrainingRun(model, Scenes("train", 10 * BATCH), folder, config)
    with model.frozen_eval(), torch.enable_grad():
        plain, ours = map(median, alternate(rounds, lambda: forward_backward(model), run.step))
    forwards = run.progress.forwards / run.progress.step
    speed, plain_speed = forwards / ours, PLAIN / plain
    print(f"  training: {forwards / BATCH:.0f} forwards per image, {speed:.1f} a second")
    print(f"  plain forward and backward: {plain_speed:.1f} a second; training reaches {speed / plain_speed:.0%}")


def record(options: argparse.Namespace, count: int, ratios: list[float]) -> None:
    """Replace the row of this measurement."""
    rows = []
    if OUT.exists():
        with OUT.open(newline="") as file:
            rows = list(csv.DictReader(file))
    key = {"model": options.model, "prior": options.prior, "images at once": str(count)}
    rows = [row for row in rows if any(row[name] != value for name, value in key.items())]
    low, middle, high = quantiles(ratios, n=4)
    found = {"rounds": len(ratios), "forwards": f"{middle:.2f}", "low": f"{low:.2f}", "high": f"{high:.2f}"}
    with OUT.open("w", newline="") as file:
        table = csv.DictWriter(file, [*key, *found], lineterminator="\n")
        table.writeheader()
        table.writerows([*rows, key | found])


def run_aha(model: Classifier, images: torch.Tensor, targets: torch.Tensor, folder: str) -> None:
    with model.frozen_eval():
        aha(model, images, targets, explainer=folder)


def forward(model: Classifier, images: torch.Tensor) -> None:
    with torch.no_grad(), model.frozen_eval():
        model.logits(images)


def forward_backward(model: Classifier) -> None:
    images = torch.rand(PLAIN, 3, *model.image_size)
    for part in images.split(16):
        leaf = part.clone().requires_grad_()
        torch.autograd.grad(model.logits(leaf).logsumexp(1).sum(), leaf)


def alternate(rounds: int, first: Callable[[], object], second: Callable[[], object]) -> list[list[float]]:
    """Seconds of two alternating functions in each round; a round before is a warm-up."""
    times: list[list[float]] = [[], []]
    for _ in range(rounds + 1):
        for kept, run in zip(times, (first, second), strict=True):
            start = time.perf_counter()
            run()
            kept.append(time.perf_counter() - start)
    return [kept[1:] for kept in times]


if __name__ == "__main__":
    main()
