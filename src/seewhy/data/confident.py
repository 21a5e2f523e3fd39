"""The images that a model classifies with confidence, as papers select them."""

from collections import Counter
from collections.abc import Iterator
from contextlib import suppress

from seewhy.data.items import Dataset, Subset
from seewhy.errors import ImageError, InputError
from seewhy.models.classifier import Classifier


def confident_items(
    dataset: Dataset,
    model: Classifier,
    *,
    min_confidence: float,
    per_class: int | None = None,
    limit: int | None = None,
) -> Dataset:
    """The first `limit` items whose label the model predicts with at least this probability.

    At most `per_class` items of each label are kept. One forward pass for each item that is looked at.
    """
    kept: list[int] = []
    labels: Counter[int] = Counter()
    for index, label in _predicted(dataset, model, min_confidence):
        if per_class is None or labels[label] < per_class:
            labels[label] += 1
            kept.append(index)
        if len(kept) == limit:
            break
    if not kept:
        raise InputError(
            f"{model.name} predicts the label of none of these {len(dataset)} images with a probability of at least "
            f"{min_confidence}. Lower the limit."
        )
    return Subset(dataset, tuple(kept))


def _predicted(dataset: Dataset, model: Classifier, min_confidence: float) -> Iterator[tuple[int, int]]:
    """Index and label of the items that are predicted right and confidently; unreadable ones are skipped."""
    for index in range(len(dataset)):
        with suppress(ImageError):
            sample = dataset[index].read(model.preprocess)
            confidence, top = model.probabilities(sample.image.unsqueeze(0).to(model.device))[0].max(dim=0)
            if sample.labels and int(top) == sample.labels[0] and float(confidence) >= min_confidence:
                yield index, int(top)
