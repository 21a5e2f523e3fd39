"""Custom reference images for methods: files and PIL images, preprocessed like the model's images."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from PIL import Image

from seewhy.data.read import read_images
from seewhy.models.classifier import Classifier
from seewhy.ops.references import IMAGE_SUFFIXES


def read_references(options: Mapping[str, Any], model: Classifier) -> dict[str, Any]:
    """Options of a method; a reference that is a file or a PIL image becomes a tensor."""
    return {
        name: read_images(value, model.preprocess).images[0] if _is_image(name, value) else value
        for name, value in options.items()
    }


def _is_image(option: str, value: Any) -> bool:
    if not option.endswith("reference"):
        return False
    return isinstance(value, Image.Image) or (
        isinstance(value, (str, Path)) and Path(value).suffix.lower() in IMAGE_SUFFIXES
    )
