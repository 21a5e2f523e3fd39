"""Runtime: seconds to explain one image.

Batch of one, after a warm-up, the device waited for before and after; median over the runs of each image.
"""

import time

import torch

from seewhy.metrics._evidence import Explain
from seewhy.models.classifier import Classifier
from seewhy.registry import register_metric
from seewhy.types import Images, Scores, Targets


@register_metric("runtime", higher_is_better=False)
def runtime(
    explain: Explain, model: Classifier, images: Images, targets: Targets, *, warmup: int = 10, repeats: int = 100
) -> Scores:
    """Median seconds of one explanation for all classes of the image; `repeats` runs are spread over the images."""
    for _ in range(warmup):
        explain(model, images[:1], targets[:1])
    each = -(-repeats // len(images))
    seconds = [_median_seconds(explain, model, images[i : i + 1], targets[i : i + 1], each) for i in range(len(images))]
    return images.new_tensor(seconds).view(-1, 1).repeat(1, targets.shape[1])


def _median_seconds(explain: Explain, model: Classifier, image: Images, target: Targets, runs: int) -> float:
    taken = []
    for _ in range(runs):
        _wait(image.device)
        start = time.perf_counter()
        explain(model, image, target)
        _wait(image.device)
        taken.append(time.perf_counter() - start)
    return float(torch.tensor(taken, dtype=torch.float64).median())


def _wait(device: torch.device) -> None:
    if device.type == "cuda":
        torch.cuda.synchronize(device)
