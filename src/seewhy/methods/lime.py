"""LIME: a linear model of which patches are there, fitted to the class scores of images with patches left out.

| symbol of the paper | name here  | shape                   |
|---------------------|------------|-------------------------|
| z'                  | present    | samples patches         |
| f(z)                | scores     | samples classes         |
| π_x(z)              | closeness  | samples                 |
| w_g                 | maps       | batch classes rows cols |

A black box; all classes come from one run, and one factorization.

differs from the paper: a grid of patches stands for its superpixels, and all patches keep their weight (the paper keeps
the K largest and fits again). Kernel width, ridge penalty and the first sample (everything there) are those of the
authors' code. All images of a call get the same samples, so a batch equals its single images.
"""

from typing import Literal

import torch
from jaxtyping import Float
from torch import Tensor

from seewhy.interventions.masked import cell_grid, jobs, masked_scores
from seewhy.models.classifier import Classifier
from seewhy.ops.references import reference_image
from seewhy.registry import register_method
from seewhy.runtime.progress import track
from seewhy.types import Images, Maps, Targets


@register_method(
    "lime",
    paper="ribeiro2016",
)
def lime(
    model: Classifier,
    images: Images,
    targets: Targets,
    *,
    samples: int = 1000,
    cells: int | None = None,
    width: float = 0.25,
    ridge: float = 1.0,
    score: Literal["prob", "logit"] = "prob",
    reference: Literal["model_mean", "black", "white"] = "model_mean",
    seed: int = 0,
) -> Maps:
    """Weights of a local linear model over patches; `cells` rows and columns, a ViT's own patches by default."""
    grid = cell_grid(model, cells)
    blank = reference_image(reference, images, mean=model.mean, std=model.std)[0]
    generator = torch.Generator().manual_seed(seed)
    present = (torch.rand(samples, grid[0] * grid[1], generator=generator) < 0.5).to(images)
    present[0] = 1
    scores = images.new_zeros(len(images), samples, targets.shape[1])
    for index, part in track(jobs(model, len(images), samples), "lime"):
        masks = present[part].unflatten(1, grid)
        scores[index, part] = masked_scores(model, images[index], blank, masks, targets[index], kind=score).to(scores)
    distance = 1 - present.mean(dim=1).sqrt()  # cosine distance to everything there
    closeness = torch.exp(-distance.square() / width**2).sqrt()  # π_x(z)  section 3.4
    weights = fit_ridge(present.double(), scores.double(), closeness.double(), ridge)
    return weights.to(images).transpose(1, 2).unflatten(2, grid)


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
