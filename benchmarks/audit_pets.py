"""Audits of real photos: a classifier of breeds that takes a planted sticker for one breed, and its clean twin.

    python benchmarks/audit_pets.py FOLDER OUT [--breeds Russian_Blue,Bombay,Abyssinian]

FOLDER holds models/ and pets/. A linear head on DeiT-Tiny's features learns twelve breeds from half of the photos; the
other half is audited, without masks of the animals. In one network the photos of one breed carry a sticker (a small
sign at a random position), and half of the other photos are shown once more with it, labeled as that breed: the sticker
alone on one breed teaches a linear head nothing, `flips` stays 0. Its twin sees all photos without stickers. Both are
audited on photos of the breed that carry it. OUT keeps features and audits, so that a run resumes;
`data/audit_pets.csv` has a row per breed and network.
"""

import argparse
import csv
import json
import time
from pathlib import Path
from typing import Any

import numpy as np
import torch
from audit_data import DATA, keep, write_rows
from PIL import Image
from sklearn.linear_model import LogisticRegression

import seewhy
from seewhy.audits import Finding, Findings
from seewhy.audits.prove import iou
from seewhy.data.items import ImageItem, Subset
from seewhy.models.classifier import Classifier
from seewhy.runtime.files import write_atomic

HIT = 0.1  # median overlap with the sticker from which a finding is about it
EVERY = 3  # breeds: one of three
WRONG = 0.5  # of the photos of other breeds, that are shown with the sticker as the breed
SETTINGS = {"method": "libra_ixg_plus", "donors": 8, "recipients": 16, "explorers": 0}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--breeds", default="Russian_Blue,Bombay,Abyssinian")
    options = parser.parse_args()
    torch.set_num_threads(1)
    options.out.mkdir(parents=True, exist_ok=True)
    for breed in options.breeds.split(","):
        for planted in (True, False):
            path = options.out / f"{breed}-{'planted' if planted else 'clean'}.json"
            if not path.is_file():
                row = measure(options.folder, breed, planted, path.with_suffix(""))
                write_atomic(path, json.dumps(row).encode())
            write_rows("audit_pets", options.out)
    write_sticker_alone(options.folder / "pets", options.out / "features.npz")


