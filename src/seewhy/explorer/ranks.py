"""Maps with the ranks of their pixels in few bytes; the ranks stay exact.

A coarse map is stored as it is: the browser resizes and ranks it itself. The metrics resize in single precision, where
neighboring values can tie or swap; the browser has double precision only. Its ranks are predicted here with the same
arithmetic, and what is stored is their difference to the metrics' ranks, nearly always zero.

A map that is as fine as the image is noise to any compressor, 170 kB for 224 x 224 values. It is stored sorted: the
order of the pixels, and the falling values as multiples of a step, 2^-16 of the largest. That takes 106 kB. Shares of a
contrast with temperatures up to 100 then differ by up to 2e-4 from those of the values themselves, so the maps of a
file that contrasts few of them are stored as they are.
"""

from typing import NamedTuple

import numpy as np
from jaxtyping import Float, Int, Int64, UInt
from numpy import ndarray


def rank_corrections(
    maps: Float[ndarray, "classes rows cols"], ranks: UInt[ndarray, "classes height width"]
) -> Int[ndarray, "classes height width"]:
    """True minus predicted ranks, modulo the integer type as in typed arrays."""
    height, width = ranks.shape[1:]
    predicted = np.stack([predict_ranks(each, height, width) for each in maps]).astype(ranks.dtype)
    corrections: ndarray = (ranks - predicted).view(ranks.dtype.str.replace("u", "i"))
    return corrections


STEPS = 2**16  # from zero to the largest magnitude of a sorted map


class SortedMaps(NamedTuple):
    """Maps by falling value: the pixel at each rank, and its value in steps. Integers wrap as in typed arrays."""

    order: Int[ndarray, "classes pixels"]
    levels: UInt[ndarray, " classes*pixels"]
    step: Float[ndarray, " classes"]


def sort_maps(maps: Float[ndarray, "classes height width"], ranks: UInt[ndarray, "classes height width"]) -> SortedMaps:
    """Maps that the ranks order, rounded to multiples of a step."""
    flat, order = maps.reshape(len(maps), -1), ranks.reshape(len(maps), -1).argsort(axis=1)
    step = np.abs(flat).max(axis=1) / np.float32(STEPS)
    levels = np.rint(np.take_along_axis(flat, order, axis=1) / np.where(step, step, 1)[:, None])
    wrapped = order.astype(ranks.dtype).view(ranks.dtype.str.replace("u", "i"))
    return SortedMaps(wrapped, levels.astype(np.int32).view(np.uint32).ravel(), step)


def predict_ranks(map: Float[ndarray, "rows cols"], height: int, width: int) -> Int64[ndarray, "height width"]:
    """Ranks of a map resized in double precision; ties are broken by index. A map with NaN ranks as a flat one."""
    if not np.isfinite(map).all():
        map = np.zeros_like(map)
    order = np.argsort(-resize(map.astype(np.float64), height, width).ravel(), kind="stable")
    ranks = np.empty_like(order)
    ranks[order] = np.arange(order.size)
    return ranks.reshape(height, width)


def resize(map: Float[ndarray, "rows cols"], height: int, width: int) -> Float[ndarray, "height width"]:
    """Bilinear without corner alignment: operation for operation what `frontend/src/ops/resize.js` computes."""
    (top, bottom, down), (left, right, along) = _weights(map.shape[0], height), _weights(map.shape[1], width)
    above = (1 - along) * map[top][:, left] + along * map[top][:, right]
    below = (1 - along) * map[bottom][:, left] + along * map[bottom][:, right]
    resized: ndarray = (1 - down)[:, None] * above + down[:, None] * below
    return resized


def _weights(size: int, to: int) -> tuple[Int64[ndarray, " to"], Int64[ndarray, " to"], Float[ndarray, " to"]]:
    """Both neighbors of every output position, and the weight of the second."""
    position = np.maximum(0, (np.arange(to) + 0.5) * size / to - 0.5)
    low = np.minimum(np.floor(position).astype(np.int64), size - 1)
    return low, np.minimum(low + 1, size - 1), np.zeros(to) if size == to else position - low
