"""AIC and SIC: performance over the fraction of the image's information that the map has revealed so far.

| step | what happens                                                                                                |
|------|-------------------------------------------------------------------------------------------------------------|
| 1    | 1 % random pixels are always shown (drawn per image, the same for every method)                             |
| 2    | the others are interpolated from them: the start of the curve                                               |
| 3    | the map's top pixels are added, threshold by threshold, and the others interpolated again                   |
| 4    | x: length of the lossless file, y: the prediction; both from 0 (start) to 1 (whole image), clipped          |

Which images count, as in the published code: the prediction for the whole image must reach `min_probability` and exceed
that of the start. For SIC the prediction is the target's probability, so these are the images classified with
confidence; for AIC it is 0 or 1, so these are all images classified as the target.

differs from the paper: several points with the same information count with the highest value, where the published code
leaves it undefined.
"""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Annotated, NamedTuple

import numpy as np
import torch
from jaxtyping import Float
from torch import Tensor

from seewhy.metrics.cases import Cases
from seewhy.metrics.evidence import Line
from seewhy.metrics.predictions import Key, query_model
from seewhy.ops.information import (
    Pixels,
    ShownMask,
    file_size,
    information_area,
    information_curve,
    interpolate_missing,
    relative,
    top_share,
)
from seewhy.registry import register_evidence, register_metric
from seewhy.runtime.options import between
from seewhy.runtime.progress import track
from seewhy.types import Images, Maps, Scores

MEDIAN_METRICS = ("aic", "sic")  # published as the area under the median curve of all images
PAIR_THRESHOLDS = (0.005, 0.01, 0.02, 0.03, 0.04, 0.05, 0.07, 0.10, 0.13, 0.21, 0.34, 0.5, 0.75)

InformationCurves = Float[Tensor, "batch classes grid"]
Share = Annotated[float, between(0, 1)]


@dataclass(frozen=True)
class Information:
    """Curves at 1001 positions and their areas; NaN where the image is skipped.

    Published figures take the median curve over images first, then its area: `median_area`.
    """

    accuracy: InformationCurves
    softmax: InformationCurves
    aic: Scores
    sic: Scores


def information_lines(information: Information, _pixels: int) -> list[Line]:
    """Performance over the fraction of information."""
    at = torch.linspace(0, 1, information.softmax.shape[-1]).tolist()
    curves = zip(MEDIAN_METRICS, (information.accuracy, information.softmax), strict=True)
    return [Line(metric, "all", at, values) for metric, values in curves]


class _Settings(NamedTuple):
    thresholds: tuple[float, ...]
    random_share: float
    min_probability: float
    seed: int


@register_evidence("information", costly=True, lines=information_lines)
def information(
    cases: Cases,
    ranked_maps: Maps,
    *,
    thresholds: tuple[float, ...] = PAIR_THRESHOLDS,
    random_share: Share = 0.01,
    min_probability: Share = 0.8,
    seed: int = 0,
) -> Information:
    """Performance-information curves; images whose prediction is below `min_probability` are skipped (see above).

    `random_share` of the pixels is always shown. The perturbed images of one case are in memory at a time.
    """
    settings = _Settings(thresholds, random_share, min_probability, seed)
    maps = ranked_maps.flatten(0, 1).double().cpu().numpy()
    curves = [_case_curves(cases, case, maps[case], settings) for case in track(range(len(maps)), "interpolating")]
    accuracy, softmax = (np.stack(column) for column in zip(*curves, strict=True))
    areas = [[information_area(curve) for curve in column] for column in (accuracy, softmax)]
    return Information(
        *(cases.images.new_tensor(column).view(*cases.shape, -1) for column in (accuracy, softmax)),
        *(cases.images.new_tensor(column).view(cases.shape) for column in areas),
    )


