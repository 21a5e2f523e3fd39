"""Assertions for a test suite: a model must not look at, or decide by, what it should not."""

from typing import Any

import numpy as np
import torch
from torch import Tensor

from seewhy import api
from seewhy.bench.statistics import paired_difference
from seewhy.data import read_images
from seewhy.errors import ShapeError
from seewhy.metrics.references import REFERENCES, FixedReference
from seewhy.models.classifier import Classifier
from seewhy.models.wrapping import as_classifier
from seewhy.ops.resize import resize_maps


def assert_not_looking_at(
    model: Any,
    images: Any,
    regions: Any,
    *,
    share: float = 0.2,
    effect: float = 0.1,
    method: str | None = None,
    reference: str = "blur",
) -> None:
    """Raise AssertionError if the model relies on regions: masks of a watermark, a ruler, a frame.

    `regions` are boolean, `height width` for all images or `batch height width`, at the model's size. Fails if more
    than `share` of the positive evidence lies in the regions (mean over images), or if replacing them by `reference`
    lowers the probability of the prediction by more than `effect` on average, beyond chance (95 % bootstrap interval).

    >>> import seewhy, torch
    >>> model = seewhy.load_model("seewhy/scenes-vit")
    >>> corner = torch.zeros(224, 224, dtype=torch.bool)
    >>> corner[:32, :32] = True
    >>> scenes = torch.stack([seewhy.Scenes("test", 4)[i].image for i in range(4)])
    >>> assert_not_looking_at(model, scenes, corner)
    """
    model = as_classifier(model)
    pixels = read_images(images, model.preprocess).images.to(model.device)
    masks = _masks(regions, pixels)
    explanation = api.explain(model, pixels, method)
    found = evidence_share(explanation.maps[:, 0], masks)
    drops = probability_drops(model, pixels, masks, reference)
    result = paired_difference(drops, np.zeros_like(drops))
    problems = []
    if found.mean() > share:
        area = masks.float().mean()
        problems.append(f"{found.mean():.0%} of its evidence lies there (limit {share:.0%}; area {area:.1%})")
    if result.mean > effect and result.low > 0:
        interval = f"{result.low:.2f} to {result.high:.2f}"
        problems.append(f"replacing it lowers the probability by {result.mean:.2f} ({interval}; limit {effect:.2f})")
    if problems:
        raise AssertionError(f"{model.name} looks at the given regions of {len(pixels)} images: {'; '.join(problems)}")


def evidence_share(maps: Tensor, masks: Tensor) -> Tensor:
    """The share of each map's positive evidence inside a mask."""
    dense = resize_maps(maps.unsqueeze(1).float(), (masks.shape[1], masks.shape[2]))[:, 0].clamp_min(0)
    return (dense * masks).sum((1, 2)) / dense.sum((1, 2)).clamp_min(1e-12)


def probability_drops(model: Classifier, images: Tensor, masks: Tensor, reference: str) -> np.ndarray:
    """How far the probability of each prediction falls when the masked pixels are replaced."""
    made = REFERENCES[reference].deletion
    assert isinstance(made, FixedReference), f"{reference} is no fixed reference"
    covered = torch.where(masks.unsqueeze(1), made.make(images, model.mean, model.std), images)
    before, after = model.probabilities(images), model.probabilities(covered)
    confidence, predicted = before.max(dim=1, keepdim=True)
    return (confidence - after.gather(1, predicted)).squeeze(1).double().cpu().numpy()


def _masks(regions: Any, images: Tensor) -> Tensor:
    masks = torch.as_tensor(np.asarray(regions.cpu() if isinstance(regions, Tensor) else regions)).to(images.device)
    masks = masks.unsqueeze(0).expand(len(images), -1, -1) if masks.ndim == 2 else masks
    expected = (len(images), *images.shape[2:])
    if masks.shape != expected or masks.dtype != torch.bool:
        raise ShapeError(
            f"regions must be boolean masks of shape {expected} or {expected[1:]}, the images as the model sees them, "
            f"got {masks.dtype} of shape {tuple(masks.shape)}. Resize them."
        )
    return masks
