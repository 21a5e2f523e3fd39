"""Libra's balanced backward pass: inside `libra_rules()`, token times gradient sums to the logit at every block.

Every operation becomes linear in one input (or is divided equally between two); without biases the sum over all tokens
of a block is then the logit itself. Values do not change.

    attention            softmax weights are constants: gradients flow through values only
    layer norm           the standard deviation is a constant, the mean is not
    GELU, SiLU, x·σ(…)   x times a constant gate
    a · b                half the gradient to each factor (gated MLPs)
    x / ‖x‖              the norm is a constant
"""

from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch import Tensor

from seewhy.backward.rules import Rule, Rules, in_graph, named
from seewhy.ops.attention import multi_head_attention


def libra_rules() -> Rules:
    """A context in which operations have Libra's gradients."""
    return Rules(_RULES)


def _constant(operation: Callable, *args: Any, **options: Any) -> Tensor:
    with torch.no_grad():
        return operation(*args, **options)


def _scaled(operation: Callable, inputs: Tensor, *args: Any, **options: Any) -> Tensor:
    """f(x) as x times the constant f(x) / x, which is Φ(x) for GELU, σ(x) for SiLU, 1/‖x‖ for a normalization."""
    with torch.no_grad():
        value = operation(inputs, *args, **options)
        safe = inputs.where(inputs != 0, torch.ones_like(inputs))
        gate = torch.where(inputs != 0, value / safe, 0.5)
    return inputs * gate


def _layer_norm(
    _: Callable,
    inputs: Tensor,
    shape: Sequence[int],
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    eps: float = 1e-5,
) -> Tensor:
    dims = tuple(range(-len(shape), 0))
    centered = inputs - inputs.mean(dim=dims, keepdim=True)
    normed = centered * (centered.detach().square().mean(dim=dims, keepdim=True) + eps).rsqrt()
    normed = normed if weight is None else normed * weight
    return normed if bias is None else normed + bias


def _mul(operation: Callable, first: Any, second: Any) -> Tensor:
    product = operation(first, second)
    return (product + product.detach()) / 2 if in_graph(first) and in_graph(second) else product


def _div(operation: Callable, first: Any, second: Any, **options: Any) -> Tensor:
    return operation(first, second.detach() if isinstance(second, Tensor) else second, **options)


def _attention(operation: Callable, query: Tensor, key: Tensor, value: Tensor, *args: Any, **options: Any) -> Tensor:
    return operation(query.detach(), key.detach(), value, *args, **options)


def _multi_head(_: Callable, *args: Any, **options: Any) -> Any:
    """A fused function, decomposed into operations that have rules."""
    with libra_rules():
        return multi_head_attention(*args, **options)


_RULES: dict[str, Rule] = {
    **named(_constant, "softmax", "sigmoid", "tanh", "rsqrt", "sqrt", "norm", "linalg_vector_norm"),
    **named(_scaled, "gelu", "silu", "rms_norm", "normalize"),
    **named(_layer_norm, "layer_norm"),
    **named(_mul, "mul", "mul_", "__imul__"),
    **named(_div, "div", "div_", "true_divide"),
    **named(_attention, "scaled_dot_product_attention"),
    **named(_multi_head, "multi_head_attention_forward"),
}
