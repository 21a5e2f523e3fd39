"""ResNet-50 with weights converted from Keras."""

import json

import pytest
import torch

from seewhy.data import read_images
from seewhy.errors import InputError, WeightsError
from seewhy.registry import MODELS


def test_resnet50_keras_on_real_photos(data):
    """the published figure is 75.4 % on 5,000 photos; these 24 are enough to notice a wrong stride or mean."""
    model = MODELS.get("resnet50-keras").build(weights=data / "models" / "resnet50_keras.fp16.safetensors")
    rows = [json.loads(line) for line in (data / "imagenet-val" / "index.jsonl").read_text().splitlines()][:3000:125]
    batch = read_images([data / "imagenet-val" / row["file"] for row in rows], model.preprocess)
    correct = model.probabilities(batch.images).argmax(1) == torch.tensor([row["label"] for row in rows])
    assert correct.float().mean() > 0.5


def test_resnet50_keras_wants_weights(tmp_path):
    with pytest.raises(InputError, match="pass weights="):
        MODELS.get("resnet50-keras").build()
    with pytest.raises(WeightsError, match="no weights file"):
        MODELS.get("resnet50-keras").build(weights=tmp_path / "none.safetensors")
