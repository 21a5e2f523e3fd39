"""Occlusion: the drop in the class score when a window of the image is occluded, for windows all over the image.

| symbol of the paper      | name here | shape                      |
|--------------------------|-----------|----------------------------|
| gray square at a position | occluded | windows height width       |
| drop in the class score  | drops     | classes rows cols          |

formula: map = f(x) - f(x with the window covered)

Black-box, one forward pass per window, for all classes together. Windows that tile the image give one value each; with
overlapping windows (`stride` smaller than `window`) a pixel gets the mean of the windows that contain it.

differs from the paper: occluded pixels take the mean color instead of gray, and the window is by default a patch of a
ViT, or a 14th of the image.

known: occlusion can raise the score at every position (DeiT-Tiny, half of the photos): the map is then negative nearly
everywhere, and only its order is meaningful.
"""

import math
from typing import Annotated, Literal

import torch
from jaxtyping import Bool, Float
from torch import Tensor

from seewhy.interventions.masked import cell_grid, image_mask_pairs, images_of, masked_scores
from seewhy.models.classifier import Classifier
from seewhy.ops.references import AnyReference, reference_image
from seewhy.registry import register_method
from seewhy.runtime.options import at_least, check
from seewhy.runtime.progress import track
from seewhy.types import Images, Maps, Targets


@register_method("occlusion", paper="zeiler2014", forward_first=True)
def occlusion(
    model: Classifier,
    images: Images,
    targets: Targets,
    *,
    window: Annotated[int, at_least(1)] | None = None,
    stride: Annotated[int, at_least(1)] | None = None,
    score: Literal["prob", "logit"] = "prob",
    reference: AnyReference = "model_mean",
) -> Maps:
    """Drop in the class score when a window of the image is occluded; `window` and `stride` in pixels."""
    rows, cols = windows(model, window, stride)
    replacement = reference_image(reference, images, mean=model.mean, std=model.std)[0]
    with torch.no_grad():
        whole = model.scores(model.logits(images), targets, kind=score)
    drops = whole.new_zeros(*targets.shape, len(rows) * len(cols))
    for index, part in track(image_mask_pairs(model, len(images), drops.shape[-1]), "occlusion"):
        occluded = rows[part // len(cols), :, None] & cols[part % len(cols), None, :]
        visible = 1 - occluded.to(images)
        scores = masked_scores(model, images_of(images, index), replacement, visible, targets[index], kind=score)
        drops[index, :, part] = whole[index] - scores
    grid = drops.unflatten(-1, (len(rows), len(cols)))
    return grid if tiles(rows) and tiles(cols) else average_windows(grid, rows.to(grid), cols.to(grid))


def windows(
    model: Classifier, window: int | None, stride: int | None
) -> tuple[Bool[Tensor, "rows height"], Bool[Tensor, "cols width"]]:
    """Pixel rows and columns of the windows; the last ones are cropped at the border."""
    grid = cell_grid(model, None)
    sides = [side // count if window is None else window for side, count in zip(model.image_size, grid, strict=True)]
    strides = [side if stride is None else stride for side in sides]
    fits = all(step <= side for step, side in zip(strides, sides, strict=True))
    check(fits, f"stride must be at most window ({min(sides)} pixels), got {stride}")
    rows, cols = (window_spans(*args) for args in zip(model.image_size, sides, strides, strict=True))
    return rows.to(model.device), cols.to(model.device)


def window_spans(length: int, side: int, step: int) -> Bool[Tensor, "windows length"]:
    """Pixels of each window along one axis.

    >>> window_spans(5, 2, 2).int()
    tensor([[1, 1, 0, 0, 0],
            [0, 0, 1, 1, 0],
            [0, 0, 0, 0, 1]], dtype=torch.int32)
    """
    starts = torch.arange(1 + max(0, math.ceil((length - side) / step)))[:, None] * step
    pixels = torch.arange(length)
    return (pixels >= starts) & (pixels < starts + side)


def tiles(spans: Bool[Tensor, "windows length"]) -> bool:
    """Whether windows are equal in size and do not overlap, so that each is a cell of a map."""
    return bool((spans.sum(dim=0) == 1).all() and (spans.sum(dim=1) == spans[0].sum()).all())


def average_windows(
    drops: Float[Tensor, "batch classes rows cols"],
    rows: Float[Tensor, "rows height"],
    cols: Float[Tensor, "cols width"],
) -> Float[Tensor, "batch classes height width"]:
    """Mean of the windows that contain each pixel."""
    total = torch.einsum("bkrc,rh,cw->bkhw", drops, rows, cols)
    return total / (rows.sum(dim=0)[:, None] * cols.sum(dim=0))
