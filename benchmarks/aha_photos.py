"""AHA's Table 1 on photos that neither trained nor chose an explainer: predicted and ground-truth class.

    python benchmarks/aha_photos.py --explainer deit-tiny libra_ixg_plus aha aha:refine_steps=3 --photos 200

Writes the scores of every photo, class, method and reference to `data/aha_photos.csv`, and continues where it stopped;
then means, and paired differences from the first method's, with 95 % intervals, to `data/aha_photos_summary.csv`.
`class` is `both` where the ground truth is predicted. `--protocol rise` has references that no training saw.
"""

import argparse
import csv
import json
import os
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import torch

import seewhy
from seewhy.cli.options import parse_options
from seewhy.data import read_images
from seewhy.explainers.files import read_metadata
from seewhy.metrics import PredictionCache, score_maps
from seewhy.models.classifier import Classifier
from seewhy.registry import resolve_method
from seewhy.runtime.progress import track

DATA = Path(os.environ.get("SEEWHY_DATA", "../shared/data"))
OUT = Path(__file__).parent / "data" / "aha_photos.csv"
MODELS = {
    "deit-tiny": ("timm/deit_tiny_patch16_224", DATA / "models" / "deit_tiny_patch16_224.safetensors"),
    "efficientnet-lite0": ("seewhy/efficientnet-lite0", None),
}
METRICS = {
    "aha": [
        *("deletion", "insertion", "ins_del", "positive", "negative", "neg_pos"),
        *("average_drop", "increase_in_confidence"),
    ],
    "rise": ["deletion", "insertion", "ins_del"],
}
COLUMNS = ["model", "photo", "class", "method", "protocol", "reference", *METRICS["aha"]]
RESAMPLES = 2000

Row = dict[str, str]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("methods", nargs="+", metavar="METHOD[:OPTION=VALUE,…]")
    parser.add_argument("--model", default="deit-tiny", choices=MODELS)
    parser.add_argument("--explainer", required=True, help="folder or name; its held-out photos are scored")
    parser.add_argument("--suffix", default="", help="of the names of `aha` in the table, for another explainer")
    parser.add_argument("--photos", type=int, default=200)
    parser.add_argument("--protocol", default="aha", choices=METRICS)
    parser.add_argument("--out", type=Path, default=OUT)
    options = parser.parse_args()
    torch.set_num_threads(1)
    name, weights = MODELS[options.model]
    model = seewhy.load_model(name, weights=weights) if weights else seewhy.load_model(name)
    rows, labels = read(options.out), labels_by_name()
    known = {(row["model"], row["photo"], row["method"], row["protocol"]) for row in rows}
    for photo in track(unseen_photos(options.explainer, options.photos), "photos"):
        cache = PredictionCache()
        for given in options.methods:
            title = given + options.suffix if given.startswith("aha") else given
            key = (options.model, photo.name, title, options.protocol)
            if key in known:
                continue
            fixed = dict(zip(("model", "photo", "method", "protocol"), key, strict=True))
            found = scores(model, photo, labels[photo.name], given, options.explainer, options.protocol, cache)
            new = [fixed | row for row in found]
            append(options.out, new)
            rows += new
    summarized = list(summary(rows))
    write(options.out.with_stem(f"{options.out.stem}_summary"), summarized, list(summarized[0]))


def unseen_photos(explainer: str, count: int) -> list[Path]:
    """Held-out photos without those that chose the explainer, which are the first."""
    metadata = read_metadata(explainer)
    names = metadata["held_out_images"]
    chosen_on = metadata.get("training", {}).get("config", {}).get("evaluated", 0)
    photos = [DATA / name if (DATA / name).is_file() else DATA / "imagenet-val" / name for name in names]
    return [each for each in photos if each.is_file()][chosen_on:][:count]


def labels_by_name() -> dict[str, int]:
    lines = (DATA / "imagenet-val" / "index.jsonl").read_text().splitlines()
    return {Path(entry["file"]).name: entry["label"] for entry in map(json.loads, lines)}


def scores(
    model: Classifier, photo: Path, label: int, given: str, explainer: str, protocol: str, cache: PredictionCache
) -> Iterator[Row]:
    """A row per class and reference."""
    name, options = parse(given, explainer)
    images = read_images(photo, model.preprocess).images
    predicted = int(model.probabilities(images).argmax())
    targets = torch.tensor([[predicted] if predicted == label else [predicted, label]])
    made = seewhy.explain(model, images, name, targets=targets, **options)
    found = score_maps(
        *(model, images, made.maps.to(images), targets), metrics=METRICS[protocol], protocol=protocol, cache=cache
    )
    table: dict[tuple[int, str], Row] = defaultdict(dict)
    for row in found:
        table[row["target"], row["reference"]][row["metric"]] = f"{row['score']:.4f}"
    for (target, reference), values in table.items():
        kind = "both" if predicted == label else "predicted" if target == predicted else "label"
        yield {"class": kind, "reference": reference} | values


def parse(given: str, explainer: str) -> tuple[str, dict]:
    """Method and options of `aha:refine_steps=3`."""
    name, separator, text = given.rpartition(":") if "=" in given else (given, "", "")
    options = parse_options(text.split(","), resolve_method(name).annotation) if separator else {}
    return name, {"explainer": explainer} | options if name == "aha" else options


def summary(rows: list[Row]) -> Iterator[Row]:
    """Means with intervals, and ins_del's paired difference from the first method of the table."""
    groups: dict[tuple[str, ...], dict[str, Row]] = defaultdict(dict)
    for row in rows:
        for kind in ("predicted", "label") if row["class"] == "both" else (row["class"],):
            groups[row["model"], row["protocol"], kind, row["reference"], row["method"]][row["photo"]] = row
    first = rows[0]["method"]
    for (model, protocol, kind, reference, method), by_photo in groups.items():
        base = groups.get((model, protocol, kind, reference, first), {})
        fixed = {"model": model, "protocol": protocol, "class": kind, "reference": reference, "method": method}
        for metric in METRICS[protocol]:
            values = [float(row[metric]) for row in by_photo.values()]
            yield fixed | {"metric": metric} | interval(values)
        shared = [photo for photo in by_photo if photo in base]
        if method != first and shared:
            gains = [float(by_photo[photo]["ins_del"]) - float(base[photo]["ins_del"]) for photo in shared]
            yield fixed | {"metric": f"ins_del minus {first}"} | interval(gains)


def interval(values: list[float]) -> Row:
    """Mean with a bootstrap interval over photos."""
    array, generator = np.array(values), np.random.default_rng(0)
    means = array[generator.integers(len(array), size=(RESAMPLES, len(array)))].mean(axis=1)
    low, high = np.quantile(means, [0.025, 0.975])
    return {"n": str(len(array)), "mean": f"{array.mean():.4f}", "low": f"{low:.4f}", "high": f"{high:.4f}"}


def read(path: Path) -> list[Row]:
    if not path.exists():
        return []
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


def append(path: Path, rows: list[Row]) -> None:
    if not path.exists():
        write(path, [], COLUMNS)
    with path.open("a", newline="") as file:
        csv.DictWriter(file, COLUMNS, lineterminator="\n").writerows(rows)


def write(path: Path, rows: list[Row], columns: list[str]) -> None:
    with path.open("w", newline="") as file:
        table = csv.DictWriter(file, columns, lineterminator="\n")
        table.writeheader()
        table.writerows(rows)


if __name__ == "__main__":
    main()
