"""Pictures of method pages: the maps of six images per network, and explorers, computed with the bundled networks.

    python docs/generator/pictures.py      # the pictures of expensive methods, which are committed

A build draws what takes at most `LIMIT` passes per map; slower methods have committed pictures in
`docs/images/methods`. An explorer shows one image, so its map may take more. Pictures and explorers are kept in
`build/` between builds; pictures are drawn again when the file of the method has changed.
"""

import hashlib
import inspect
import sys
import warnings
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from facts import NETWORKS, ROOT, full_name, notes, passes, runs_on
from PIL import Image
from torch import Tensor

import seewhy
from seewhy.errors import SeewhyError
from seewhy.registry import METHODS, Method
from seewhy.types import Cost

SIDE, GAP, SHOWN = 160, 4, 6  # pixels of an image and between two, number of images
LIMIT, SLOW, ONE = 60, 900, 4000  # passes per map of what builds draw, of what is committed, and of explorers
REFERENCES = ("black",)  # of explorers
COMMITTED = ROOT / "docs" / "images" / "methods"


class Drawn(NamedTuple):
    """What there is to show: strips as (method, network), and methods with an explorer."""

    strips: set[tuple[str, str]]
    explorers: set[str]


def write_pictures(folder: Path, kept: Path, explorers: Path, *, most: int | None = None, quick: bool = False) -> Drawn:
    """Fill `folder` with a strip per method and network, and `explorers` with at most so many explorers.

    `kept` holds the strips of earlier builds; `quick` draws nothing new.
    """
    for each in (folder, kept, explorers):
        each.mkdir(parents=True, exist_ok=True)
    drawn = Drawn(set(), set())
    for network in NETWORKS:
        save(strip_of(images(network)), folder / f"images-{network}.jpg")
    for method in METHODS.all():
        for network in NETWORKS:
            found = strip(method, network, kept, quick=quick)
            if found:
                picture = Image.open(found)
                save(picture, folder / f"{method.name}-{network}.jpg")
                save(picture.crop((0, 0, SIDE, SIDE)), folder / f"{method.name}-{network}-first.jpg")
                drawn.strips.add((method.name, network))
        page = explorers / f"{method.name}.html"
        if not page.exists() and not quick and (most is None or len(drawn.explorers) < most):
            write_explorer(method, page)
        if page.exists():
            drawn.explorers.add(method.name)
    for network in NETWORKS:
        first = Image.open(folder / f"images-{network}.jpg").crop((0, 0, SIDE, SIDE))
        save(first, folder / f"images-{network}-first.jpg")
    return drawn


def strip(method: Method, network: str, kept: Path, *, quick: bool) -> Path | None:
    """The file with the maps of a method: committed, of an earlier build, or drawn now if it is cheap enough."""
    committed, path = COMMITTED / f"{method.name}-{network}.jpg", kept / f"{method.name}-{network}-{key(method)}.jpg"
    if not committed.exists() and not path.exists() and not quick and affordable(method, network):
        explanation = explain(method, network, limit=LIMIT)
        if explanation is not None:
            save(strip_of_maps(explanation), path)
    return next((each for each in (committed, path) if each.exists()), None)


def affordable(method: Method, network: str) -> bool:
    """Whether a map takes at most `LIMIT` passes: as measured, else by trying it on one image."""
    if not runs_on(method.name, network):
        return False
    known = passes(method.name, network)
    return explain(method, network, count=1, limit=LIMIT) is not None if known is None else known <= LIMIT


def write_explorer(method: Method, page: Path) -> None:
    network = next((each for each in NETWORKS if runs_on(method.name, each)), None)
    explanation = explain(method, network, count=1, limit=ONE) if network else None
    if explanation is not None:
        explanation.view(references=REFERENCES).save(page)


def key(method: Method) -> str:
    """Changes when the method's file does."""
    return hashlib.blake2b(
        inspect.getsource(sys.modules[method.function.__module__]).encode(), digest_size=4
    ).hexdigest()


def explain(method: Method, network: str, *, count: int = SHOWN, limit: float) -> seewhy.Explanation | None:
    """The maps of the first images; None if the method takes too many passes or refuses the network."""
    model, name = load(NETWORKS[network]), full_name(method, network)
    spent, plain = Cost(), model.count

    def limited(**passes: float) -> None:
        nonlocal spent
        spent += Cost(**passes)
        if spent.forwards + spent.backwards > limit * count:
            raise RuntimeError("too many passes")
        plain(**passes)

    model.count = limited  # type: ignore[method-assign]
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return seewhy.explain(model, images(network)[:count], name, **picture_options(method.name))
    except SeewhyError as error:
        print(f"no picture of {name}: {str(error)[:120]}")
        return None
    finally:
        model.count = plain  # type: ignore[method-assign]


def picture_options(method: str) -> dict[str, Any]:
    """Fewer samples than by default, for pictures of slow methods."""
    return dict(notes()["pictures"].get(method, {}))


def strip_of_maps(explanation: seewhy.Explanation) -> Image.Image:
    return strip_of([explanation.overlay(index) for index in range(len(explanation))])


def strip_of(tiles: list[Image.Image]) -> Image.Image:
    strip = Image.new("RGB", (len(tiles) * (SIDE + GAP) - GAP, SIDE), "white")
    for index, tile in enumerate(tiles):
        strip.paste(tile.resize((SIDE, SIDE)), (index * (SIDE + GAP), 0))
    return strip


def save(picture: Image.Image, path: Path) -> None:
    picture.save(path, quality=80)


@cache
def load(name: str) -> seewhy.Classifier:
    return seewhy.load_model(name, device="cpu")


@cache
def images(network: str) -> list[Image.Image]:
    """The same six images for all methods, as the network sees them."""
    return scenes() if network == "vit" else photos()


def scenes() -> list[Image.Image]:
    return [to_image(seewhy.Scenes("test", 12)[index].image) for index in range(SHOWN)]


def photos() -> list[Image.Image]:
    import skimage.data

    samples = [*seewhy.zoo.sample_photos().values(), Path(skimage.data.__file__).parent / "camera.png"]
    return [to_image(each) for each in seewhy.data.read_images(samples, load(NETWORKS["cnn"]).preprocess).images]


def to_image(pixels: Tensor) -> Image.Image:
    return Image.fromarray((pixels.permute(1, 2, 0).numpy() * 255).round().astype(np.uint8))


def main() -> None:
    """Draw the committed pictures that are missing: of methods of more than `LIMIT` passes."""
    COMMITTED.mkdir(parents=True, exist_ok=True)
    for network in NETWORKS:
        for method in METHODS.all():
            path = COMMITTED / f"{method.name}-{network}.jpg"
            if path.exists() or not runs_on(method.name, network) or explain(method, network, count=1, limit=LIMIT):
                continue
            explanation = explain(method, network, limit=SLOW)
            if explanation is not None:
                save(strip_of_maps(explanation), path)
                print(f"{path.name}: {explanation.cost}", flush=True)


if __name__ == "__main__":
    main()
