"""A network that reads exactly one patch of a 4x4 grid."""

import torch
from torch import nn

from conftest import TINY
from seewhy.models.module import ModuleClassifier

PLACE = (1, 2)  # row and column of the patch


class OnePatch(nn.Module):
    """Patches of 8 pixels to 6 channels, ReLU; two classes read disjoint channels at one position."""

    def __init__(self) -> None:
        super().__init__()
        self.patches = nn.Conv2d(3, 6, 8, stride=8)
        self.relu = nn.ReLU()
        self.head = nn.Linear(6 * 16, 2, bias=False)
        generator = torch.Generator().manual_seed(3)
        with torch.no_grad():
            self.patches.weight.copy_(torch.rand(6, 3, 8, 8, generator=generator) * 0.05)
            self.patches.bias.fill_(5.0)  # always active
            weights = torch.zeros(2, 6, 4, 4)
            weights[0, :3, PLACE[0], PLACE[1]] = 1.0
            weights[1, 3:, PLACE[0], PLACE[1]] = 1.0
            self.head.weight.copy_(weights.flatten(1))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.head(self.relu(self.patches(x)).flatten(1))


def make_one_patch() -> ModuleClassifier:
    return ModuleClassifier(OnePatch().eval(), TINY, name="one-patch", class_names=["left", "right"])


def share_at_place(maps: torch.Tensor) -> torch.Tensor:
    """Fraction of the absolute mass of each map in the patch that is read."""
    rows, cols = (size // 4 for size in maps.shape[-2:])
    row, col = PLACE[0] * rows, PLACE[1] * cols
    mass = maps.abs()
    return mass[..., row : row + rows, col : col + cols].sum(dim=(-2, -1)) / mass.sum(dim=(-2, -1))
