"""Does a map depend on the question? Scenes with two objects: is the object of the asked class brighter than the other?

    python benchmarks/two_objects.py aha libra_ixg_plus aha:refine_steps=3 aha:explainer=DIR

Writes a row for each method and class (the more and the less probable one of each image) to `data/two_objects.csv`: the
fraction of images in which the mean of the map on the asked object is above that on the other, with Wilson's 95 %
interval. Rows of other methods are kept.
"""

import argparse
import csv
from pathlib import Path

import torch
from scipy.stats import binomtest
from torch import Tensor

import seewhy
from seewhy.cli.options import parse_options
from seewhy.models.classifier import Classifier
from seewhy.ops.resize import resize_maps
from seewhy.registry import resolve_method
from seewhy.runtime.progress import track
from seewhy.zoo.scenes import Scenes

OUT = Path(__file__).parent / "data" / "two_objects.csv"
BATCH = 10


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("methods", nargs="+", metavar="METHOD[:OPTION=VALUE,…]")
    parser.add_argument("--images", type=int, default=100)
    parser.add_argument("--label", help="name of the only method in the table")
    parser.add_argument("--out", type=Path, default=OUT)
    options = parser.parse_args()
    torch.set_num_threads(1)
    model = seewhy.load_model("seewhy/scenes-vit")
    rows = read(options.out)
    for given in options.methods:
        label = options.label or given
        rows = [row for row in rows if row["method"] != label]
        rows += [{"method": label} | row for row in measure(model, given, options.images)]
        write(options.out, rows)
        print(*(f"{row['class']}: {row['brighter']}" for row in rows[-2:]), label, sep=", ")


def measure(model: Classifier, given: str, count: int) -> list[dict[str, str]]:
    """A row for the more and one for the less probable class."""
    scenes = Scenes("test", count, objects=2)
    wins = torch.cat([brighter(model, given, [scenes[i] for i in part]) for part in batches(count)])
    return [row(name, wins[:, rank]) for rank, name in enumerate(("more probable", "less probable"))]


def batches(count: int) -> list[range]:
    return list(track([range(first, min(first + BATCH, count)) for first in range(0, count, BATCH)], "images"))


def brighter(model: Classifier, given: str, scenes: list) -> Tensor:
    """Whether the asked object is brighter, for the more and the less probable class of each image."""
    name, options = parse(given)
    images, targets = torch.stack([each.image for each in scenes]), torch.tensor([each.labels for each in scenes])
    maps = resize_maps(resolve_method(name, **options)(model, images, targets).maps, model.image_size)
    objects = torch.stack([each.objects for each in scenes]).to(maps)  # images 2 height width
    means = torch.einsum("nkhw,nohw->nko", maps, objects) / objects.sum(dim=(2, 3)).unsqueeze(1)
    wins = torch.stack([means[:, 0, 0] > means[:, 0, 1], means[:, 1, 1] > means[:, 1, 0]], dim=1)
    order = model.probabilities(images).gather(1, targets).argsort(dim=1, descending=True)
    return wins.gather(1, order)


def parse(given: str) -> tuple[str, dict]:
    """Method and options of `aha:refine_steps=3`."""
    name, separator, options = given.partition(":") if "=" in given else (given, "", "")
    return name, parse_options(options.split(","), resolve_method(name).annotation) if separator else {}


def row(name: str, wins: Tensor) -> dict[str, str]:
    interval = binomtest(int(wins.sum()), len(wins)).proportion_ci(method="wilson")
    share = f"{float(wins.float().mean()):.2f}"
    return {
        "class": name,
        "n": str(len(wins)),
        "brighter": share,
        "low": f"{interval.low:.3f}",
        "high": f"{interval.high:.3f}",
    }


def read(path: Path) -> list[dict[str, str]]:
    if not path.exists():
        return []
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


def write(path: Path, rows: list[dict[str, str]]) -> None:
    with path.open("w", newline="") as file:
        table = csv.DictWriter(file, list(rows[0]))
        table.writeheader()
        table.writerows(rows)


if __name__ == "__main__":
    main()
