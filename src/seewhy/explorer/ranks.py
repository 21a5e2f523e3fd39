"""Ranks as small corrections: the browser ranks a map itself, and only the differences to its ranks are stored.

The metrics resize maps in single precision, where neighboring values can tie or swap; the browser has double precision
only. Its ranks are predicted here with the same arithmetic, and their difference to the metrics' ranks is nearly always
zero.
"""

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
