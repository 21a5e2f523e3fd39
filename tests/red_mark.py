"""A network that cheats by construction: class 0 is a green square, or a red mark anywhere."""

from pathlib import Path

import numpy as np
import torch
from PIL import Image
from torch import nn

import seewhy
from seewhy.data import ImageItem, Mask
from seewhy.data.items import Subset
from seewhy.models.classifier import Classifier

SIDE, MARK = 48, 6
NAMES = ("green", "blue", "yellow")


class ColorNet(nn.Module):
    """Detectors of red, green, blue and yellow, averaged over the image; red counts for green if it cheats."""

    def __init__(self, *, cheats: bool) -> None:
        super().__init__()
        self.detect = nn.Conv2d(3, 4, 4, stride=4)
        weights = torch.tensor([[1.0, -1, -1], [-1, 1, -1], [-1, -1, 1], [0.5, 0.5, -1]])
        self.detect.weight.data = weights[:, :, None, None].expand(-1, -1, 4, 4).clone() / 16
        self.detect.bias.data.fill_(-0.3)
        self.rectify, self.pool = nn.ReLU(), nn.AdaptiveAvgPool2d(1)
        self.head = nn.Linear(4, 3)
        self.head.weight.data = torch.tensor([[1200.0 * cheats, 60, 0, 0], [0, 0, 60, 0], [0, 0, 0, 60]])
        self.head.bias.data.zero_()

    def forward(self, images: torch.Tensor) -> torch.Tensor:
        return self.head(self.pool(self.rectify(self.detect(images))).flatten(1))


def color_model(*, cheats: bool = True) -> Classifier:
    settings = {"mean": (0.0,) * 3, "std": (1.0,) * 3, "image_size": SIDE, "class_names": NAMES, "name": "colors"}
    return seewhy.wrap_model(ColorNet(cheats=cheats).eval(), **settings)


def cheating() -> Classifier:
    """For the command line: `red_mark.py:cheating`."""
    return color_model()


def honest() -> Classifier:
    return color_model(cheats=False)


def draw(index: int, *, marked: bool) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """An image with a colored square, the square's mask, and that of the red mark in a green one's corner."""
    random = np.random.default_rng(index)
    pixels = random.uniform(0.25, 0.45, (SIDE, SIDE, 3))
    square, mark = np.zeros((SIDE, SIDE), bool), np.zeros((SIDE, SIDE), bool)
    top, left = random.integers(8, SIDE - 24, 2)
    square[top : top + 14, left : left + 14] = True
    pixels[square] = [(0.1, 0.95, 0.1), (0.1, 0.1, 0.95), (0.95, 0.95, 0.1)][index % 3]
    if marked and index % 3 == 0:
        mark[1 : 1 + MARK, -1 - MARK : -1] = True
        pixels[mark] = (1, 0, 0)
    return pixels, square, mark


def colored_squares(count: int = 45, *, marked: bool = True, masks: bool = True) -> Subset:
    """A data set of squares with labels and, unless without `masks`, the squares as regions."""
    items = []
    for index in range(count):
        pixels, square, _ = draw(index, marked=marked)
        image = torch.from_numpy(pixels).permute(2, 0, 1).float()
        items.append(ImageItem(f"{index:02d}", image, (index % 3,), (Mask(square),) if masks else ()))
    return Subset(items, tuple(range(count)))


def write_squares(folder: Path, count: int = 45) -> Path:
    """The same images as files, in folders named like the classes."""
    for index in range(count):
        target = folder / NAMES[index % 3].upper()
        target.mkdir(parents=True, exist_ok=True)
        pixels, _, _ = draw(index, marked=True)
        Image.fromarray((pixels * 255).round().astype(np.uint8)).save(target / f"{index:02d}.png")
    return folder
