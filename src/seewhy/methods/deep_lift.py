"""DeepLIFT: the difference of the class score from a reference image, backpropagated as contributions of the pixels.

| symbol of the paper | name here    | shape                        |
|---------------------|--------------|------------------------------|
| x, x^0              | images, reference | batch 3 height width    |
| m_ΔxΔt              | multipliers  | batch classes 3 height width |
| C_ΔxΔt              | maps         | batch classes height width   |

formula: C_ΔxΔt = m_ΔxΔt Δx, with m = Δout / Δin at every activation (Rescale) and the chain rule between

Image and reference run together, as two halves of a batch. Linear layers keep their gradient; an activation gets the
slope between its two values (the Rescale rule). The values of a map sum to the difference of the class scores; the
extra `completeness` is the fraction of it that they explain, ideally 1.

differs from the paper: the Rescale rule only (not RevealCancel), and all classes from one forward pass. Max pooling
assigns an increase to the position of the maximum in the image, a decrease to that in the reference. Captum's module
hooks fail for functional calls, in-place activations and modules used twice, which most networks have; hence our own
implementation, which the tests compare with Captum. There is no rule for products of activations and normalization over
channels: networks that use them raise an error.
"""

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor
from torch.nn.functional import max_pool2d

from seewhy.backward.rules import (
    GATES,
    POOLS,
    REARRANGING,
    RECTIFIERS,
    SMOOTH,
    Rules,
    constant_ratio,
    named,
    straight_through,
)
from seewhy.errors import UnsupportedModel
from seewhy.models.classifier import Classifier
from seewhy.ops.references import AnyReference, reference_image
from seewhy.registry import register_method
from seewhy.types import Attribution, Images, Targets

LINEAR = ("conv2d", "linear", "batch_norm", "add", "sub", "div", *POOLS)
ADVICE = "Use integrated_gradients, which also sums to the difference from a reference, on any network."


@register_method("deep_lift", may_refuse=True, paper="shrikumar2017")
def deep_lift(
    model: Classifier, images: Images, targets: Targets, *, reference: AnyReference = "model_mean"
) -> Attribution:
    """Contributions to the difference of the class logit from that of a reference image, by the Rescale rule."""
    references = reference_image(reference, images, mean=model.mean, std=model.std).expand_as(images)
    images = images.detach().requires_grad_()
    pair = model.normalize(torch.cat([images, references]))
    rules = named(rescale, *RECTIFIERS, *SMOOTH, *GATES) | {"max_pool2d": pool_rule, "mul": scale_rule}
    with Rules(rules, known=(*LINEAR, *REARRANGING), method="deep_lift", advice=ADVICE):
        output = model.forward(pair)
    model.count(forwards=len(pair))
    scores, reference_scores = model.scores(model.as_logits(output), targets.repeat(2, 1)).chunk(2)
    (multipliers,) = model.gradients(scores, [images])  # m_ΔxΔt
    maps = ((images.detach() - references).unsqueeze(1) * multipliers).sum(dim=2)  # C_ΔxΔt = m Δx
    return Attribution(maps, {"completeness": constant_ratio(maps.sum(dim=(-2, -1)), scores - reference_scores)})


def rescale(function: Callable, inputs: Tensor, *args: Any, **kwargs: Any) -> Tensor:
    """The slope between image and reference in place of the gradient; the gradient where they are equal."""
    outputs = function(inputs.clone(), *args, **kwargs)  # a copy, because some activations work in place
    difference = half_difference(inputs)
    secant = constant_ratio(half_difference(outputs), difference, tiny=1e-7).repeat(2, *[1] * (inputs.ndim - 1))
    same = (difference.abs() <= 1e-7).repeat(2, *[1] * (inputs.ndim - 1))
    return straight_through(outputs, torch.where(same, outputs, secant * inputs))


def half_difference(values: Tensor) -> Tensor:
    """Values of the image minus those of the reference, the two halves of the batch."""
    image, reference = values.detach().chunk(2)
    return image - reference


def pool_rule(_: Callable, inputs: Tensor, *args: Any, **kwargs: Any) -> Tensor:
    """An increase goes to the position of the image's maximum, a decrease to that of the reference's maximum."""
    kwargs.pop("return_indices", None)
    outputs, positions = max_pool2d(inputs, *args, return_indices=True, **kwargs)
    (image, reference), (image_position, reference_position) = outputs.detach().chunk(2), positions.chunk(2)
    first_half = inputs.chunk(2)[0]
    shares = constant_ratio(torch.ones_like(first_half), half_difference(inputs)) * (first_half - first_half.detach())
    top = torch.maximum(image, reference)
    slope = (top - reference) * gather_at(shares, image_position)
    slope = slope + (image - top) * gather_at(shares, reference_position)
    return torch.cat([straight_through(image, slope), reference])


def gather_at(values: Tensor, positions: Tensor) -> Tensor:
    return values.flatten(2).gather(2, positions.flatten(2)).view_as(positions)


def scale_rule(function: Callable, first: Any, second: Any) -> Tensor:
    """Multiplication by a constant is linear; a product of two activations is not and raises."""
    if all(isinstance(part, Tensor) and part.requires_grad for part in (first, second)):
        raise UnsupportedModel(
            f"deep_lift has no rule for a product of two activations, which this network uses. {ADVICE}"
        )
    return function(first, second)
