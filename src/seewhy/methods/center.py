"""Center: a control. Photographers put things in the middle; a method must beat the one who knows only that."""

import torch

from seewhy.models.classifier import Classifier
from seewhy.registry import register_method
from seewhy.types import Images, Maps, Targets


@register_method("center", class_agnostic=True)
def center(
    model: Classifier,  # noqa: ARG001 - a control asks nothing of the model
    images: Images,
    targets: Targets,
    *,
    sigma: float = 0.25,
    rows: int = 56,
    cols: int = 56,
) -> Maps:
    """A Gaussian in the middle of the image; `sigma` is a share of its height and width."""
    heights, widths = (torch.linspace(-0.5, 0.5, size, device=images.device) for size in (rows, cols))
    distance = heights.view(-1, 1).square() + widths.view(1, -1).square()
    bump = torch.exp(-distance / (2 * sigma**2)).to(images.dtype)
    return bump.expand(*targets.shape, rows, cols).clone()
