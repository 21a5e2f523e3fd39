"""Images selected by a model's own confidence."""

import pytest
import torch

from linear_model import LinearModel
from seewhy.data import ImageItem, confident_items
from seewhy.data.items import Subset
from seewhy.errors import InputError

SIDE = 8


def gray(name, value, *labels):
    """The brightness of the left half is the probability of class 0, that of the right half of class 1."""
    image = torch.full((3, SIDE, SIDE), value)
    image[..., SIDE // 2 :] = 1 - value
    return ImageItem(name, image, labels)


ITEMS = [
    gray("unsure", 0.58, 0),
    gray("sure", 0.62, 0),
    gray("wrong", 0.9, 1),
    ImageItem("broken", "no such file.png", (1,)),
    gray("again", 0.7, 0),
    gray("third", 0.8, 0),
    gray("unlabeled", 0.9),
    gray("other", 0.1, 1),
    gray("last", 0.2, 1),
]


def names(**options):
    halves = torch.zeros(2, SIDE, SIDE)
    halves[0, :, : SIDE // 2] = halves[1, :, SIDE // 2 :] = 2 / SIDE**2
    model = LinearModel(halves)
    with model.meter() as cost:
        found = confident_items(Subset(ITEMS, tuple(range(len(ITEMS)))), model, **options)
    return [found[number].name for number in range(len(found))], cost.forwards


def test_right_and_sure_enough():
    assert names(min_confidence=0.6)[0] == ["sure", "again", "third", "other", "last"]


def test_at_most_so_many_of_a_class_and_no_more_passes_than_needed():
    assert names(min_confidence=0.6, per_class=2)[0] == ["sure", "again", "other", "last"]
    assert names(min_confidence=0.6, per_class=1, limit=2) == (["sure", "other"], 7)


def test_nothing_is_sure_enough():
    with pytest.raises(InputError, match=r"none of these 9 images .* at least 0.95"):
        names(min_confidence=0.95)
