"""Modified gradients for the operations of a network, regardless of where they are called; values stay the same.

Inside `with Rules({"gelu": rule, …}):` every call of a torch function of that name that is part of a graph becomes
`rule(function, *args, **kwargs)`. There are no hooks to remove, and the library that defines the network is irrelevant:
a rule applies to modules, functions, tensor methods, in-place versions, and modules used twice.
"""

from collections.abc import Callable, Collection, Mapping
from typing import Any

import torch
from torch import Tensor
from torch.overrides import TorchFunctionMode

from seewhy.errors import UnsupportedModel

Rule = Callable[..., Tensor]

RECTIFIERS = ("relu", "relu6", "hardtanh")
SMOOTH = ("gelu", "silu", "mish", "elu", "celu", "selu", "leaky_relu", "hardswish", "softplus")
GATES = ("sigmoid", "hardsigmoid", "tanh")
POOLS = ("avg_pool2d", "adaptive_avg_pool2d", "mean")
REARRANGING = (  # functions that only rearrange values: their gradient is correct under every rule
    "flatten", "reshape", "view", "permute", "transpose", "contiguous", "squeeze", "unsqueeze", "cat", "concat",
    "stack", "chunk", "split", "unbind", "getitem", "dropout", "dropout2d", "feature_dropout", "to", "float", "double",
    "half", "type_as", "clone", "alias", "pad", "narrow", "select", "movedim", "expand", "requires_grad", "get",
    "channel_shuffle", "pixel_unshuffle", "unflatten",
)  # fmt: skip


def in_graph(value: Any) -> bool:
    if isinstance(value, (tuple, list)):
        return any(map(in_graph, value))
    return isinstance(value, Tensor) and value.requires_grad


def named(rule: Rule, *names: str) -> dict[str, Rule]:
    """One rule for several torch functions."""
    return dict.fromkeys(names, rule)


class Rules(TorchFunctionMode):
    """Rules by function name; `relu` also applies to `relu_`. `seen` collects the names of the functions called.

    With `known` given, a differentiable function that is neither in it nor in the rules raises `UnsupportedModel`,
    because its plain gradient would silently replace a rule; `method` and `advice` complete the message.
    """

    def __init__(
        self, rules: Mapping[str, Rule], *, known: Collection[str] | None = None, method: str = "", advice: str = ""
    ) -> None:
        super().__init__()
        self.rules, self.known, self.method, self.advice = rules, known, method, advice
        self.seen: set[str] = set()

    def __torch_function__(self, function: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        name = getattr(function, "__name__", "")
        rule = self.rules.get(name, self.rules.get(name.strip("_")))
        if rule is not None and torch.is_grad_enabled() and any(map(in_graph, args)):
            self.seen.add(name.strip("_"))
            return rule(function, *args, **(kwargs or {}))
        result = function(*args, **(kwargs or {}))
        if self.known is not None and name.strip("_") not in self.known and in_graph(result):
            raise UnsupportedModel(f"{self.method} has no rule for {name!r}, which this network uses. {self.advice}")
        return result


def straight_through(value: Tensor, slope: Tensor) -> Tensor:
    """A tensor with the value of `value` and the gradient of `slope`."""
    return value.detach() + (slope - slope.detach())


def constant_ratio(numerator: Tensor, denominator: Tensor, *, tiny: float = 1e-9) -> Tensor:
    """A quotient without gradient; 0 where the denominator is 0.

    >>> constant_ratio(torch.tensor([1.0, 1.0]), torch.tensor([4.0, 0.0]))
    tensor([0.2500, 0.0000])
    """
    safe = denominator.abs() > tiny
    return torch.where(safe, numerator / denominator.where(safe, torch.ones_like(denominator)), 0.0).detach()
