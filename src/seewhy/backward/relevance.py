"""Relevance propagation as a modified backward pass: inside `relevance_rules()` a gradient *is* a relevance.

Each operation of a transformer gets a backward pass that propagates relevance, so that `torch.autograd.grad` of one
logit returns the relevance of any tensor, through any network and without hooks. Values do not change.

    linear               R_j = Σ_i x_j w_ij / Σ_j' x_j' w_ij' · R_i   over x w > 0 only; biases get no relevance
    a @ b                half to each factor, its entries in proportion to their contribution
    a + b                each term in proportion to its contribution, the two sums then rescaled to |Σ R_a| : |Σ R_b|
    norms, GELU, softmax all relevance passes to the input
    scale, constant      all relevance passes to the input (LayerScale, 1/√d, separate biases, position embeddings)
    x · gate, x / norm   all relevance goes to x; gates (sigmoid, SiLU, GELU of another branch) and norms are constants
    mean over tokens     tokens in proportion to their contribution with the sign of the mean
    copies, views        as in autograd: sums and rearrangements
"""

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor
from torch.autograd import Function
from torch.nn import functional as F

from seewhy.backward.rules import Rule, Rules, in_graph, named
from seewhy.ops.attention import multi_head_attention

EPSILON = 1e-9


def relevance_rules() -> Rules:
    """A context in which operations backpropagate relevance instead of gradients."""
    return Rules(_RULES)


def ratio(relevance: Tensor, total: Tensor) -> Tensor:
    """relevance / total, and 0 where the total is 0."""
    sign = (2 * (total >= 0) - 1).to(total)
    return torch.where(total == 0, 0.0, relevance / (total + EPSILON * sign))


def share_linear(inputs: Tensor, weight: Tensor, relevance: Tensor) -> Tensor:
    """Relevance of a linear layer's inputs: only products x w > 0 count."""
    up, down = inputs.clamp(min=0), inputs.clamp(max=0)
    plus, minus = weight.clamp(min=0), weight.clamp(max=0)
    each = ratio(relevance, _times(up, plus) + _times(down, minus))
    return up * (each @ plus) + down * (each @ minus)


