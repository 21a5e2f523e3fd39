"""Integrated Gradients: the mean gradient along the straight line from a reference to the image, times the difference.

| symbol of the paper | name here    | shape                        |
|---------------------|--------------|------------------------------|
| x, x'               | image, start | 3 height width               |
| α                   | alphas       | steps                        |
| ∂F / ∂x             | gradients    | batch steps classes 3 height width |

formula: map = Σ_colors (x - x') ⊙ ∫ ∂F/∂x at x' + α (x - x') dα, α from 0 to 1

The values of a map sum to F(x) - F(x'), up to the error of the numerical integration: the extra `convergence_delta`.

differs from the paper: Gauss-Legendre quadrature instead of a Riemann sum, because it is much more accurate with the
same number of steps; `quadrature="riemann"` is the paper's. The reference is the mean color (0 after normalization),
the paper's is black.
"""

from typing import Annotated, Literal

import numpy as np
import torch
from jaxtyping import Float
from torch import Tensor

from seewhy.models.classifier import Classifier
from seewhy.ops.references import AnyReference, reference_image
from seewhy.registry import register_method
from seewhy.runtime.options import at_least
from seewhy.runtime.progress import track
from seewhy.types import Attribution, Images, Targets

Quadrature = Literal["gauss", "riemann"]


@register_method("integrated_gradients", paper="sundararajan2017", forward_first=True)
def integrated_gradients(
    model: Classifier,
    images: Images,
    targets: Targets,
    *,
    steps: Annotated[int, at_least(1)] = 50,
    reference: AnyReference = "model_mean",
    quadrature: Quadrature = "gauss",
) -> Attribution:
    """Difference from a reference times the mean gradient along the path, summed over the color channels."""
    start = reference_image(reference, images, mean=model.mean, std=model.std)[0]
    alphas, weights = (torch.from_numpy(part).to(images) for part in nodes(steps, quadrature))

    with torch.no_grad():
        ends = model.logits(images), model.logits(start[None]).expand(len(images), -1)

    def integrate(rows: slice) -> Float[Tensor, "images classes height width"]:
        away = (images[rows] - start).unsqueeze(1)
        path = start + alphas.view(-1, 1, 1, 1) * away
        gradients = model.image_gradients(path.flatten(0, 1), targets[rows].repeat_interleave(steps, dim=0))
        mean = torch.einsum("s,bskchw->bkchw", weights, gradients.unflatten(0, (-1, steps)).to(images))  # ∫ ∂F/∂x dα
        return (away * mean).sum(dim=2)

    groups = track(model.groups(len(images), steps), "integrated_gradients")
    maps = torch.cat([integrate(rows) for rows in groups])
    gain = model.scores(ends[0], targets) - model.scores(ends[1], targets)  # F(x) - F(x')
    return Attribution(maps, {"convergence_delta": maps.sum(dim=(-2, -1)) - gain})


def nodes(steps: int, quadrature: Quadrature) -> tuple[np.ndarray, np.ndarray]:
    """Points in [0, 1] and their weights in the integral.

    >>> nodes(2, "riemann")
    (array([0.5, 1. ]), array([0.5, 0.5]))
    """
    if quadrature == "riemann":
        return np.arange(1, steps + 1) / steps, np.full(steps, 1 / steps)  # k/m
    points, weights = np.polynomial.legendre.leggauss(steps)
    return (points + 1) / 2, weights / 2
