"""Draw the images of docs/scenes.md: python benchmarks/scenes_sheets.py docs/images"""

import sys
from pathlib import Path

import torch
from PIL import Image
from torch.nn.functional import avg_pool2d

from seewhy.zoo.scenes import Scenes


def sheet(images, *, columns, gap=4):
    """Tile images of equal size, with white gaps."""
    rows = [images[i : i + columns] for i in range(0, len(images), columns)]
    padded = [[torch.nn.functional.pad(image, (0, gap, 0, gap), value=1.0) for image in row] for row in rows]
    return torch.cat([torch.cat(row, dim=2) for row in padded], dim=1)[:, :-gap, :-gap]


def contact_sheet():
    scenes = Scenes("test", 48)
    return sheet([avg_pool2d(scene.image, 2) for scene in scenes], columns=8)


def tinted(image, mask):
    """The image in gray, with the mask in color."""
    gray = image.mean(dim=0, keepdim=True).expand_as(image) * 0.5 + 0.4
    return torch.where(mask, image, gray)


def truth_sheet():
    """One row per pair: image, object, part, counterfactual."""
    scenes = Scenes("test", 200)
    rows = [(scenes[i], scenes.counterfactual(i)) for i in (36, 14, 64, 30, 8, 94)]
    views = [[s.image, tinted(s.image, s.object), tinted(s.image, s.part), twin.image] for s, twin in rows]
    return sheet([avg_pool2d(view, 2) for row in views for view in row], columns=8)


def options_sheet():
    """Several objects, a grid, a planted circle."""
    views = [Scenes("test", 20, objects=2)[3], Scenes("test", 20, objects=4)[6], Scenes("test", 20).grid(1)]
    views += [Scenes("test", 20, shortcut=("mug", "circle"))[12]]
    return sheet([view.image for view in views], columns=4)


def save(image, path):
    pixels = (image.permute(1, 2, 0) * 255).round().byte().numpy()
    Image.fromarray(pixels).save(path, quality=82, optimize=True)


if __name__ == "__main__":
    folder = Path(sys.argv[1])
    save(contact_sheet(), folder / "scenes.jpg")
    save(truth_sheet(), folder / "scenes-truth.jpg")
    save(options_sheet(), folder / "scenes-options.jpg")