@register_metric(
    "aic",
    higher_is_better=True,
    paper="kapishnikov2019",
    undefined="the clean image is not classified as the target, or the start of the curve already is",
)
def aic(information: Information) -> Scores:
    """Area under "top-1 is the target" over information; per image a ramp. `median_area` gives the published figure."""
    return information.aic


@register_metric(
    "sic",
    higher_is_better=True,
    paper="kapishnikov2019",
    undefined="the target's probability is below the protocol's minimum",
)
def sic(information: Information) -> Scores:
    """Area under the target's probability over information, both between start and whole image."""
    return information.sic


def median_area(curves: InformationCurves) -> float:
    """PAIR's data set score: the area of the median curve of all images that were not skipped; NaN if all were."""
    flat = curves.flatten(0, 1)
    whole = flat[flat.isfinite().all(dim=-1)]
    return information_area(whole.double().quantile(0.5, dim=0).cpu().numpy()) if len(whole) else float("nan")


def random_mask(height: int, width: int, share: float, seed: int, digest: str) -> ShownMask:
    """The pixels that are always shown: drawn from the seed and the image's content."""
    generator = np.random.default_rng([seed, int(digest[:12], 16)])
    mask = np.zeros(height * width, dtype=bool)
    mask[generator.choice(mask.size, int(share * mask.size), replace=False)] = True
    return mask.reshape(height, width)


def _case_curves(cases: Cases, case: int, heatmap: np.ndarray, settings: _Settings) -> tuple[np.ndarray, np.ndarray]:
    """Accuracy and softmax curves of one case."""
    image = _to_pixels(cases.images[cases.image_of[case]])
    height, width = image.shape[:2]
    shown = random_mask(height, width, settings.random_share, settings.seed, cases.digests[case])
    masks = [shown, *(shown | top_share(heatmap, share) for share in settings.thresholds)]
    revealed = [image, *(interpolate_missing(image, mask) for mask in masks)]
    with ThreadPoolExecutor() as pool:  # encoding is the slowest part and releases the GIL
        x = np.array(list(pool.map(file_size, revealed)), dtype=np.float64)
    softmax, top1 = _query_revealed(cases, case, revealed, masks, settings.seed)
    accuracy = (top1 == cases.classes[case]).astype(np.float64)
    return _curve(x, accuracy, settings.min_probability), _curve(x, softmax, settings.min_probability)


def _curve(x: np.ndarray, y: np.ndarray, min_probability: float) -> np.ndarray:
    """From [whole image, start, thresholds …]; NaN if the image is skipped."""
    whole_x, start_x, *_ = x
    whole_y, start_y, *_ = y
    if whole_y < min_probability or start_x >= whole_x or start_y >= whole_y:
        return np.full(1001, np.nan)
    return information_curve(relative(x[2:], start_x, whole_x), relative(y[2:], start_y, whole_y))


def _to_pixels(image: Tensor) -> Pixels:
    return (image.detach() * 255).round().clamp(0, 255).to(torch.uint8).permute(1, 2, 0).cpu().numpy()


def _query_revealed(
    cases: Cases, case: int, revealed: list[Pixels], masks: list[ShownMask], seed: int
) -> tuple[np.ndarray, np.ndarray]:
    """Probability and top-1 for each image; equal masks are run once."""
    digest, target = cases.digests[case], cases.classes[case]
    names = ["whole", *(mask.tobytes() for mask in masks)]
    keys: list[Key] = [(digest, "interpolated", seed, hash(name)) for name in names]

    def assemble(chosen: Tensor) -> Images:
        stack = np.stack([revealed[i] for i in chosen.tolist()])
        return torch.from_numpy(stack).to(cases.images.device).permute(0, 3, 1, 2).to(cases.images.dtype) / 255

    here = torch.empty(0, dtype=cases.images.dtype)  # on the CPU, where the curves are computed
    predictions = query_model(cases.model, keys, [target] * len(keys), assemble, cases.cache, like=here)
    return predictions.probability.double().numpy(), predictions.top1.numpy()
