"""Deletion and insertion of an explainer on held-out images, shared among processes."""

import math
from typing import Any

import torch

from seewhy.explainers.network import AHAExplainer
from seewhy.metrics import score_maps
from seewhy.train.processes import Processes
from seewhy.types import Images, Maps, Targets

BATCH = 16  # images whose maps are computed at once
METRICS = ("deletion", "insertion", "ins_del")


def evaluate_explainer(
    explainer: AHAExplainer, images: Images, *, protocol: str = "aha", processes: Processes | None = None
) -> dict[str, float]:
    """Mean deletion, insertion and their difference, for the predicted class of each image.

    `images` is their number, and `error` the standard error of ins_del. Each of several `processes` scores some of
    the images, which all of them have.
    """
    own = range(processes.index, len(images), processes.count) if processes else range(len(images))
    rows = list(zip(own, _score(explainer, images[list(own)], protocol), strict=True))
    rows = sorted(processes.gather(rows) if processes else rows)  # so that rounding does not depend on the processes
    columns = torch.tensor([scores for _, scores in rows], dtype=torch.float64)
    error = columns[:, -1].std(correction=1) / math.sqrt(len(rows)) if len(rows) > 1 else torch.tensor(0.0)
    means = dict(zip(METRICS, columns.mean(dim=0).tolist(), strict=True))
    return {**means, "error": float(error), "images": len(rows)}


def _score(explainer: AHAExplainer, images: Images, protocol: str) -> list[list[float]]:
    """The metrics of each image."""
    if len(images) == 0:
        return []
    images = images.to(explainer.model.device)
    maps, targets = predicted_maps(explainer, images)
    rows = score_maps(explainer.model, images, maps, targets, metrics=list(METRICS), protocol=protocol)
    found: dict[tuple[Any, Any], float] = {
        (row["image"], row["metric"]): row["score"] for row in rows if row["reference"] == "all"
    }
    return [[found[image, metric] for metric in METRICS] for image in range(len(images))]


def predicted_maps(explainer: AHAExplainer, images: Images) -> tuple[Maps, Targets]:
    """Maps for the predicted class of each image, and the classes."""
    targets = explainer.model.probabilities(images).argmax(dim=1, keepdim=True)
    explainer.eval()
    with torch.no_grad():
        parts = zip(images.split(BATCH), targets.split(BATCH), strict=True)
        return torch.cat([explainer(*part) for part in parts]), targets
