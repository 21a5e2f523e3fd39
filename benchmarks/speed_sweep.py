"""Cost of the shared sweep, against the bare forward passes and against one sweep per metric with equal scores.

    python benchmarks/speed_sweep.py FOLDER --photos 3 --rounds 3 --threads 1 --separate

Ratios of the rounds go to `data/speed_sweep.csv`; `--separate` adds one sweep per metric. FOLDER holds `models/` and
`imagenet-val/` with its `index.jsonl`. Times on one thread are CPU seconds of this process, so that other load on the
machine does not count; on several threads they are those of the clock, which needs a quiet machine. Variants alternate.
"""

import argparse
import json
import statistics
import time
from pathlib import Path

import torch
from one_sweep_per_metric import score_row
from ratios import record

import seewhy
from seewhy.data import read_images
from seewhy.metrics import score_maps
from seewhy.models.classifier import Classifier

LIMITS = {"sweep / bare forwards": 1.10, "deletion alone / both": 0.55}
ROW = ("deletion", "insertion", "ins_del", "positive", "negative", "neg_pos", "average_drop", "increase_in_confidence")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--photos", type=int, default=3)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--separate", action="store_true", help="also one sweep per metric")
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    weights = options.folder / "models" / "deit_tiny_patch16_224.safetensors"
    model = seewhy.load_model("timm/deit_tiny_patch16_224", weights=weights)
    images = read_photos(model, options.folder / "imagenet-val", options.photos)
    explanation = seewhy.explain(model, images, method="grad_cam")
    maps, targets = explanation.maps, explanation.targets
    compare(model, images, maps, targets, options.rounds, separate=options.separate)
    overhead(model, images, maps, targets)


def read_photos(model: Classifier, folder: Path, count: int) -> torch.Tensor:
    lines = (folder / "index.jsonl").read_text().splitlines()
    chosen = [folder / json.loads(line)["file"] for line in lines[:: len(lines) // count][:count]]
    return read_images(chosen, model.preprocess).images


def compare(model, images, maps, targets, rounds: int, *, separate: bool) -> None:
    tasks = {
        "bare": lambda: bare_forwards(model, images, 121),
        "sweep": lambda: score_maps(model, images, maps, targets, metrics=ROW, strict=True),
        "deletion": lambda: score_maps(model, images, maps, targets, metrics=["deletion"], strict=True),
        "both": lambda: score_maps(model, images, maps, targets, metrics=["deletion", "insertion"], strict=True),
    }
    if separate:
        tasks["six sweeps"] = lambda: score_row(model, images, maps, targets, reuse=True)
        tasks["eight sweeps"] = lambda: score_row(model, images, maps, targets, reuse=False)
    seconds: dict[str, list[float]] = {name: [] for name in tasks}
    forwards, results = {}, {}
    for task in tasks.values():
        task()  # warm-up
    for _ in range(rounds):
        for name, task in tasks.items():
            with model.meter() as cost:
                start = clock()
                results[name] = task()
                seconds[name].append((clock() - start) / len(images))
            forwards[name] = cost.forwards / len(images)
    for name, taken in seconds.items():
        print(f"{name:13} {forwards[name]:6.0f} forwards {statistics.median(taken):8.3f} s per image")
    pairs = {"sweep / bare forwards": ("sweep", "bare"), "deletion alone / both": ("deletion", "both")}
    if separate:
        pairs["six sweeps / shared sweep"] = "six sweeps", "sweep"  # differences for free
        pairs["eight sweeps / shared sweep"] = "eight sweeps", "sweep"
        print(f"largest difference of any score: {largest_difference(results['sweep'], results['eight sweeps']):.1e}")
    ratios = {
        title: [a / b for a, b in zip(seconds[first], seconds[second], strict=True)]
        for title, (first, second) in pairs.items()
    }
    record("speed_sweep", model.name, torch.get_num_threads(), ratios, LIMITS)


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
    """Forward passes of precomputed images, in the chunks of the sweep."""
    with torch.no_grad(), model.frozen_eval():
        for image in images:
            for part in image.expand(times, -1, -1, -1).split(model.chunk):
                model.logits(part)


def largest_difference(rows: list[dict], plain: dict) -> float:
    """Largest difference of any score; percentages are compared as fractions."""
    scale = {"average_drop": 0.01, "increase_in_confidence": 0.01}
    found = {(row["image"], row["metric"], row["reference"]): row["score"] for row in rows if row["reference"] != "all"}
    return max(abs(found[key] - value) * scale.get(key[1], 1.0) for key, value in plain.items())


if __name__ == "__main__":
    main()
