"""LIME: a linear model of which patches are present, fitted to the class scores of images with random patches removed.

| symbol of the paper | name here  | shape                   |
|---------------------|------------|-------------------------|
| z'                  | present    | samples patches         |
| f(z)                | scores     | samples classes         |
| π_x(z)              | closeness  | samples                 |
| w_g                 | maps       | batch classes rows cols |

formula: w_g = argmin_w Σ_z π_x(z) (f(z) - w·z' - intercept)² + ridge |w|²

Black-box; all classes share one run and one factorization.

differs from the paper: a grid of patches replaces its superpixels by default (`superpixels=50`: about 50 superpixels
from SLIC), and all patches keep their weight (the paper selects the K largest and refits). Kernel width, ridge penalty
and the first sample (all patches present) are those of the authors' code. All images of a call get the same samples, so
a batch equals its single images.
"""

from typing import Annotated, Literal

import torch
from jaxtyping import Float
from torch import Tensor

from seewhy.interventions.masked import mask_batches, masked_scores
from seewhy.interventions.segments import image_segments
from seewhy.models.classifier import Classifier
from seewhy.ops.references import AnyReference, reference_image
from seewhy.registry import register_method
from seewhy.runtime.options import above, at_least
from seewhy.runtime.progress import track
from seewhy.types import Images, Maps, Targets


@register_method("lime", paper="ribeiro2016")
def lime(
    model: Classifier,
    images: Images,
    targets: Targets,
    *,
    samples: Annotated[int, at_least(1)] = 1000,
    grid: Annotated[int, at_least(1)] | None = None,
    superpixels: Annotated[int, at_least(2)] | None = None,
    kernel_width: Annotated[float, above(0)] = 0.25,
    ridge: Annotated[float, at_least(0)] = 1.0,
    score: Literal["prob", "logit"] = "prob",
    reference: AnyReference = "model_mean",
    seed: int = 0,
) -> Maps:
    """Weights of a local linear model of which patches are present; `grid` defaults to the patches of a ViT."""
    replacement = reference_image(reference, images, mean=model.mean, std=model.std)[0]
    segments = [image_segments(model, image, grid=grid, superpixels=superpixels) for image in images]
    present = [draw_samples(samples, each.count, seed).to(images) for each in segments]
    scores = images.new_zeros(len(images), samples, targets.shape[1])
    for index, part in track(mask_batches(model, len(images), samples), "lime"):
        masks = segments[index].masks(present[index][part])
        responses = masked_scores(model, images[[index]], replacement, masks, targets[[index]], kind=score)
        scores[index, part] = responses.to(scores)
    maps = []
    for each, drawn, own in zip(segments, present, scores, strict=True):
        distance = 1 - drawn.mean(dim=1).sqrt()  # cosine distance to all patches present
        closeness = torch.exp(-distance.square() / kernel_width**2).sqrt()  # π_x(z)  section 3.4
        weights = fit_ridge(drawn.double(), own.double()[None], closeness.double(), ridge)[0]
        maps.append(each.to_map(weights.to(images).T))
    return torch.stack(maps)


def draw_samples(samples: int, patches: int, seed: int) -> Float[Tensor, "samples patches"]:
    """Which patches are present: each with probability 1/2, all of them in the first sample."""
    present = (torch.rand(samples, patches, generator=torch.Generator().manual_seed(seed)) < 0.5).float()
    present[0] = 1
    return present


def fit_ridge(
    present: Float[Tensor, "samples patches"],
    scores: Float[Tensor, "batch samples classes"],
    closeness: Float[Tensor, " samples"],
    ridge: float,
) -> Float[Tensor, "batch patches classes"]:
    """argmin_w Σ π (f - w·z' - intercept)² + ridge |w|²  (squared loss)."""
    share = closeness / closeness.sum()
    inputs, outputs = present - share @ present, scores - (share @ scores).unsqueeze(1)
    weighted = closeness[:, None] * inputs
    penalty = ridge * torch.eye(inputs.shape[1], dtype=inputs.dtype, device=inputs.device)
    return torch.linalg.solve(inputs.T @ weighted + penalty, weighted.T @ outputs)
