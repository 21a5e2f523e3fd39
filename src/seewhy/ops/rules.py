"""Another backward pass for the operations of a network, wherever they are called from; values stay the same.

Inside `with Rules({"gelu": rule, …}):` every call of a torch function of that name that is part of a graph goes to
`rule(function, *args, **kwargs)` instead. No hook, nothing to undo, and no matter which library wrote the network.
"""

from collections.abc import Callable, Mapping
from typing import Any

import torch
from torch import Tensor
from torch.overrides import TorchFunctionMode

Rule = Callable[..., Tensor]


def in_graph(value: Any) -> bool:
    return isinstance(value, Tensor) and value.requires_grad


def named(rule: Rule, *names: str) -> dict[str, Rule]:
    """One rule for several torch functions."""
    return dict.fromkeys(names, rule)


class Rules(TorchFunctionMode):
    def __init__(self, rules: Mapping[str, Rule]) -> None:
        super().__init__()
        self.rules = rules

    def __torch_function__(self, function: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        rule = self.rules.get(getattr(function, "__name__", ""))
        if rule is None or not torch.is_grad_enabled() or not any(map(in_graph, args)):
            return function(*args, **(kwargs or {}))
        return rule(function, *args, **(kwargs or {}))
