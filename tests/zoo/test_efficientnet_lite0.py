"""EfficientNet-Lite0 on the sample photos, offline."""

import pytest
import torch

from seewhy.data import read_images
from seewhy.registry import MODELS


def predictions(model, photos) -> list[str]:
    batch = read_images(photos, model.preprocess)
    return [model.class_names[index] for index in model.probabilities(batch.images).argmax(1)]


def test_efficientnet_knows_the_sample_photos():
    pytest.importorskip("efficientnet_lite_pytorch")
    pytest.importorskip("skimage")
    from seewhy.zoo.photos import sample_photos

    photos = sample_photos()
    model = MODELS.get("efficientnet-lite0").build()
    found = dict(zip(photos, predictions(model, list(photos.values())), strict=True))
    assert found["cat"].partition(",")[0] in ("Egyptian cat", "tabby", "tiger cat")
    assert found["coffee"].partition(",")[0] in ("espresso", "cup", "coffee mug")
    assert model.split(torch.zeros(1, 3, 224, 224)).features.shape[-2:] == (7, 7)
