"""From region scores to perturbed images: grids, soft top-k masks, blending, and the penalty on isolated peaks.

A grid divides the image into G x G disjoint cells for every G: pixel y belongs to cell ⌊yG/H⌋, shifted by an offset.
Pooling and upsampling use the same cells, so a region's score is the mean of exactly the pixels that its mask covers.
Where a mask is 1 the reference replaces the image.
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

PixelMaps = Float[Tensor, "batch height width"]
GridCells = Float[Tensor, "batch grid grid"]
AHAReference = Literal["black", "imagenet_mean", "blur"]

AHA_REFERENCES: tuple[AHAReference, ...] = ("black", "imagenet_mean", "blur")


# grids


def cell_indices(size: int, grid: int, offset: int = 0) -> Int[Tensor, " size"]:
    """Index of the cell of every pixel along one side; with an offset the cells at the two borders differ in size.

    >>> cell_indices(8, 5).tolist(), cell_indices(6, 3, offset=1).tolist()
    ([0, 0, 1, 1, 2, 3, 3, 4], [0, 1, 1, 2, 2, 2])
    """
    if not 1 <= grid <= size:
        raise InputError(f"a grid must have 1 to {size} cells along a side of {size} pixels, got {grid}")
    pixels = (torch.arange(size) + offset).clamp(0, size - 1)
    return pixels * grid // size


def largest_offset(size: int, grid: int, share: float = 1.0) -> int:
    """The largest grid offset, at most `share` of a cell, that leaves at least one pixel in every cell."""
    return max(min(round(size // grid * share), size // grid - 1), 0)


def sample_offset(
    size: tuple[int, int], grid: int, generator: torch.Generator, *, share: float = 1.0
) -> tuple[int, int]:
    """A random grid offset (down, right) of at most `share` of a cell."""
    limits = [largest_offset(side, grid, share) for side in size]
    down, right = (int(torch.randint(-limit, limit + 1, (), generator=generator)) for limit in limits)
    return down, right


def pool_cells(maps: PixelMaps, grid: int, *, offset: tuple[int, int] = (0, 0), overlap: bool = False) -> GridCells:
    """The mean of every cell; `overlap` uses torch's adaptive pooling, whose cells share pixels unless G divides H."""
    if overlap:
        rows, cols = (_shifted(size, shift) for size, shift in zip(maps.shape[-2:], offset, strict=True))
        return adaptive_avg_pool2d(maps[:, rows][:, :, cols], grid)
    rows, cols = (
        _averaging_matrix(cell_indices(size, grid, shift), grid).to(maps)
        for size, shift in zip(maps.shape[-2:], offset, strict=True)
    )
    return rows @ maps @ cols.T


def _shifted(size: int, offset: int) -> Int[Tensor, " size"]:
    """Source index of every pixel along a side shifted by an offset, reflected at both ends."""
    return _reflected(torch.arange(size) - offset, size)


def _reflected(positions: Int[Tensor, "*any"], size: int) -> Int[Tensor, "*any"]:
    positions = positions.abs()
    return torch.minimum(positions, 2 * (size - 1) - positions)


def _averaging_matrix(cells: Int[Tensor, " size"], grid: int) -> Float[Tensor, "grid size"]:
    """The matrix that averages the pixels of each cell along one side."""
    members = _upsampling_matrix(cells, grid).T
    return members / members.sum(dim=1, keepdim=True)


def upsample_cells(
    cells: GridCells, size: tuple[int, int], *, offset: tuple[int, int] = (0, 0), sigma: float = 0.0
) -> PixelMaps:
    """Nearest-neighbor upsampling to `size`, then the Gaussian filter of 2⌈3σ⌉ + 1 taps that the authors train with."""
    rows, cols = upsampling_matrices(cells, size, offset=offset, sigma=sigma)
    return rows @ cells @ cols.T


def upsampling_matrices(
    cells: Float[Tensor, "*any grid grid"], size: tuple[int, int], *, offset: tuple[int, int], sigma: float
) -> tuple[Float[Tensor, "height grid"], Float[Tensor, "width grid"]]:
    """The two factors of `upsample_cells`: upsampling and smoothing are linear and separable."""
    grid = cells.shape[-1]
    rows, cols = (
        _upsampling_matrix(cell_indices(side, grid, shift), grid, sigma).to(cells)
        for side, shift in zip(size, offset, strict=True)
    )
    return rows, cols


def _upsampling_matrix(cells: Int[Tensor, " size"], grid: int, sigma: float = 0.0) -> Float[Tensor, "size grid"]:
    """The weight of each cell at every pixel along one side; reflected at both ends if the kernel fits the side."""
    members = one_hot(cells, grid).double()
    if sigma <= 0:
        return members
    size, radius = len(cells), math.ceil(3 * sigma)
    taps = torch.arange(size).unsqueeze(1) + torch.arange(-radius, radius + 1)
    taps = _reflected(taps, size) if radius < size else taps.clamp(0, size - 1)
    return torch.einsum("t, ptg -> pg", gaussian_kernel(2 * radius + 1, sigma), members[taps])


# masks


def soft_masks(
    permutation: Float[Tensor, "batch ranks regions"], fractions: Float[Tensor, " points"]
) -> Float[Tensor, "batch points regions"]:
    """Soft membership of each region in the top q·K, for every fraction q.

    The first ⌊qK⌋ rows are summed, and the next row with the remaining fraction of qK.

    >>> soft_masks(torch.eye(4)[None], torch.tensor([0.375]))
    tensor([[[1.0000, 0.5000, 0.0000, 0.0000]]])
    """
    ranks = permutation.shape[1]
    position = torch.arange(ranks, device=permutation.device)
    weights = (fractions.to(permutation).unsqueeze(1) * ranks - position).clamp(0, 1)
    return (weights @ permutation).clamp(0, 1)  # m^soft,(k)  Eq. 8


def apply_masks(images: Images, references: Images, masks: Float[Tensor, "batch height width"]) -> Images:
    """The image where the mask is 0, the reference where it is 1."""
    return torch.lerp(images, references, masks.unsqueeze(1).to(images))


def aha_reference_images(images: Images, name: AHAReference) -> Images:
    """Black, ImageNet's mean color, or the image blurred with a Gaussian of 37 taps and sigma 37."""
    if name == "blur":
        return gaussian_blur(images)
    return one_color(images, (0.0, 0.0, 0.0) if name == "black" else IMAGENET_MEAN)


# regularization


def peak_penalty(maps: PixelMaps, *, size: int = 15, two_sided: bool = False) -> Float[Tensor, " batch"]:
    """Mean squared excess over the local average; `two_sided` (as printed in the paper): mean squared deviation."""
    border = size // 2
    mode = "reflect" if border < min(maps.shape[-2:]) else "replicate"
    average = avg_pool2d(pad(maps.unsqueeze(1), (border,) * 4, mode=mode), size, stride=1).squeeze(1)
    excess = maps - average
    excess = excess if two_sided else excess.relu()
    return excess.square().mean(dim=(1, 2))
