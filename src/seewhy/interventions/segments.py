"""Segments of an image that a black-box method keeps or removes: cells of a grid, or superpixels."""

from dataclasses import dataclass

import torch
from jaxtyping import Float, Int
from torch import Tensor

from seewhy.errors import MissingExtra, OptionError
from seewhy.interventions.masked import cell_grid
from seewhy.models.classifier import Classifier

COMPACTNESS = 10.0  # of SLIC: the weight of distance against color


@dataclass(frozen=True)
class Segments:
    """Numbered segments: `labels` holds the number of each cell of a grid, or of each pixel for superpixels."""

    labels: Int[Tensor, "rows cols"]
    count: int

    def masks(self, kept: Float[Tensor, "masks segments"]) -> Float[Tensor, "masks rows cols"]:
        """Masks that are 1 in the kept segments."""
        return kept[:, self.labels]

    def to_map(self, values: Float[Tensor, "classes segments"]) -> Float[Tensor, "classes rows cols"]:
        """Maps in which every segment has its value."""
        return values[:, self.labels]


def image_segments(
    model: Classifier, image: Float[Tensor, "3 height width"], *, grid: int | None, superpixels: int | None
) -> Segments:
    """The cells of a grid, or approximately `superpixels` superpixels."""
    if superpixels is None:
        rows, cols = cell_grid(model, grid)
        return Segments(torch.arange(rows * cols, device=image.device).view(rows, cols), rows * cols)
    if grid is not None:
        raise OptionError(f"choose grid or superpixels, not both; got grid={grid} and superpixels={superpixels}")
    labels = slic_labels(image, superpixels)
    return Segments(labels, int(labels.max()) + 1)


def slic_labels(image: Float[Tensor, "3 height width"], count: int) -> Int[Tensor, "height width"]:
    """Connected regions of similar color (SLIC), numbered from 0."""
    try:
        from skimage.segmentation import slic
    except ModuleNotFoundError as error:
        raise MissingExtra("superpixels", "superpixels") from error
    pixels = image.detach().permute(1, 2, 0).double().cpu().numpy()
    labels = torch.from_numpy(slic(pixels, n_segments=count, compactness=COMPACTNESS, start_label=0))
    return labels.unique(return_inverse=True)[1].to(image.device)
