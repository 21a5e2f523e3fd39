"""The true deletion and insertion of an explainer, on images it was not trained on."""

import torch

from seewhy.errors import InputError
from seewhy.metrics import score_maps
from seewhy.models.explainer import AHAExplainer
from seewhy.train.source import Source


def evaluate_explainer(
    explainer: AHAExplainer, source: Source, *, most: int | None = None, protocol: str = "aha"
) -> dict[str, float]:
    """Mean deletion, insertion and their difference on (at `most` so many) held-out images, for the predicted class."""
    images = source.read(source.held_out[:most]).images.to(explainer.model.device)
    if len(images) == 0:
        raise InputError("none of the held-out images can be read; hold out more of them (held_out)")
    targets = explainer.model.probabilities(images).argmax(dim=1, keepdim=True)
    explainer.eval()
    with torch.no_grad():
        maps = explainer(images, targets)
    names = ["deletion", "insertion", "ins_del"]
    rows = score_maps(explainer.model, images, maps, targets, metrics=names, protocol=protocol)
    scores = {
        name: [row["score"] for row in rows if (row["metric"], row["reference"]) == (name, "all")] for name in names
    }
    return {name: sum(values) / len(values) for name, values in scores.items()}
