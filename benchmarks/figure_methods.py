"""A figure of all methods: photos (rows) by methods (columns), for the class that DeiT-Tiny predicts.

    python benchmarks/figure_methods.py                         every method, fast ones first
    python benchmarks/figure_methods.py --photos 8 --methods rise,shap
    python benchmarks/figure_methods.py --draw                  only draw the stored maps

Photos are every 150th of the folder SEEWHY_DATA (default ../shared/data). Each map is stored as soon as it is computed
(results/figure_methods/maps), so that an interrupted run resumes. Sampling methods use fewer samples than by default;
the title of the column says how many. The last columns are methods for convolutional networks, on ResNet-50 and the
class it predicts.
"""

import argparse
import inspect
import json
import os
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import torch
from PIL import Image, ImageDraw, ImageFont

import seewhy
from seewhy.errors import UnsupportedModel
from seewhy.explanation import Explanation
from seewhy.models.classifier import Classifier
from seewhy.registry import METHODS, resolve_method

DATA = Path(os.environ.get("SEEWHY_DATA", Path(__file__).parents[2] / "shared" / "data"))
FOLDER = Path(__file__).parent / "results" / "figure_methods"
EVERY = 150  # the index is sorted by class
CELL, GAP, TITLE, LABEL, MARGIN = 112, 4, 124, 100, 60  # pixels
VIT, CNN = "timm/deit_tiny_patch16_224", "seewhy/resnet50-keras"
CNN_ONLY = ("deep_lift", "guided_backprop", "guided_grad_cam", "lrp")
SLOWER = (  # in this order, after all others
    "vit_cx", "integrated_gradients", "smooth_grad", "tis", "occlusion", "score_cam", "simple_insertion",
    "simple_deletion", "atman", "rise", "lime", "shap", "mda",
)  # fmt: skip
FEWER: dict[str, dict[str, Any]] = {  # samples, or passes
    "tis": {"masks": 128}, "rise": {"samples": 400}, "lime": {"samples": 400}, "shap": {"samples": 2},
    "mda": {"fast": True}, "score_cam": {"max_channels": 64},
}  # fmt: skip


@dataclass(frozen=True)
class Column:
    """A method with its options on a model."""

    method: str
    model: str = VIT
    options: dict[str, Any] = field(default_factory=dict)

    @property
    def title(self) -> str:
        given = [f"{name}={value}" for name, value in self.options.items()]
        return "\n".join([self.method, *given, *(["ResNet-50"] if self.model == CNN else [])])

    def path(self, photo: str) -> Path:
        name = "-".join([self.method.replace(":", "+"), *(f"{k}={v}" for k, v in self.options.items())])
        return FOLDER / "maps" / name / f"{photo}.npy"


def columns() -> list[Column]:
    """All registered methods, fast ones first, except `aha`, which needs a trained explainer."""
    names = [method.name for method in METHODS.all() if not method.wraps and method.name != "aha"]
    cheap = [name for name in names if name not in SLOWER + CNN_ONLY]
    order = [*cheap, "var:grad_cam", *SLOWER, "refine:grad_cam"]
    return [Column(name, options=FEWER.get(name, {})) for name in order] + [Column(name, CNN) for name in CNN_ONLY]


def photo_files(count: int) -> list[Path]:
    lines = (DATA / "imagenet-val" / "index.jsonl").read_text().splitlines()[::EVERY]
    return [DATA / "imagenet-val" / json.loads(line)["file"] for line in lines[:count]]


@cache
def load(name: str) -> Classifier:
    files = {VIT: "deit_tiny_patch16_224.safetensors", CNN: "resnet50_keras.fp16.safetensors"}
    return seewhy.load_model(name, weights=DATA / "models" / files[name])


def compute(column: Column, photos: Sequence[Path]) -> None:
    """Compute and store the missing maps."""
    missing = [photo for photo in photos if not column.path(photo.stem).exists()]
    start = time.perf_counter()
    for photo in missing:
        path = column.path(photo.stem)
        path.parent.mkdir(parents=True, exist_ok=True)
        explanation = seewhy.explain(load(column.model), photo, column.method, **column.options)
        part = path.with_suffix(".part.npy")
        np.save(part, explanation.maps[0, 0].numpy())
        part.replace(path)
    if missing:
        print(f"{column.method}: {(time.perf_counter() - start) / len(missing):.1f} s per photo", flush=True)


