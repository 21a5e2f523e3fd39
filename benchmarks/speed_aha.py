"""Speed of AHA relative to plain passes: a map against a forward pass, training against forward and backward passes.

    python benchmarks/speed_aha.py --model seewhy/scenes-vit

Plain passes and AHA alternate, so that both see the same load; medians. The explainer is untrained.
"""

import argparse
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from statistics import median

import torch

import seewhy
from seewhy.explainers.network import AHAExplainer
from seewhy.methods.aha import aha
from seewhy.models.classifier import Classifier
from seewhy.runtime.malloc import keep_freed_memory
from seewhy.train.config import make_config
from seewhy.train.loop import TrainingRun
from seewhy.zoo.scenes import Scenes

BATCH, PLAIN = 8, 64  # images per training step, and per plain forward and backward pass


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--model", default="seewhy/scenes-vit")
    parser.add_argument("--rounds", type=int, default=7)
    options = parser.parse_args()
    keep_freed_memory()
    model = seewhy.load_model(options.model)
    print(f"{model.describe()}, {torch.get_num_threads()} threads")
    with tempfile.TemporaryDirectory() as folder:
        AHAExplainer(model).save(folder)
        for count in (1, 16):
            images = torch.rand(count, 3, *model.image_size)
            targets = torch.zeros(count, 1, dtype=torch.long)
            plain, ours = alternate(
                8 * options.rounds,
                partial(forward, model, images),
                partial(aha, model, images, targets, explainer=folder),
            )
            print(f"  a map, {count:2d} images at once: {ours / plain:.2f} plain forwards")
    with tempfile.TemporaryDirectory() as folder:
        measure_training(model, Path(folder), options.rounds)


def measure_training(model: Classifier, folder: Path, rounds: int) -> None:
    config = make_config(batch=BATCH, iterations=rounds + 1, held_out=2, evaluated=1)
    run = TrainingRun(model, Scenes("train", 10 * BATCH), folder, config)
    with model.frozen_eval(), torch.enable_grad():
        plain, ours = alternate(rounds, lambda: forward_backward(model), run.step)
    forwards = run.progress.forwards / run.progress.step
    speed, plain_speed = forwards / ours, PLAIN / plain
    print(f"  training: {forwards / BATCH:.0f} forwards per image, {speed:.1f} a second")
    print(f"  plain forward and backward: {plain_speed:.1f} a second; training reaches {speed / plain_speed:.0%}")


def forward(model: Classifier, images: torch.Tensor) -> None:
    with torch.no_grad(), model.frozen_eval():
        model.logits(images)


def forward_backward(model: Classifier) -> None:
    images = torch.rand(PLAIN, 3, *model.image_size)
    for part in images.split(16):
        leaf = part.clone().requires_grad_()
        torch.autograd.grad(model.logits(leaf).logsumexp(1).sum(), leaf)


def alternate(rounds: int, first: Callable[[], object], second: Callable[[], object]) -> tuple[float, float]:
    """Median seconds of two alternating functions; the first round is a warm-up."""
    times: list[list[float]] = [[], []]
    for _ in range(rounds + 1):
        for kept, run in zip(times, (first, second), strict=True):
            start = time.perf_counter()
            run()
            kept.append(time.perf_counter() - start)
    return median(times[0][1:]), median(times[1][1:])


if __name__ == "__main__":
    main()
