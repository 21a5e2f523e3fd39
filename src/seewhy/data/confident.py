"""Select the images that a model classifies correctly and with confidence, as papers do."""

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

    At most `per_class` items of each label are kept. Takes one forward pass for each item that is inspected.
    """
    kept: list[int] = []
    labels: Counter[int] = Counter()
    for index, label in _confident_predictions(dataset, model, min_confidence):
        if per_class is None or labels[label] < per_class:
            labels[label] += 1
            kept.append(index)
        if len(kept) == limit:
            break
    if not kept:
        raise InputError(
            f"{model.name} predicts the label of none of these {len(dataset)} images with a probability of at least "
            f"{min_confidence}. Lower it."
        )
    return Subset(dataset, tuple(kept))


def _confident_predictions(dataset: Dataset, model: Classifier, min_confidence: float) -> Iterator[tuple[int, int]]:
    """Index and label of the items that are classified correctly and with confidence; unreadable ones are skipped."""
    for index in range(len(dataset)):
        with suppress(ImageError):
            sample = dataset[index].read(model.preprocess)
            confidence, top = model.probabilities(sample.image.unsqueeze(0).to(model.device))[0].max(dim=0)
            if sample.labels and int(top) == sample.labels[0] and float(confidence) >= min_confidence:
                yield index, int(top)
