"""Random: a control. A map that knows nothing; a method that does no better shows nothing.

Every image gets its own noise, drawn from a seed and the image's content, so that a batch equals its single images.
"""

import zlib

import torch

from seewhy.models.classifier import Classifier
from seewhy.registry import register_method
from seewhy.types import Images, Maps, Targets


@register_method("random", class_agnostic=True)
def random(
    model: Classifier,  # noqa: ARG001 - a control asks nothing of the model
    images: Images,
    targets: Targets,
    *,
    rows: int = 14,
    cols: int = 14,
    seed: int = 0,
) -> Maps:
    """Uniform noise on a grid: the control that every method must beat."""
    maps = torch.stack([_noise(image, seed, rows, cols) for image in images])
    return maps.to(images).unsqueeze(1).repeat(1, targets.shape[1], 1, 1)


def _noise(image: torch.Tensor, seed: int, rows: int, cols: int) -> torch.Tensor:
    content = zlib.crc32(image.detach().cpu().numpy().tobytes())
    return torch.rand(rows, cols, generator=torch.Generator().manual_seed(content + seed))
