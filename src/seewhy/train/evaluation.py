"""Deletion and insertion of an explainer on held-out images."""

import torch

from seewhy.explainers.network import AHAExplainer
from seewhy.metrics import score_maps
from seewhy.types import Images

BATCH = 16  # images whose maps are computed at once
METRICS = ("deletion", "insertion", "ins_del")


def evaluate_explainer(explainer: AHAExplainer, images: Images, *, protocol: str = "aha") -> dict[str, float]:
    """Mean deletion, insertion and their difference, for the predicted class of each image."""
    model = explainer.model
    images = images.to(model.device)
    targets = model.probabilities(images).argmax(dim=1, keepdim=True)
    explainer.eval()
    with torch.no_grad():
        maps = torch.cat([explainer(*part) for part in zip(images.split(BATCH), targets.split(BATCH), strict=True)])
    rows = score_maps(model, images, maps, targets, metrics=list(METRICS), protocol=protocol)
    means = [row for row in rows if row["reference"] == "all"]
    return {name: sum(row["score"] for row in means if row["metric"] == name) / len(images) for name in METRICS}