def _times(inputs: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
    """A linear layer; weights may have a batch dimension."""
    return F.linear(inputs, weight, bias) if weight.ndim == 2 else inputs @ weight.transpose(-2, -1)


def share_sum(first: Tensor, second: Tensor, relevance: Tensor) -> tuple[Tensor, Tensor]:
    """Relevance of the two terms of a sum; normalized per image, so that a batch equals its single images."""
    each = ratio(relevance, first + second)
    parts = first * each, second * each
    sums = [_per_image(part) for part in parts]
    size = sums[0].abs() + sums[1].abs()
    whole = _per_image(relevance)
    scaled = [part * ratio(ratio(own.abs(), size) * whole, own) for part, own in zip(parts, sums, strict=True)]
    return scaled[0], scaled[1]


def _per_image(values: Tensor) -> Tensor:
    return values.sum(dim=tuple(range(1, values.ndim)), keepdim=True)


class _Linear(Function):
    @staticmethod
    def forward(ctx: Any, inputs: Tensor, weight: Tensor, bias: Tensor | None) -> Tensor:
        ctx.save_for_backward(inputs, weight)
        return _times(inputs, weight, bias)

    @staticmethod
    def backward(ctx: Any, *relevance: Tensor) -> Any:
        inputs, weight = ctx.saved_tensors
        return share_linear(inputs, weight, relevance[0]), None, None


class _Product(Function):
    @staticmethod
    def forward(ctx: Any, first: Tensor, second: Tensor) -> Tensor:
        ctx.save_for_backward(first, second)
        return first @ second

    @staticmethod
    def backward(ctx: Any, *relevance: Tensor) -> Any:
        first, second = ctx.saved_tensors
        each = ratio(relevance[0], first @ second) / 2
        return first * (each @ second.transpose(-2, -1)), second * (first.transpose(-2, -1) @ each)


class _Sum(Function):
    @staticmethod
    def forward(ctx: Any, first: Tensor, second: Tensor) -> Tensor:
        ctx.save_for_backward(first, second)
        return first + second

    @staticmethod
    def backward(ctx: Any, *relevance: Tensor) -> Any:
        first, second = ctx.saved_tensors
        return share_sum(first, second, relevance[0])


class _Pass(Function):
    """An operation that preserves shape and passes all relevance to its input."""

    @staticmethod
    def forward(ctx: Any, inputs: Tensor, operation: Callable[[Tensor], Tensor]) -> Tensor:  # noqa: ARG004
        return operation(inputs)

    @staticmethod
    def backward(ctx: Any, *relevance: Tensor) -> Any:  # noqa: ARG004
        return relevance[0], None


class _Mean(Function):
    @staticmethod
    def forward(ctx: Any, inputs: Tensor, dim: Any) -> Tensor:
        ctx.save_for_backward(inputs)
        ctx.dim = dim
        return inputs.mean(dim=dim, keepdim=True)

    @staticmethod
    def backward(ctx: Any, *relevance: Tensor) -> Any:
        (inputs,) = ctx.saved_tensors
        along = inputs * (inputs * inputs.mean(dim=ctx.dim, keepdim=True) > 0)  # entries with the sign of the mean
        return along * ratio(relevance[0], along.sum(dim=ctx.dim, keepdim=True)), None


def _linear(_: Callable, inputs: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
    return _Linear.apply(inputs, weight, bias)


def _matmul(_: Callable, first: Tensor, second: Tensor) -> Tensor:
    if in_graph(first) and in_graph(second):
        return _Product.apply(first, second)
    if in_graph(first):
        return _Linear.apply(first, second.transpose(-2, -1), None)
    return _Linear.apply(second.transpose(-2, -1), first, None).transpose(-2, -1)


def _add(_: Callable, first: Any, second: Any, **options: Any) -> Tensor:
    if in_graph(first) and in_graph(second) and first.shape == second.shape:
        return _Sum.apply(first, second)
    return _constant(torch.add, first, second, **options)


def _sub(_: Callable, first: Any, second: Any, **options: Any) -> Tensor:
    if in_graph(first) and in_graph(second) and first.shape == second.shape:
        return _Sum.apply(first, _same(torch.neg, second))
    return _constant(torch.sub, first, second, **options)


def _mul(_: Callable, first: Any, second: Any) -> Tensor:
    if in_graph(first) and in_graph(second):
        first, second = (second, first) if hasattr(first, "is_gate") else (first, second)
        second = second.detach()
    return _constant(torch.mul, first, second)


def _div(_: Callable, first: Any, second: Any, **options: Any) -> Tensor:
    return _constant(torch.div, first, second.detach() if isinstance(second, Tensor) else second, **options)


def _constant(operation: Callable, first: Any, second: Any, **options: Any) -> Tensor:
    """All relevance goes to the non-constant operand, unless it is broadcast to the shape of the constant."""

    def apply(value: Tensor) -> Tensor:
        return operation(*((value, second) if in_graph(first) else (first, value)), **options)

    own, other = (first, second) if in_graph(first) else (second, first)
    fits = not isinstance(other, Tensor) or torch.broadcast_shapes(own.shape, other.shape) == own.shape
    return _Pass.apply(own, apply) if fits else apply(own)


def _same(operation: Callable, inputs: Tensor, *args: Any, **options: Any) -> Tensor:
    return _Pass.apply(inputs, lambda value: operation(value, *args, **options))


def _gate(operation: Callable, inputs: Tensor, *args: Any, **options: Any) -> Tensor:
    output = _same(operation, inputs, *args, **options)
    output.is_gate = True  # type: ignore[attr-defined]
    return output


def _mean(_: Callable, inputs: Tensor, dim: Any = None, keepdim: bool = False) -> Tensor:
    dims = tuple(range(inputs.ndim)) if dim is None else (dim,) if isinstance(dim, int) else tuple(dim)
    mean = _Mean.apply(inputs, dims)
    return mean if keepdim else mean.squeeze(dims)


def _attention(_: Callable, query: Tensor, key: Tensor, value: Tensor, **options: Any) -> Tensor:
    """A fused kernel, decomposed; dropout does not occur in evaluation mode."""
    scale, bias = options.get("scale") or query.shape[-1] ** -0.5, options.get("attn_mask")
    with relevance_rules():
        logits = query @ key.transpose(-2, -1) * scale
        return (logits if bias is None else logits + bias).softmax(dim=-1) @ value


def _multi_head(_: Callable, *args: Any, **options: Any) -> Any:
    """A fused function, decomposed into operations that have rules."""
    with relevance_rules():
        return multi_head_attention(*args, **options)


_RULES: dict[str, Rule] = {
    **named(_linear, "linear"),
    **named(_matmul, "matmul", "bmm"),
    **named(_add, "add", "add_", "__iadd__"),
    **named(_sub, "sub", "sub_"),
    **named(_mul, "mul", "mul_", "__imul__"),
    **named(_div, "div", "div_", "true_divide"),
    **named(_same, "layer_norm", "rms_norm", "softmax", "relu", "neg", "normalize"),
    **named(_gate, "gelu", "silu", "sigmoid", "tanh", "rsqrt"),
    **named(_mean, "mean"),
    **named(_attention, "scaled_dot_product_attention"),
    **named(_multi_head, "multi_head_attention_forward"),
}
