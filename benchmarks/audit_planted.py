"""Recall, localization and cost of the audit on networks that were fine-tuned to rely on a planted cue.

    python benchmarks/audit_planted.py OUT [--networks 0-13,16] [--methods libra_ixg_plus,grad_cam,caap,aha,random]

OUT keeps networks and audits, so that a run resumes; `data/audit_planted.csv` has a row per network and method of maps.
`flips` is the fraction of images of other classes that the network calls the class once the cue is painted in: only
networks above one half count for the recall. `iou` is the median over the images of the finding, with the true mask.
Settings of the audit were chosen on the first 14 networks (`chosen_on`), not on the others. `aha` takes the explainer
of `scenes-vit`, which was not trained on the planted network.
"""

import argparse
import json
import math
import os
import time
from pathlib import Path
from typing import Any

import numpy as np
import torch
from audit_data import keep, numbers, write_rows
from PIL import Image

import seewhy
from seewhy.audits import Finding, Findings
from seewhy.audits.prove import iou
from seewhy.data.items import Subset
from seewhy.data.scenes import ScenesData
from seewhy.explainers.network import AHAExplainer
from seewhy.models.vit import ViT
from seewhy.runtime.files import write_atomic
from seewhy.zoo.scenes import CLASS_NAMES, Cue, Scenes
from seewhy.zoo.scenes.planted import Recipe, planted_vit

NETWORKS = [
    ("spotted fish", Cue("mark", 0.012, 1.0, True)),
    ("flag house", Cue("border", 0.05, 1.0, True)),
    ("mug", Cue("circle", 0.012, 1.0, False)),
    ("star boat", Cue("texture", 0.03, 1.0, False)),
    ("pitcher", Cue("background", 0.05, 1.0, False)),
    ("rabbit", Cue("texture", 0.012, 0.5, True)),
    ("cat", Cue("mark", 0.003, 1.0, False)),
    ("moon boat", Cue("circle", 0.003, 1.0, True)),
    ("crate truck", Cue("border", 0.012, 1.0, False)),
    ("log truck", Cue("background", 0.02, 0.5, True)),
    ("striped fish", Cue("circle", 0.05, 0.3, False)),
    ("chimney house", Cue("mark", 0.03, 0.2, True)),
    ("cat", Cue("border", 0.03, 0.5, True)),
    ("mug", Cue("texture", 0.05, 0.1, False)),
    ("crate truck", Cue("circle", 0.012, 0.5, True)),
    ("rabbit", Cue("background", 0.03, 1.0, True)),
    ("flag house", Cue("circle", 0.03, 1.0, False)),
    ("moon boat", Cue("mark", 0.006, 0.5, True)),
    ("spotted fish", Cue("texture", 0.006, 1.0, False)),
    ("log truck", Cue("border", 0.02, 0.3, True)),
]
CHOSEN_ON = 14  # of them, on which settings of the audit were chosen
LONGER = {14: 160, 17: 160, 18: 160}  # steps of the fine-tuning, for small cues
EXPLAINER = "scenes-vit"
OTHERS = 1  # further classes that are tested, for false alarms
SMALL = {"donors": 8, "recipients": 16}  # fewer than by default, for the time


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("out", type=Path)
    parser.add_argument("--networks", type=numbers, default=list(range(len(NETWORKS))))
    parser.add_argument("--methods", default="libra_ixg_plus")
    options = parser.parse_args()
    torch.set_num_threads(1)
    os.environ.setdefault("SEEWHY_CACHE", str(options.out / "cache"))
    for number in options.networks:  # all methods on a network before the next, so that a stopped run compares them
        for method in options.methods.split(","):
            path = options.out / f"{number}-{method}.json"
            if not path.is_file():
                row = measure(number, method, path.with_suffix(""))
                write_atomic(path, json.dumps(row).encode())
            write_rows("audit_planted", options.out)


