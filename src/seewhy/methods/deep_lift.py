"""DeepLIFT: differences from a reference image, handed back through the network in fair shares.

| symbol of the paper | name here    | shape                        |
|---------------------|--------------|------------------------------|
| x, x^0              | image, blank | batch 3 height width         |
| m_ΔxΔt              | multipliers  | batch classes 3 height width |
| C_ΔxΔt              | maps         | batch classes height width   |

Image and reference run together, as two halves of a batch. Linear layers keep their gradient; an activation gets the
slope between its two values (the Rescale rule). The values of a map add up to the difference of the class scores;
the extra `completeness` is the part of it that they explain, 1 when all is well.

differs from the paper: the Rescale rule only (not RevealCancel), and all classes from one forward pass. Max pooling
hands the rise to the place that wins in the image, the fall to the place that won in the reference. Own writing,
compared with Captum's in the tests: hooks on modules fail for functions, in-place activations and modules used twice,
which is most networks. Networks with products or normalization over channels are refused, having no rule.
"""

from collections.abc import Callable
from typing import Any, Literal

import torch
from torch import Tensor
from torch.nn.functional import max_pool2d

from seewhy.backward.rules import GATES, MOVES, POOLS, RECTIFIERS, SMOOTH, Rules, constant_ratio, named, surrogate
from seewhy.errors import UnsupportedModel
from seewhy.models.classifier import Classifier
from seewhy.ops.references import reference_image
from seewhy.registry import register_method
from seewhy.types import Attribution, Images, Targets

LINEAR = ("conv2d", "linear", "batch_norm", "add", "sub", "div", *POOLS)
ADVICE = "Use integrated_gradients, which also adds up to the difference from a reference, on any network."


@register_method(
    "deep_lift",
    may_refuse=True,
    paper="shrikumar2017",
)
def deep_lift(
    model: Classifier,
    images: Images,
    targets: Targets,
    *,
    reference: Literal["model_mean", "black", "white"] = "model_mean",
) -> Attribution:
    """Contributions to the difference from a reference image, by the Rescale rule."""
    blank = reference_image(reference, images, mean=model.mean, std=model.std).expand_as(images)
    images = images.detach().requires_grad_()
    pair = model.normalize(torch.cat([images, blank]))
    rules = named(rescale, *RECTIFIERS, *SMOOTH, *GATES) | {"max_pool2d": pool_rule, "mul": scale_rule}
    with Rules(rules, known=(*LINEAR, *MOVES), method="deep_lift", advice=ADVICE):
        output = model.forward(pair)
    model.count(forwards=len(pair))
    scores, base = model.scores(model.as_logits(output), targets.repeat(2, 1)).chunk(2)
    (multipliers,) = model.gradients(scores, [images])  # m_ΔxΔt
    maps = ((images.detach() - blank).unsqueeze(1) * multipliers).sum(dim=2)  # C_ΔxΔt = m Δx
    return Attribution(maps, {"completeness": constant_ratio(maps.sum(dim=(-2, -1)), scores - base)})


def rescale(function: Callable, inputs: Tensor, *args: Any, **kwargs: Any) -> Tensor:
    """The slope between image and reference in place of the gradient; the gradient where they are equal."""
    outputs = function(inputs.clone(), *args, **kwargs)  # a copy, because some work in place
    difference = halves_apart(inputs)
    secant = constant_ratio(halves_apart(outputs), difference, tiny=1e-7).repeat(2, *[1] * (inputs.ndim - 1))
    same = (difference.abs() <= 1e-7).repeat(2, *[1] * (inputs.ndim - 1))
    return surrogate(outputs, torch.where(same, outputs, secant * inputs))


def halves_apart(values: Tensor) -> Tensor:
    image, blank = values.detach().chunk(2)
    return image - blank


def pool_rule(_: Callable, inputs: Tensor, *args: Any, **kwargs: Any) -> Tensor:
    """Up from the reference's maximum to the larger one at the image's winner, down from there at the reference's."""
    kwargs.pop("return_indices", None)
    outputs, places = max_pool2d(inputs, *args, return_indices=True, **kwargs)
    (image, blank), (won, lost) = outputs.detach().chunk(2), places.chunk(2)
    moving = inputs.chunk(2)[0]
    shares = constant_ratio(torch.ones_like(moving), halves_apart(inputs)) * (moving - moving.detach())
    top = torch.maximum(image, blank)
    slope = (top - blank) * at(shares, won) + (image - top) * at(shares, lost)
    return torch.cat([surrogate(image, slope), blank])


def at(values: Tensor, places: Tensor) -> Tensor:
    return values.flatten(2).gather(2, places.flatten(2)).view_as(places)


def scale_rule(function: Callable, first: Any, second: Any) -> Tensor:
    """A constant factor is linear; a product of two parts of the network is not."""
    if all(isinstance(part, Tensor) and part.requires_grad for part in (first, second)):
        raise UnsupportedModel(
            f"deep_lift has no rule for a product of two activations, which this network uses. {ADVICE}"
        )
    return function(first, second)
