"""AIC and SIC: the sweep over how much of an image is shown, measured by information instead of pixels.

| step | what                                                                                                   |
|------|--------------------------------------------------------------------------------------------------------|
| 1    | 1 % random pixels are always shown (new for every image, the same for every method)                    |
| 2    | the rest is filled in between them: the start of the curve                                             |
| 3    | the map's top pixels are added, threshold by threshold, and the rest is filled in again                |
| 4    | x: length of the lossless file, y: the model's answer; both from 0 (start) to 1 (whole image), clipped |
"""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
import torch
from jaxtyping import Float
from torch import Tensor

from seewhy.metrics._fills import Cases
from seewhy.metrics._stream import Key, ask
from seewhy.metrics.protocols import Protocol
from seewhy.ops.information import (
    Mask,
    Pixels,
    fill_in,
    information,
    information_area,
    information_curve,
    relative,
    top_share,
)
from seewhy.runtime.progress import track
from seewhy.types import Images, Maps, Scores

Read = Float[Tensor, "batch classes grid"]


@dataclass(frozen=True)
class Information:
    """Curves over 1001 places and their areas; NaN where the protocol skips the image.

    Published figures take the median curve over images first, then its area: `median_area`.
    """

    accuracy: Read
    softmax: Read
    aic: Scores
    sic: Scores


def inform(cases: Cases, heatmaps: Maps, protocol: Protocol) -> Information:
    """One sweep for both; the pictures of one case are in memory at a time."""
    maps = heatmaps.flatten(0, 1).double().cpu().numpy()
    curves = [_case_curves(cases, case, maps[case], protocol) for case in track(range(len(maps)), "filling in")]
    accuracy, softmax = (np.stack(column) for column in zip(*curves, strict=True))
    areas = [[information_area(curve) for curve in column] for column in (accuracy, softmax)]
    images = cases.images
    return Information(
        *(images.new_tensor(column).view(*cases.shape, -1) for column in (accuracy, softmax)),
        *(images.new_tensor(column).view(cases.shape) for column in areas),
    )


def median_area(curves: Read) -> float:
    """PAIR's data set number: the area of the median curve of all images that were not skipped; NaN if all were."""
    flat = curves.flatten(0, 1)
    whole = flat[flat.isfinite().all(dim=-1)]
    return information_area(whole.double().quantile(0.5, dim=0).cpu().numpy()) if len(whole) else float("nan")


def _case_curves(cases: Cases, case: int, heatmap: np.ndarray, protocol: Protocol) -> tuple[np.ndarray, np.ndarray]:
    image = _to_pixels(cases.images[cases.image_of[case]])
    shown = random_mask(image.shape[0], image.shape[1], protocol, cases.digests[case])
    masks = [shown, *(shown | top_share(heatmap, share) for share in protocol.thresholds)]
    pictures = [image, *(fill_in(image, mask) for mask in masks)]
    with ThreadPoolExecutor() as pool:  # encoding is the slowest part and runs outside Python's lock
        x = np.array(list(pool.map(information, pictures)), dtype=np.float64)
    softmax, top1 = _ask(cases, case, pictures, masks, protocol)
    accuracy = (top1 == int(cases.targets.flatten()[case])).astype(np.float64)
    return _curve(x, accuracy, protocol.min_probability), _curve(x, softmax, protocol.min_probability)


def _curve(x: np.ndarray, y: np.ndarray, min_probability: float) -> np.ndarray:
    """From [whole image, start, thresholds …]; NaN if the image is skipped."""
    whole_x, start_x, whole_y, start_y = x[0], x[1], y[0], y[1]
    if whole_y < min_probability or start_x >= whole_x or start_y >= whole_y:
        return np.full(1001, np.nan)
    return information_curve(relative(x[2:], start_x, whole_x), relative(y[2:], start_y, whole_y))


def random_mask(height: int, width: int, protocol: Protocol, digest: str) -> Mask:
    """The pixels that are always shown: drawn from the seed and the image's content."""
    generator = np.random.default_rng([protocol.seed, int(digest[:12], 16)])
    mask = np.zeros(height * width, dtype=bool)
    mask[generator.choice(mask.size, int(protocol.random_share * mask.size), replace=False)] = True
    return mask.reshape(height, width)


def _to_pixels(image: Tensor) -> Pixels:
    return (image.detach() * 255).round().clamp(0, 255).to(torch.uint8).permute(1, 2, 0).cpu().numpy()


def _ask(
    cases: Cases, case: int, pictures: list[Pixels], masks: list[Mask], protocol: Protocol
) -> tuple[np.ndarray, np.ndarray]:
    """Probability and top-1 for each picture; equal masks are asked once."""
    digest, target = cases.digests[case], int(cases.targets.flatten()[case])
    names = ["whole", *(mask.tobytes() for mask in masks)]
    keys: list[Key] = [(digest, "filled in", protocol.seed, hash(name)) for name in names]

    def assemble(chosen: Tensor) -> Images:
        stack = np.stack([pictures[i] for i in chosen.tolist()])
        return torch.from_numpy(stack).to(cases.images.device).permute(0, 3, 1, 2).to(cases.images.dtype) / 255

    answers = ask(cases.model, keys, [target] * len(keys), assemble, cases.cache, like=cases.images)
    return answers.probability.double().cpu().numpy(), answers.top1.cpu().numpy()