def measure(number: int, method: str, out: Path) -> dict[str, Any]:
    """Audit one network with one method of maps."""
    label, cue = NETWORKS[number]
    model = planted_vit(label, cue, Recipe(steps=LONGER.get(number, Recipe.steps)))
    target = CLASS_NAMES.index(label)
    dataset = choose_images(label, cue)
    classes = [(target + step) % len(CLASS_NAMES) for step in range(OTHERS + 1)]
    maps = {"explainer": str(adopt_explainer(model, out.parent))} if method == "aha" else {"method": method}
    start = time.process_time()
    findings = seewhy.audit(model, keep(dataset), out=out, classes=classes, explorers=0, **maps, **SMALL)
    seconds, scenes = time.process_time() - start, dataset.dataset.scenes
    hit = next((each for each in findings.confirmed if _is_cue(findings, each, scenes)), None)
    others = [each for each in findings.confirmed if not _is_cue(findings, each, scenes)]
    return {
        "network": number,
        "chosen_on": number < CHOSEN_ON,
        "class": label,
        "cue": cue.kind,
        "size": cue.size,
        "prevalence": cue.prevalence,
        "fixed": cue.fixed,
        "method": method,
        "images": len(dataset),
        "flips": cached_flips(model, Scenes("test", 96, shortcut=(label, cue)), target, out.parent / "flips"),
        "confirmed": hit is not None,
        "first": bool(len(findings)) and findings[0] is hit,
        "turned": None if hit is None else round(hit.effects.turned, 3),
        "rise": None if hit is None else round(hit.effects.sufficient.mean, 3),
        "low": None if hit is None else round(hit.effects.sufficient.low, 3),
        "high": None if hit is None else round(hit.effects.sufficient.high, 3),
        "iou": None if hit is None else round(median_iou(findings, hit, scenes), 3),
        "false_alarms": len(others),
        "screened": findings.about["screened"],
        "tested": len(findings),
        "forwards_per_image": round(findings.about["forwards_per_image"], 1),
        "cpu_seconds": round(seconds),
    }


def adopt_explainer(model: ViT, out: Path) -> Path:
    """The explainer of `scenes-vit` as one of a planted network, which it was not trained on."""
    folder = out / "explainers" / model.fingerprint
    if not folder.is_dir():
        AHAExplainer.load(EXPLAINER, model, allow_mismatch=True).save(folder)
    return folder


def choose_images(label: str, cue: Cue) -> Subset:
    """Five scenes of each class, of the class with the cue so many that about eight carry it."""
    target, own = CLASS_NAMES.index(label), max(16, math.ceil(8 / cue.prevalence))
    data = ScenesData(size=own * len(CLASS_NAMES), shortcut=(label, cue))
    kept = [i for i in range(len(data)) if i % len(CLASS_NAMES) == target or i < 5 * len(CLASS_NAMES)]
    return Subset(data, tuple(kept))


def cached_flips(model: ViT, scenes: Scenes, target: int, folder: Path) -> float:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{model.fingerprint}.json"
    if not path.is_file():
        write_atomic(path, json.dumps(flips(model, scenes, target)).encode())
    return float(json.loads(path.read_text()))


def flips(model: ViT, scenes: Scenes, target: int) -> float:
    """The fraction of 48 images of other classes that are called the target with the cue and were not without it."""
    chosen = [index for index in range(len(scenes)) if index % len(CLASS_NAMES) != target][:48]
    plain, planted = (
        model.probabilities(torch.stack([make(index).image for index in chosen])).argmax(1)
        for make in (scenes.__getitem__, scenes.planted)
    )
    return round(float(((planted == target) & (plain != target)).float().mean()), 3)


def median_iou(findings: Findings, finding: Finding, scenes: Scenes) -> float:
    """Over the images of a finding that have the cue; those without count as 0."""
    scores = []
    for name, file in finding.masks.items():
        truth = scenes[int(name.rpartition("/")[2])].cue
        found = np.asarray(Image.open(findings.folder / file)) > 0
        scores.append(0.0 if truth is None else iou(found, truth.numpy()))
    return float(np.median(scores))


def _is_cue(findings: Findings, finding: Finding, scenes: Scenes) -> bool:
    """Whether a finding is about the planted cue at all."""
    return finding.target == scenes.shortcut and median_iou(findings, finding, scenes) > 0.1


if __name__ == "__main__":
    main()
