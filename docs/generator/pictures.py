"""Pictures of method pages: overlays of six images, and explorers, computed at the build with the bundled networks.

Methods that take more than `LIMIT` passes per map are stopped and get no picture. Pictures and explorers are kept in
`build/` between builds; pictures are drawn again when the file of the method has changed.
"""

import hashlib
import inspect
import sys
import warnings
from functools import cache
from pathlib import Path

import numpy as np
from facts import BASE, runs_on_vit
from PIL import Image

import seewhy
from seewhy.errors import SeewhyError
from seewhy.registry import METHODS, Method
from seewhy.types import Cost

SIDE, GAP, SHOWN = 224, 6, 6  # pixels of an image and between two, number of images
LIMIT = 60  # passes per map
REFERENCES = ("black",)  # of explorers


def write_pictures(
    folder: Path, explorers: Path, *, most: int | None = None, quick: bool = False
) -> tuple[set[str], set[str]]:
    """A strip per method that is cheap enough, and at most so many explorers; returns the methods that have one.

    `quick` takes what earlier builds have drawn.
    """
    folder.mkdir(parents=True, exist_ok=True)
    explorers.mkdir(parents=True, exist_ok=True)
    drawn, explored = set(), set()
    for method in METHODS.all():
        strip, page = folder / f"{method.name}-{key(method)}.jpg", explorers / f"{method.name}.html"
        wanted = most is None or len(explored) < most
        known = quick or (strip.exists() and (page.exists() or not wanted))
        explanation = None if known else explain(method)
        if explanation is not None:
            draw_strip(explanation, strip)
            if wanted and not page.exists():
                explain(method, count=1).view(references=REFERENCES).save(page)
        drawn |= {method.name} if strip.exists() else set()
        explored |= {method.name} if page.exists() else set()
    return drawn, explored


def key(method: Method) -> str:
    """Changes when the method's file does."""
    return hashlib.blake2b(
        inspect.getsource(sys.modules[method.function.__module__]).encode(), digest_size=4
    ).hexdigest()


def explain(method: Method, count: int = SHOWN) -> seewhy.Explanation | None:
    """The maps of the first images; None if the method takes too many passes or refuses the network."""
    vit = runs_on_vit(method.name)
    model, images = (load("seewhy/scenes-vit"), scenes()) if vit else (load("seewhy/efficientnet-lite0"), photos())
    name = f"{method.name}:{BASE}" if method.wraps else method.name
    spent, plain = Cost(), model.count

    def limited(**passes: float) -> None:
        nonlocal spent
        spent += Cost(**passes)
        if spent.forwards + spent.backwards > LIMIT * count:
            raise RuntimeError("too many passes")
        plain(**passes)

    model.count = limited  # type: ignore[method-assign]
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return seewhy.explain(model, images[:count], name)
    except SeewhyError as error:
        print(f"no picture of {name}: {str(error)[:120]}")
        return None
    finally:
        model.count = plain  # type: ignore[method-assign]


def draw_strip(explanation: seewhy.Explanation, path: Path) -> None:
    tiles = [explanation.overlay(index).resize((SIDE, SIDE)) for index in range(len(explanation))]
    strip = Image.new("RGB", (len(tiles) * (SIDE + GAP) - GAP, SIDE), "white")
    for index, tile in enumerate(tiles):
        strip.paste(tile, (index * (SIDE + GAP), 0))
    strip.save(path, quality=80)


@cache
def load(name: str) -> seewhy.Classifier:
    return seewhy.load_model(name, device="cpu")


@cache
def scenes() -> list[Image.Image]:
    drawn = [seewhy.Scenes("test", 12)[index].image for index in range(SHOWN)]
    return [Image.fromarray((image.permute(1, 2, 0).numpy() * 255).round().astype(np.uint8)) for image in drawn]


@cache
def photos() -> list[Image.Image]:
    return list(seewhy.zoo.sample_photos().values())[:SHOWN]
