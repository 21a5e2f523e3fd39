"""Which cheap method should `explain` use by default? Insertion minus deletion and cost, on networks of both kinds.

    python benchmarks/default_method.py --images 40

Needs `SEEWHY_DATA`. The run resumes where it stopped; `data/default_method.csv` then has one row per model and method,
`data/one_image.csv` how often one image ranks two methods as all images do.
"""

import argparse
import csv
import itertools
import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import torch

from seewhy.bench import BenchConfig, Results, benchmark
from seewhy.bench.results import ScoreColumn
from seewhy.bench.statistics import paired_difference
from seewhy.bench.tables import ScoreTable, score_tables

DATA = os.environ.get("SEEWHY_DATA", "../shared/data")
HERE = Path(__file__).parent
ANY = ["grad_cam", "caap", "random"]
ONLY_VIT = ["t_attr", "libra_ixg_plus", "in_flow"]
ONLY_CNN = ["grad_cam_pp", "layer_cam", "hires_cam", "xgrad_cam", "input_x_gradient", "integrated_gradients"]
ONLY_CNN += ["guided_grad_cam"]
DEIT = {
    "name": "timm/deit_tiny_patch16_224",
    "label": "DeiT-Tiny",
    "weights": f"{DATA}/models/deit_tiny_patch16_224.safetensors",
}
LITE = {"name": "seewhy/efficientnet-lite0", "label": "EfficientNet-Lite0"}
RESNET = {
    "name": "seewhy/resnet50-keras",
    "label": "ResNet-50",
    "weights": f"{DATA}/models/resnet50_keras.fp16.safetensors",
}
SCENES = {"name": "seewhy/scenes-vit", "label": "Scenes ViT"}
PHOTOS = {"kind": "index", "label": "ImageNet val", "path": f"{DATA}/imagenet-val", "seed": 21}
RUNS = [(LITE, PHOTOS), (SCENES, {"kind": "scenes", "label": "Scenes"}), (DEIT, PHOTOS), (RESNET, PHOTOS)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--images", type=int, default=40)
    parser.add_argument("--models", type=int, default=len(RUNS), help="how many of the models, in the order of RUNS")
    parser.add_argument("--out", type=Path, default=HERE / "results" / "default_method")
    options = parser.parse_args()
    torch.set_num_threads(1)
    rows: list[dict[str, Any]] = []
    pairs: list[dict[str, Any]] = []
    for model, data in RUNS[: options.models]:
        out = options.out / str(model["label"]).lower().replace(" ", "-")
        results = benchmark(settings(model, data | {"limit": options.images}, out))
        (table,) = score_tables(results)
        rows += summary(table)
        pairs += agreement(results)
    write(HERE / "data" / "default_method.csv", rows)
    write(HERE / "data" / "one_image.csv", pairs)


def settings(model: dict[str, Any], data: dict[str, Any], out: Path) -> BenchConfig:
    """RISE's protocol (delete to the mean color, insert into the blurred image) with eleven points per curve."""
    methods = ANY + (ONLY_VIT if model in (DEIT, SCENES) else ONLY_CNN)
    config = BenchConfig.from_dict(
        {
            "name": "default_method",
            "models": [model],
            "data": [data],
            "methods": methods,
            "protocols": ["rise"],
            "metrics": ["ins_del", "insertion", "deletion"],
            "options": {"curves": {"fractions": [point / 10 for point in range(11)]}},
            "examples": 0,
        }
    )
    return replace(config, out=str(out))


def summary(table: ScoreTable) -> list[dict[str, Any]]:
    """Mean scores with the bootstrap interval of Ins - Del, and the cost, by method."""
    rows = []
    for method, cells, seconds, passes in zip(table.methods, table.cells, table.seconds, table.passes, strict=True):
        scores = dict(zip(table.metrics, cells, strict=True))
        main = scores["ins_del"]
        rows.append(
            {
                "model": table.model,
                "data": table.data,
                "images": table.cases,
                "method": method,
                "ins_del": f"{main.mean:.4f}",
                "low": f"{main.low:.4f}",
                "high": f"{main.high:.4f}",
                "insertion": f"{scores['insertion'].mean:.4f}",
                "deletion": f"{scores['deletion'].mean:.4f}",
                "passes": f"{passes:.3g}",
                "seconds": f"{seconds:.3g}",
            }
        )
    return sorted(rows, key=lambda row: -float(row["ins_del"]))


def agreement(results: Results) -> list[dict[str, Any]]:
    """For every two methods: on which share of the images the one wins that wins on the mean of all."""
    column = next(each for each in results.columns() if (each.metric, each.reference) == ("ins_del", "all"))
    return [_pair(column, results, first, second) for first, second in itertools.combinations(results.methods, 2)]


def _pair(column: ScoreColumn, results: Results, first: str, second: str) -> dict[str, Any]:
    scores = results.matrix(column)
    one, other = (scores.scores[:, scores.methods.index(name)] for name in (first, second))
    gap = paired_difference(one, other)
    better, worse = (first, second) if gap.mean >= 0 else (second, first)
    wins = np.mean((one > other) if gap.mean >= 0 else (other > one))
    fields = {"model": column.model, "better": better, "worse": worse, "gap": f"{abs(gap.mean):.4f}"}
    return {**fields, "images": gap.count, "wins": f"{wins:.3f}", "p": f"{gap.p:.3g}"}


def write(path: Path, rows: list[dict[str, Any]]) -> None:
    with path.open("w", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


if __name__ == "__main__":
    main()
