"""Facts about every method, for its page: cost, determinism, sensitivity to class, input and weights, scores.

    python benchmarks/method_facts.py

Every method runs with its defaults on Scenes and the bundled ViT, and on photos of ImageNet's validation set (of
`SEEWHY_DATA`; else the sample photos) and EfficientNet-Lite0; wrappers run around the default method of the network.
Similarity is the rank correlation of two maps. Seconds are processor time on one thread. Rows go to
`data/method_facts.csv`. What has rows is skipped, and expensive methods come last and get fewer images, so a stopped
run continues. Methods of more than `DEAR` passes are measured on the ViT only.
"""

import argparse
import csv
import os
import subprocess
import time
from collections.abc import Sequence
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor

import seewhy
from seewhy.bench.statistics import summarize
from seewhy.errors import SeewhyError
from seewhy.metrics.randomized_model import randomize
from seewhy.models.classifier import Classifier
from seewhy.ops.similarity import spearman
from seewhy.registry import METHODS, Method
from seewhy.types import Cost
from seewhy.zoo.scenes import Scenes

HERE = Path(__file__).parent
FACTS = HERE / "data" / "method_facts.csv"
FIELDS = ["method", "run", "model", "data", "measure", "value", "low", "high", "n", "protocol", "commit", "date"]
IMAGES, PHOTOS = 12, 8  # images per method
PASSES = 900  # of the network, spent on the maps of one method
REPEATED = 3  # images explained twice, and timed
EXPENSIVE, DEAR = 60, 250  # passes per map of methods that come last, and of those that photos are too slow for
HUGE = 2000  # passes per map of methods that get a single image
NOISE = 0.02  # standard deviation of the noise that tests input sensitivity
CURVES = {"curves": {"fractions": [point / 10 for point in range(11)]}}


class Case(NamedTuple):
    """Images, the classes to explain and others, and the mask of the object if it is known."""

    model: Classifier
    random: Classifier  # the same network with random weights
    data: str
    images: Tensor
    targets: Tensor
    others: Tensor
    regions: Tensor | None


@cache
def scenes_case() -> Case:
    model = seewhy.load_model("seewhy/scenes-vit")
    scenes = list(Scenes("test", IMAGES))
    images = torch.stack([scene.image for scene in scenes])
    labels = torch.tensor([[scene.label, scene.pair] for scene in scenes])
    regions = torch.stack([scene.object for scene in scenes])[:, None]
    return Case(model, randomized("seewhy/scenes-vit"), "Scenes", images, labels[:, :1], labels[:, 1:], regions)


@cache
def photos_case() -> Case:
    model = seewhy.load_model("seewhy/efficientnet-lite0")
    folder = Path(os.environ.get("SEEWHY_DATA", "../shared/data")) / "imagenet-val"
    if folder.is_dir():
        data, items = "ImageNet val", seewhy.open_dataset("index", path=folder, seed=21, limit=PHOTOS)
        images = torch.stack([items[index].pixels(model.preprocess) for index in range(len(items))])
    else:
        data, photos = "sample photos", list(seewhy.zoo.sample_photos().values())[:PHOTOS]
        images = seewhy.data.read_images(photos, model.preprocess).images
    top = model.probabilities(images).topk(2).indices
    return Case(model, randomized("seewhy/efficientnet-lite0"), data, images, top[:, :1], top[:, 1:], None)


def randomized(name: str) -> Classifier:
    model = seewhy.load_model(name)
    list(randomize(model.module))
    return model


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--methods", nargs="*", help="measure these again; default: all that have no rows")
    options = parser.parse_args()
    torch.set_num_threads(1)
    late = []
    for case in (scenes_case(), photos_case()):
        for method in pending(case, options.methods):
            if takes_more(case, method, EXPENSIVE):
                late.append((case, method))
            else:
                measure(case, method)
    for case, method in late:
        measure(case, method)


def pending(case: Case, names: Sequence[str] | None) -> list[Method]:
    """The methods to measure on a network: the given ones, or all without rows."""
    known = {row["method"] for row in read_rows() if row["model"] == case.model.name} - set(names or ())
    return [method for method in METHODS.all() if method.name not in known and (not names or method.name in names)]


def takes_more(case: Case, method: Method, limit: float) -> bool:
    """Whether a map takes more passes; stops it as soon as it has taken them."""
    count, spent = case.model.count, Cost()

    def limited(**passes: float) -> None:
        nonlocal spent
        spent += Cost(**passes)
        if spent.forwards + spent.backwards > limit:
            raise RuntimeError("too many passes")
        count(**passes)

    case.model.count = limited
    try:
        explain(case, method, 0)
    except SeewhyError as error:
        return "too many passes" in str(error)
    finally:
        case.model.count = count
    return False


def explain(
    case: Case, method: Method, image: int, *, model: Classifier | None = None, **changes: Any
) -> seewhy.Explanation:
    images = changes.pop("images", case.images)[image : image + 1]
    targets = changes.pop("targets", case.targets)[image : image + 1]
    return seewhy.explain(model or case.model, images, title(case, method), targets, **changes)


