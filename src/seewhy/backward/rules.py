"""Another backward pass for the operations of a network, wherever they are called from; values stay the same.

Inside `with Rules({"gelu": rule, …}):` every call of a torch function of that name that is part of a graph goes to
`rule(function, *args, **kwargs)` instead. No hook, nothing to undo, and no matter which library wrote the network: a
rule answers for modules, functions, methods of tensors, in-place versions, and one module used twice.
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
MOVES = (  # functions that only move values: their own gradient is right under every rule
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
    """Rules by function name; `relu` also answers for `relu_`. `seen` collects the names that occurred.

    With `known` given, a function that passes gradients on and is neither in it nor in the rules raises
    `UnsupportedModel`, because its plain gradient would silently be taken for a rule; `method` and `advice` say in
    that message who has no rule and what to use instead.
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


def surrogate(value: Tensor, slope: Tensor) -> Tensor:
    """The value of one tensor with the gradient of another."""
    return value.detach() + (slope - slope.detach())


def constant_ratio(numerator: Tensor, denominator: Tensor, *, tiny: float = 1e-9) -> Tensor:
    """A quotient that takes no gradient; 0 where the denominator is.

    >>> constant_ratio(torch.tensor([1.0, 1.0]), torch.tensor([4.0, 0.0]))
    tensor([0.2500, 0.0000])
    """
    safe = denominator.abs() > tiny
    return torch.where(safe, numerator / denominator.where(safe, torch.ones_like(denominator)), 0.0).detach()
