"""Small images for the report: the model's inputs, and maps drawn over them."""

import hashlib
import io
import json
from pathlib import Path
from typing import Any

from PIL import Image
from torch import Tensor

from seewhy.data import Sample
from seewhy.explanation import Explanation
from seewhy.figures import contrasts, legend
from seewhy.types import Attribution, Images, Maps, Targets

SIDE = 168  # pixels


def overlay_key(row: dict[str, Any], target: int) -> str:
    """Key of a method's overlay, from the columns of any of its rows."""
    words = [row[column] for column in ("model_key", "image_key", "name", "options")]
    return _digest([*words, str(target)])


def classes_key(row: dict[str, Any]) -> str:
    """Key of the overlay that shows the winning class per position."""
    return _digest([*(row[column] for column in ("model_key", "image_key", "name", "options")), "classes"])


def example_key(row: dict[str, Any]) -> str:
    return _digest([row["model_key"], row["image_key"]])


def save_image(sample: Sample) -> bytes:
    return _jpeg(Image.fromarray(_bytes(sample.image)))


def save_overlay(maps: Maps, images: Images, targets: Targets) -> bytes:
    """The first class's map over the image."""
    return _jpeg(Explanation(maps=maps.float(), targets=targets, images=images).overlay(0, 0))


def save_classes(result: Attribution, images: Images, targets: Targets, names: tuple[str, ...] | None) -> bytes | None:
    """The winning class per position, if several were contrasted; the legend is stored as the file's comment."""
    maps = result.maps.detach().float()
    explanation = Explanation(maps=maps, targets=targets, images=images, class_names=names, extras=result.extras)
    if not contrasts(explanation):
        return None
    return _jpeg(explanation.overlay_classes(), comment=json.dumps(legend(explanation, 0)))


def read_legend(file: Path) -> list[tuple[str, str, str]]:
    """Letter, color and name of each class of an overlay that `save_classes` made."""
    with Image.open(file) as overlay:
        return [tuple(entry) for entry in json.loads(overlay.info["comment"])]


def _bytes(image: Tensor) -> Any:
    return (image.permute(1, 2, 0).clamp(0, 1) * 255).round().byte().cpu().numpy()


def _jpeg(image: Image.Image, **options: Any) -> bytes:
    buffer = io.BytesIO()
    image.resize((SIDE, round(SIDE * image.height / image.width)), Image.Resampling.BICUBIC).save(
        buffer, "JPEG", quality=88, **options
    )
    return buffer.getvalue()


def _digest(words: list[str]) -> str:
    return hashlib.blake2b("|".join(words).encode(), digest_size=10).hexdigest()
