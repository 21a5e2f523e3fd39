"""Cost of the shared sweep, against the bare forward passes and against one sweep per metric with equal scores.

    python benchmarks/speed_sweep.py FOLDER --photos 3 --rounds 3 --threads 1

FOLDER holds `models/deit_tiny_patch16_224.safetensors` and `imagenet-val/` with its `index.jsonl`. Times on one
thread are CPU seconds of this process, so that other load on the machine does not count; on several threads they are
those of the clock, which needs a quiet machine. Variants alternate.
"""

import argparse
import json
import statistics
import time
from pathlib import Path

import torch
from one_sweep_per_metric import score_row

import seewhy
from seewhy.data import read_images
from seewhy.metrics import score_maps
from seewhy.models.classifier import Classifier

ROW = ("deletion", "insertion", "ins_del", "positive", "negative", "neg_pos", "average_drop", "increase_in_confidence")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--photos", type=int, default=3)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--threads", type=int, default=1)
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    weights = options.folder / "models" / "deit_tiny_patch16_224.safetensors"
    model = seewhy.load_model("timm/deit_tiny_patch16_224", weights=weights)
    images = read_photos(model, options.folder / "imagenet-val", options.photos)
    explanation = seewhy.explain(model, images, method="grad_cam")
    maps, targets = explanation.maps, explanation.targets
    compare(model, images, maps, targets, options.rounds)
    overhead(model, images, maps, targets)


def read_photos(model: Classifier, folder: Path, count: int) -> torch.Tensor:
    lines = (folder / "index.jsonl").read_text().splitlines()
    chosen = [folder / json.loads(line)["file"] for line in lines[:: len(lines) // count][:count]]
    return read_images(chosen, model.preprocess).images


def compare(model, images, maps, targets, rounds: int) -> None:
    tasks = {
        "bare": lambda: bare_forwards(model, images, 121),
        "sweep": lambda: score_maps(model, images, maps, targets, metrics=ROW, strict=True),
        "deletion": lambda: score_maps(model, images, maps, targets, metrics=["deletion"], strict=True),
        "both": lambda: score_maps(model, images, maps, targets, metrics=["deletion", "insertion"], strict=True),
        "six sweeps": lambda: score_row(model, images, maps, targets, reuse=True),
        "eight sweeps": lambda: score_row(model, images, maps, targets, reuse=False),
    }
    seconds: dict[str, list[float]] = {name: [] for name in tasks}
    forwards, results = {}, {}
    for _ in range(rounds):
        for name, task in tasks.items():
            with model.meter() as cost:
                start = clock()
                results[name] = task()
                seconds[name].append((clock() - start) / len(images))
            forwards[name] = cost.forwards / len(images)
    best = {name: statistics.median(taken) for name, taken in seconds.items()}
    alone = statistics.median(a / b for a, b in zip(seconds["deletion"], seconds["both"], strict=True))
    for name, taken in best.items():
        print(f"{name:13} {forwards[name]:6.0f} forwards {taken:8.3f} s per image (median of {rounds})")
    print(f"sweep / bare forwards:      {best['sweep'] / best['bare']:.3f}   (at most 1.10)")
    print(f"deletion alone / both:      {alone:.3f}   (at most 0.55)")
    print(f"six sweeps / shared sweep:  {best['six sweeps'] / best['sweep']:.2f}   (differences for free)")
    print(f"eight sweeps / shared sweep: {best['eight sweeps'] / best['sweep']:.2f}  (at least 2.5)")
    print(f"largest difference of any score: {largest_difference(results['sweep'], results['eight sweeps']):.1e}")


def clock() -> float:
    return time.process_time() if torch.get_num_threads() == 1 else time.perf_counter()


def overhead(model, images, maps, targets) -> None:
    """The overhead of the sweep: its time with a network that costs nothing."""
    outputs = model.logits(images[:1]).shape[1]
    model.forward = lambda normalized: torch.zeros(len(normalized), outputs)
    taken = []
    for task in (
        lambda: bare_forwards(model, images, 121),
        lambda: score_maps(model, images, maps, targets, metrics=ROW),
    ):
        task()
        start = time.process_time()
        task()
        taken.append((time.process_time() - start) / len(images))
    print(f"overhead of the sweep: {taken[1] - taken[0]:.3f} s per image")


def bare_forwards(model, images: torch.Tensor, times: int) -> None:
    """Forward passes of precomputed images."""
    with torch.no_grad(), model.frozen_eval():
        for image in images:
            model.logits(image.expand(times, -1, -1, -1))


def largest_difference(rows: list[dict], plain: dict) -> float:
    """Largest difference of any score; percentages are compared as fractions."""
    scale = {"average_drop": 0.01, "increase_in_confidence": 0.01}
    found = {(row["image"], row["metric"], row["reference"]): row["score"] for row in rows if row["reference"] != "all"}
    return max(abs(found[key] - value) * scale.get(key[1], 1.0) for key, value in plain.items())


if __name__ == "__main__":
    main()
