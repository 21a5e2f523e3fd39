"""What `refine:` gains over several bases: under the protocol it optimizes, under one it never saw, and in looks.

    python benchmarks/refine_bases.py --photos 100

Photos are those of mda_table5 (right, at least 60 % sure). One row per photo, model, base and setting goes to
`data/refine_bases.csv`: insertion minus deletion of the base and of the refined map under `aha` and `rise`, the total
variation of the refined map over that of the base's (both scaled to [0, 1] at the size of the image), and the passes.
A stopped run continues. About 40 s of one thread per row.
"""

import argparse
import csv
import os
from pathlib import Path
from typing import Any

import torch

import seewhy
from seewhy.data import confident_items, open_dataset
from seewhy.metrics import PredictionCache, score_maps
from seewhy.models.classifier import Classifier
from seewhy.ops.resize import resize_maps, unit_range
from seewhy.registry import resolve_method
from seewhy.runtime.malloc import keep_freed_memory
from seewhy.types import Images, Maps, Targets

DATA = Path(os.environ.get("SEEWHY_DATA", "../shared/data"))
OUT = Path(__file__).parent / "data" / "refine_bases.csv"
BASES = {
    "deit_tiny": ("libra_ixg_plus", "grad_cam_attention", "caap", "t_attr"),
    "efficientnet_lite0": ("grad_cam",),
}
SETTINGS: dict[str, dict[str, Any]] = {
    "default": {},
    "not smoothed": {"steps": 12, "points": 4, "learning_rate": 4.0, "smoothing": 0.0},  # the former default
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--photos", type=int, default=100)
    parser.add_argument("--out", type=Path, default=OUT)
    options = parser.parse_args()
    keep_freed_memory()
    rows = read_rows(options.out)
    models = {name: load(name) for name in BASES}
    photos = open_dataset("index", path=DATA / "imagenet-val", seed=0)
    chosen = confident_items(photos, models["deit_tiny"], min_confidence=0.6, per_class=5, limit=options.photos)
    for number in range(len(chosen)):
        for name, model in models.items():
            sample = chosen[number].read(model.preprocess)
            images, targets = sample.image.unsqueeze(0), torch.tensor([[sample.labels[0]]])
            for base in BASES[name]:
                key = {"image": Path(sample.name).stem, "model": name, "base": base}
                if not any(row.items() >= key.items() for row in rows):
                    rows += [key | row for row in measure(model, images, targets, base)]
                    write_rows(options.out, rows)


def load(name: str) -> Classifier:
    if name == "deit_tiny":
        weights = DATA / "models" / "deit_tiny_patch16_224.safetensors"
        return seewhy.load_model("timm/deit_tiny_patch16_224", weights=weights)
    return seewhy.load_model("seewhy/efficientnet-lite0")


def measure(model: Classifier, images: Images, targets: Targets, base: str) -> list[dict[str, Any]]:
    cache = PredictionCache()
    before = resolve_method(base)(model, images, targets).maps
    start, rows = scores(model, images, before, targets, cache), []
    for setting, options in SETTINGS.items():
        with model.meter() as cost:
            maps = resolve_method(f"refine:{base}", **options)(model, images, targets).maps
        after = scores(model, images, maps, targets, cache)
        variation = total_variation(maps, images) / total_variation(before, images)
        row: dict[str, Any] = {"setting": setting}
        for protocol in start:
            row |= {f"{protocol} base": round(start[protocol], 4), protocol: round(after[protocol], 4)}
        passes = {"forwards": round(cost.forwards), "backwards": round(cost.backwards)}
        rows.append(row | {"variation": round(float(variation), 2)} | passes)
    return rows


def scores(model: Classifier, images: Images, maps: Maps, targets: Targets, cache: PredictionCache) -> dict[str, float]:
    """Insertion minus deletion by protocol."""
    return {
        protocol: next(
            row["score"]
            for row in score_maps(model, images, maps, targets, metrics=["ins_del"], protocol=protocol, cache=cache)
            if row["reference"] == "all"
        )
        for protocol in ("aha", "rise")
    }


def total_variation(maps: Maps, images: Images) -> torch.Tensor:
    scaled = unit_range(resize_maps(maps, (images.shape[-2], images.shape[-1])))
    return scaled.diff(dim=-1).abs().sum() + scaled.diff(dim=-2).abs().sum()


def read_rows(path: Path) -> list[dict[str, Any]]:
    if not path.exists():
        return []
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


def write_rows(path: Path, rows: list[dict[str, Any]]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)


if __name__ == "__main__":
    main()
