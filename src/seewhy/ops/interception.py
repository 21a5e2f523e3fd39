"""Another rule for some functions of a network while it runs: guided ReLU, LRP, DeepLIFT.

A rule answers for every call of a function, whether it comes from a module, from `torch.nn.functional`, in place, or
from one module used twice. The network itself is not touched, so there is nothing to undo.

Rules change gradients, never values: they return `surrogate(value, slope)`.
"""

from collections.abc import Callable, Collection, Mapping
from typing import Any

import torch
from torch import Tensor
from torch.overrides import TorchFunctionMode

from seewhy.errors import UnsupportedModel

Rule = Callable[..., Any]  # rule(function, *arguments of the function)

RECTIFIERS = ("relu", "relu6", "hardtanh")
SMOOTH = ("gelu", "silu", "mish", "elu", "celu", "selu", "leaky_relu", "hardswish", "softplus")
GATES = ("sigmoid", "hardsigmoid", "tanh")
POOLS = ("avg_pool2d", "adaptive_avg_pool2d", "mean")
MAX_POOLS = ("max_pool2d", "adaptive_max_pool2d")
MOVES = (  # functions that only move values: their own gradient is right under every rule
    "flatten", "reshape", "view", "permute", "transpose", "contiguous", "squeeze", "unsqueeze", "cat", "concat",
    "stack", "chunk", "split", "unbind", "getitem", "dropout", "dropout2d", "feature_dropout", "to", "float", "double",
    "half", "type_as", "clone", "alias", "pad", "narrow", "select", "movedim", "expand", "requires_grad", "get",
    "channel_shuffle", "pixel_unshuffle", "unflatten", "identity",
)  # fmt: skip


class Interception(TorchFunctionMode):
    """While it is entered, functions named in `rules` are computed by their rule; `seen` collects which were.

    With `known` given, a function that is in neither and that passes gradients on raises `UnsupportedModel`, because
    its plain gradient would silently be taken for a rule; `advice` ends that message.
    """

    def __init__(self, rules: Mapping[str, Rule], *, known: Collection[str] | None = None, advice: str = "") -> None:
        super().__init__()
        self.rules, self.known, self.advice = dict(rules), known, advice
        self.seen: set[str] = set()

    def __torch_function__(
        self,
        function: Callable,
        types: Any,
        args: tuple = (),
        kwargs: dict | None = None,
    ) -> Any:
        name = getattr(function, "__name__", "").strip("_")
        if name in self.rules:
            self.seen.add(name)
            return self.rules[name](function, *args, **(kwargs or {}))
        result = function(*args, **(kwargs or {}))
        if self.known is not None and name not in self.known and passes_gradients(result):
            raise UnsupportedModel(f"there is no rule for {name!r}, which this network uses. {self.advice}")
        return result


def passes_gradients(result: Any) -> bool:
    if isinstance(result, (tuple, list)):
        return any(passes_gradients(item) for item in result)
    return isinstance(result, Tensor) and result.requires_grad


def surrogate(value: Tensor, slope: Tensor) -> Tensor:
    """The value of one tensor with the gradient of another."""
    return value.detach() + (slope - slope.detach())


def ratio(numerator: Tensor, denominator: Tensor, *, tiny: float = 1e-9) -> Tensor:
    """A quotient without a graph; 0 where the denominator is."""
    safe = denominator.abs() > tiny
    return torch.where(safe, numerator / denominator.where(safe, torch.ones_like(denominator)), 0.0).detach()


def guided(function: Callable, *args: Any, **kwargs: Any) -> Tensor:
    """Guided backpropagation: behind this activation only positive gradients pass."""
    result = function(*args, **kwargs)
    if result.requires_grad:
        result.register_hook(lambda gradient: gradient.clamp(min=0))
    return result
