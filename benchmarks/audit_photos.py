"""Audit of a network that nobody planted anything in: EfficientNet-Lite0 on ImageNet photos.

    python benchmarks/audit_photos.py FOLDER OUT [--images 1000] [--classes 40]

FOLDER holds imagenet-val/. Photos of the classes with most photos are audited; cues are looked for in the classes that
are predicted most often. `data/audit_photos.csv` has a row per candidate; the boxes of the objects decide what is on
the object, `without_masks` is the verdict if they were not known. OUT keeps the audit, so that a run resumes.
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
from seewhy.audits import AuditConfig, Finding
from seewhy.audits.judge import judge
from seewhy.data import open_dataset
from seewhy.data.items import Dataset, Subset
from seewhy.models.classifier import Classifier
from seewhy.runtime.files import write_atomic

ROWS = Path(__file__).parent / "data" / "audit_photos.csv"
SETTINGS = {"donors": 8, "recipients": 16, "min_images": 3, "per_class": 1}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--images", type=int, default=1000)
    parser.add_argument("--classes", type=int, default=40)
    parser.add_argument("--model", default="seewhy/efficientnet-lite0")
    parser.add_argument("--method", default="grad_cam")
    options = parser.parse_args()
    torch.set_num_threads(1)
    options.out.mkdir(parents=True, exist_ok=True)
    model = seewhy.load_model(options.model)
    photos = choose_photos(options.folder / "imagenet-val", options.images)
    classes = frequent_predictions(model, photos, options.classes, options.out / "predicted.json")
    start = time.process_time()
    findings = seewhy.audit(
        model, photos, out=options.out / "audit", classes=classes, method=options.method, **SETTINGS
    )
    print(f"{len(photos)} photos, {time.process_time() - start:.0f} CPU seconds", findings, sep="\n")
    rows = [row_of(each, AuditConfig(**findings.about["settings"])) for each in findings]
    for row in rows:
        row |= {"photos": len(photos), "classes": len(classes)}
    with ROWS.open("w", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def choose_photos(folder: Path, count: int) -> Dataset:
    """Photos of the classes with most photos."""
    dataset = open_dataset("index", path=folder)
    labels = [dataset[index].labels[0] for index in range(len(dataset))]
    counts = Counter(labels)
    order = sorted(range(len(dataset)), key=lambda index: (-counts[labels[index]], labels[index]))
    return Subset(dataset, tuple(order[:count]))


def frequent_predictions(model: Classifier, photos: Dataset, count: int, path: Path) -> list[int]:
    """The classes that are predicted most often; kept in a file."""
    if not path.is_file():
        predicted = []
        for index in range(len(photos)):
            image = photos[index].read(model.preprocess).image.unsqueeze(0)
            predicted.append(int(model.probabilities(image).argmax()))
        write_atomic(path, json.dumps(predicted).encode())
    return [label for label, _ in Counter(json.loads(path.read_text())).most_common(count)]


def row_of(finding: Finding, config: AuditConfig) -> dict[str, Any]:
    effects, ps = finding.effects, (finding.p_necessary, finding.p_sufficient)
    return {
        "class": finding.class_name.partition(",")[0],
        "verdict": finding.verdict,
        "without_masks": judge(effects, ps, float("nan"), config)[0],
        "images": finding.images,
        "in_box": None if finding.object_share is None else round(finding.object_share, 3),
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
