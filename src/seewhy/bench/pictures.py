"""Small pictures for the report: photos as the model saw them, and maps over them."""

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


def picture_key(row: dict[str, Any], target: int) -> str:
    """The name of a method's picture, from the columns of any of its rows."""
    words = [row[column] for column in ("model_key", "image_key", "name", "options")]
    return _short([*words, str(target)])


def classes_key(row: dict[str, Any]) -> str:
    """The name of the picture that shows which class wins where."""
    return _short([*(row[column] for column in ("model_key", "image_key", "name", "options")), "classes"])


def photo_key(row: dict[str, Any]) -> str:
    return _short([row["model_key"], row["image_key"]])


def save_photo(sample: Sample) -> bytes:
    return _jpeg(Image.fromarray(_bytes(sample.image)))


def save_overlay(maps: Maps, images: Images, targets: Targets) -> bytes:
    """The first class's map over the photo."""
    return _jpeg(Explanation(maps=maps.float(), targets=targets, images=images).overlay(0, 0))


def save_classes(result: Attribution, images: Images, targets: Targets, names: tuple[str, ...] | None) -> bytes | None:
    """Who wins where, if several classes were contrasted; the legend goes with the picture, as its comment."""
    maps = result.maps.detach().float()
    explanation = Explanation(maps=maps, targets=targets, images=images, class_names=names, extras=result.extras)
    if not contrasts(explanation):
        return None
    return _jpeg(explanation.overlay_classes(), comment=json.dumps(legend(explanation, 0)))


def read_legend(file: Path) -> list[tuple[str, str, str]]:
    """Letter, color and name of each class of a picture that `save_classes` made."""
    with Image.open(file) as picture:
        return [tuple(entry) for entry in json.loads(picture.info["comment"])]


def _bytes(image: Tensor) -> Any:
    return (image.permute(1, 2, 0).clamp(0, 1) * 255).round().byte().cpu().numpy()


def _jpeg(picture: Image.Image, **options: Any) -> bytes:
    buffer = io.BytesIO()
    picture.resize((SIDE, round(SIDE * picture.height / picture.width)), Image.Resampling.BICUBIC).save(
        buffer, "JPEG", quality=88, **options
    )
    return buffer.getvalue()


def _short(words: list[str]) -> str:
    return hashlib.blake2b("|".join(words).encode(), digest_size=10).hexdigest()
