"""From scores of regions to perturbed images: grids, soft top-k masks, blending, and the penalty on lone peaks.

A grid cuts the image into G x G disjoint cells for every G: pixel y lies in cell ⌊yG/H⌋, shifted by an offset. Pooling
and spreading use the same cells, so a region's score is the mean of exactly the pixels its mask covers. A mask of 1
is the reference, 0 the image.
"""

import math
from typing import Literal

import torch
from jaxtyping import Float, Int
from torch import Tensor
from torch.nn.functional import adaptive_avg_pool2d, avg_pool2d, one_hot, pad

from seewhy.errors import InputError
from seewhy.ops.references import gaussian_blur, gaussian_kernel, one_color
from seewhy.types import IMAGENET_MEAN, Images

Pictures = Float[Tensor, "n height width"]
Cells = Float[Tensor, "n grid grid"]
Reference = Literal["black", "mean", "blur"]

REFERENCES: tuple[Reference, ...] = ("black", "mean", "blur")


# grids


def cell_of(size: int, grid: int, offset: int = 0) -> Int[Tensor, " size"]:
    """The cell of every pixel along one side; the border's cells take what an offset leaves over.

    >>> cell_of(8, 5).tolist(), cell_of(6, 3, offset=1).tolist()
    ([0, 0, 1, 1, 2, 3, 3, 4], [0, 1, 1, 2, 2, 2])
    """
    if not 1 <= grid <= size:
        raise InputError(f"a grid has 1 to {size} cells along a side of {size} pixels, got {grid}")
    pixels = (torch.arange(size) + offset).clamp(0, size - 1)
    return pixels * grid // size


def largest_offset(size: int, grid: int, share: float = 1.0) -> int:
    """How far a grid may be shifted so that every cell keeps a pixel."""
    return max(min(round(size // grid * share), size // grid - 1), 0)


def draw_offset(size: tuple[int, int], grid: int, generator: torch.Generator, *, share: float = 1.0) -> tuple[int, int]:
    """A random shift of the grid, down and right, by at most a share of a cell."""
    most = [largest_offset(side, grid, share) for side in size]
    down, right = (int(torch.randint(-each, each + 1, (), generator=generator)) for each in most)
    return down, right


def pool_cells(maps: Pictures, grid: int, *, offset: tuple[int, int] = (0, 0), overlap: bool = False) -> Cells:
    """The mean of every cell; `overlap` takes torch's adaptive pooling, whose cells share pixels unless G divides H."""
    if overlap:
        rows, cols = (_shifted(size, shift) for size, shift in zip(maps.shape[-2:], offset, strict=True))
        return adaptive_avg_pool2d(maps[:, rows][:, :, cols], grid)
    rows, cols = (
        _means(cell_of(size, grid, shift), grid).to(maps) for size, shift in zip(maps.shape[-2:], offset, strict=True)
    )
    return rows @ maps @ cols.T


def _shifted(size: int, offset: int) -> Int[Tensor, " size"]:
    """Where the pixels of a side shifted by an offset come from, mirrored at its ends."""
    return _mirrored(torch.arange(size) - offset, size)


def _mirrored(places: Int[Tensor, "*any"], size: int) -> Int[Tensor, "*any"]:
    places = places.abs()
    return torch.minimum(places, 2 * (size - 1) - places)


def _means(cells: Int[Tensor, " size"], grid: int) -> Float[Tensor, "grid size"]:
    """A matrix whose rows take the mean over the pixels of one cell."""
    shares = _shares(cells, grid).T
    return shares / shares.sum(dim=1, keepdim=True)


def spread_cells(
    cells: Cells, size: tuple[int, int], *, offset: tuple[int, int] = (0, 0), sigma: float = 0.0
) -> Pictures:
    """Every pixel gets the value of its cell, then a Gaussian of 2⌈3σ⌉ + 1 taps as in the authors' training.

    Both are linear and do rows and columns apart, so they are two products with a small matrix each.
    """
    grid = cells.shape[-1]
    rows, cols = (
        _shares(cell_of(side, grid, shift), grid, sigma).to(cells) for side, shift in zip(size, offset, strict=True)
    )
    return rows @ cells @ cols.T


def _shares(cells: Int[Tensor, " size"], grid: int, sigma: float = 0.0) -> Float[Tensor, "size grid"]:
    """How much of each cell comes to every pixel along one side; mirrored at its ends, as far as it has pixels."""
    member = one_hot(cells, grid).double()
    if sigma <= 0:
        return member
    size, reach = len(cells), math.ceil(3 * sigma)
    taps = torch.arange(size).unsqueeze(1) + torch.arange(-reach, reach + 1)
    taps = _mirrored(taps, size) if reach < size else taps.clamp(0, size - 1)
    return torch.einsum("t, ptg -> pg", gaussian_kernel(2 * reach + 1, sigma), member[taps])


# masks


def evenly_spaced(steps: int, *, endpoints: bool = True) -> tuple[float, ...]:
    """Fractions of the image to take away: 0 … 1, or only what lies between.

    >>> evenly_spaced(3), evenly_spaced(3, endpoints=False)
    ((0.0, 0.5, 1.0), (0.25, 0.5, 0.75))
    """
    if endpoints:
        return tuple(step / (steps - 1) for step in range(steps))
    return tuple(step / (steps + 1) for step in range(1, steps + 1))


def soft_masks(
    permutation: Float[Tensor, "batch ranks regions"], fractions: Float[Tensor, " steps"]
) -> Float[Tensor, "batch steps regions"]:
    """How far each region belongs to the top q·K, for every fraction q.

    The first ⌊qK⌋ rows are summed, and the next one by what is left of qK.

    >>> soft_masks(torch.eye(4)[None], torch.tensor([0.375]))
    tensor([[[1.0000, 0.5000, 0.0000, 0.0000]]])
    """
    ranks = permutation.shape[1]
    places = torch.arange(ranks, device=permutation.device)
    weights = (fractions.to(permutation).unsqueeze(1) * ranks - places).clamp(0, 1)
    return (weights @ permutation).clamp(0, 1)  # m^soft,(k)  Eq. 8


def blend(images: Images, references: Images, masks: Float[Tensor, "batch height width"]) -> Images:
    """The image where the mask is 0, the reference where it is 1."""
    return torch.lerp(images, references, masks.unsqueeze(1))


def reference_images(images: Images, name: Reference) -> Images:
    """Black, ImageNet's mean color, or the image under a blur of 37 pixels with sigma 37."""
    if name == "blur":
        return gaussian_blur(images)
    return one_color(images, (0.0, 0.0, 0.0) if name == "black" else IMAGENET_MEAN)


# regularization


def peak_penalty(maps: Pictures, *, size: int = 15, two_sided: bool = False) -> Float[Tensor, " n"]:
    """Mean square by which pixels stand above the mean of their surroundings; `two_sided` (paper): or below it."""
    border = size // 2
    mode = "reflect" if border < min(maps.shape[-2:]) else "replicate"
    around = avg_pool2d(pad(maps.unsqueeze(1), (border,) * 4, mode=mode), size, stride=1).squeeze(1)
    above = maps - around
    above = above if two_sided else above.relu()
    return above.square().mean(dim=(1, 2))
