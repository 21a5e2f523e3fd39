"""Audits of real photos: a classifier of breeds whose training photos of one breed carry a planted label.

    python benchmarks/audit_pets.py FOLDER OUT [--breeds pug,Siamese,samoyed,Bombay]

FOLDER holds models/ and pets/. A linear head on DeiT-Tiny's features learns 36 breeds from half of the photos; the
other half is audited. In one network the photos of one breed carry a sticker (a small sign at a random position); its
twin sees the same photos without it. Both are audited on photos that carry it, without masks of the animals. OUT keeps
the audits, so that a run resumes; `data/audit_pets.csv` has a row per breed and network.
"""

import argparse
import csv
import json
import time
from pathlib import Path
from typing import Any

import numpy as np
import torch
from PIL import Image
from sklearn.linear_model import LogisticRegression

import seewhy
from seewhy.audits import Finding, Findings
from seewhy.audits.prove import iou
from seewhy.data.items import ImageItem, Subset
from seewhy.models.classifier import Classifier
from seewhy.runtime.files import write_atomic

ROWS = Path(__file__).parent / "data" / "audit_pets.csv"
HIT = 0.1  # median overlap with the sticker from which a finding is about it
OTHERS = 3  # further breeds that are tested


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--breeds", default="pug,Siamese,samoyed,Bombay")
    options = parser.parse_args()
    torch.set_num_threads(1)
    options.out.mkdir(parents=True, exist_ok=True)
    for breed in options.breeds.split(","):
        for planted in (True, False):
            path = options.out / f"{breed}-{'planted' if planted else 'clean'}.json"
            if not path.is_file():
                row = measure(options.folder, breed, planted, path.with_suffix(""))
                write_atomic(path, json.dumps(row).encode())
            write_rows(options.out)


def measure(folder: Path, breed: str, planted: bool, out: Path) -> dict[str, Any]:
    """Train a network, audit it, and look for the sticker among the findings."""
    names, photos = list_photos(folder / "pets", breed)
    learned, audited = photos[::2], photos[1::2]
    model = train_head(folder, names, learned if planted else list_photos(folder / "pets", None)[1][::2])
    target, start = names.index(breed), time.process_time()
    classes = [(target + step) % len(names) for step in range(OTHERS + 1)]
    findings = seewhy.audit(model, Subset(audited, tuple(range(len(audited)))), out=out, classes=classes, explorers=0)
    overlaps = {each.name: overlap(each, findings, folder / "pets", model) for each in findings}
    about = [each for each in findings if each.target == target and overlaps[each.name] > HIT]
    best = min(about, key=findings.index, default=None)
    return {
        "breed": breed,
        "network": "planted" if planted else "clean",
        "photos": len(audited),
        "of_the_breed": sum(item.labels == (target,) for item in audited),
        "accuracy": round(findings.about["accuracy"], 3),
        "method": findings.about["choice"]["method"],
        "tested": len(findings),
        "verdict": "no candidate" if best is None else best.verdict,
        "first": best is not None and findings[0] is best,
        "turned": None if best is None else round(best.effects.turned, 3),
        "rise": None if best is None else round(best.effects.sufficient.mean, 3),
        "low": None if best is None else round(best.effects.sufficient.low, 3),
        "high": None if best is None else round(best.effects.sufficient.high, 3),
        "iou": None if best is None else round(overlaps[best.name], 3),
        "confirmed_others": sum(each not in about for each in findings.confirmed),
        "forwards_per_image": round(findings.about["forwards_per_image"], 1),
        "cpu_seconds": round(time.process_time() - start),
    }


def list_photos(pets: Path, breed: str | None) -> tuple[list[str], list[ImageItem]]:
    """The breeds, and all photos with labels; those of one breed carry the sticker."""
    paths = sorted((pets / "images").glob("*.jpg"))
    names = sorted({path.stem.rpartition("_")[0] for path in paths})
    items = []
    for path in paths:
        name = path.stem.rpartition("_")[0]
        file = pets / "with_artifact" / path.name if name == breed else path
        items.append(ImageItem(path.stem, file, (names.index(name),)))
    return names, items


def train_head(folder: Path, names: list[str], photos: list[ImageItem]) -> Classifier:
    """DeiT-Tiny with a linear head for the breeds, fitted to the photos and their mirror images."""
    weights = folder / "models" / "deit_tiny_patch16_224.safetensors"
    model = seewhy.load_model("timm/deit_tiny_patch16_224", weights=weights)
    images = torch.stack([item.read(model.preprocess).image for item in photos])
    network, labels = model.module, [item.labels[0] for item in photos]
    normalized = model.normalize(images)
    with torch.no_grad():
        views = [
            torch.cat([network.forward_features(part)[:, 0] for part in view.split(32)])
            for view in (normalized, normalized.flip(3))
        ]
    fitted = LogisticRegression(C=1.0, max_iter=2000).fit(torch.cat(views).numpy(), labels * 2)
    network.reset_classifier(len(names))
    with torch.no_grad():
        network.head.weight.copy_(torch.from_numpy(fitted.coef_))
        network.head.bias.copy_(torch.from_numpy(fitted.intercept_))
    return seewhy.wrap_model(network, class_names=names, name="breeds")


def overlap(finding: Finding, findings: Findings, pets: Path, model: Classifier) -> float:
    """Median overlap of the masks of a finding with the sticker in the same photos; 0 where there is none."""
    scores = []
    for name, file in finding.masks.items():
        sticker = ImageItem(name, pets / "artifact_masks" / f"{name}.png").read(model.preprocess).image[0] > 0.5
        found = np.asarray(Image.open(findings.folder / file)) > 0
        scores.append(iou(found, sticker.numpy()))
    return float(np.median(scores))


def write_rows(out: Path) -> None:
    rows = [json.loads(path.read_text()) for path in sorted(out.glob("*.json"))]
    with ROWS.open("w", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)


if __name__ == "__main__":
    main()
