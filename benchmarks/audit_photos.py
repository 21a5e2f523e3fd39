"""Audit of networks that nobody planted anything in: EfficientNet-Lite0 and DeiT-Tiny on ImageNet photos.

    python benchmarks/audit_photos.py FOLDER OUT [--model efficientnet-lite0] [--classes 40]

FOLDER holds imagenet-val/, with at most five photos of a class, and models/. Cues are looked for in the classes that
are predicted most often. `data/audit_photos.csv` has a row per candidate of each network. Evidence in the boxes of the
objects is left out. OUT keeps the audit, so that a run resumes.
"""

import argparse
import csv
import json
import time
from collections import Counter
from pathlib import Path
from typing import Any

import torch

import seewhy
from seewhy.audits import Finding
from seewhy.data import open_dataset
from seewhy.data.items import Dataset
from seewhy.models.classifier import Classifier
from seewhy.runtime.files import write_atomic

ROWS = Path(__file__).parent / "data" / "audit_photos.csv"
METHODS = {"efficientnet-lite0": "grad_cam", "deit-tiny": "libra_ixg_plus"}  # of the maps, by network
SETTINGS = {"donors": 8, "recipients": 16, "min_images": 3, "per_class": 1}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--model", default="efficientnet-lite0", choices=METHODS)
    parser.add_argument("--classes", type=int, default=40)
    options = parser.parse_args()
    torch.set_num_threads(1)
    out = options.out / options.model
    out.mkdir(parents=True, exist_ok=True)
    model = load(options.model, options.folder)
    photos = open_dataset("index", path=options.folder / "imagenet-val")
    classes = frequent_predictions(model, photos, options.classes, out / "predicted.json")
    start = time.process_time()
    findings = seewhy.audit(
        model, photos, out=out / "audit", classes=classes, method=METHODS[options.model], **SETTINGS
    )
    seconds = round(time.process_time() - start)
    print(f"{len(photos)} photos, {seconds} CPU seconds", findings, sep="\n")
    about = {"network": options.model, "photos": len(photos), "classes": len(classes), "cpu_seconds": seconds}
    rows = [about | row_of(each) for each in findings]
    old = list(csv.DictReader(ROWS.open(newline=""))) if ROWS.is_file() else []
    rows = [row for row in old if row["network"] != options.model] + rows
    with ROWS.open("w", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def load(name: str, folder: Path) -> Classifier:
    if name == "deit-tiny":
        weights = folder / "models" / "deit_tiny_patch16_224.safetensors"
        return seewhy.load_model("timm/deit_tiny_patch16_224", weights=weights)
    return seewhy.load_model(f"seewhy/{name}")


def frequent_predictions(model: Classifier, photos: Dataset, count: int, path: Path) -> list[int]:
    """The classes that are predicted most often; kept in a file."""
    if not path.is_file():
        predicted = []
        for index in range(len(photos)):
            image = photos[index].read(model.preprocess).image.unsqueeze(0)
            predicted.append(int(model.probabilities(image).argmax()))
        write_atomic(path, json.dumps(predicted).encode())
    return [label for label, _ in Counter(json.loads(path.read_text())).most_common(count)]


def row_of(finding: Finding) -> dict[str, Any]:
    effects = finding.effects
    return {
        "class": finding.class_name.partition(",")[0],
        "verdict": finding.verdict,
        "images": finding.images,
        "turned": round(effects.turned, 3),
        "rise": round(effects.sufficient.mean, 3),
        "low": round(effects.sufficient.low, 3),
        "high": round(effects.sufficient.high, 3),
        "drop": round(effects.necessary.mean, 3),
        "p_paste": f"{finding.p_sufficient:.2g}",
        "p_remove": f"{finding.p_necessary:.2g}",
        "area": round(finding.area, 4),
    }


if __name__ == "__main__":
    main()
