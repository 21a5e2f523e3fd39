"""Arithmetic of perturbation curves: pixel order, areas, normalized responses, MAS.

A curve is the last dimension: `... points`. Nothing here runs a model.
"""

from typing import Literal

import torch
from jaxtyping import Float, Int
from torch import Tensor

Curve = Float[Tensor, "*batch points"]
Value = Float[Tensor, "*batch"]
Area = Literal["trapezoid", "mean", "mean_after_first"]


def evenly_spaced(points: int, *, endpoints: bool = True) -> tuple[float, ...]:
    """Fractions from 0 to 1, with or without both endpoints.

    >>> evenly_spaced(3), evenly_spaced(3, endpoints=False)
    ((0.0, 0.5, 1.0), (0.25, 0.5, 0.75))
    """
    if endpoints:
        return tuple(point / (points - 1) for point in range(points))
    return tuple(point / (points + 1) for point in range(1, points + 1))


def pixel_order(maps: Float[Tensor, "*batch rows cols"]) -> Int[Tensor, "*batch pixels"]:
    """Pixels by descending value; ties are broken by index.

    >>> pixel_order(torch.tensor([[1.0, 3.0], [3.0, 2.0]]))
    tensor([1, 2, 3, 0])
    """
    return maps.flatten(-2).sort(dim=-1, descending=True, stable=True).indices


def pixel_ranks(order: Int[Tensor, "*batch pixels"]) -> Int[Tensor, "*batch pixels"]:
    """The rank of every pixel in the order: the top k are those whose rank is below k."""
    ranks = torch.arange(order.shape[-1], device=order.device).expand_as(order)
    return torch.empty_like(order).scatter_(-1, order, ranks)


def pixel_counts(fractions: tuple[float, ...], pixels: int, *, truncate: bool = False) -> list[int]:
    """The number of pixels in each fraction of the image; halves are rounded to even.

    >>> pixel_counts((0.1, 0.5), 50176), pixel_counts((0.1, 0.5), 50176, truncate=True)
    ([5018, 25088], [5017, 25088])
    """
    return [int(fraction * pixels) if truncate else round(fraction * pixels) for fraction in fractions]


def area(curve: Curve, *, rule: Area = "trapezoid") -> Value:
    """Area under a curve of unit width.

    `trapezoid` is the rule of RISE's, MDA's and AHA's code; `mean` and `mean_after_first` are the sums in MDA's and
    AHA's text.

    >>> curve = torch.tensor([1, 0.5, 0.25, 0.1, 0])
    >>> [round(float(area(curve, rule=rule)), 4) for rule in ("trapezoid", "mean", "mean_after_first")]
    [0.3375, 0.37, 0.2125]
    """
    if rule == "mean":
        return curve.mean(dim=-1)
    if rule == "mean_after_first":
        return curve[..., 1:].mean(dim=-1)
    return (curve.sum(dim=-1) - (curve[..., 0] + curve[..., -1]) / 2) / (curve.shape[-1] - 1)


def rising_response(curve: Curve, floor: Value, clean: Value) -> Curve:
    """MDA's normalized insertion response: 0 at the reference, 1 at the clean image, made monotonic.

    NaN where reference and clean image score the same.
    """
    return _relative(curve, floor, clean).cummax(dim=-1).values


def falling_response(curve: Curve, floor: Value, clean: Value) -> Curve:
    """MDA's normalized deletion response: from 1 down to 0, made monotonic."""
    return _relative(curve, floor, clean).cummin(dim=-1).values


def _relative(curve: Curve, floor: Value, clean: Value) -> Curve:
    floor, clean = floor.unsqueeze(-1), clean.unsqueeze(-1)
    span = (clean - floor).abs()
    return ((curve - floor) / span.where(span > 0, span.new_tensor(torch.nan))).clamp(0, 1)


def relative_curves(insertion: Curve, deletion: Curve) -> tuple[Curve, Curve]:
    """Both curves normalized by their own endpoints and made monotonic; where the endpoints are equal, 0 or 1."""

    def relative(curve: Curve, low: Tensor, high: Tensor) -> Curve:
        return ((curve - low) / (high - low).abs().clamp_min(torch.finfo(curve.dtype).tiny)).clamp(0, 1)

    rising = relative(insertion, insertion[..., :1], insertion[..., -1:]).cummax(dim=-1).values
    falling = relative(deletion, deletion[..., -1:], deletion[..., :1]).cummin(dim=-1).values
    return rising, falling


def mas_insertion_curve(response: Curve, density: Curve) -> Curve:
    """Insertion response minus its distance from the map's density response, clipped and rescaled to [0, 1].

    Before clipping this is the density where the response is at least as high, else 2·response − density. Where
    anything is undefined, the straight line (area 0.5).
    """
    return _finish(response - (response - density).abs())


def mas_deletion_curve(response: Curve, density: Curve) -> Curve:
    """Deletion response plus its distance from the remaining density, clipped and rescaled to [0, 1]."""
    return _finish(response + (response - density).abs(), falling=True)


def _finish(curve: Curve, *, falling: bool = False) -> Curve:
    curve = curve.clamp(0, 1)
    low, high = curve.amin(dim=-1, keepdim=True), curve.amax(dim=-1, keepdim=True)
    line = torch.linspace(0, 1, curve.shape[-1], dtype=curve.dtype, device=curve.device)
    line = line.flip(0) if falling else line
    stretched = (curve - low) / (high - low)  # NaN for a flat curve
    return torch.where(stretched.isfinite().all(dim=-1, keepdim=True), stretched, line)
