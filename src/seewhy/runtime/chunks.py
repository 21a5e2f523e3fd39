"""Chunked execution with back-off: batches that do not fit into memory run in smaller chunks."""

from collections.abc import Callable
from typing import TypeVar

import torch
from torch import Tensor

Part = TypeVar("Part")


def in_chunks(function: Callable[[Tensor], Part], batch: Tensor, size: int) -> tuple[list[Part], int]:
    """Apply `function` to slices of at most `size`, halving the size whenever memory runs out.

    Returns the results and the size that worked, the starting point of the next call.

    >>> in_chunks(lambda x: x * 2, torch.arange(3), 2)
    ([tensor([0, 2]), tensor([4])], 2)
    """
    parts: list[Part] = []
    start = 0
    while start < len(batch) or not parts:
        try:
            parts.append(function(batch[start : start + size]))
        except (RuntimeError, MemoryError) as error:
            if size == 1 or not out_of_memory(error):
                raise
            size = max(1, min(size, len(batch) - start) // 2)
            torch.cuda.empty_cache()
        else:
            start += size
    return parts, size


def out_of_memory(error: Exception) -> bool:
    """Whether the error is an out-of-memory error, so that a smaller batch may work."""
    messages = ("out of memory", "can't allocate memory", "not enough memory")
    kinds = (MemoryError, torch.OutOfMemoryError)
    return isinstance(error, kinds) or any(message in str(error).lower() for message in messages)
