"""Explanations that contrast classes, for tests of how they are drawn."""

import torch

from seewhy import Explanation
from seewhy.methods.var import class_distribution

SIDE = 64
QUARTERS = [(slice(0, 32), slice(0, 32)), (slice(0, 32), slice(32, 64)), (slice(32, 64), slice(0, 32))]


def contrast(maps: torch.Tensor, **known) -> Explanation:
    """The explanation that VAR gives of such maps, on a gray photo."""
    present = torch.ones(maps.shape[:2], dtype=torch.bool)
    classes = torch.arange(maps.shape[1]).expand(len(maps), -1)
    extras = {"plain": maps, "distribution": class_distribution(maps, present), "classes": classes}
    gray = torch.full((len(maps), 3, SIDE, SIDE), 0.5)
    return Explanation(maps=maps, targets=classes, images=gray, method="var:made", extras=extras, **known)


def quarters() -> torch.Tensor:
    """Three classes own a quarter each; in the last one all say the same."""
    maps = torch.zeros(1, 3, SIDE, SIDE)
    for k, (rows, cols) in enumerate(QUARTERS):
        maps[0, k, rows, cols] = 1.0
    maps[0, :, 32:, 32:] = 1.0
    return maps
