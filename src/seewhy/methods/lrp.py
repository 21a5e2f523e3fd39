"""LRP: the class score, backpropagated layer by layer; the relevance of a neuron is distributed to its inputs.

| symbol of the paper    | name here            | shape                        |
|------------------------|----------------------|------------------------------|
| a_j, R_j               | activation, value × gradient |                      |
| z_jk^+                 | parts                |                              |
| l, h (of z^B)          | low, high            | batch 3 height width         |
| R at the input         | maps                 | batch classes height width   |

formula: R_j = Σ_k parts_jk / (Σ_j parts_jk) R_k, from the class score to the pixels; map = Σ_colors R

Every rule has the form R_j = Σ_k parts_jk / (Σ_j parts_jk) R_k. It is implemented as a modified gradient: a layer keeps
its value y but takes the gradient of parts · (y / parts), the quotient held constant; then value × gradient is the
relevance at every layer, and all classes share one forward pass.

`rule="zplus"`: convolutions by positive contributions, with a subsequent batch norm folded into the weights; the first
convolution by z^B (pixels between black and white); linear layers by ε; average pooling in proportion, max pooling to
the maximum; activations pass all relevance on; a residual sum is split by |main| : |skip|.
`rule="epsilon"`: the ε rule everywhere. For ReLU networks with small ε that is Input × Gradient.

The extra `completeness` is the sum of the map divided by the class score. Relevance assigned to biases is missing from
it: little in a ResNet, most of it in networks with depthwise convolutions, where many neurons have no positive
contribution at all.

differs from the papers: relevance is split at every residual sum (Otsuki et al.: at some); gates (squeeze and
excitation) are constants. There is no rule for layer norm and attention: networks that use them raise an error.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any, Literal

import torch
from torch import Tensor

from seewhy.backward.rules import (
    GATES,
    POOLS,
    REARRANGING,
    RECTIFIERS,
    SMOOTH,
    Rule,
    Rules,
    constant_ratio,
    in_graph,
    named,
    straight_through,
)
from seewhy.models.classifier import Classifier
from seewhy.models.vit import ViT
from seewhy.registry import register_method
from seewhy.runtime.options import above
from seewhy.types import Attribution, Images, Targets

ADVICE = "Use integrated_gradients or grad_cam"
KNOWN = (*REARRANGING, "max_pool2d", "adaptive_max_pool2d", "div", "batch_norm", *POOLS, "add", "relu")


@register_method("lrp", may_refuse=True, paper="bach2015")
def lrp(
    model: Classifier,
    images: Images,
    targets: Targets,
    *,
    rule: Literal["zplus", "epsilon"] = "zplus",
    epsilon: Annotated[float, above(0)] = 1e-6,
) -> Attribution:
    """Relevance of the class logit, propagated back to the pixels."""
    inputs = [model.normalize(extreme * torch.ones_like(images)) for extreme in (0.0, 1.0)]  # l, h
    inputs = [values.detach().requires_grad_() for values in (model.normalize(images), *inputs)]
    rules = epsilon_rules(epsilon) if rule == "epsilon" else zplus_rules(epsilon, *inputs)
    with Rules(rules, known=KNOWN, method="lrp", advice=f"{ADVICE}{' or t_attr' if isinstance(model, ViT) else ''}."):
        output = model.forward(inputs[0])
    model.count(forwards=len(images))
    scores = model.scores(model.as_logits(output), targets)
    gradients = model.gradients(scores, inputs)  # relevance / value, for pixels and for l and h
    products = [values.detach().unsqueeze(1) * slopes for values, slopes in zip(inputs, gradients, strict=True)]
    maps = torch.stack(products).sum(dim=0).sum(dim=2)
    return Attribution(maps, {"completeness": constant_ratio(maps.sum(dim=(-2, -1)), scores)})


def epsilon_rules(epsilon: float) -> dict[str, Rule]:
    def linear(function: Callable, *args: Any, **kwargs: Any) -> Tensor:
        values = function(*args, **kwargs)
        stabilized = values + epsilon * torch.where(values >= 0, 1.0, -1.0)
        return straight_through(values, values * constant_ratio(values, stabilized))  # R_k / (z_k + ε sign z_k)

    activations = named(pass_on, *SMOOTH, *GATES, "relu6", "hardtanh")
    return named(linear, "conv2d", "linear") | named(gate, "mul") | activations


def zplus_rules(epsilon: float, image: Tensor, low: Tensor, high: Tensor) -> dict[str, Rule]:
    convolution = ConvolutionRules(image, low, high)
    rules = named(pass_on, *RECTIFIERS, *SMOOTH, *GATES) | named(pool, *POOLS)
    return (
        epsilon_rules(epsilon)
        | rules
        | {
            "conv2d": convolution.convolve,
            "batch_norm": convolution.fold,
            "add": residual,
        }
    )


@dataclass(frozen=True)
class RecordedConvolution:
    """A convolution that was run, so that it can be rerun with other inputs or weights."""

    run: Callable[[Tensor, Tensor], Tensor]  # without bias
    inputs: Tensor
    weight: Tensor


@dataclass(frozen=True)
class ConvolutionRules:
    """Rules z^+ and, for the first convolution, z^B; the pixels of `image` are between `low` and `high`."""

    image: Tensor
    low: Tensor
    high: Tensor

    def convolve(
        self, function: Callable, inputs: Tensor, weight: Tensor, bias: Any = None, *args: Any, **kwargs: Any
    ) -> Tensor:
        values = function(inputs, weight, bias, *args, **kwargs)
        layer = RecordedConvolution(lambda x, w: function(x, w, None, *args, **kwargs), inputs, weight)
        result = self.distribute(values, layer)
        result.layer = layer  # type: ignore[attr-defined]  # for a subsequent batch norm
        return result

    def fold(self, function: Callable, inputs: Tensor, mean: Tensor, var: Tensor, *args: Any, **kwargs: Any) -> Tensor:
        """Batch norm after a convolution is folded into its weights; elsewhere it passes all relevance to its input."""
        values = function(inputs, mean, var, *args, **kwargs)
        layer = getattr(inputs, "layer", None)
        if layer is None:
            return straight_through(values, inputs * constant_ratio(values, inputs))
        zero, one = torch.zeros_like(mean), torch.ones_like(mean)
        scale = (function(one[None], mean, var, *args, **kwargs) - function(zero[None], mean, var, *args, **kwargs))[0]
        folded = RecordedConvolution(layer.run, layer.inputs, layer.weight * scale.view(-1, 1, 1, 1))
        return self.distribute(values, folded)

    def distribute(self, values: Tensor, layer: RecordedConvolution) -> Tensor:
        """The output of a convolution, whose gradient distributes relevance by contribution."""
        up, down = layer.weight.clamp(min=0), layer.weight.clamp(max=0)
        if layer.inputs is self.image:  # z^B
            parts = layer.run(self.image, layer.weight) - layer.run(self.low, up) - layer.run(self.high, down)
        else:  # z^+
            parts = layer.run(layer.inputs.clamp(min=0), up)
            if (layer.inputs < 0).any():
                parts = parts + layer.run(layer.inputs.clamp(max=0), down)
        return straight_through(values, parts * constant_ratio(values, parts))


def pass_on(function: Callable, inputs: Tensor, *args: Any, **kwargs: Any) -> Tensor:
    """An activation passes all its relevance to its input."""
    values = function(inputs.clone(), *args, **kwargs)  # a copy, because some activations work in place
    return straight_through(values, inputs * constant_ratio(values, inputs))


def pool(function: Callable, inputs: Tensor, *args: Any, **kwargs: Any) -> Tensor:
    values, parts = function(inputs, *args, **kwargs), function(inputs.clamp(min=0), *args, **kwargs)
    return straight_through(values, parts * constant_ratio(values, parts))


def residual(function: Callable, first: Any, second: Any, **kwargs: Any) -> Tensor:
    """|a| : |b|, the relevance splitting of Otsuki et al."""
    if not (in_graph(first) and in_graph(second)):
        return function(first, second, **kwargs)
    values = first + second
    parts = first.abs() + second.abs()
    return straight_through(values, parts * constant_ratio(values, parts))


def gate(_: Callable, first: Any, second: Any) -> Tensor:
    """A product of two activations: the larger tensor carries the relevance, the other is a constant."""
    if in_graph(first) and in_graph(second):
        first, second = (first, second.detach()) if first.numel() >= second.numel() else (first.detach(), second)
    return torch.mul(first, second)
