"""Does refinement find a shortcut that the explainer never saw (AHA, A.3)? `scenes-vit-shortcut`: a circle means "mug".

    python benchmarks/aha_shortcut.py aha aha:refine_steps=3 aha:refine_steps=auto libra_ixg_plus t_attr caap

The explainer is that of the clean `scenes-vit`. Writes a row per method to `data/aha_shortcut.csv`, with 95 % intervals
(bootstrap over images): the fraction of the top pixels, as many as the circle has, that lie on it; and the area under
the precision-recall curve of the circle. Rows of other methods are kept.
"""

import argparse
import csv
from pathlib import Path

import numpy as np
import torch
from torch import Tensor

import seewhy
from seewhy.cli.options import parse_options
from seewhy.metrics import score_maps
from seewhy.models.classifier import Classifier
from seewhy.ops.resize import resize_maps
from seewhy.registry import resolve_method
from seewhy.runtime.progress import track
from seewhy.zoo.scenes import Scene, Scenes

OUT = Path(__file__).parent / "data" / "aha_shortcut.csv"
BATCH, RESAMPLES = 10, 2000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("methods", nargs="+", metavar="METHOD[:OPTION=VALUE,…]")
    parser.add_argument("--explainer", default="scenes-vit")
    parser.add_argument("--suffix", default="", help="of the names of `aha` in the table, for another explainer")
    parser.add_argument("--images", type=int, default=100)
    parser.add_argument("--out", type=Path, default=OUT)
    options = parser.parse_args()
    torch.set_num_threads(1)
    model = seewhy.load_model("seewhy/scenes-vit-shortcut")
    scenes = marked(options.images)
    rows = read(options.out)
    for given in options.methods:
        title = given + options.suffix if given.startswith("aha") else given
        rows = [row for row in rows if row["method"] != title]
        rows.append({"method": title} | measure(model, given, options.explainer, scenes))
        write(options.out, rows)
        print(rows[-1])


def marked(count: int) -> list[Scene]:
    """Test images with the circle."""
    found = (scene for scene in Scenes("test", 20 * count, shortcut=("mug", "circle")) if scene.cue is not None)
    return [scene for scene, _ in zip(found, range(count), strict=False)]


def measure(model: Classifier, given: str, explainer: str, scenes: list[Scene]) -> dict[str, str]:
    name, _, text = given.partition(":") if "=" in given else (given, "", "")
    options = parse_options(text.split(","), resolve_method(name).annotation) if text else {}
    if name == "aha":
        options |= {"explainer": explainer, "allow_mismatch": True}
    top, area = [], []
    for start in track(range(0, len(scenes), BATCH), given):
        part = scenes[start : start + BATCH]
        images = torch.stack([scene.image for scene in part])
        targets, circles = torch.tensor([[scene.label] for scene in part]), torch.stack([each.cue for each in part])
        made = seewhy.explain(model, images, name, targets=targets, **options).maps
        top += top_share(resize_maps(made, model.image_size)[:, 0], circles)
        rows = score_maps(model, images, made, targets, metrics=["aupr_foreground"], regions=circles[:, None])
        area += [row["score"] for row in rows if row["reference"] == "all"]
    return {"n": str(len(scenes)), "top pixels on it": interval(top), "aupr": interval(area)}


def top_share(maps: Tensor, circles: Tensor) -> list[float]:
    """Fraction of the top pixels on the circle, as many as it has."""
    shares = []
    for scores, circle in zip(maps.flatten(1), circles.flatten(1), strict=True):
        top = scores.topk(int(circle.sum())).indices
        shares.append(float(circle[top].float().mean()))
    return shares


def interval(values: list[float]) -> str:
    """Mean and bootstrap interval."""
    array, generator = np.array(values), np.random.default_rng(0)
    means = array[generator.integers(len(array), size=(RESAMPLES, len(array)))].mean(axis=1)
    low, high = np.quantile(means, [0.025, 0.975])
    return f"{array.mean():.3f} ({low:.3f} to {high:.3f})"


def read(path: Path) -> list[dict[str, str]]:
    if not path.exists():
        return []
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


def write(path: Path, rows: list[dict[str, str]]) -> None:
    with path.open("w", newline="") as file:
        table = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
        table.writeheader()
        table.writerows(rows)


if __name__ == "__main__":
    main()
