"""AHA's Tables 1 and 3 on images that neither trained nor selected an explainer: predicted and ground-truth class.

    python benchmarks/aha_scores.py libra_ixg_plus aha aha:refine_steps=3 --explainer deit-tiny --images 200
    python benchmarks/aha_scores.py libra_ixg_plus --per-patch --explainer deit-tiny --images 200
    python benchmarks/aha_scores.py aha --model scenes-vit --explainer scenes-vit --images 500
    python benchmarks/aha_scores.py aha --model scenes-vit --explainer OTHER --suffix ", other" --images 500

Writes the scores of every image, class, method and reference to `data/aha_scores.csv`, and continues where it stopped;
then means, and paired differences from other methods of the same model, with 95 % intervals, to
`data/aha_scores_summary.csv`. `class` is `both` where the ground truth is predicted; the summary of labels has no
method that was run with `--predicted` on photos where they differ. `--protocol rise` has references
that no training saw. `--per-patch` enlarges maps without interpolation, as an explainer with `patchwise` does. Photos
are those that were held out of the explainer's training; Scenes images are of the split `test`.
"""

import argparse
import csv
import json
import os
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch
from torch.nn.functional import interpolate

import seewhy
from seewhy.cli.options import parse_options
from seewhy.data import read_images
from seewhy.explainers.files import read_metadata
from seewhy.interventions.perturbed import model_precision
from seewhy.metrics import PredictionCache, score_maps
from seewhy.models.classifier import Classifier
from seewhy.registry import resolve_method
from seewhy.runtime.progress import track
from seewhy.types import Images, Maps
from seewhy.zoo.scenes import Scenes

DATA = Path(os.environ.get("SEEWHY_DATA", "../shared/data"))
OUT = Path(__file__).parent / "data" / "aha_scores.csv"
MODELS = {
    "deit-tiny": ("timm/deit_tiny_patch16_224", DATA / "models" / "deit_tiny_patch16_224.safetensors"),
    "efficientnet-lite0": ("seewhy/efficientnet-lite0", None),
    "scenes-vit": ("seewhy/scenes-vit", None),
}
METRICS = {
    "aha": [
        *("deletion", "insertion", "ins_del", "positive", "negative", "neg_pos"),
        *("average_drop", "increase_in_confidence"),
    ],
    "rise": ["deletion", "insertion", "ins_del"],
}
COLUMNS = ["model", "image", "class", "method", "protocol", "reference", *METRICS["aha"]]
RESAMPLES = 2000

Row = dict[str, str]


class Example(NamedTuple):
    name: str
    image: Images  # a batch of one
    label: int


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("methods", nargs="+", metavar="METHOD[:OPTION=VALUE,…]")
    parser.add_argument("--model", default="deit-tiny", choices=MODELS)
    parser.add_argument("--explainer", required=True, help="folder or name")
    parser.add_argument("--suffix", default="", help="of the names of `aha` in the table, for another explainer")
    parser.add_argument("--per-patch", action="store_true", help="a value for each patch instead of interpolation")
    parser.add_argument("--images", type=int, default=200)
    parser.add_argument("--predicted", action="store_true", help="the predicted class only")
    parser.add_argument("--protocol", default="aha", choices=METRICS)
    parser.add_argument("--precision", default="no", choices=["no", "bf16"], help="of refinement; scores are exact")
    parser.add_argument("--out", type=Path, default=OUT)
    options = parser.parse_args()
    torch.set_num_threads(1)
    name, weights = MODELS[options.model]
    model = seewhy.load_model(name, **({"weights": weights} if weights else {}))
    rows = read(options.out)
    known = {(row["model"], row["image"], row["method"], row["protocol"], row["class"]) for row in rows}
    examples = scenes(options.images) if options.model == "scenes-vit" else photos(model, options)
    for example in track(examples, "images", total=options.images):
        cache, classes = PredictionCache(), classes_of(model, example, predicted=options.predicted)
        for given in options.methods:
            title = given + options.suffix if given.startswith("aha") else given
            title += ", per patch" if options.per_patch else ""
            key = (options.model, example.name, title, options.protocol)
            missing = {kind: target for kind, target in classes.items() if (*key, kind) not in known}
            if not missing:
                continue
            fixed = dict(zip(("model", "image", "method", "protocol"), key, strict=True))
            with model_precision(options.precision):
                maps = maps_of(model, example, missing, parse(given, options.explainer), per_patch=options.per_patch)
            new = [fixed | row for row in scores(model, example, missing, maps, options.protocol, cache)]
            append(options.out, new)
            rows += new
    summarized = list(summary(rows))
    write(options.out.with_stem(f"{options.out.stem}_summary"), summarized, list(summarized[0]))


