"""Train the bundled explainers: `python benchmarks/train_explainers.py deit-tiny OUT [OPTION=VALUE …]`.

A killed run resumes with the same command. `SEEWHY_DATA` is the folder of the photos and of DeiT-Tiny's weights. Many
short steps give the most per minute of one core.
"""

import logging
import os
import sys
from pathlib import Path
from typing import Any

import torch

import seewhy
from seewhy.cli.options import parse_options
from seewhy.data.decode import images_below
from seewhy.models.classifier import Classifier
from seewhy.train import train_explainer
from seewhy.train.config import annotation_of
from seewhy.zoo.scenes import Scenes

DATA = Path(os.environ.get("SEEWHY_DATA", Path(__file__).parents[2] / "shared" / "data")).resolve()
SHORT = {"points": 6, "sample_points": True, "batch": 4, "prior": "libra_ixg_plus"}
LITE0 = "efficientnet-lite0"  # its held-out photos are held out of all trainings


def main(name: str, out: str, *options: str) -> None:
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")
    torch.set_num_threads(1)
    folder = Path(out).resolve()
    os.chdir(DATA)  # names of held-out photos are relative to it
    model, source, settings = RUNS[name]()
    train_explainer(model, source, out=folder, **settings | parse_options(options, annotation_of))


def deit_tiny() -> tuple[Classifier, Any, dict[str, Any]]:
    model = seewhy.load_model("timm/deit_tiny_patch16_224", weights="models/deit_tiny_patch16_224.safetensors")
    photos = [
        str(file) for part in ("imagenet-val/images", "imagenet-train-sample") for file in images_below(Path(part))
    ]
    return model, photos, SHORT | {"held_out_by": LITE0, "precision": "bf16"}


def scenes_vit() -> tuple[Classifier, Any, dict[str, Any]]:
    """One to three objects per image; the split `train` of each."""
    model = seewhy.load_model("seewhy/scenes-vit")
    return model, torch.utils.data.ConcatDataset([Scenes("train", 4_000, objects=n) for n in (1, 2, 3)]), SHORT


RUNS = {"deit-tiny": deit_tiny, "scenes-vit": scenes_vit}

if __name__ == "__main__":
    main(*sys.argv[1:])