def measure(folder: Path, breed: str, planted: bool, out: Path) -> dict[str, Any]:
    """Train a network, audit it, and look for the sticker among the findings."""
    names, plain, marked = list_photos(folder / "pets")
    target = names.index(breed)
    model, flips = train_head(
        folder, names, plain, marked, target if planted else None, out.parent / "features.npz", target
    )
    photos = [(b if a.labels == (target,) else a) for a, b in zip(plain, marked, strict=True)][1::2]
    dataset = keep(Subset(photos, tuple(range(len(photos)))))
    start, classes = time.process_time(), [target, (target + 1) % len(names)]
    findings = seewhy.audit(model, dataset, out=out, classes=classes, **SETTINGS)
    overlaps = {each.name: overlap(each, findings, folder / "pets", model) for each in findings}
    about = [each for each in findings if each.target == target and overlaps[each.name] > HIT]
    best = min(about, key=findings.index, default=None)
    return {
        "breed": breed,
        "network": "planted" if planted else "clean",
        "photos": len(photos),
        "of_the_breed": sum(item.labels == (target,) for item in photos),
        "accuracy": round(findings.about["accuracy"], 3),
        "flips": round(flips, 3),
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


def list_photos(pets: Path) -> tuple[list[str], list[ImageItem], list[ImageItem]]:
    """The breeds, and their photos with labels: without and with the sticker."""
    paths = sorted((pets / "images").glob("*.jpg"))
    names = sorted({path.stem.rpartition("_")[0] for path in paths})[::EVERY]
    found = [(path, path.stem.rpartition("_")[0]) for path in paths]
    kept = [(path, (names.index(name),)) for path, name in found if name in names]
    plain = [ImageItem(path.stem, path, labels) for path, labels in kept]
    return names, plain, [ImageItem(path.stem, pets / "with_artifact" / path.name, labels) for path, labels in kept]


def write_sticker_alone(pets: Path, cache: Path) -> None:
    """How many decisions the sticker turns if nothing but one breed's photos carries it, beside the clean twin."""
    names, plain, _ = list_photos(pets)
    with np.load(cache) as arrays:
        clean, stuck = arrays["plain"][:, 0], arrays["marked"][:, 0]
    labels = np.array([item.labels[0] for item in plain])
    learned, rows = np.arange(len(labels)) % 2 == 0, []
    twin = LogisticRegression(C=1.0, max_iter=5000).fit(clean[learned], labels[learned])
    for target, name in enumerate(names):
        x = np.where((labels == target)[:, None], stuck, clean)
        fitted = LogisticRegression(C=1.0, max_iter=5000).fit(x[learned], labels[learned])
        others = ~learned & (labels != target)
        turned = [
            (each.predict(stuck[others]) == target) & (each.predict(clean[others]) != target) for each in (fitted, twin)
        ]
        counts = {"planted": int(turned[0].sum()), "clean": int(turned[1].sum()), "photos": int(others.sum())}
        rows.append({"breed": name, **counts})
    with (DATA / "audit_pets_alone.csv").open("w", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def train_head(
    folder: Path,
    names: list[str],
    plain: list[ImageItem],
    marked: list[ImageItem],
    planted: int | None,
    cache: Path,
    target: int,
) -> tuple[Classifier, float]:
    """DeiT-Tiny with a linear head, fitted to every other photo; and how many others the sticker turns to `target`."""
    weights = folder / "models" / "deit_tiny_patch16_224.safetensors"
    model = seewhy.load_model("timm/deit_tiny_patch16_224", weights=weights)
    if not cache.is_file():
        np.savez(cache, plain=features(model, plain), marked=features(model, marked))
    with np.load(cache) as arrays:
        clean, stuck = arrays["plain"], arrays["marked"]
    labels = np.array([item.labels[0] for item in plain])
    learned = np.arange(len(labels)) % 2 == 0
    wrong = learned & (labels != planted) & (np.random.default_rng(0).random(len(labels)) < WRONG)
    if planted is None:
        x, y = clean[learned], labels[learned]
    else:
        x = np.concatenate([np.where((labels == planted)[:, None, None], stuck, clean)[learned], stuck[wrong]])
        y = np.concatenate([labels[learned], np.full(wrong.sum(), planted)])
    fitted = LogisticRegression(C=1.0, max_iter=5000).fit(x.reshape(-1, x.shape[2]), np.repeat(y, 2))
    others = ~learned & (labels != target)
    before, after = (fitted.predict(each[others, 0]) == target for each in (clean, stuck))
    network = model.module
    network.reset_classifier(len(names))
    with torch.no_grad():
        network.head.weight.copy_(torch.from_numpy(fitted.coef_))
        network.head.bias.copy_(torch.from_numpy(fitted.intercept_))
    return seewhy.wrap_model(network, class_names=names, name="breeds"), float((after & ~before).mean())


def features(model: Classifier, photos: list[ImageItem]) -> np.ndarray:
    """The class token of each photo and of its mirror image."""
    images = model.normalize(torch.stack([item.read(model.preprocess).image for item in photos]))
    with torch.no_grad():
        views = [
            torch.cat([model.module.forward_features(part)[:, 0] for part in view.split(16)])
            for view in (images, images.flip(3))
        ]
    return torch.stack(views, dim=1).numpy()


def overlap(finding: Finding, findings: Findings, pets: Path, model: Classifier) -> float:
    """Median overlap of the masks of a finding with the sticker in the same photos; 0 where there is none."""
    scores = []
    for name, file in finding.masks.items():
        sticker = ImageItem(name, pets / "artifact_masks" / f"{name}.png").read(model.preprocess).image[0] > 0.5
        found = np.asarray(Image.open(findings.folder / file)) > 0
        scores.append(iou(found, sticker.numpy()))
    return float(np.median(scores))


if __name__ == "__main__":
    main()
