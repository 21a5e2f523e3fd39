"""The true deletion and insertion of an explainer, on images it was not trained on."""

import torch

from seewhy.errors import InputError
from seewhy.explainers.network import AHAExplainer
from seewhy.metrics import score_maps
from seewhy.train.source import Examples, Source

BATCH = 16  # pictures whose maps are made at once


def evaluate_explainer(
    explainer: AHAExplainer, source: Source, *, most: int | None = None, protocol: str = "aha"
) -> dict[str, float]:
    """Mean deletion, insertion and their difference on (at `most` so many) held-out images, for the predicted class."""
    images = read_held_out(source, most).images.to(explainer.model.device)
    targets = explainer.model.probabilities(images).argmax(dim=1, keepdim=True)
    explainer.eval()
    with torch.no_grad():
        maps = torch.cat([explainer(*part) for part in zip(images.split(BATCH), targets.split(BATCH), strict=True)])
    names = ["deletion", "insertion", "ins_del"]
    rows = score_maps(explainer.model, images, maps, targets, metrics=names, protocol=protocol)
    scores = {
        name: [row["score"] for row in rows if (row["metric"], row["reference"]) == (name, "all")] for name in names
    }
    return {name: sum(values) / len(values) for name, values in scores.items()}


def read_held_out(source: Source, most: int | None = None) -> Examples:
    """Those that can be read; raises if there are none."""
    examples = source.read(source.held_out[:most])
    if len(examples.images) == 0:
        first = f" (the first: {examples.problems[0]})" if examples.problems else ""
        raise InputError(
            f"none of the {len(examples.problems)} held-out images can be read{first}; hold out and evaluate more "
            "(held_out, evaluated), or others (seed)"
        )
    return examples
