"""RISE: the mean of random masks, each weighted by the class score of the masked image.

| symbol of the paper | name here | shape                       |
|---------------------|-----------|-----------------------------|
| M_i                 | masks     | samples height width        |
| f(I ⊙ M_i)          | scores    | samples classes             |
| N                   | samples   |                             |
| p = E[M]            | keep      |                             |
| S_{I,f}(λ)          | maps      | batch classes height width  |

formula: S_{I,f}(λ) = 1 / (E[M] N) · Σ_i f(I ⊙ M_i) M_i(λ)

Black-box; all classes share one run. The extra `standard_error` is the standard error of each value over the sampled
masks.

differs from the paper: masked pixels take the mean color (0 after normalization), as in the paper's code. All images of
a call get the same masks, so a batch equals its single images. 4000 samples as for the paper's VGG; it uses 8000 for
ResNet-50.
"""

from typing import Annotated, Literal

import torch
from jaxtyping import Float
from torch import Tensor
from torch.nn.functional import interpolate

from seewhy.interventions.masked import mask_batches, masked_scores
from seewhy.models.classifier import Classifier
from seewhy.ops.references import AnyReference, reference_image
from seewhy.registry import register_method
from seewhy.runtime.options import above, at_least, between
from seewhy.runtime.progress import track
from seewhy.types import Attribution, Images, Targets


@register_method("rise", paper="petsiuk2018")
def rise(
    model: Classifier,
    images: Images,
    targets: Targets,
    *,
    samples: Annotated[int, at_least(1)] = 4000,
    grid: Annotated[int, at_least(1)] = 7,
    keep: Annotated[float, above(0), between(0, 1)] = 0.5,
    score: Literal["prob", "logit"] = "prob",
    reference: AnyReference = "model_mean",
    seed: int = 0,
) -> Attribution:
    """Mean of random soft masks, each weighted by the class probability of the image it masks."""
    replacement = reference_image(reference, images, mean=model.mean, std=model.std)[0]
    drawn = RandomMasks(samples, grid, keep, size=model.image_size, seed=seed)
    shape = (*targets.shape, *model.image_size)
    first, second = (images.new_zeros(shape, dtype=torch.float64) for _ in range(2))
    for index, part in track(mask_batches(model, len(images), samples), "rise"):
        masks = drawn.build(part).to(images)
        scores = masked_scores(model, images[[index]], replacement, masks, targets[[index]], kind=score) / keep
        first[index] += torch.einsum("nk,nhw->khw", scores.to(masks), masks)
        second[index] += torch.einsum("nk,nhw->khw", scores.square().to(masks), masks.square())
    maps = first / samples  # S = Σ f(I ⊙ M) M / (p N)
    variance = (second / samples - maps.square()).clamp(min=0) / max(1, samples - 1)
    return Attribution(maps.to(images), {"standard_error": variance.sqrt().to(images)})


class RandomMasks:
    """Random masks whose numbers are all drawn at once, so that a mask does not depend on its batch."""

    def __init__(self, samples: int, grid: int, keep: float, *, size: tuple[int, int], seed: int) -> None:
        generator = torch.Generator().manual_seed(seed)
        self.size = size
        self.cell = [-(-side // grid) for side in size]  # C_H, C_W, rounded up
        self.grids = (torch.rand(samples, 1, grid, grid, generator=generator) < keep).float()
        self.shifts = [torch.randint(cell, (samples, 1), generator=generator) for cell in self.cell]

    def build(self, which: slice) -> Float[Tensor, "masks height width"]:
        """Small random grids, upsampled to one cell more than the image and cropped at a random offset."""
        cells = self.grids.shape[-1] + 1
        large = interpolate(
            self.grids[which], size=[cells * c for c in self.cell], mode="bilinear", align_corners=False
        )
        rows, cols = (shift[which] + torch.arange(side) for shift, side in zip(self.shifts, self.size, strict=True))
        return large[torch.arange(len(large))[:, None, None], 0, rows[:, :, None], cols[:, None, :]]
