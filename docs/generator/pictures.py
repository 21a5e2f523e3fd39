"""Pictures of method pages: overlays of the committed maps (`method_maps.safetensors`), and explorers of them."""

from functools import cache
from pathlib import Path

import numpy as np
import torch
from facts import DATA, facts_of
from PIL import Image
from safetensors.torch import load_file
from torch import Tensor

import seewhy
from seewhy.ops.colors import blend, strength
from seewhy.ops.resize import resize_maps
from seewhy.registry import METHODS

SIDE, GAP = 224, 6  # pixels


@cache
def stored_maps() -> dict[str, Tensor]:
    path = DATA / "method_maps.safetensors"
    return load_file(path) if path.exists() else {}


@cache
def shown_images(data: str) -> Tensor:
    """The images that maps were made for, as in benchmarks/method_facts.py."""
    if data == "Scenes":
        return torch.stack([seewhy.Scenes("test", 12)[index].image for index in range(6)])
    model = seewhy.load_model("seewhy/efficientnet-lite0")
    return seewhy.data.read_images(list(seewhy.zoo.sample_photos().values()), model.preprocess).images[:6]


def write_strip(name: str, path: Path) -> None:
    """Six overlays side by side; without maps, the images alone."""
    facts = facts_of(name)
    data = next(iter(facts.values()))["data"] if facts else "Scenes"
    images, maps = shown_images(data), stored_maps().get(name)
    tiles = [
        _tile(image, None if maps is None or index >= len(maps) else maps[index]) for index, image in enumerate(images)
    ]
    strip = Image.new("RGB", (len(tiles) * (SIDE + GAP) - GAP, SIDE), "white")
    for index, tile in enumerate(tiles):
        strip.paste(tile.resize((SIDE, SIDE)), (index * (SIDE + GAP), 0))
    strip.save(path, quality=80)


def _tile(image: Tensor, small: Tensor | None) -> Image.Image:
    pixels = (image.permute(1, 2, 0).numpy() * 255).round().astype(np.uint8)
    if small is None:
        return Image.fromarray(pixels)
    values = resize_maps(small.float()[None, None], pixels.shape[:2])[0, 0]
    return Image.fromarray(blend(pixels, strength(values), opacity=0.85))


def write_strips(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name in METHODS.names():
        write_strip(name, folder / f"{name}.jpg")


def write_explorers(folder: Path, most: int | None) -> set[str]:
    """An explorer per method with committed maps, at most so many; returns the names. Existing files are kept."""
    folder.mkdir(parents=True, exist_ok=True)
    done = set()
    for name, maps in stored_maps().items():
        path = folder / f"{name}.html"
        if not path.exists() and (most is None or len(done) < most):
            _explorer(name, maps).save(path)
        if path.exists():
            done.add(name)
    return done


def _explorer(name: str, maps: Tensor) -> object:
    row = facts_of(name)["forwards"]
    model = _model(row["model"])
    image = shown_images(row["data"])[:1]
    heat = maps[:1].float()[:, None] / 127
    explanation = seewhy.Explanation.from_maps(heat, images=image, model=model, method=row["run"])
    return explanation.view()


@cache
def _model(name: str) -> seewhy.Classifier:
    return seewhy.load_model(name)