def photos(model: Classifier, options: argparse.Namespace) -> Iterator[Example]:
    """Held-out photos without those that selected the explainer, which are the first."""
    lines = (DATA / "imagenet-val" / "index.jsonl").read_text().splitlines()
    labels = {Path(entry["file"]).name: entry["label"] for entry in map(json.loads, lines)}
    metadata = read_metadata(options.explainer)
    training = metadata.get("training", {})
    first = training.get("selected_on", training.get("config", {}).get("evaluated", 0))
    names = [name for name in metadata["held_out_images"] if Path(name).name in labels][first:]
    for name in names[: options.images]:
        path = DATA / name if (DATA / name).is_file() else DATA / "imagenet-val" / name
        yield Example(path.name, read_images(path, model.preprocess).images, labels[path.name])


def scenes(count: int) -> Iterator[Example]:
    for index, scene in enumerate(Scenes("test", count)):
        yield Example(f"test/{index}", scene.image[None], scene.label)


def classes_of(model: Classifier, example: Example, *, predicted: bool) -> dict[str, int]:
    """The predicted class, and the label if it is another."""
    found = int(model.probabilities(example.image).argmax())
    if found == example.label:
        return {"both": found}
    return {"predicted": found} if predicted else {"predicted": found, "label": example.label}


def maps_of(
    model: Classifier, example: Example, classes: dict[str, int], method: tuple[str, dict], *, per_patch: bool
) -> Maps:
    name, options = method
    maps = seewhy.explain(model, example.image, name, targets=[*classes.values()], **options).maps.to(example.image)
    return interpolate(maps, example.image.shape[-2:], mode="nearest") if per_patch else maps


def scores(
    model: Classifier, example: Example, classes: dict[str, int], maps: Maps, protocol: str, cache: PredictionCache
) -> Iterator[Row]:
    """A row per class and reference."""
    targets = torch.tensor([[*classes.values()]])
    given = (model, example.image, maps, targets)
    found = score_maps(*given, metrics=METRICS[protocol], protocol=protocol, cache=cache)
    table: dict[tuple[int, str], Row] = defaultdict(dict)
    for row in found:
        table[row["target"], row["reference"]][row["metric"]] = f"{row['score']:.4f}"
    kinds = {target: kind for kind, target in classes.items()}
    for (target, reference), values in table.items():
        yield {"class": kinds[target], "reference": reference} | values


def parse(given: str, explainer: str) -> tuple[str, dict]:
    """Method and options of `aha:refine_steps=3`."""
    name, separator, text = given.rpartition(":") if "=" in given else (given, "", "")
    options = parse_options(text.split(","), resolve_method(name).annotation) if separator else {}
    return name, {"explainer": explainer} | options if name == "aha" else options


Groups = dict[tuple[str, ...], dict[str, Row]]  # by model, protocol, class, reference and method, then by image


def summary(rows: list[Row]) -> Iterator[Row]:
    """Means with intervals; ins_del's paired gain over the model's other methods, and its excess under `aha`."""
    groups: Groups = defaultdict(dict)
    first: dict[str, str] = {}
    for row in rows:
        first.setdefault(row["model"], row["method"])
        for kind in ("predicted", "label") if row["class"] == "both" else (row["class"],):
            groups[row["model"], row["protocol"], kind, row["reference"], row["method"]][row["image"]] = row
    whole = {(key[:2], key[3:], len(group)) for key, group in groups.items() if key[2] == "predicted"}
    groups = {key: group for key, group in groups.items() if (key[:2], key[3:], len(group)) in whole}
    for key, by_image in list(groups.items()):
        names = ("model", "protocol", "class", "reference", "method")
        fixed, base = dict(zip(names, key, strict=True)), first[key[0]]
        for metric in METRICS[fixed["protocol"]]:
            yield fixed | {"metric": metric} | interval([float(row[metric]) for row in by_image.values()])
        others = [other[4] for other in groups if other[:4] == key[:4]] if key[3] == "all" else [base]
        for other in others:
            if difference := gains(groups, key, other):
                yield fixed | {"metric": f"ins_del minus {other}"} | interval(list(difference.values()))
        gain = gains(groups, key, base)
        if gain and key[1] == "rise":
            trained_on = gains(groups, (key[0], "aha", key[2], "all", key[4]), base)
            excess = [trained_on[image] - gain[image] for image in gain if image in trained_on]
            if excess:
                yield fixed | {"metric": "gain under aha minus gain under rise"} | interval(excess)


def gains(groups: Groups, key: tuple[str, ...], base: str) -> dict[str, float]:
    """Differences of ins_del from the base method, by image; none for the base itself."""
    own, other = groups.get(key, {}), groups.get((*key[:-1], base), {})
    if key[-1] == base:
        return {}
    return {image: float(own[image]["ins_del"]) - float(other[image]["ins_del"]) for image in own if image in other}


def interval(values: list[float]) -> Row:
    """Mean with a bootstrap interval over images."""
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
