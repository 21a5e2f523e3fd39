"""The explorer at the end of `seewhy demo`: two photos and two images of Scenes, four systems and the baselines."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from PIL import Image

    from seewhy.explorer import Bundle
    from seewhy.models.classifier import Classifier

PHOTOS, SCENES = 2, 2  # images
CLASSES = 2  # most probable ones, to be contrasted
REFERENCES = ("black", "blur")
POINTS = 11  # of each curve; the protocol has 21
SYSTEMS: dict[str, dict[str, Any]] = {
    "aha": {"refine_steps": 2},
    "caap": {},
    "mda": {"fast": True, "grid": 4},  # a coarse grid for the CNN, whose search takes minutes otherwise
    "var:grad_cam": {},
}


def write_demo_explorer(model: "Classifier", photos: dict[str, "Image.Image"], path: Path, device: str | None) -> Path:
    """Explain the images with every system and write one explorer of them all."""
    from seewhy.cli import terminal
    from seewhy.explorer import View
    from seewhy.runtime.progress import track
    from seewhy.zoo.scenes import Scenes

    scenes = terminal.load("seewhy/scenes-vit", weights=None, prompts=None, device=device)
    chosen: list[tuple[Classifier, str, Any]] = [(model, name, photo) for name, photo in list(photos.items())[:PHOTOS]]
    chosen += [(scenes, f"scene {i}", Scenes("test", SCENES)[i].image[None]) for i in range(SCENES)]
    bundles = [_explore(*each) for each in track(chosen, "exploring")]
    return View(tuple(bundles)).save(path, title="seewhy demo")


def _explore(model: "Classifier", name: str, image: Any) -> "Bundle":
    from seewhy import api
    from seewhy.data import read_images
    from seewhy.explorer import view
    from seewhy.metrics import get_protocol
    from seewhy.ops.curves import evenly_spaced

    protocol = get_protocol("aha", {"curves": {"fractions": evenly_spaced(POINTS)}})
    pixels = read_images(image, model.preprocess).images.to(model.device)
    targets = model.probabilities(pixels).topk(CLASSES).indices
    explanations = [api.explain(model, pixels, method, targets, **options) for method, options in SYSTEMS.items()]
    named = [replace(each, names=(name,)) for each in explanations]
    (bundle,) = view(named, references=REFERENCES, protocol=protocol).bundles
    return bundle
