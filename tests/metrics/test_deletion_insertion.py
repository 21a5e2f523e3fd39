"""Deletion and insertion on a real ViT and a real photo."""

import json

import pytest

import seewhy
from seewhy.data import read_images
from seewhy.metrics import PredictionCache, get_protocol, score_maps
from seewhy.ops.curves import evenly_spaced


@pytest.fixture(scope="module")
def deit(data):
    return seewhy.load_model(
        "timm/deit_tiny_patch16_224", weights=data / "models" / "deit_tiny_patch16_224.safetensors"
    )


@pytest.fixture(scope="module")
def photo(deit, data):
    line = (data / "imagenet-val" / "index.jsonl").read_text().splitlines()[300]
    return read_images([data / "imagenet-val" / json.loads(line)["file"]], deit.preprocess).images


def test_a_gradient_method_beats_noise(deit, photo):
    protocol, cache = get_protocol("rise", {"curves": {"fractions": evenly_spaced(8)}}), PredictionCache()
    found = {}
    for method in ("grad_cam", "random"):
        explanation = seewhy.explain(deit, photo, method=method)
        rows = score_maps(
            deit, photo, explanation.maps, explanation.targets, protocol=protocol, metrics=["ins_del"], cache=cache
        )
        found[method] = rows[0]["score"]
    assert found["grad_cam"] > found["random"] + 0.2
