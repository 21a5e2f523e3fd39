"""Real photos and networks that work offline."""

import json

import pytest
import torch

from seewhy.data import read_images
from seewhy.errors import InputError, WeightsError
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


def test_resnet50_keras_on_real_photos(data):
    """the published figure is 75.4 % on 5,000 photos; these 24 are enough to notice a wrong stride or mean."""
    model = MODELS.get("resnet50-keras").build(weights=data / "models" / "resnet50_keras.fp16.safetensors")
    rows = [json.loads(line) for line in (data / "imagenet-val" / "index.jsonl").read_text().splitlines()][:3000:125]
    batch = read_images([data / "imagenet-val" / row["file"] for row in rows], model.preprocess)
    correct = model.probabilities(batch.images).argmax(1) == torch.tensor([row["label"] for row in rows])
    assert correct.float().mean() > 0.5


def test_resnet50_keras_wants_weights(tmp_path):
    with pytest.raises(InputError, match="Pass weights="):
        MODELS.get("resnet50-keras").build()
    with pytest.raises(WeightsError, match="no weights file"):
        MODELS.get("resnet50-keras").build(weights=tmp_path / "none.safetensors")
