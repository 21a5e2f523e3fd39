"""Trainings of a few steps on tiny images, for tests of `seewhy.train`."""

import json

import torch
from PIL import Image

from seewhy.explainers.features import model_features

QUICK = {"batch": 4, "grids": (4,), "held_out": 2, "evaluate_every": 1000, "checkpoint_every": 2, "points": 5}
QUICK |= {"mosaics": 0.0, "map_per_class": False}
DIVIDED = QUICK | {"batch": 2, "iterations": 4, "held_out": 5, "evaluated": 4, "evaluate_every": 2, "ema": 0.5}
DIVIDED |= {"mosaics": 0.5, "map_per_class": True}
IMAGES = list(torch.rand(10, 3, 32, 32, generator=torch.Generator().manual_seed(0)))


def logged(folder):
    return [json.loads(line) for line in (folder / "log.jsonl").read_text().splitlines()]


def losses(folder):
    return [entry["loss"] for entry in logged(folder) if "loss" in entry]


def scores(value):
    """Scores as an evaluation returns them."""
    return {"deletion": 0.0, "insertion": value, "ins_del": value, "error": 0.0, "images": 1}


def save_images(folder, images=IMAGES):
    """Write images to files 0.png, 1.png …"""
    folder.mkdir(parents=True)
    for index, image in enumerate(images):
        Image.fromarray((image.permute(1, 2, 0) * 255).byte().numpy()).save(folder / f"{index}.png")
    return folder


def do_steps(run, count):
    with run.model.frozen_eval(), torch.enable_grad():
        for _ in range(count):
            run.step()


def nan_features(explainer, images, _tokens=None):
    return [each * torch.nan for each in model_features(explainer.model, images, last=explainer.sizes.prior > 0)]
