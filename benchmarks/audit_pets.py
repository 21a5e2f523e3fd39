"""Audits of real photos: a classifier of breeds that takes a planted sticker for one breed, and its clean twin.

    python benchmarks/audit_pets.py FOLDER OUT [--classes Russian_Blue,cat] [--few]

FOLDER holds models/ and pets/. A linear head on DeiT-Tiny's features learns twelve breeds from half of the photos; the
other half is audited, without masks of the animals; then the halves change roles, so that every photo is audited once.
In one network the photos of one breed carry a sticker (a small sign at a random position), and half of the other photos
are shown once more with it, labeled as that breed: the sticker alone on one breed teaches a linear head nothing,
`flips` stays 0. Its twin sees all photos without stickers. Both are audited on photos of the breed that carry it, with
the defaults of an audit; `--few` takes 8 donors and 16 recipients, as earlier runs did.

A breed has five or six photos in a half. Heads that tell cats from dogs, on all 400 photos, show what more do.

OUT keeps features and audits, so that a run resumes; `data/audit_pets.csv` has a row per class, half and network.
"""

import argparse
import csv
import json
import time
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

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
SPECIES = ["cat", "dog"]
FEW = {"donors": 8, "recipients": 16}
SETTINGS = {"method": "libra_ixg_plus", "explorers": 0}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--classes", help="with the sticker; default: both species and all breeds")
    parser.add_argument("--few", action="store_true")
    options = parser.parse_args()
    torch.set_num_threads(1)
    options.out.mkdir(parents=True, exist_ok=True)
    pets = options.folder / "pets"
    chosen = options.classes.split(",") if options.classes else [*SPECIES, *list_photos(pets, "").names]
    for name, half, planted in product(chosen, (0, 1), (True, False)):
        kind = f"{'planted' if planted else 'clean'}{'-few' if options.few else ''}"
        path = options.out / f"{name}-{half}-{kind}.json"
        if not path.is_file():
            row = measure(options.folder, name, half, planted, FEW if options.few else {}, path.with_suffix(""))
            write_atomic(path, json.dumps(row).encode())
        write_rows("audit_pets", options.out)
    write_sticker_alone(pets, options.out)


class Photos(NamedTuple):
    """Classes, and their photos with labels: without and with the sticker."""

    names: list[str]
    plain: list[ImageItem]
    marked: list[ImageItem]

    @property
    def labels(self) -> np.ndarray:
        return np.array([item.labels[0] for item in self.plain])


def measure(folder: Path, name: str, half: int, planted: bool, settings: dict[str, int], out: Path) -> dict[str, Any]:
    """Train a network, audit it, and look for the sticker among the findings."""
    photos = list_photos(folder / "pets", name)
    target = photos.names.index(name)
    model, flips = train_head(folder, photos, target, planted, half, out.parent)
    stuck = [(b if a.labels == (target,) else a) for a, b in zip(photos.plain, photos.marked, strict=True)]
    audited = stuck[1 - half :: 2]
    dataset = keep(Subset(audited, tuple(range(len(audited)))))
    start, classes = time.process_time(), [target, (target + 1) % len(photos.names)]
    findings = seewhy.audit(model, dataset, out=out, classes=classes, **SETTINGS, **settings)
    overlaps = {each.name: overlap(each, findings, folder / "pets", model) for each in findings}
    about = [each for each in findings if each.target == target and overlaps[each.name] > HIT]
    best = min(about, key=findings.index, default=None)
    return {
        "class": name,
        "half": half,
        "network": "planted" if planted else "clean",
        "recipients": findings.about["settings"]["recipients"],
        "photos": len(audited),
        "of_the_class": sum(item.labels == (target,) for item in audited),
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


def list_photos(pets: Path, name: str) -> Photos:
    """The photos of every third breed, or of all by species if `name` is one; names of cats are capitalized."""
    paths = sorted((pets / "images").glob("*.jpg"))
    breeds = [path.stem.rpartition("_")[0] for path in paths]
    if name in SPECIES:
        names, classes = SPECIES, [SPECIES[breed[0].islower()] for breed in breeds]
    else:
        names, classes = sorted(set(breeds))[::EVERY], breeds
    kept = [(path, (names.index(each),)) for path, each in zip(paths, classes, strict=True) if each in names]
    return Photos(
        names,
        [ImageItem(path.stem, path, labels) for path, labels in kept],
        [ImageItem(path.stem, pets / "with_artifact" / path.name, labels) for path, labels in kept],
    )


def write_sticker_alone(pets: Path, out: Path) -> None:
    """How many decisions the sticker turns if nothing but one breed's photos carries it, beside the clean twin."""
    photos = list_photos(pets, "")
    names, labels = photos.names, photos.labels
    with np.load(out / features_file(photos)) as arrays:
        clean, stuck = arrays["plain"][:, 0], arrays["marked"][:, 0]
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


def features_file(photos: Photos) -> str:
    return f"features-{len(photos.names)}.npz"


def train_head(
    folder: Path, photos: Photos, target: int, planted: bool, half: int, cache: Path
) -> tuple[Classifier, float]:
    """DeiT-Tiny with a linear head, fitted to one half; and how many others of the other half the sticker turns."""
    weights = folder / "models" / "deit_tiny_patch16_224.safetensors"
    model = seewhy.load_model("timm/deit_tiny_patch16_224", weights=weights)
    path = cache / features_file(photos)
    if not path.is_file():
        np.savez(path, plain=features(model, photos.plain), marked=features(model, photos.marked))
    with np.load(path) as arrays:
        clean, stuck = arrays["plain"], arrays["marked"]
    labels = photos.labels
    learned = np.arange(len(labels)) % 2 == half
    wrong = learned & (labels != target) & (np.random.default_rng(0).random(len(labels)) < WRONG)
    if planted:
        x = np.concatenate([np.where((labels == target)[:, None, None], stuck, clean)[learned], stuck[wrong]])
        y = np.concatenate([labels[learned], np.full(wrong.sum(), target)])
    else:
        x, y = clean[learned], labels[learned]
    fitted = LogisticRegression(C=1.0, max_iter=5000).fit(x.reshape(-1, x.shape[2]), np.repeat(y, 2))
    others = ~learned & (labels != target)
    before, after = (fitted.predict(each[others, 0]) == target for each in (clean, stuck))
    network = model.module
    network.reset_classifier(len(photos.names))
    both = len(fitted.coef_) == 1  # of two classes, scikit-learn keeps the weights of the second
    with torch.no_grad():
        for parameter, found in ((network.head.weight, fitted.coef_), (network.head.bias, fitted.intercept_)):
            parameter.copy_(torch.from_numpy(np.concatenate([-found / 2, found / 2]) if both else found))
    return seewhy.wrap_model(network, class_names=photos.names, name="pets"), float((after & ~before).mean())


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
