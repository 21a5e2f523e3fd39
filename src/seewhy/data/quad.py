"""The grid pointing game: 2x2 grids of images of different classes; the ground truth for a class is its cell.

A ViT has a fixed input size: 224 pixels make cells of 112. Other networks take any size and see every image at the size
they were trained on: cells of 224 in grids of 448. `quad` handles both; in a benchmark (`open_dataset(…, quad=True)`)
grids have the model's input size, which `image_size = 448` in `[model]` doubles. `quad="squashed"` is the grid of VAR's
authors for all networks: the whole photo, without a crop, squashed into its cell. Every image is used at most once;
cells are in row-major order.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
import torch
from jaxtyping import Bool, Float
from torch import Tensor

from seewhy.data.items import Dataset, Item, Sample, image_key
from seewhy.data.read import ImageSource, read_images
from seewhy.errors import InputError
from seewhy.models.classifier import Classifier
from seewhy.models.preprocess import Preprocess
from seewhy.models.vit import ViT
from seewhy.types import Images, Regions, Targets

CELLS = 4


class Grids(NamedTuple):
    """2x2 grids of images. `regions[i, k]` is the cell of grid i that shows class `targets[i, k]`."""

    images: Images
    targets: Targets
    regions: Regions
    model: Classifier  # takes images of the size of the grids


def quad(
    images: ImageSource | Sequence[ImageSource], labels: Sequence[int], model: Classifier, *, seed: int = 0
) -> Grids:
    """2x2 grids of four different classes; images that do not fill a grid are dropped.

    Grids for a ViT have its input size. Grids for other networks are twice as large; explain them with the `model` of
    the result, the same network at the larger size:

        grids = quad(images, labels, model)
        seewhy.explain(grids.model, grids.images, "var:grad_cam", grids.targets)
    """
    height, width = model.image_size
    model = model if isinstance(model, ViT) else model.with_size((2 * height, 2 * width))
    cells = read_images(images, cell_preprocess(model.preprocess)).images
    if len(cells) != len(labels):
        raise InputError(f"quad needs one label per image, got {len(labels)} labels for {len(cells)} images")
    groups = group_by_four(labels, seed=seed)
    if not groups:
        raise InputError("quad needs images of at least four different classes")
    return Grids(
        torch.stack([assemble(cells[list(group)]) for group in groups]).to(model.device),
        torch.tensor([[int(labels[i]) for i in group] for group in groups], device=model.device),
        cell_regions(model.image_size).expand(len(groups), -1, -1, -1).to(model.device),
        model,
    )


def group_by_four(labels: Sequence[int], *, seed: int = 0) -> list[tuple[int, ...]]:
    """Random groups of four indices with different labels; each index is used at most once.

    >>> [sorted("abcdaa"[i] for i in group) for group in group_by_four([0, 1, 2, 3, 0, 0])]
    [['a', 'b', 'c', 'd']]
    """
    unused = [int(i) for i in np.random.default_rng(seed).permutation(len(labels))]
    groups: list[tuple[int, ...]] = []
    while True:
        group: dict[int, int] = {}
        for i in unused:
            group.setdefault(labels[i], i)
            if len(group) == CELLS:
                break
        else:
            return groups
        groups.append(tuple(group.values()))
        unused = [i for i in unused if i not in group.values()]


def cell_preprocess(preprocess: Preprocess, *, squash: bool = False) -> Preprocess:
    """The preprocessing of a cell; with `squash` it shows the whole image, ignoring its aspect ratio."""
    height, width = preprocess.size
    if height % 2 or width % 2:
        raise InputError(f"a 2x2 grid needs a model with an even input size, this one takes {height}x{width}")
    cell = replace(preprocess, size=(height // 2, width // 2))
    return replace(cell, crop=1.0, squash=True) if squash else cell


def assemble(cells: Float[Tensor, "4 colors rows cols"]) -> Float[Tensor, "colors height width"]:
    """A 2x2 grid of four images, in row-major order."""
    rows = [torch.cat([cells[i], cells[i + 1]], dim=-1) for i in (0, 2)]
    return torch.cat(rows, dim=-2)


def cell_regions(size: tuple[int, int]) -> Bool[Tensor, "4 height width"]:
    height, width = size
    regions = torch.zeros(CELLS, height, width, dtype=torch.bool)
    for cell in range(CELLS):
        top, left = height // 2 * (cell // 2), width // 2 * (cell % 2)
        regions[cell, top : top + height // 2, left : left + width // 2] = True
    return regions


@dataclass(frozen=True, eq=False)
class GridItem:
    """A 2x2 grid of items; a class's region is its cell or, with `truth`, the item's region in that cell.

    With `squash` cells show whole images.
    """

    items: tuple[Item, ...]
    truth: bool = False
    squash: bool = False

    @property
    def name(self) -> str:
        return " + ".join(item.name.rpartition("/")[2] for item in self.items)

    @property
    def labels(self) -> tuple[int, ...]:
        return tuple(item.labels[0] for item in self.items)

    def image_key(self) -> str:
        """A hash of the image alone."""
        parts = [image_key(item) for item in self.items] + ["squash"] * self.squash
        return hashlib.blake2b("|".join(parts).encode(), digest_size=10).hexdigest()

    def key(self) -> str:
        parts = [item.key() for item in self.items] + ["truth"] * self.truth + ["squash"] * self.squash
        return hashlib.blake2b("|".join(parts).encode(), digest_size=10).hexdigest()

    def read(self, preprocess: Preprocess) -> Sample:
        cells = [item.read(cell_preprocess(preprocess, squash=self.squash)) for item in self.items]
        regions = cell_regions(preprocess.size)
        if self.truth:
            regions &= torch.stack([first_region(cell) for cell in cells]).repeat(1, 2, 2)
        return Sample(self.name, assemble(torch.stack([cell.image for cell in cells])), self.labels, regions)


def first_region(cell: Sample) -> Bool[Tensor, "rows cols"]:
    """The region of the first label, the one that the grid shows."""
    if cell.regions is None:
        raise InputError(f"quad='truth' needs images with regions, {cell.name} has none. quad=True uses whole cells.")
    return cell.regions[0]


class Quads:
    """A data set of 2x2 grids of another data set's items; `truth` and `squash` as in `GridItem`."""

    def __init__(self, dataset: Any, *, seed: int = 0, truth: bool = False, squash: bool = False) -> None:
        self.dataset: Dataset = dataset
        self.truth, self.squash = truth, squash
        labels = [self.dataset[i].labels for i in range(len(self.dataset))]
        if not all(labels):
            raise InputError("quad needs a data set with labels")
        self.groups = group_by_four([each[0] for each in labels], seed=seed)
        if not self.groups:
            raise InputError("quad needs images of at least four different classes")

    def __len__(self) -> int:
        return len(self.groups)

    def __getitem__(self, index: int) -> GridItem:
        return GridItem(tuple(self.dataset[i] for i in self.groups[index]), truth=self.truth, squash=self.squash)
