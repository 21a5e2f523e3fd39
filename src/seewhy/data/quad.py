"""The grid game: four pictures of different classes in one, so that the truth about a class's map is its cell.

A ViT has one input size: at 224 pixels its cells have 112. Other networks take any size, and see every picture at the
size they know: cells of 224 in grids of 448. `quad` makes that choice; in a benchmark (`open_dataset(…, quad=True)`)
grids have the size that the model takes there, and `image_size = 448` in `[model]` doubles it. Every picture is used
once; cells go row by row.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
import torch
from jaxtyping import Bool, Float
from torch import Tensor

from seewhy.data.items import Dataset, Item, Sample
from seewhy.data.read import Source, read_images
from seewhy.errors import InputError
from seewhy.models.classifier import Classifier
from seewhy.models.preprocess import Preprocess
from seewhy.models.vit import ViT
from seewhy.types import Images, Regions, Targets

CELLS = 4


class Grids(NamedTuple):
    """Pictures of four pictures. `regions[i, k]` is the cell of grid i that shows class `targets[i, k]`."""

    images: Images
    targets: Targets
    regions: Regions
    model: Classifier  # takes pictures of this size


def quad(images: Source | Sequence[Source], labels: Sequence[int], model: Classifier, *, seed: int = 0) -> Grids:
    """2x2 grids of distinct classes; pictures that find no partners are left out.

    Grids for a ViT have its own size. Those for other networks are twice as large as the model's pictures; explain them
    with the `model` of the result, the same network at the larger size:

        grids = quad(photos, labels, model)
        seewhy.explain(grids.model, grids.images, "var:grad_cam", grids.targets)
    """
    height, width = model.image_size
    model = model if isinstance(model, ViT) else model.with_size((2 * height, 2 * width))
    cells = read_images(images, cell_of(model.preprocess)).images
    if len(cells) != len(labels):
        raise InputError(f"quad needs one label per picture, got {len(labels)} labels for {len(cells)} pictures")
    groups = group_by_four(labels, seed=seed)
    if not groups:
        raise InputError("quad needs pictures of at least four different classes")
    return Grids(
        torch.stack([assemble(cells[list(group)]) for group in groups]).to(model.device),
        torch.tensor([[int(labels[i]) for i in group] for group in groups], device=model.device),
        cell_regions(model.image_size).expand(len(groups), -1, -1, -1).to(model.device),
        model,
    )


def group_by_four(labels: Sequence[int], *, seed: int = 0) -> list[tuple[int, ...]]:
    """Indices in groups of four with different labels, each used at most once; in random order.

    >>> [sorted("abcdaa"[i] for i in group) for group in group_by_four([0, 1, 2, 3, 0, 0])]
    [['a', 'b', 'c', 'd']]
    """
    waiting = [int(i) for i in np.random.default_rng(seed).permutation(len(labels))]
    groups: list[tuple[int, ...]] = []
    while True:
        group: dict[int, int] = {}
        for i in waiting:
            group.setdefault(labels[i], i)
            if len(group) == CELLS:
                break
        else:
            return groups
        groups.append(tuple(group.values()))
        waiting = [i for i in waiting if i not in group.values()]


def cell_of(preprocess: Preprocess) -> Preprocess:
    height, width = preprocess.size
    if height % 2 or width % 2:
        raise InputError(f"a 2x2 grid needs a model with an even input size, this one takes {height}x{width}")
    return replace(preprocess, size=(height // 2, width // 2))


def assemble(cells: Float[Tensor, "4 3 rows cols"]) -> Float[Tensor, "3 height width"]:
    """Four pictures as one, row by row."""
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
    """Four items in one picture; the truth about a class is its cell or, with `truth`, its item's own region there."""

    items: tuple[Item, ...]
    truth: bool = False

    @property
    def name(self) -> str:
        return " + ".join(item.name.rpartition("/")[2] for item in self.items)

    @property
    def labels(self) -> tuple[int, ...]:
        return tuple(item.labels[0] for item in self.items)

    def key(self) -> str:
        parts = [item.key() for item in self.items] + ["truth"] * self.truth
        return hashlib.blake2b("|".join(parts).encode(), digest_size=10).hexdigest()

    def read(self, preprocess: Preprocess) -> Sample:
        cells = [item.read(cell_of(preprocess)) for item in self.items]
        regions = cell_regions(preprocess.size)
        if self.truth:
            own = torch.stack([own_region(cell) for cell in cells])
            regions &= own.repeat(1, 2, 2)
        return Sample(self.name, assemble(torch.stack([cell.image for cell in cells])), self.labels, regions)


def own_region(cell: Sample) -> Bool[Tensor, "rows cols"]:
    """The region of the label that the grid asks about."""
    if cell.regions is None:
        raise InputError(f"quad='truth' needs pictures with regions, {cell.name} has none. Use quad=True: whole cells.")
    return cell.regions[0]


class Quads:
    """Grids of a data set's items; `truth` as in `GridItem`."""

    def __init__(self, dataset: Any, *, seed: int = 0, truth: bool = False) -> None:
        self.dataset: Dataset = dataset
        self.truth = truth
        labels = [self.dataset[i].labels for i in range(len(self.dataset))]
        if not all(labels):
            raise InputError("quad needs a data set with labels")
        self.groups = group_by_four([each[0] for each in labels], seed=seed)
        if not self.groups:
            raise InputError("quad needs pictures of at least four different classes")

    def __len__(self) -> int:
        return len(self.groups)

    def __getitem__(self, index: int) -> GridItem:
        return GridItem(tuple(self.dataset[i] for i in self.groups[index]), truth=self.truth)
