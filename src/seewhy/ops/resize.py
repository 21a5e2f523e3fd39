"""Resizing and scaling of maps."""

from jaxtyping import Float
from torch import Tensor
from torch.nn.functional import adaptive_avg_pool2d, interpolate


def resize_maps(
    maps: Float[Tensor, "batch classes rows cols"], size: tuple[int, int], *, mode: str = "bilinear"
) -> Float[Tensor, "batch classes height width"]:
    """Maps at another size; bilinear without corner alignment, so that values sit at cell centers, or `nearest`."""
    if maps.shape[-2:] == tuple(size):
        return maps
    corners = None if mode == "nearest" else False
    return interpolate(maps, size=tuple(size), mode=mode, align_corners=corners)


def draw_maps(
    maps: Float[Tensor, "batch classes rows cols"], size: tuple[int, int]
) -> Float[Tensor, "batch classes height width"]:
    """Maps upsampled for display: bicubic, which shows no diamond artifacts, clamped to the range of each map."""
    low, high = maps.amin(dim=(-2, -1), keepdim=True), maps.amax(dim=(-2, -1), keepdim=True)
    smooth = resize_maps(maps, size, mode="bicubic" if maps.shape[-1] < size[1] else "bilinear")
    return smooth.clamp(low, high) if bool(low.isfinite().all() & high.isfinite().all()) else smooth


def shrink_maps(
    maps: Float[Tensor, "batch classes rows cols"], size: tuple[int, int]
) -> Float[Tensor, "batch classes height width"]:
    """Maps averaged over the cells of a coarser grid; a map with fewer cells is upsampled."""
    if maps.shape[-2] < size[0] or maps.shape[-1] < size[1]:
        return resize_maps(maps, size)
    return adaptive_avg_pool2d(maps, size)


def unit_range(maps: Float[Tensor, "*batch rows cols"]) -> Float[Tensor, "*batch rows cols"]:
    """Each map shifted and scaled to [0, 1]; a constant map becomes zeros.

    >>> import torch
    >>> unit_range(torch.tensor([[1.0, 3.0], [2.0, 5.0]]))
    tensor([[0.0000, 0.5000],
            [0.2500, 1.0000]])
    """
    low, high = maps.amin(dim=(-2, -1), keepdim=True), maps.amax(dim=(-2, -1), keepdim=True)
    return (maps - low) / _nonzero(high - low)


def in_unit_of(
    others: Float[Tensor, "*batch _ _"], maps: Float[Tensor, "*batch rows cols"]
) -> Float[Tensor, "*batch rows cols"]:
    """Each map shifted and scaled to the mean and standard deviation of another one, which may be smaller.

    The order of its values remains. Next to a constant map, the standard deviation becomes 1.

    >>> import torch
    >>> in_unit_of(torch.tensor([[0.0, 0.0, 4.0, 4.0]]), torch.tensor([[5.0, 3.0]]))
    tensor([[4., 0.]])
    """
    (mean, std), (own_mean, own_std) = _moments(others), _moments(maps)
    return (maps - own_mean) * (_nonzero(std) / _nonzero(own_std)) + mean


def _moments(maps: Tensor) -> tuple[Tensor, Tensor]:
    mean = maps.mean(dim=(-2, -1), keepdim=True)
    return mean, maps.std(dim=(-2, -1), correction=0, keepdim=True)


def _nonzero(scale: Tensor) -> Tensor:
    return scale.where(scale > 0, scale.new_ones(()))
