"""Chunked execution with back-off: batches that do not fit into memory run in smaller chunks."""

from collections.abc import Callable
from typing import TypeVar

import torch
from torch import Tensor

Part = TypeVar("Part")


def in_chunks(function: Callable[..., Part], batch: Tensor | tuple[Tensor, ...], size: int) -> tuple[list[Part], int]:
    """Apply `function` to slices of at most `size`, halving the size whenever memory runs out.

    A tuple of tensors is sliced in parallel, and each slice passed as an argument. Returns the results and the size
    that worked, the starting point of the next call.

    >>> in_chunks(lambda x: x * 2, torch.arange(3), 2)
    ([tensor([0, 2]), tensor([4])], 2)
    """
    tensors = batch if isinstance(batch, tuple) else (batch,)
    length = len(tensors[0])
    parts: list[Part] = []
    start = 0
    while start < length or not parts:
        try:
            parts.append(function(*(tensor[start : start + size] for tensor in tensors)))
        except (RuntimeError, MemoryError) as error:
            if size == 1 or not out_of_memory(error):
                raise
            size = max(1, min(size, length - start) // 2)
            torch.cuda.empty_cache()
        else:
            start += size
    return parts, size


def out_of_memory(error: Exception) -> bool:
    """Whether the error is an out-of-memory error, so that a smaller batch may work."""
    messages = ("out of memory", "can't allocate memory", "not enough memory")
    kinds = (MemoryError, torch.OutOfMemoryError)
    return isinstance(error, kinds) or any(message in str(error).lower() for message in messages)
