"""Accuracy of pretrained networks on photos, with the preprocessing of `load_model`."""

import json

import pytest
import torch

import seewhy
from seewhy.data import read_images

PHOTOS = 500
MODELS = {
    "timm/deit_tiny_patch16_224": ("deit_tiny_patch16_224.safetensors", 0.69),
    "seewhy/resnet50-keras": ("resnet50_keras.fp16.safetensors", 0.71),
}


@pytest.mark.parametrize("name", MODELS)
def test_top1(name, data):
    weights, least = MODELS[name]
    model = seewhy.load_model(name, weights=data / "models" / weights)
    rows = [json.loads(line) for line in (data / "imagenet-val" / "index.jsonl").read_text().splitlines()][::6][:PHOTOS]
    labels = torch.tensor([row["label"] for row in rows])
    files = [data / "imagenet-val" / row["file"] for row in rows]
    predicted = torch.cat(
        [
            model.probabilities(read_images(files[i : i + 50], model.preprocess).images).argmax(1)
            for i in range(0, PHOTOS, 50)
        ]
    )
    accuracy = float((predicted == labels).float().mean())
    print(f"{name}: top-1 {accuracy:.1%} on {PHOTOS} photos")
    assert accuracy >= least


def test_deit_finds_the_cat_by_name(data):
    photos = pytest.importorskip("seewhy.zoo.photos")
    model = seewhy.load_model(
        "timm/deit_tiny_patch16_224", weights=data / "models" / "deit_tiny_patch16_224.safetensors"
    )
    explanation = seewhy.explain(model, photos.sample_photos()["cat"], targets=["tabby", "Egyptian cat"])
    assert explanation.targets.tolist() == [[281, 285]]
    assert not explanation.failed_checks
