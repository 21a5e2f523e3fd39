"""Audit of networks that nobody planted anything in: EfficientNet-Lite0 and DeiT-Tiny on ImageNet photos.

    python benchmarks/audit_photos.py FOLDER OUT [--model efficientnet-lite0] [--classes 40 | --groups]

FOLDER holds imagenet-val/, with at most five photos of a class, and models/. Cues are looked for in the classes that
are predicted most often; or, with `--groups`, in the forty groups of `imagenet_groups.json`: behind the network comes a
layer that adds up the probabilities of the classes of a group, so that a group has ten to 150 photos. Groups were
written down before the first audit of them, by the index of their classes. Evidence in the boxes of the objects is left
out. `data/audit_photos.csv` and `audit_groups.csv` have a row per candidate of each network. OUT keeps the audit, so
that a run resumes.
"""

import argparse
import csv
import json
import time
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import torch
from audit_data import DATA, numbers
from torch import Tensor, nn

import seewhy
from seewhy.audits import Finding
from seewhy.data import open_dataset
from seewhy.data.items import Dataset, Subset
from seewhy.models.classifier import Classifier
from seewhy.models.vit import ViT
from seewhy.runtime.files import write_atomic

GROUPS = Path(__file__).parent / "imagenet_groups.json"
METHODS = {"efficientnet-lite0": "grad_cam", "deit-tiny": "libra_ixg_plus"}  # of the maps, by network
SETTINGS = {"donors": 8, "recipients": 16, "min_images": 3, "per_class": 1}  # of classes; groups have the defaults


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--model", default="efficientnet-lite0", choices=METHODS)
    parser.add_argument("--classes", type=int, default=40)
    parser.add_argument("--groups", action="store_true")
    options = parser.parse_args()
    torch.set_num_threads(1)
    photos = open_dataset("index", path=options.folder / "imagenet-val")
    model, method = load(options.model, options.folder), METHODS[options.model]
    start = time.process_time()
    if options.groups:
        name, out = "audit_groups", options.out / f"{options.model}-groups"
        groups = read_groups(len(model.class_names or ()))
        model = group_classes(model, groups)
        classes = list(range(len(groups) - 1))
        photos = relabel(photos, groups)
        findings = seewhy.audit(model, photos, out=out, classes=classes, method=method)
    else:
        name, out = "audit_photos", options.out / options.model
        classes = frequent_predictions(model, photos, options.classes, out / "predicted.json")
        findings = seewhy.audit(model, photos, out=out / "audit", classes=classes, method=method, **SETTINGS)
    seconds = round(time.process_time() - start)
    print(f"{len(photos)} photos, {seconds} CPU seconds", findings, sep="\n")
    about = {"network": options.model, "photos": len(photos), "classes": len(classes), "cpu_seconds": seconds}
    replace_rows(DATA / f"{name}.csv", options.model, [about | row_of(each) for each in findings])


def replace_rows(path: Path, network: str, rows: list[dict[str, Any]]) -> None:
    """Write the rows of a network beside those of others."""
    old = list(csv.DictReader(path.open(newline=""))) if path.is_file() else []
    rows = [row for row in old if row["network"] != network] + rows
    with path.open("w", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


class Grouping(nn.Module):
    """Logits of groups, whose softmax is the sum of the classes' probabilities."""

    def __init__(self, groups: list[list[int]]) -> None:
        super().__init__()
        self.groups = groups

    def forward(self, logits: Tensor) -> Tensor:
        return torch.stack([logits[:, group].logsumexp(1) for group in self.groups], dim=1)


def read_groups(classes: int) -> dict[str, list[int]]:
    """The classes of each group; `other` are those of none."""
    groups = {name: numbers(text) for name, text in json.loads(GROUPS.read_text()).items()}
    known = {label for group in groups.values() for label in group}
    return groups | {"other": [label for label in range(classes) if label not in known]}


def group_classes(model: Classifier, groups: dict[str, list[int]]) -> Classifier:
    """The network with groups in place of its classes."""
    module, grouping, made = model.module, Grouping(list(groups.values())), model.preprocess
    if isinstance(model, ViT):
        module.head = nn.Sequential(module.head, grouping)
    else:
        module = nn.Sequential(module, grouping)
    geometry = {"mean": made.mean, "std": made.std, "image_size": made.size, "crop": made.crop}
    return seewhy.wrap_model(module, class_names=list(groups), name=f"{model.name}, groups", **geometry)


def relabel(photos: Dataset, groups: dict[str, list[int]]) -> Subset:
    """The photos of the groups, with the number of the group as label."""
    group_of = {label: number for number, group in enumerate(groups.values()) for label in group}
    found = [photos[index] for index in range(len(photos))]
    items = [replace(item, labels=tuple(group_of[label] for label in item.labels)) for item in found]
    items = [item for item in items if item.labels[0] < len(groups) - 1]
    return Subset(items, tuple(range(len(items))))


def load(name: str, folder: Path) -> Classifier:
    if name == "deit-tiny":
        weights = folder / "models" / "deit_tiny_patch16_224.safetensors"
        return seewhy.load_model("timm/deit_tiny_patch16_224", weights=weights)
    return seewhy.load_model(f"seewhy/{name}")


def frequent_predictions(model: Classifier, photos: Dataset, count: int, path: Path) -> list[int]:
    """The classes that are predicted most often; kept in a file."""
    if not path.is_file():
        path.parent.mkdir(parents=True, exist_ok=True)
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
