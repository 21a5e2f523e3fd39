"""Guided backpropagation: activations that backpropagate positive gradients only."""

from collections.abc import Callable
from typing import Any

from torch import Tensor


def guided(function: Callable, *args: Any, **kwargs: Any) -> Tensor:
    """The rule for activations: the value is unchanged, negative gradients of the output are set to 0."""
    result = function(*args, **kwargs)
    result.register_hook(lambda gradient: gradient.clamp(min=0))
    return result
