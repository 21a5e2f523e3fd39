"""Integrated Gradients: the gradients along the straight line from a reference to the image, times the difference.

| symbol of the paper | name here   | shape                  |
|---------------------|-------------|------------------------|
| x, x'               | image, blank | 3 height width        |
| α                   | alphas      | steps                  |
| ∂F / ∂x             | gradients   | steps classes 3 height width |

The values of a map add up to F(x) - F(x'), up to the error of the sum that stands for the integral.

differs from the paper: Gauss-Legendre points instead of a Riemann sum, because they come much closer with the
same number of steps; `quadrature="riemann"` takes the paper's. The reference is the mean color (0 after
normalization), where the paper takes black.
"""

from typing import Literal

import numpy as np
import torch
from jaxtyping import Float
from torch import Tensor

from seewhy.models.classifier import Classifier
from seewhy.ops.references import reference_image
from seewhy.registry import register_method
from seewhy.runtime.progress import track
from seewhy.types import Images, Maps, Targets

Quadrature = Literal["gauss", "riemann"]


@register_method("integrated_gradients", paper="sundararajan2017")
def integrated_gradients(
    model: Classifier,
    images: Images,
    targets: Targets,
    *,
    steps: int = 50,
    reference: Literal["model_mean", "black", "white"] = "model_mean",
    quadrature: Quadrature = "gauss",
) -> Maps:
    """Difference from a reference times the mean gradient on the way there, summed over the colors."""
    blank = reference_image(reference, images, mean=model.mean, std=model.std)[0]
    alphas, shares = (torch.from_numpy(part).to(images) for part in nodes(steps, quadrature))

    def one_image(image: Tensor, wanted: Tensor) -> Float[Tensor, "classes height width"]:
        path = blank + alphas.view(-1, 1, 1, 1) * (image - blank)
        gradients = model.image_gradients(path, wanted.expand(steps, -1))
        mean = torch.einsum("s,skchw->kchw", shares, gradients.to(images))  # ∫ ∂F/∂x dα
        return ((image - blank) * mean).sum(dim=1)

    pairs = track(zip(images, targets, strict=True), "integrated_gradients", total=len(images))
    return torch.stack([one_image(image, wanted) for image, wanted in pairs])


def nodes(steps: int, quadrature: Quadrature) -> tuple[np.ndarray, np.ndarray]:
    """Points in [0, 1] and their shares of the integral.

    >>> nodes(2, "riemann")
    (array([0.5, 1. ]), array([0.5, 0.5]))
    """
    if quadrature == "riemann":
        return np.arange(1, steps + 1) / steps, np.full(steps, 1 / steps)  # k/m
    points, shares = np.polynomial.legendre.leggauss(steps)
    return (points + 1) / 2, shares / 2
