"""Facts about every method, for its page: cost, determinism, sensitivity to class, input and weights, scores.

    python benchmarks/method_facts.py

Every method runs with its defaults on images of Scenes and the bundled ViT, or on sample photos and EfficientNet-Lite0
where it refuses a ViT; wrappers run around the default method. Similarity is the rank correlation of two maps. Rows go
to `data/method_facts.csv`. Methods that have rows are skipped, and expensive ones come last and get fewer images, so a
stopped run continues.
"""

import argparse
import csv
import subprocess
from collections.abc import Iterator, Sequence
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
IMAGES, PASSES = 8, 1200  # images per method, and passes of the network spent on the maps of one method
EXPENSIVE = 60  # passes per map of methods that come last
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
    images = seewhy.data.read_images(list(seewhy.zoo.sample_photos().values()), model.preprocess).images[:IMAGES]
    top = model.probabilities(images).topk(2).indices
    return Case(model, randomized("seewhy/efficientnet-lite0"), "sample photos", images, top[:, :1], top[:, 1:], None)


def randomized(name: str) -> Classifier:
    model = seewhy.load_model(name)
    list(randomize(model.module))
    return model


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--methods", nargs="*", help="measure these again; default: all that have no rows")
    options = parser.parse_args()
    torch.set_num_threads(1)
    for method in ordered(options.methods):
        measure(method)


def ordered(names: Sequence[str] | None) -> Iterator[Method]:
    """Methods to measure, those with many passes per map last."""
    known = {row["method"] for row in read_rows()} - set(names or ())
    chosen = [method for method in METHODS.all() if method.name not in known and (not names or method.name in names)]
    late = [method for method in chosen if is_expensive(method)]
    yield from (method for method in chosen if method not in late)
    yield from late


def is_expensive(method: Method) -> bool:
    """Whether a map takes many passes; stops it as soon as it has taken them."""
    model = scenes_case().model
    count, spent = model.count, Cost()

    def limited(**passes: float) -> None:
        nonlocal spent
        spent += Cost(**passes)
        if spent.forwards + spent.backwards > EXPENSIVE:
            raise RuntimeError("too many passes")
        count(**passes)

    model.count = limited
    try:
        explain(scenes_case(), method, 0)
    except SeewhyError as error:
        return "too many passes" in str(error)
    finally:
        model.count = count
    return False


def cost(method: Method) -> float:
    """Passes per map; infinite where no case fits."""
    found = first_map(method)
    return found[1].cost.forwards + found[1].cost.backwards if found else float("inf")


@cache
def first_map(method: Method) -> tuple[Case, seewhy.Explanation] | None:
    """The first case that the method does not refuse, and the map of its first image."""
    for build in (scenes_case, photos_case):
        try:
            return build(), explain(build(), method, 0)
        except SeewhyError as error:
            print(f"{method.name}: {error}"[:200], flush=True)
    return None


def explain(
    case: Case, method: Method, image: int, *, model: Classifier | None = None, **changes: Any
) -> seewhy.Explanation:
    images = changes.pop("images", case.images)[image : image + 1]
    targets = changes.pop("targets", case.targets)[image : image + 1]
    return seewhy.explain(model or case.model, images, title(case, method), targets, **changes)


def title(case: Case, method: Method) -> str:
    return f"{method.name}:{seewhy.default_method(case.model)}" if method.wraps else method.name


def measure(method: Method) -> None:
    """Write the rows of a method."""
    found = first_map(method)
    if found is None:
        return
    case = found[0]
    count = min(len(case.images), IMAGES, max(2, int(PASSES / (5 * cost(method) + 1))))
    plain = [found[1], *(explain(case, method, image) for image in range(1, count))]
    facts = similarities(case, method, plain) | scores(case, plain)
    facts |= {
        "forwards": [each.cost.forwards for each in plain],
        "backwards": [each.cost.backwards for each in plain],
        "relative_seconds": relative_seconds(case, method, plain),
    }
    write_rows(title(case, method), method.name, case, facts)
    print(f"{method.name}: {count} images", flush=True)


def similarities(case: Case, method: Method, plain: list) -> dict[str, list[float]]:
    generator = torch.Generator().manual_seed(0)
    noisy = (case.images + NOISE * torch.randn(case.images.shape, generator=generator)).clamp(0, 1)
    both = torch.cat([case.targets, case.others], dim=1)
    repeats = [explain(case, method, image) for image in range(1)]
    found = {"repeat_difference": [float((a.maps - b.maps).abs().max()) for a, b in zip(plain, repeats, strict=False)]}
    changes: dict[str, dict] = {"noise_similarity": {"images": noisy}, "random_weights_similarity": {}}
    if "seed" in method.options:
        changes["seed_similarity"] = {"seed": 1}
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


def relative_seconds(case: Case, method: Method, plain: list) -> list[float]:
    """Seconds of a map over those of a plain forward pass, measured in turns."""
    ratios = []
    for image in range(min(3, len(plain))):
        with case.model.meter() as forward:
            case.model.probabilities(case.images[image : image + 1])
        ratios.append(explain(case, method, image).cost.seconds / forward.seconds)
    return ratios


# files


def read_rows() -> list[dict[str, str]]:
    if not FACTS.exists():
        return []
    with FACTS.open(newline="") as file:
        return list(csv.DictReader(file))


def write_rows(shown: str, name: str, case: Case, found: dict[str, list[float]]) -> None:
    rows = [row for row in read_rows() if row["method"] != name]
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
        rows.append(same | numbers | {"measure": measure, "n": len(values), "protocol": protocol})
    with FACTS.open("w", newline="") as file:
        writer = csv.DictWriter(file, FIELDS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(sorted(rows, key=lambda row: (row["method"], row["measure"])))


@cache
def commit() -> str:
    command = ["git", "rev-parse", "--short", "HEAD"]
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip()


if __name__ == "__main__":
    main()
