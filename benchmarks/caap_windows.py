"""CAAP's windows (Figure 5), and some that might be as faithful as the patch alone and localize as the box does.

    python benchmarks/caap_windows.py --images 60 --network DeiT-Tiny       # continues where it stopped

Protocol `caap`, class of the data set: ImageNet photos with boxes, Scenes images with the object's mask. Writes one
line per image and window to `data/caap_windows.csv`, whose means `tables.py` prints. Besides the windows of the method
itself:

    difference      the box less the box without its center: what the patch adds to its neighbors
    weighted        half the score of the patch alone, half that of the box, both from 0 to 1
    geometric       their geometric mean
    second pass     the 40 best patches of the box ordered by the score of the patch alone

and, for comparison, E-CAAP (Tables 10 and 11) and Libra IxG+.
"""

import argparse
import csv
import os
from pathlib import Path

import torch
from torch import Tensor

import seewhy
from seewhy.data import open_dataset
from seewhy.data.items import Dataset, Sample
from seewhy.metrics import PredictionCache, score_maps
from seewhy.models.vit import ViT
from seewhy.ops.windows import window_matrix
from seewhy.runtime.progress import track

DATA = Path(os.environ.get("SEEWHY_DATA", "../shared/data"))
OUT = Path(__file__).parent / "data" / "caap_windows.csv"
METRICS = ["deletion", "insertion", "ins_del", "aupr_foreground", "aupr_background", "pointing_game"]
TOP = 40
WINDOWS = {"patch alone": "none", "box, radius 1": "box1", "box, radius 2": "box2", "Manhattan 1": "manhattan1"}
MIXED = ("difference", "weighted", "geometric", "second pass")
OTHERS = {"E-CAAP": "e_caap", "Libra IxG+": "libra_ixg_plus"}


def open_network(title: str) -> tuple[ViT, Dataset]:
    if title == "Scenes ViT":
        return seewhy.load_model("seewhy/scenes-vit"), open_dataset("scenes", truth="object", seed=0)
    weights = DATA / "models" / "deit_tiny_patch16_224.safetensors"
    photos = open_dataset("index", path=DATA / "imagenet-val", seed=0)
    return seewhy.load_model("timm/deit_tiny_patch16_224", weights=weights), photos


class Windows:
    """Maps of one image by name of the window; those that several need are computed once."""

    def __init__(self, model: ViT, image: Tensor, target: int) -> None:
        self.model, self.image, self.target = model, image, target
        self.known: dict[str, Tensor] = {}

    def caap(self, select: str) -> Tensor:
        if select not in self.known:
            chosen = ring(self.model) if select == "ring" else select
            found = seewhy.explain(self.model, self.image, "caap", targets=self.target, select=chosen, score="logprob")
            self.known[select] = found.maps
        return self.known[select].exp()

    def map(self, name: str) -> Tensor:
        if name in OTHERS:
            return seewhy.explain(self.model, self.image, OTHERS[name], targets=self.target).maps
        if name in WINDOWS:
            return self.caap(WINDOWS[name])
        box = self.caap("box1")
        if name == "difference":
            return box - self.caap("ring")
        alone = self.caap("none")
        if name == "weighted":
            return (scaled(alone) + scaled(box)) / 2
        if name == "geometric":
            return self.known["none"] + self.known["box1"]
        top = torch.zeros_like(box).flatten().index_fill(0, box.flatten().topk(TOP).indices, 1).view_as(box)
        return scaled(box) + top * (1 + scaled(alone))


def ring(model: ViT) -> Tensor:
    box = window_matrix("box1", model.grid)
    return box & ~torch.eye(len(box), dtype=torch.bool)


def scaled(maps: Tensor) -> Tensor:
    return (maps - maps.min()) / (maps.max() - maps.min()).clamp(min=1e-12)


def score(model: ViT, sample: Sample, target: int, maps: Tensor, cache: PredictionCache) -> list[str]:
    rows = score_maps(
        model,
        sample.image[None],
        maps,
        torch.tensor([[target]]),
        protocol="caap",
        metrics=METRICS,
        regions=sample.regions_of([target])[None],
        cache=cache,
        strict=True,
    )
    found = {row["metric"]: row["score"] for row in rows if row["reference"] == "all"}
    return [f"{found[metric]:.4f}" for metric in METRICS]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--images", type=int, default=60)
    parser.add_argument("--network", choices=["DeiT-Tiny", "Scenes ViT"], default="DeiT-Tiny")
    parser.add_argument("--only", nargs="*", default=(*WINDOWS, *MIXED, *OTHERS), help="names of windows and methods")
    parser.add_argument("--out", type=Path, default=OUT)
    options = parser.parse_args()
    torch.set_num_threads(1)
    known = set()
    if options.out.exists():
        with options.out.open(newline="") as file:
            known = {tuple(row[:3]) for row in csv.reader(file)}
    model, dataset = open_network(options.network)
    with options.out.open("a", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        if not known:
            writer.writerow(["model", "image", "method", *METRICS])
        for index in track(range(options.images), options.network):
            sample, cache = dataset[index].read(model.preprocess), PredictionCache()
            windows = Windows(model, sample.image, sample.labels[0])
            for name in options.only:
                if (options.network, sample.name, name) not in known:
                    values = score(model, sample, sample.labels[0], windows.map(name), cache)
                    writer.writerow([options.network, sample.name, name, *values])
                    file.flush()


if __name__ == "__main__":
    main()
