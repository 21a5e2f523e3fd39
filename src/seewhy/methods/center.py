"""Center: a control. Objects tend to be in the middle of a photo; a method must beat a map that encodes only that."""

from typing import Annotated

import torch

from seewhy.models.classifier import Classifier
from seewhy.registry import register_method
from seewhy.runtime.options import above, at_least
from seewhy.types import Images, Maps, Targets


@register_method("center", class_agnostic=True)
def center(
    model: Classifier,  # noqa: ARG001 - a control does not use the model
    images: Images,
    targets: Targets,
    *,
    sigma: Annotated[float, above(0)] = 0.25,
    rows: Annotated[int, at_least(1)] = 56,
    cols: Annotated[int, at_least(1)] = 56,
) -> Maps:
    """A Gaussian in the middle of the image, a control; `sigma` is a fraction of height and width."""
    heights, widths = (torch.linspace(-0.5, 0.5, size, device=images.device) for size in (rows, cols))
    distance = heights.view(-1, 1).square() + widths.view(1, -1).square()
    bump = torch.exp(-distance / (2 * sigma**2)).to(images.dtype)
    return bump.expand(*targets.shape, rows, cols).clone()
