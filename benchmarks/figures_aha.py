"""The figures of docs/explainers.md, on Scenes: soft masks, refinement, perturbation steps, the shortcut.

    python benchmarks/figures_aha.py masks                      AHA, Fig. 2
    python benchmarks/figures_aha.py refinement --images 100    AHA, Fig. 3a
    python benchmarks/figures_aha.py steps --iterations 150     AHA, Fig. 3b: trains four explainers, resumes
    python benchmarks/figures_aha.py shortcut --images 50       AHA, A.3

Each writes a figure to results/figures_aha and prints its numbers. The explainer is the bundled one of
seewhy/scenes-vit, or the folder given with --explainer.
"""

import argparse
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import torch
from matplotlib.figure import Figure
from torch import Tensor

import seewhy
from seewhy.explainers.loss import scaled
from seewhy.explainers.presets import SMALL
from seewhy.metrics import score_maps
from seewhy.models.classifier import Classifier
from seewhy.ops.perturb import aha_reference_images, apply_masks, pool_cells, soft_masks, upsample_cells
from seewhy.ops.sinkhorn import soft_permutation
from seewhy.train import train_explainer
from seewhy.zoo.scenes import Scene, Scenes

FOLDER = Path(__file__).parent / "results" / "figures_aha"
FRACTIONS, GRID, TAU = (0.1, 0.2, 0.5), 14, 0.3
REFINEMENTS = range(6)  # T
STEPS = (4, 8, 16, 32)  # S


def masks(given: argparse.Namespace) -> None:
    """Image, map, and the image after soft deletion of the top of the map."""
    model, scenes = seewhy.load_model("seewhy/scenes-vit"), Scenes("test", 4)
    images, targets = stacked(scenes)
    maps = explained(model, images, targets, given)
    config = SMALL.explainer.loss
    cells = pool_cells(scaled(maps, config), GRID)  # as in training, at its final temperature
    order = soft_permutation(cells.flatten(1), tau=TAU, start=config.sort_start)
    soft = soft_masks(order, torch.tensor(FRACTIONS)).unflatten(2, (GRID, GRID))
    size, black = (images.shape[-2], images.shape[-1]), aha_reference_images(images, "black")
    deleted = [apply_masks(images, black, upsample_cells(soft[:, step], size)) for step in range(len(FRACTIONS))]
    figure = Figure(figsize=(9, 7.4), layout="constrained")
    axes = figure.subplots(len(images), 2 + len(FRACTIONS))
    for row, image in zip(axes, range(len(images)), strict=True):
        show(row[0], images[image].permute(1, 2, 0))
        show(row[1], maps[image], cmap="inferno")
        for axis, perturbed in zip(row[2:], deleted, strict=True):
            show(axis, perturbed[image].permute(1, 2, 0))
    for axis, title in zip(
        axes[0], ["image", "map", *(f"top {share:.0%} deleted" for share in FRACTIONS)], strict=True
    ):
        axis.set_title(title)
    save(figure, "masks")


def refinement(given: argparse.Namespace) -> None:
    """True deletion and insertion over the steps of refinement."""
    model, scenes = seewhy.load_model("seewhy/scenes-vit"), Scenes("test", given.images)
    images, targets = stacked(scenes)
    insertion, difference = [], []
    for count in REFINEMENTS:
        scores = means(model, images, explained(model, images, targets, given, refine_steps=count), targets)
        print(f"T = {count}: insertion {scores['insertion']:.4f}, ins - del {scores['ins_del']:.4f}", flush=True)
        insertion.append(scores["insertion"])
        difference.append(scores["ins_del"])
    lines("refinement", "refinement steps T", list(REFINEMENTS), {"insertion": insertion, "ins − del": difference})


def steps(given: argparse.Namespace) -> None:
    """True deletion and insertion of explainers trained with different numbers of perturbation steps."""
    model, scenes = seewhy.load_model("seewhy/scenes-vit"), Scenes("test", given.images)
    images, targets = stacked(scenes)
    insertion, difference = [], []
    for count in STEPS:
        out = FOLDER / f"steps-{count}-{given.iterations}"
        train_explainer(
            model, Scenes("train", 12_000), out=out, points=count, iterations=given.iterations, learning_rate=2e-3,
            evaluate_every=given.iterations,
        )  # fmt: skip
        maps = seewhy.explain(model, images, "aha", targets, explainer=str(out)).maps[:, 0]
        scores = means(model, images, maps, targets)
        print(f"S = {count}: insertion {scores['insertion']:.4f}, ins - del {scores['ins_del']:.4f}", flush=True)
        insertion.append(scores["insertion"])
        difference.append(scores["ins_del"])
    lines("steps", "perturbation steps S", list(STEPS), {"insertion": insertion, "ins − del": difference})


