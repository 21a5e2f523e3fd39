"""A long batch in pieces that fit the memory."""

from collections.abc import Callable
from typing import TypeVar

import torch
from torch import Tensor

Part = TypeVar("Part")


def in_chunks(function: Callable[[Tensor], Part], batch: Tensor, size: int) -> tuple[list[Part], int]:
    """`function` of slices of at most `size`, halved whenever memory runs out.

    Returns the results and the size that worked, to begin with next time.

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
    """Whether an error means that a smaller batch would have worked."""
    words = ("out of memory", "can't allocate memory", "not enough memory")
    kinds = (MemoryError, torch.OutOfMemoryError)
    return isinstance(error, kinds) or any(word in str(error).lower() for word in words)
