"""Occlusion: cover one window of the image after the other, and see how much the class score falls.

| symbol of the paper      | name here | shape                      |
|--------------------------|-----------|----------------------------|
| gray square at a place   | covered   | windows height width       |
| fall of the class score  | drops     | classes rows cols          |

A black box, one forward pass per window, for all classes together. Windows that tile the image give one value each;
windows that overlap (`stride` smaller than `window`) give every pixel the mean of the windows that cover it.

differs from the paper: covered pixels take the mean color instead of gray, and the window is a ViT's own patch, or a
14th of the image.

known: a covered patch can raise the score wherever it lies (DeiT-Tiny, half of the photos): the map is then negative
nearly everywhere, and only its order means something.
"""

import math
from typing import Literal

import torch
from jaxtyping import Bool, Float
from torch import Tensor

from seewhy.errors import OptionError
from seewhy.interventions.masked import cell_grid, jobs, masked_scores
from seewhy.models.classifier import Classifier
from seewhy.ops.references import reference_image
from seewhy.registry import register_method
from seewhy.runtime.progress import track
from seewhy.types import Images, Maps, Targets


@register_method(
    "occlusion",
    paper="zeiler2014",
)
def occlusion(
    model: Classifier,
    images: Images,
    targets: Targets,
    *,
    window: int | None = None,
    stride: int | None = None,
    score: Literal["prob", "logit"] = "prob",
    reference: Literal["model_mean", "black", "white"] = "model_mean",
) -> Maps:
    """Fall of the class score when a window of the image is covered; `window` and `stride` in pixels."""
    rows, cols = windows(model, window, stride)
    blank = reference_image(reference, images, mean=model.mean, std=model.std)[0]
    with torch.no_grad():
        whole = model.scores(model.logits(images), targets, kind=score)
    drops = whole.new_zeros(*targets.shape, len(rows) * len(cols))
    for index, part in track(jobs(model, len(images), drops.shape[-1]), "occlusion"):
        covered = rows[part // len(cols), :, None] & cols[part % len(cols), None, :]
        scores = masked_scores(model, images[index], blank, 1 - covered.to(images), targets[index], kind=score)
        drops[index, :, part] = (whole[index] - scores).T
    grid = drops.unflatten(-1, (len(rows), len(cols)))
    return grid if tiles(rows) and tiles(cols) else spread(grid, rows.to(grid), cols.to(grid))


def windows(
    model: Classifier, window: int | None, stride: int | None
) -> tuple[Bool[Tensor, "rows height"], Bool[Tensor, "cols width"]]:
    """Which pixel rows and columns the windows cover; the last ones may end at the border."""
    grid = cell_grid(model, None)
    sides = [side // count if window is None else window for side, count in zip(model.image_size, grid, strict=True)]
    steps = [side if stride is None else stride for side in sides]
    if min(*sides, *steps) < 1 or any(step > side for step, side in zip(steps, sides, strict=True)):
        raise OptionError(
            f"window and stride must be at least 1 pixel and stride at most window, got {window}, {stride}"
        )
    rows, cols = (covers(*args) for args in zip(model.image_size, sides, steps, strict=True))
    return rows.to(model.device), cols.to(model.device)


def covers(length: int, side: int, step: int) -> Bool[Tensor, "windows length"]:
    """
    >>> covers(5, 2, 2).int()
    tensor([[1, 1, 0, 0, 0],
            [0, 0, 1, 1, 0],
            [0, 0, 0, 0, 1]], dtype=torch.int32)
    """
    starts = torch.arange(1 + max(0, math.ceil((length - side) / step)))[:, None] * step
    places = torch.arange(length)
    return (places >= starts) & (places < starts + side)


def tiles(cover: Bool[Tensor, "windows length"]) -> bool:
    """Whether windows of one size lie side by side, so that each can be a cell of a map."""
    return bool((cover.sum(dim=0) == 1).all() and (cover.sum(dim=1) == cover[0].sum()).all())


def spread(
    drops: Float[Tensor, "batch classes rows cols"],
    rows: Float[Tensor, "rows height"],
    cols: Float[Tensor, "cols width"],
) -> Float[Tensor, "batch classes height width"]:
    total = torch.einsum("bkrc,rh,cw->bkhw", drops, rows, cols)
    return total / (rows.sum(dim=0)[:, None] * cols.sum(dim=0))
