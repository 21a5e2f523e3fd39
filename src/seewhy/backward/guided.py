"""Guided backpropagation: ReLUs pass back positive gradients only."""

from collections.abc import Callable
from typing import Any

from torch import Tensor


def guided(function: Callable, *args: Any, **kwargs: Any) -> Tensor:
    """Guided backpropagation: behind this activation only positive gradients pass."""
    result = function(*args, **kwargs)
    result.register_hook(lambda gradient: gradient.clamp(min=0))
    return result
