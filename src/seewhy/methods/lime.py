"""LIME: a linear model of which patches are present, fitted to the class scores of images with random patches removed.

| symbol of the paper | name here  | shape                   |
|---------------------|------------|-------------------------|
| z'                  | present    | samples patches         |
| f(z)                | scores     | samples classes         |
| π_x(z)              | closeness  | samples                 |
| w_g                 | maps       | batch classes rows cols |

Black-box; all classes share one run and one factorization.

differs from the paper: a grid of patches replaces its superpixels, and all patches keep their weight (the paper keeps
the K largest and fits again). Kernel width, ridge penalty and the first sample (all patches present) are those of the
authors' code. All images of a call get the same samples, so a batch equals its single images.
"""

from typing import Annotated, Literal

import torch
from jaxtyping import Float
from torch import Tensor

from seewhy.interventions.masked import cell_grid, jobs, masked_scores
from seewhy.models.classifier import Classifier
from seewhy.ops.references import ReferenceName, reference_image
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
    kernel_width: Annotated[float, above(0)] = 0.25,
    ridge: Annotated[float, at_least(0)] = 1.0,
    score: Literal["prob", "logit"] = "prob",
    reference: ReferenceName | Tensor = "model_mean",
    seed: int = 0,
) -> Maps:
    """Weights of a local linear model of which patches are present; `grid` defaults to the patches of a ViT."""
    cells = cell_grid(model, grid)
    replacement = reference_image(reference, images, mean=model.mean, std=model.std)[0]
    generator = torch.Generator().manual_seed(seed)
    present = (torch.rand(samples, cells[0] * cells[1], generator=generator) < 0.5).to(images)
    present[0] = 1
    scores = images.new_zeros(len(images), samples, targets.shape[1])
    for index, part in track(jobs(model, len(images), samples), "lime"):
        masks = present[part].unflatten(1, cells)
        responses = masked_scores(model, images[index], replacement, masks, targets[index], kind=score)
        scores[index, part] = responses.to(scores)
    distance = 1 - present.mean(dim=1).sqrt()  # cosine distance to all patches present
    closeness = torch.exp(-distance.square() / kernel_width**2).sqrt()  # π_x(z)  section 3.4
    weights = fit_ridge(present.double(), scores.double(), closeness.double(), ridge)
    return weights.to(images).transpose(1, 2).unflatten(2, cells)


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
