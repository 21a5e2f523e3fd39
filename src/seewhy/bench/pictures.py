"""Small pictures for the report: photos as the model saw them, and maps over them."""

import hashlib
import io
from typing import Any

from PIL import Image
from torch import Tensor

from seewhy.data import Sample
from seewhy.explanation import Explanation
from seewhy.types import Images, Maps, Targets

SIDE = 168  # pixels


def picture_key(row: dict[str, Any], target: int) -> str:
    """The name of a method's picture, from the columns of any of its rows."""
    words = [row[column] for column in ("model_key", "image_key", "name", "options")]
    return _short([*words, str(target)])


def photo_key(row: dict[str, Any]) -> str:
    return _short([row["model_key"], row["image_key"]])


def save_photo(sample: Sample) -> bytes:
    return _jpeg(Image.fromarray(_bytes(sample.image)))


def save_overlay(maps: Maps, images: Images, targets: Targets) -> bytes:
    """The first class's map over the photo."""
    return _jpeg(Explanation(maps=maps.float(), targets=targets, images=images).overlay(0, 0))


def _bytes(image: Tensor) -> Any:
    return (image.permute(1, 2, 0).clamp(0, 1) * 255).round().byte().cpu().numpy()


def _jpeg(picture: Image.Image) -> bytes:
    buffer = io.BytesIO()
    picture.resize((SIDE, round(SIDE * picture.height / picture.width)), Image.Resampling.BICUBIC).save(
        buffer, "JPEG", quality=88
    )
    return buffer.getvalue()


def _short(words: list[str]) -> str:
    return hashlib.blake2b("|".join(words).encode(), digest_size=10).hexdigest()