def shortcut(given: argparse.Namespace) -> None:
    """The explainer of the clean network, refined for the network with the planted shortcut."""
    model = seewhy.load_model("seewhy/scenes-vit-shortcut")
    marked = [scene for scene in Scenes("test", 20 * given.images, shortcut=("mug", "circle")) if scene.cue is not None]
    images, targets = stacked(marked[: given.images])
    circles = torch.stack([scene.cue for scene in marked[: given.images] if scene.cue is not None])
    shares, examples = [], []
    for count in REFINEMENTS:
        maps = explained(model, images, targets, given, refine_steps=count, allow_mismatch=True)
        shares.append(share_inside(maps, circles))
        examples.append(maps[:3])
        print(f"T = {count}: share of the map on the circle {shares[-1]:.4f}", flush=True)
    area = circles.float().mean().item()
    print(f"area of the circle {area:.4f}")
    lines(
        "shortcut",
        "refinement steps T",
        list(REFINEMENTS),
        {"share of the map on the circle": shares, "its area": [area] * 6},
    )
    figure = Figure(figsize=(11, 5), layout="constrained")
    for row, image in zip(figure.subplots(3, 1 + len(examples)), range(3), strict=True):
        show(row[0], images[image].permute(1, 2, 0))
        for axis, (count, maps) in zip(row[1:], enumerate(examples), strict=True):
            show(axis, maps[image], cmap="inferno")
            axis.set_title(f"T = {count}" if image == 0 else "")
    save(figure, "shortcut-maps")


def share_inside(maps: Tensor, regions: Tensor) -> float:
    """Mean fraction of a map, shifted to a minimum of 0, inside a region."""
    low = maps.flatten(1).amin(dim=1)[:, None, None]
    positive = maps - low
    return float(((positive * regions).sum((1, 2)) / positive.sum((1, 2))).mean())


def stacked(scenes: Iterable[Scene]) -> tuple[Tensor, Tensor]:
    return torch.stack([scene.image for scene in scenes]), torch.tensor([[scene.label] for scene in scenes])


def explained(model: Classifier, images: Tensor, targets: Tensor, given: argparse.Namespace, **options: Any) -> Tensor:
    explainer = given.explainer or "scenes-vit"
    return seewhy.explain(model, images, "aha", targets, explainer=explainer, **options).maps[:, 0]


def means(model: Classifier, images: Tensor, maps: Tensor, targets: Tensor) -> dict[str, float]:
    """Mean insertion and ins_del over images and references, protocol `aha`."""
    rows = score_maps(model, images, maps[:, None], targets, metrics=["insertion", "ins_del"], protocol="aha")
    rows = [row for row in rows if row["reference"] == "all"]
    return {
        name: sum(row["score"] for row in rows if row["metric"] == name) / len(images)
        for name in ("insertion", "ins_del")
    }


def lines(name: str, label_x: str, ticks: list[int], curves: dict[str, list[float]]) -> None:
    figure = Figure(figsize=(5, 3.2), layout="constrained")
    axis = figure.subplots()
    for label, values in curves.items():
        axis.plot(range(len(ticks)), values, marker="o", label=label)
    axis.set_xticks(range(len(ticks)), labels=list(map(str, ticks)))
    axis.set_xlabel(label_x)
    axis.legend()
    save(figure, name)


def show(axis: Any, image: Tensor, **options: Any) -> None:
    axis.imshow(image, **options)
    axis.set_axis_off()


def save(figure: Figure, name: str) -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    figure.savefig(FOLDER / f"{name}.png", dpi=100)
    print(FOLDER / f"{name}.png")


def main() -> None:
    figures = {function.__name__: function for function in (masks, refinement, steps, shortcut)}
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("figure", choices=figures)
    parser.add_argument("--images", type=int, default=50)
    parser.add_argument("--iterations", type=int, default=150, help="of each training")
    parser.add_argument("--explainer", help="folder of an explainer of seewhy/scenes-vit")
    given = parser.parse_args()
    figures[given.figure](given)


if __name__ == "__main__":
    main()
