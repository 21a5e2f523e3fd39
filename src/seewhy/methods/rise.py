"""RISE: the mean of random masks, each weighted by the class score of the image seen through it.

| symbol of the paper | name here | shape                       |
|---------------------|-----------|-----------------------------|
| M_i                 | masks     | masks height width          |
| f(I ⊙ M_i)          | scores    | masks classes               |
| p = E[M]            | keep      |                             |
| S_{I,f}(λ)          | maps      | batch classes height width  |

A black box: nothing but scores is asked for, and all classes come from one run. The extra `standard_error` says how
far each value may be from that of infinitely many masks.

differs from the paper: masked pixels take the mean color (0 after normalization), as in the paper's code. All images of
a call get the same masks, so a batch equals its single images. `masks` is 4000 as for the paper's VGG; it takes 8000
for ResNet-50.
"""

from typing import Literal

import torch
from jaxtyping import Float
from torch import Tensor
from torch.nn.functional import interpolate

from seewhy.interventions.masked import jobs, masked_scores
from seewhy.models.classifier import Classifier
from seewhy.ops.references import reference_image
from seewhy.registry import register_method
from seewhy.runtime.progress import track
from seewhy.types import Attribution, Images, Targets


@register_method("rise", paper="petsiuk2018")
def rise(
    model: Classifier,
    images: Images,
    targets: Targets,
    *,
    masks: int = 4000,
    cells: int = 7,
    keep: float = 0.5,
    score: Literal["prob", "logit"] = "prob",
    reference: Literal["model_mean", "black", "white"] = "model_mean",
    seed: int = 0,
) -> Attribution:
    """Mean of random soft masks weighted by the class probability behind each of them."""
    blank = reference_image(reference, images, mean=model.mean, std=model.std)[0]
    drawn = Masks(masks, cells, keep, size=model.image_size, seed=seed)
    shape = (*targets.shape, *model.image_size)
    first, second = (images.new_zeros(shape, dtype=torch.float64) for _ in range(2))
    for index, part in track(jobs(model, len(images), masks), "rise"):
        soft = drawn.build(part.cpu()).to(images)
        scores = masked_scores(model, images[index], blank, soft, targets[index], kind=score) / keep
        first[index] += torch.einsum("nk,nhw->khw", scores.to(soft), soft)
        second[index] += torch.einsum("nk,nhw->khw", scores.square().to(soft), soft.square())
    maps = first / masks  # S = Σ f(I ⊙ M) M / (p N)
    spread = (second / masks - maps.square()).clamp(min=0) / max(1, masks - 1)
    return Attribution(maps.to(images), {"standard_error": spread.sqrt().to(images)})


class Masks:
    """All random numbers of a run, drawn at once: what a mask is does not depend on how many are built together."""

    def __init__(self, masks: int, cells: int, keep: float, *, size: tuple[int, int], seed: int) -> None:
        generator = torch.Generator().manual_seed(seed)
        self.size = size
        self.cell = [-(-side // cells) for side in size]  # C_H, C_W, rounded up
        self.grids = (torch.rand(masks, 1, cells, cells, generator=generator) < keep).float()
        self.shifts = [torch.randint(cell, (masks, 1), generator=generator) for cell in self.cell]

    def build(self, which: Tensor) -> Float[Tensor, "masks height width"]:
        """Small random grids, enlarged to one cell more than the image, cut out at a random place."""
        cells = self.grids.shape[-1] + 1
        large = interpolate(
            self.grids[which], size=[cells * c for c in self.cell], mode="bilinear", align_corners=False
        )
        rows, cols = (shift[which] + torch.arange(side) for shift, side in zip(self.shifts, self.size, strict=True))
        return large[torch.arange(len(which))[:, None, None], 0, rows[:, :, None], cols[:, None, :]]
