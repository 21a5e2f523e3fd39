"""Runtime: seconds to explain one image.

Batch size one, after a warm-up, synchronized with the device before and after; median over the runs of each image.
"""

import time
from typing import Annotated

import torch

from seewhy.metrics.evidence import Explain
from seewhy.models.classifier import Classifier
from seewhy.registry import register_metric
from seewhy.runtime.options import at_least
from seewhy.types import Images, Scores, Targets

Warmup = Annotated[int, at_least(0)]
Repeats = Annotated[int, at_least(1)]


@register_metric("runtime", higher_is_better=False, costly=True)
def runtime(
    explain: Explain,
    model: Classifier,
    images: Images,
    targets: Targets,
    *,
    warmup: Warmup = 10,
    repeats: Repeats = 100,
) -> Scores:
    """Median seconds of one explanation for all classes of the image; `repeats` runs are spread over the images."""
    for _ in range(warmup):
        explain(model, images[:1], targets[:1])
    each = -(-repeats // len(images))
    seconds = [_median_seconds(explain, model, images[i : i + 1], targets[i : i + 1], each) for i in range(len(images))]
    return images.new_tensor(seconds).view(-1, 1).repeat(1, targets.shape[1])


def _median_seconds(explain: Explain, model: Classifier, image: Images, target: Targets, runs: int) -> float:
    seconds = []
    for _ in range(runs):
        _synchronize(image.device)
        start = time.perf_counter()
        explain(model, image, target)
        _synchronize(image.device)
        seconds.append(time.perf_counter() - start)
    return float(torch.tensor(seconds, dtype=torch.float64).median())


def _synchronize(device: torch.device) -> None:
    if device.type == "cuda":
        torch.cuda.synchronize(device)
