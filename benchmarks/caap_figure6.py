"""CAAP, Figure 6: mean attention weight from the patches of an object to itself, to another object, to the background.

    python benchmarks/caap_figure6.py --images 60

DeiT-Tiny on pets with their trimaps (one object each), the Scenes ViT on images of two objects with their masks. A
patch belongs to an object that covers at least half of it. Weights are means over heads and pairs of patches, times
the number of patches, so that 1 is uniform attention among patches. Writes `data/caap_figure6.csv`: one line per
network, block and kind of pair, with the 95 % interval over images.
"""

import argparse
import csv
import os
from collections import defaultdict
from pathlib import Path

import numpy as np
import torch
from torch import Tensor

import seewhy
from seewhy.data import open_dataset
from seewhy.data.items import Dataset
from seewhy.models.vit import ViT
from seewhy.runtime.progress import track

DATA = Path(os.environ.get("SEEWHY_DATA", "../shared/data"))
OUT = Path(__file__).parent / "data" / "caap_figure6.csv"
COVERED = 0.5


def networks() -> dict[str, tuple[ViT, Dataset]]:
    weights = DATA / "models" / "deit_tiny_patch16_224.safetensors"
    pets = {"images": DATA / "pets" / "images", "masks": DATA / "pets" / "trimaps", "values": [1]}
    return {
        "DeiT-Tiny": (
            seewhy.load_model("timm/deit_tiny_patch16_224", weights=weights),
            open_dataset("masks", seed=0, **pets),
        ),
        "Scenes ViT": (seewhy.load_model("seewhy/scenes-vit"), open_dataset("scenes", objects=2, seed=0)),
    }


def mean_weights(model: ViT, image: Tensor, regions: Tensor) -> dict[str, list[float]]:
    """Per kind of pair and block: the mean weight from the patches of an object."""
    with torch.no_grad(), model.frozen_eval():
        attention = model.trace(image[None]).attention
    covered = torch.nn.functional.adaptive_avg_pool2d(regions[None].float(), model.grid)[0].flatten(1)
    objects = covered >= COVERED
    background = (covered < COVERED).all(dim=0)
    pairs: dict[str, list[float]] = defaultdict(list)
    for weights in attention:
        patches = weights[0].mean(dim=0)[model.prefix :, model.prefix :] * len(background)
        for kind, values in region_pairs(patches, objects, background).items():
            if values:
                pairs[kind].append(float(torch.stack(values).mean()))
    return pairs


def region_pairs(patches: Tensor, objects: Tensor, background: Tensor) -> dict[str, list[Tensor]]:
    found = [each for each in objects if each.any()]
    return {
        "intra-object": [patches[each][:, each].mean() for each in found],
        "inter-object": [patches[a][:, b].mean() for a in found for b in found if a is not b],
        "object to background": [patches[each][:, background].mean() for each in found if background.any()],
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--images", type=int, default=60)
    options = parser.parse_args()
    torch.set_num_threads(1)
    rows = []
    for title, (model, dataset) in networks().items():
        collected: dict[str, list[list[float]]] = defaultdict(list)
        for index in track(range(options.images), title):
            sample = dataset[index].read(model.preprocess)
            for kind, values in mean_weights(model, sample.image, sample.regions).items():
                collected[kind].append(values)
        for kind, lines in collected.items():
            values = np.array(lines)
            half = 1.96 * values.std(axis=0) / len(values) ** 0.5
            for block, (mean, error) in enumerate(zip(values.mean(axis=0), half, strict=True), start=1):
                rows.append([title, kind, block, len(values), f"{mean:.4f}", f"{error:.4f}"])
    with OUT.open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["network", "pair", "block", "n", "mean", "half width"])
        writer.writerows(rows)


if __name__ == "__main__":
    main()