def overlay(column: Column, photo: Path, image: torch.Tensor) -> Image.Image | None:
    """The map over the photo, if it is stored."""
    path = column.path(photo.stem)
    if not path.exists():
        return None
    maps = torch.from_numpy(np.load(path))
    drawn = Explanation.from_maps(maps, images=image).overlay()
    return drawn.resize((CELL, CELL), Image.Resampling.LANCZOS)


def draw(chosen: Sequence[Column], photos: Sequence[Path], *, per_band: int) -> Image.Image:
    """Bands of `per_band` methods below one another, each with all photos."""
    stored = [column for column in chosen if any(column.path(photo.stem).exists() for photo in photos)]
    bands = [stored[start : start + per_band] for start in range(0, len(stored), per_band)]
    drawn = [band_of(band, photos) for band in bands]
    canvas = Image.new("RGB", (max(band.width for band in drawn), sum(band.height for band in drawn)), "white")
    top = 0
    for band in drawn:
        canvas.paste(band, (0, top))
        top += band.height
    return canvas


def band_of(band: Sequence[Column], photos: Sequence[Path]) -> Image.Image:
    step = CELL + GAP
    canvas = Image.new("RGB", (LABEL + (len(band) + 1) * step + MARGIN, TITLE + len(photos) * step), "white")
    pen = ImageDraw.Draw(canvas)
    for number, column in enumerate(band, start=1):
        _slanted(canvas, column.title, (LABEL + number * step, TITLE))
    for row, photo in enumerate(photos):
        explained = predicted(photo)
        label = explained.label().replace(" ", "\n")
        pen.text((4, TITLE + row * step + 4), label, fill="black", font=_font(14))
        for number, cell in enumerate(_cells(band, photo, explained)):
            if cell is not None:
                canvas.paste(cell, (LABEL + number * step, TITLE + row * step))
    return canvas


def _cells(band: Sequence[Column], photo: Path, explained: Explanation) -> Iterator[Image.Image | None]:
    assert explained.images is not None
    pixels = (explained.images[0].permute(1, 2, 0) * 255).round().byte().numpy()
    yield Image.fromarray(pixels).resize((CELL, CELL), Image.Resampling.LANCZOS)
    for column in band:
        yield overlay(column, photo, explained.images)


@cache
def predicted(photo: Path) -> Explanation:
    """The photo as the network sees it, with its prediction; the map is not used."""
    return seewhy.explain(load(VIT), photo, "center")


def _slanted(canvas: Image.Image, text: str, corner: tuple[int, int]) -> None:
    """Draw rotated text above a column, so that long names fit."""
    flat = Image.new("RGBA", (190, 52), (255, 255, 255, 0))
    ImageDraw.Draw(flat).multiline_text((0, 0), text, fill="black", font=_font(14), spacing=1)
    turned = flat.rotate(38, expand=True, resample=Image.Resampling.BICUBIC)
    canvas.paste(turned, (corner[0] + 6, corner[1] - turned.height + 14), turned)


def _font(size: int) -> Any:
    return ImageFont.load_default(size)


def main() -> None:
    parser = argparse.ArgumentParser(description=inspect.getdoc(inspect.getmodule(main)))
    parser.add_argument("--photos", type=int, default=20)
    parser.add_argument("--methods", default="", help="names, separated by commas; default: all")
    parser.add_argument("--draw", action="store_true", help="draw stored maps, compute nothing")
    parser.add_argument("--per-band", type=int, default=16, help="methods side by side")
    parser.add_argument("--width", type=int, help="also write a JPG of this width in pixels")
    given = parser.parse_args()
    torch.set_num_threads(1)
    wanted, photos = set(filter(None, given.methods.split(","))), photo_files(given.photos)
    chosen = [column for column in columns() if not wanted or column.method in wanted]
    for column in chosen if not given.draw else []:
        if resolve_method(column.method).supports(load(column.model)):
            try:
                compute(column, photos)
            except UnsupportedModel as error:
                print(f"{column.method}: {error}", flush=True)
    figure = draw(chosen, photos, per_band=given.per_band)
    FOLDER.mkdir(parents=True, exist_ok=True)
    figure.save(FOLDER / "methods.png")
    if given.width:
        small = figure.resize((given.width, figure.height * given.width // figure.width), Image.Resampling.LANCZOS)
        small.save(FOLDER / "methods.jpg", quality=70, optimize=True)


if __name__ == "__main__":
    main()
