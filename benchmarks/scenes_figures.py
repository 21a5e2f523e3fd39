"""The results in docs/scenes.md: accuracy of the bundled ViTs on Scenes, and that the ground truth is causal for them.

python benchmarks/scenes_figures.py [--images 2000] [--twins 500]      # writes data/scenes_vit.csv
"""

import argparse
import csv
import subprocess
import time
from datetime import date
from pathlib import Path

import torch
from scipy.stats import binomtest

from seewhy.zoo.scenes import CLASS_NAMES, Scenes
from seewhy.zoo.scenes.vit import MEAN, SHORTCUT, STD, scenes_vit, scenes_vit_shortcut


@torch.inference_mode()
def logits_of(vit, images):
    mean, std = (torch.tensor(values)[:, None, None] for values in (MEAN, STD))
    batches = torch.stack(list(images)).split(50)
    return torch.cat([vit((batch - mean) / std) for batch in batches])


def chunks(count, size=200):
    return (range(start, min(start + size, count)) for start in range(0, count, size))


def collect(vit, scenes, count):
    """Logits of `count` scenes, drawn in chunks to save memory."""
    return torch.cat([logits_of(vit, [scenes(i).image for i in indices]) for indices in chunks(count)])


OUT = Path(__file__).parent / "data" / "scenes_vit.csv"
FIELDS = ["network", "measure", "value", "low", "high", "n", "commit", "date"]


def row(network, measure, condition):
    """The share of a condition with its Wilson interval."""
    count, total = int(condition.sum()), len(condition)
    interval = binomtest(count, total).proportion_ci(method="wilson")
    numbers = {"value": count / total, "low": interval.low, "high": interval.high}
    return {"network": network, "measure": measure, "n": total} | {key: f"{n:.4f}" for key, n in numbers.items()}


def accuracy(vit, count):
    scenes, labels = Scenes("test", count), torch.arange(count) % len(CLASS_NAMES)
    started = time.perf_counter()
    logits = collect(vit, scenes.__getitem__, count)
    print(f"drawing and classifying: {count / (time.perf_counter() - started):.1f} images per second")
    right = logits.argmax(1) == labels
    yield row("scenes-vit", "accuracy", right)
    yield row("scenes-vit", "accuracy within the look-alike pair",
              logits.gather(1, labels[:, None])[:, 0] > logits.gather(1, labels[:, None] ^ 1)[:, 0])  # fmt: skip
    worst = min(range(len(CLASS_NAMES)), key=lambda label: float(right[labels == label].float().mean()))
    yield row("scenes-vit", f"accuracy of the worst class, {CLASS_NAMES[worst]}", right[labels == worst])


def causality(vit, count):
    scenes, labels = Scenes("test", count), torch.arange(count) % len(CLASS_NAMES)
    before = collect(vit, scenes.__getitem__, count).argmax(1)
    twins = collect(vit, scenes.counterfactual, count).argmax(1)
    controls = collect(vit, scenes.control, count).argmax(1)
    yield row("scenes-vit", "part repainted as the look-alike's: predicts the look-alike", twins == (labels ^ 1))
    changed = (controls == labels ^ 1) & (before != labels ^ 1)
    yield row("scenes-vit", "as many pixels repainted elsewhere: predicts the look-alike", changed)
    yield row("scenes-vit", "as many pixels repainted elsewhere: the prediction changes", controls != before)


def shortcut(vit, count):
    scenes, labels = Scenes("test", count), torch.arange(count) % len(CLASS_NAMES)
    others = labels != SHORTCUT
    plain, planted = (collect(vit, draw, count).argmax(1) for draw in (scenes.__getitem__, scenes.planted))
    name = CLASS_NAMES[SHORTCUT]
    yield row(
        "scenes-vit-shortcut", f"circle added to images of other classes: predicts {name}", planted[others] == SHORTCUT
    )
    yield row("scenes-vit-shortcut", f"the same images without the circle: predicts {name}", plain[others] == SHORTCUT)
    yield row("scenes-vit-shortcut", "accuracy without any circle", plain == labels)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--images", type=int, default=2000)
    parser.add_argument("--twins", type=int, default=500)
    options = parser.parse_args()
    rows = [
        *accuracy(scenes_vit(), options.images),
        *causality(scenes_vit(), options.twins),
        *shortcut(scenes_vit_shortcut(), options.twins),
    ]
    command = ["git", "rev-parse", "--short", "HEAD"]
    commit = subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip()
    with OUT.open("w", newline="") as file:
        writer = csv.DictWriter(file, FIELDS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(each | {"commit": commit, "date": str(date.today())} for each in rows)


if __name__ == "__main__":
    main()
