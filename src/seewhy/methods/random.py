"""Random: a control. A map without information; a method that scores no better explains nothing.

The noise of an image is drawn from a seed and its content, so that a batch equals its single images.
"""

import zlib
from typing import Annotated

import torch

from seewhy.models.classifier import Classifier
from seewhy.registry import register_method
from seewhy.runtime.options import at_least
from seewhy.types import Images, Maps, Targets


@register_method("random", class_agnostic=True)
def random(
    model: Classifier,  # noqa: ARG001 - a control does not use the model
    images: Images,
    targets: Targets,
    *,
    rows: Annotated[int, at_least(1)] = 14,
    cols: Annotated[int, at_least(1)] = 14,
    seed: int = 0,
) -> Maps:
    """Uniform noise on a grid, a control that every method must beat."""
    maps = torch.stack([_noise(image, seed, rows, cols) for image in images.detach().cpu()])
    return maps.to(images).unsqueeze(1).repeat(1, targets.shape[1], 1, 1)


def _noise(image: torch.Tensor, seed: int, rows: int, cols: int) -> torch.Tensor:
    content = zlib.crc32(image.numpy().tobytes())
    return torch.rand(rows, cols, generator=torch.Generator().manual_seed(content + seed))
