"""What shortcuts of MDA's search cost and lose against the exact search, on photos selected as in its paper.

    SEEWHY_DATA=… python benchmarks/mda_shortcuts.py [--photos 40]

One row per photo and search goes to `data/mda_shortcuts.csv`, from which a run continues, also on another machine.
Orders are scored patch by patch (every second point of both curves), as protocol `mda` does with maps that are constant
within a patch. The exact search takes about 160 s of one thread.
"""

import argparse
import csv
import os
import time
import warnings
from pathlib import Path
from typing import Any

import torch

import seewhy
from seewhy.data import confident_items, open_dataset
from seewhy.interventions.mosaics import mosaic
from seewhy.methods.mda import mda
from seewhy.models.vit import ViT
from seewhy.ops.curves import relative_curves
from seewhy.ops.references import one_color
from seewhy.runtime.malloc import keep_freed_memory

DATA = Path(os.environ.get("SEEWHY_DATA", "../shared/data"))
ROWS = Path(__file__).parent / "data" / "mda_shortcuts.csv"
SEARCHES: dict[str, dict[str, Any]] = {
    "exact": {},
    "surrogate, bi_attn": {"fast": True, "prior": "bi_attn"},
    "surrogate, libra_ixg_plus": {"fast": True, "prior": "libra_ixg_plus"},
    "fast": {"fast": True},
}
STRIDE = 2  # patches between two points of a scored curve


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--photos", type=int, default=40)
    options = parser.parse_args()
    keep_freed_memory()
    weights = DATA / "models" / "deit_tiny_patch16_224.safetensors"
    model = seewhy.load_model("timm/deit_tiny_patch16_224", weights=weights)
    photos = open_dataset("index", path=DATA / "imagenet-val", seed=0)
    chosen = confident_items(photos, model, min_confidence=0.6, per_class=5, limit=options.photos)
    rows = read_rows()
    for number in range(len(chosen)):
        sample = chosen[number].read(model.preprocess)
        name = Path(sample.name).stem
        known = {row["search"] for row in rows if row["image"] == name}
        for search in [each for each in SEARCHES if each not in known]:
            try:
                found = run(model, sample.image.unsqueeze(0), torch.tensor([[sample.labels[0]]]), SEARCHES[search])
            except UserWarning:  # no blur occludes the class: not one of the paper's photos
                break
            rows.append({"image": name, "search": search} | found)
            write_rows(rows)


def run(model: ViT, image: torch.Tensor, target: torch.Tensor, options: dict[str, Any]) -> dict[str, Any]:
    start = time.process_time()
    with model.meter() as cost, warnings.catch_warnings():
        warnings.simplefilter("error", UserWarning)
        order = mda(model, image, target, **options).extras["order"].flatten()
    seconds, passes = time.process_time() - start, cost.forwards + cost.backwards
    insertion, deletion = score(model, image, target, order)
    return {
        "passes": round(passes),
        "seconds": round(seconds, 1),
        "insertion": round(insertion, 4),
        "deletion": round(deletion, 4),
        "ins_del": round(insertion - deletion, 4),
    }


def score(model: ViT, image: torch.Tensor, target: torch.Tensor, order: torch.Tensor) -> tuple[float, float]:
    """Areas of the relative curves of an order."""
    from seewhy.methods.mda import _blurred

    references = _blurred(model, image, target, "adaptive", 31), one_color(image, model.mean)
    steps, ranks = torch.arange(0, len(order) + 1, STRIDE), order.argsort().unsqueeze(0)
    curves = []
    for reference, shown in zip(references, (ranks < steps[:, None], ranks >= steps[:, None]), strict=True):
        logits = mosaic(model, image, reference, model.grid)(torch.zeros(len(steps), dtype=torch.long), shown)
        curves.append(model.scores(logits, target.expand(len(steps), 1), kind="prob").squeeze(1))
    insertion, deletion = (float(torch.trapezoid(curve)) / (len(steps) - 1) for curve in relative_curves(*curves))
    return insertion, deletion


def read_rows() -> list[dict[str, Any]]:
    with ROWS.open(newline="") as file:
        return list(csv.DictReader(file))


def write_rows(rows: list[dict[str, Any]]) -> None:
    with ROWS.open("w", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)


if __name__ == "__main__":
    main()
