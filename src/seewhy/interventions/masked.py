"""Class scores of masked images, for black-box methods."""

import torch
from jaxtyping import Float, Int
from torch import Tensor
from torch.nn.functional import interpolate

from seewhy.errors import OptionError
from seewhy.models.classifier import Classifier, ScoreKind
from seewhy.models.vit import ViT
from seewhy.ops.windows import pixel_grid
from seewhy.types import Images


def masked_scores(
    model: Classifier,
    images: Float[Tensor, "#masks colors height width"],
    reference: Float[Tensor, "colors height width"],
    masks: Float[Tensor, "masks rows cols"],
    classes: Int[Tensor, "#masks classes"],
    *,
    kind: ScoreKind,
) -> Float[Tensor, "masks classes"]:
    """Scores of masked images: the image where a mask is 1, the reference where it is 0; coarse masks are upsampled."""
    opacity = masks.unsqueeze(1)
    if opacity.shape[-2:] != images.shape[-2:]:
        opacity = interpolate(opacity, size=images.shape[-2:], mode="nearest-exact")
    with torch.no_grad():
        logits = model.logits(torch.lerp(reference, images, opacity))
        return model.scores(logits, classes.expand(len(masks), -1), kind=kind)


def cell_grid(model: Classifier, grid: int | None) -> tuple[int, int]:
    """Rows and columns of a grid of cells. Default: the patches of a ViT, else cells of about 16 pixels."""
    if grid is None:
        return model.grid if isinstance(model, ViT) else pixel_grid(model.image_size)
    if not 1 <= grid <= min(model.image_size):
        raise OptionError(f"grid must be between 1 and {min(model.image_size)} (rows and columns), got {grid}")
    return grid, grid


def mask_batches(model: Classifier, images: int, masks: int) -> list[tuple[int, slice]]:
    """Pairs of an image index and a chunk of the masks: for many masks per image."""
    parts = [slice(start, min(start + model.chunk, masks)) for start in range(0, max(1, masks), model.chunk)]
    return [(image, part) for image in range(images) for part in parts]


def image_mask_pairs(
    model: Classifier, images: int, masks: int
) -> list[tuple[Int[Tensor, " pairs"], Int[Tensor, " pairs"]]]:
    """Indices of all pairs of an image and a mask, in chunks that span images: for few masks per image."""
    indices = torch.arange(images * masks).split(model.chunk)  # on the CPU: `images_of` looks at it
    return [(each // masks, each % masks) for each in indices]


def images_of(images: Images, index: Int[Tensor, " pairs"]) -> Float[Tensor, "#pairs colors height width"]:
    """The images of ascending pairs; a single one is not copied for all its masks."""
    return images[index[:1] if index[0] == index[-1] else index]