def title(case: Case, method: Method) -> str:
    return f"{method.name}:{seewhy.default_method(case.model)}" if method.wraps else method.name


def measure(case: Case, method: Method) -> None:
    """Write the rows of a method; none if it refuses the network."""
    if case.model is not scenes_case().model and takes_more(case, method, DEAR):
        print(f"{method.name} takes more than {DEAR} passes", flush=True)
        return
    try:
        first = explain(case, method, 0)
    except SeewhyError as error:
        print(f"{method.name}: {error}"[:200], flush=True)
        return
    passes = first.cost.forwards + first.cost.backwards
    count = min(len(case.images), max(1 if passes > HUGE else 2, int(PASSES / (5 * passes + 1))))
    plain = [first, *(explain(case, method, image) for image in range(1, count))]
    facts = similarities(case, method, plain) | scores(case, plain) | repeats(case, method, plain)
    facts |= {
        "forwards": [each.cost.forwards for each in plain],
        "backwards": [each.cost.backwards for each in plain],
    }
    write_rows(title(case, method), method.name, case, facts)
    print(f"{method.name}: {count} images", flush=True)


def similarities(case: Case, method: Method, plain: list) -> dict[str, list[float]]:
    generator = torch.Generator().manual_seed(0)
    noisy = (case.images + NOISE * torch.randn(case.images.shape, generator=generator)).clamp(0, 1)
    both = torch.cat([case.targets, case.others], dim=1)
    changes: dict[str, dict] = {"noise_similarity": {"images": noisy}, "random_weights_similarity": {}}
    if "seed" in method.options:
        changes["seed_similarity"] = {"seed": 1}
    found = {}
    for name, change in changes.items():
        model = case.random if name.startswith("random") else None
        try:
            others = [explain(case, method, image, model=model, **change) for image in range(len(plain))]
        except SeewhyError as error:  # a trained explainer refuses other weights
            print(f"{method.name}, {name}: {error}"[:200], flush=True)
            continue
        found[name] = [similarity(a.maps[0, 0], b.maps[0, 0]) for a, b in zip(plain, others, strict=True)]
    pairs = [explain(case, method, image, targets=both).maps[0] for image in range(len(plain))]
    return found | {"class_similarity": [similarity(*pair) for pair in pairs]}


def similarity(first: Tensor, second: Tensor) -> float:
    return float(spearman(first.flatten().float(), second.flatten().float()))


def scores(case: Case, plain: list) -> dict[str, list[float]]:
    """Insertion minus deletion of RISE's protocol at eleven points, and AUPR on the object."""
    regions, found = case.regions, {}
    for image, each in enumerate(plain):
        rows = seewhy.evaluate(case.model, each, ["ins_del"], protocol="rise", options=CURVES)
        if regions is not None:
            rows += seewhy.evaluate(case.model, each, ["aupr_foreground"], regions=regions[image : image + 1])
        for row in rows:
            if row["reference"] in ("all", "", None):
                found.setdefault(row["metric"], []).append(row["score"])
    return found


def repeats(case: Case, method: Method, plain: list) -> dict[str, list[float]]:
    """Difference of a second map of the same image, its processor time, and that over the time of a forward pass."""
    found: dict[str, list[float]] = {"repeat_difference": [], "seconds": [], "relative_seconds": []}
    for image, first in enumerate(plain[:REPEATED]):
        start = time.process_time()
        case.model.probabilities(case.images[image : image + 1])
        middle = time.process_time()
        second = explain(case, method, image)
        taken = time.process_time() - middle
        found["repeat_difference"].append(float((first.maps - second.maps).abs().max()))
        found["seconds"].append(taken)
        found["relative_seconds"].append(taken / (middle - start))
    return found


# files


def read_rows() -> list[dict[str, str]]:
    if not FACTS.exists():
        return []
    with FACTS.open(newline="") as file:
        return list(csv.DictReader(file))


def write_rows(shown: str, name: str, case: Case, found: dict[str, list[float]]) -> None:
    rows = [row for row in read_rows() if (row["method"], row["model"]) != (name, case.model.name)]
    same = {
        "method": name,
        "run": shown,
        "model": case.model.name,
        "data": case.data,
        "commit": commit(),
        "date": str(date.today()),
    }
    for measure, values in found.items():
        table = summarize(np.array(values, dtype=float)[:, None])
        numbers = {key: f"{float(getattr(table, part)[0]):.4g}" for key, part in
                   (("value", "mean"), ("low", "low"), ("high", "high"))}  # fmt: skip
        protocol = "rise, 11 points" if measure == "ins_del" else ""
        rows.append(same | numbers | {"measure": measure, "n": int(table.count[0]), "protocol": protocol})
    with FACTS.open("w", newline="") as file:
        writer = csv.DictWriter(file, FIELDS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(sorted(rows, key=lambda row: (row["method"], row["model"], row["measure"])))


@cache
def commit() -> str:
    command = ["git", "rev-parse", "--short", "HEAD"]
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip()


if __name__ == "__main__":
    main()
