"""Train the bundled explainers: `python benchmarks/train_explainers.py deit-tiny OUT [OPTION=VALUE …]`.

    python benchmarks/train_explainers.py efficientnet-lite0 OUT iterations=400
    python benchmarks/train_explainers.py deit-tiny OUT photos=200 iterations=160 start=scenes-vit adapt=yes

A killed run resumes with the same command. `SEEWHY_DATA` is the folder of the photos and of DeiT-Tiny's weights;
`photos` limits the photos to train on. Many short steps give the most per minute of one core.
"""

import logging
import os
import random
import sys
from pathlib import Path
from typing import Any

import torch

import seewhy
from seewhy.cli.options import parse_options
from seewhy.data.decode import images_below
from seewhy.explainers.files import read_metadata
from seewhy.models.classifier import Classifier
from seewhy.train import train_explainer
from seewhy.train.config import annotation_of
from seewhy.zoo.scenes import Scenes

DATA = Path(os.environ.get("SEEWHY_DATA", Path(__file__).parents[2] / "shared" / "data")).resolve()
SHORT = {"points": 6, "sample_points": True, "batch": 4}
LITE0 = "efficientnet-lite0"  # its held-out photos are held out of all trainings


def main(name: str, out: str, *options: str) -> None:
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")
    torch.set_num_threads(1)
    folder = Path(out).resolve()
    os.chdir(DATA)  # names of held-out photos are relative to it
    model, source, settings = RUNS[name]()
    limits = [int(each.partition("=")[2]) for each in options if each.startswith("photos=")]
    source = limited(source, limits[0]) if limits else source
    given = parse_options([each for each in options if not each.startswith("photos=")], annotation_of)
    train_explainer(model, source, out=folder, **settings | given)


def deit_tiny() -> tuple[Classifier, Any, dict[str, Any]]:
    model = seewhy.load_model("timm/deit_tiny_patch16_224", weights="models/deit_tiny_patch16_224.safetensors")
    return model, photos(), SHORT | {"prior": "libra_ixg_plus", "held_out_by": LITE0, "precision": "no"}


def lite0() -> tuple[Classifier, Any, dict[str, Any]]:
    return seewhy.load_model(f"seewhy/{LITE0}"), photos(), SHORT | {"held_out_by": LITE0}


def photos() -> list[str]:
    """All photos by their paths below the data folder."""
    return [str(file) for part in ("imagenet-val/images", "imagenet-train-sample") for file in images_below(Path(part))]


def limited(names: list[str], count: int) -> list[str]:
    """All held-out photos, and random others to train on."""
    held_out = {Path(name).name for name in read_metadata(LITE0)["held_out_images"]}
    others = [name for name in names if Path(name).name not in held_out]
    random.Random(0).shuffle(others)
    return [name for name in names if Path(name).name in held_out] + others[:count]


def scenes_vit() -> tuple[Classifier, Any, dict[str, Any]]:
    """One to three objects per image; the split `train` of each."""
    model = seewhy.load_model("seewhy/scenes-vit")
    return (
        model,
        torch.utils.data.ConcatDataset([Scenes("train", 4_000, objects=n) for n in (1, 2, 3)]),
        SHORT | {"prior": "libra_ixg_plus"},
    )


RUNS = {"deit-tiny": deit_tiny, "efficientnet-lite0": lite0, "scenes-vit": scenes_vit}

if __name__ == "__main__":
    main(*sys.argv[1:])
