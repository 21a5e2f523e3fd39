"""Windows of patches: the patches that belong to the window of each patch, and the pixels that a patch covers.

Patches are numbered row by row. A window is a row of a boolean matrix: `matrix[i, j]` says that patch j belongs to the
window of patch i. Windows end at the border, so those of border patches are smaller (4 or 6 instead of 9).
"""

from typing import Literal

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from seewhy.errors import OptionError, ShapeError, or_list

Select = Literal["box1", "none", "box2", "manhattan1"]
SELECTIONS = ("box1", "none", "box2", "manhattan1")
PATCH = 16  # side in pixels, for networks without patches
FEWEST = 8  # patches along the shorter side of a small image


def window_matrix(select: Select | Tensor, grid: tuple[int, int]) -> Bool[Tensor, "patches patches"]:
    """S(p_i) as a matrix: the patch alone, a box of radius 1 or 2, the four neighbors, or a user-supplied matrix.

    >>> window_matrix("manhattan1", (2, 2)).int()
    tensor([[1, 1, 1, 0],
            [1, 1, 0, 1],
            [1, 0, 1, 1],
            [0, 1, 1, 1]], dtype=torch.int32)
    """
    patches = grid[0] * grid[1]
    if isinstance(select, Tensor):
        if select.shape != (patches, patches):
            raise ShapeError(
                f"select must be a ({patches}, {patches}) matrix, one row and column per patch of the "
                f"{grid[0]}x{grid[1]} grid, got {tuple(select.shape)}."
            )
        if not select.bool().any(dim=1).all():
            raise OptionError("select has an empty window for some patch; every row needs at least one True")
        return select.bool()
    if not isinstance(select, str) or select not in SELECTIONS:
        raise OptionError(f"select must be {or_list(SELECTIONS)} or a matrix (a tensor), got {select!r}")
    rows, cols = (torch.arange(size) for size in grid)
    across = (rows[:, None] - rows).abs()[:, None, :, None].expand(*grid, *grid).reshape(patches, patches)
    along = (cols[:, None] - cols).abs()[None, :, None, :].expand(*grid, *grid).reshape(patches, patches)
    if select == "manhattan1":
        return across + along <= 1
    return torch.maximum(across, along) <= {"none": 0, "box1": 1, "box2": 2}[select]


def window_members(
    matrix: Bool[Tensor, "windows patches"],
) -> tuple[Int[Tensor, "windows slots"], Bool[Tensor, "windows slots"]]:
    """The members of every window, smaller windows padded with patch 0, and which slots are real.

    >>> window_members(torch.tensor([[True, False], [True, True]]))
    (tensor([[0, 0],
            [0, 1]]), tensor([[ True, False],
            [ True,  True]]))
    """
    sizes = matrix.sum(dim=1)
    slots = int(sizes.max())
    members = matrix.int().argsort(dim=1, descending=True, stable=True)[:, :slots]
    valid = torch.arange(slots, device=matrix.device) < sizes[:, None]
    return members.where(valid, 0), valid


def pixel_grid(size: tuple[int, int], *, patch: int = PATCH) -> tuple[int, int]:
    """Rows and columns of about `patch` pixels, for networks without patches; at least eight on the shorter side.

    On a coarser grid the windows of all patches would be nearly the same.

    >>> pixel_grid((224, 224)), pixel_grid((32, 64))
    ((14, 14), (8, 16))
    """
    patch_size = min(patch, min(size) / FEWEST)
    return max(1, round(size[0] / patch_size)), max(1, round(size[1] / patch_size))


def patch_cells(grid: tuple[int, int], size: tuple[int, int]) -> Bool[Tensor, "patches rows cols"]:
    """The cells of an image or feature map of this size that each patch overlaps.

    >>> patch_cells((1, 2), (1, 4)).int().tolist()
    [[[1, 1, 0, 0]], [[0, 0, 1, 1]]]
    """
    rows, cols = (_overlapped(count, length) for count, length in zip(grid, size, strict=True))
    return (rows[:, None, :, None] & cols[None, :, None, :]).flatten(0, 1)


def chosen_cells(
    chosen: Bool[Tensor, " patches"], grid: tuple[int, int], size: tuple[int, int]
) -> Bool[Tensor, "rows cols"]:
    """The cells that the chosen patches overlap, without the cells of every patch.

    >>> chosen_cells(torch.tensor([False, True]), (1, 2), (1, 4)).int().tolist()
    [[0, 0, 1, 1]]
    """
    rows, cols = (_overlapped(count, length).float() for count, length in zip(grid, size, strict=True))
    return (rows.T @ chosen.float().unflatten(0, grid) @ cols) > 0


def _overlapped(count: int, length: int) -> Bool[Tensor, "count length"]:
    """Whether part k, which covers [k/count, (k+1)/count) of the side, overlaps each cell."""
    part, cell = torch.arange(count)[:, None], torch.arange(length)
    return (cell * count < (part + 1) * length) & ((cell + 1) * count > part * length)


def window_cells(
    matrix: Bool[Tensor, "windows patches"], cells: Bool[Tensor, "patches rows cols"]
) -> Bool[Tensor, "windows rows cols"]:
    """The cells of every window: those of all its patches."""
    joined: Float[Tensor, "windows positions"] = matrix.float() @ cells.flatten(1).float()
    return (joined > 0).unflatten(1, cells.shape[1:])
