"""Preprocessing read from image processors shows the network the same pixels as the processor itself."""

import numpy as np
import pytest
import torch
from PIL import Image

from seewhy.errors import ModelError
from seewhy.models.classifier import Classifier
from seewhy.models.huggingface import import_transformers
from seewhy.models.huggingface_preprocess import huggingface_preprocess
from seewhy.models.module import ModuleClassifier

CASES = {
    "ViT": {"size": {"height": 32, "width": 24}},
    "DeiT": {"size": {"height": 40, "width": 40}, "crop_size": {"height": 32, "width": 32}},
    "CLIP": {"size": {"shortest_edge": 32}, "crop_size": {"height": 32, "width": 32}},
    "Bit": {"size": {"shortest_edge": 40}, "crop_size": {"height": 32, "width": 32}},
    "Siglip": {"size": {"height": 32, "width": 32}},
    "ConvNext": {"size": {"shortest_edge": 32}, "crop_pct": 0.8},
    "EfficientNet": {"size": {"height": 32, "width": 32}, "rescale_offset": True, "rescale_factor": 1 / 127.5},
}


@pytest.mark.parametrize("case", CASES)
def test_same_pixels_as_the_processor(case):
    """A picture smooth enough that the order of resizing and cropping does not matter."""
    processor = getattr(import_transformers(), f"{case}ImageProcessor")(**CASES[case])
    down, across = np.mgrid[0:90, 0:130]
    colors = np.stack([across, down * 2, 255 - across - down], axis=-1).clip(0, 255).astype(np.uint8)
    picture = Image.fromarray(colors)
    expected = processor(picture, return_tensors="pt").pixel_values
    preprocess = huggingface_preprocess(processor.to_dict())
    height, width = preprocess.size
    seen = picture.resize((width, height), Image.Resampling.BICUBIC, box=preprocess.box(*picture.size))
    images = torch.from_numpy(np.array(seen)).permute(2, 0, 1)[None] / 255
    model: Classifier = ModuleClassifier(torch.nn.Identity(), preprocess, name="none")
    spread = expected.std()
    assert (model.normalize(images) - expected)[..., 2:-2, 2:-2].abs().max() < 0.06 * spread


def test_large_convnext_bends_the_picture():
    settings = {"size": {"shortest_edge": 384}, "crop_pct": 0.875, "do_normalize": False}
    preprocess = huggingface_preprocess(settings)
    assert (preprocess.size, preprocess.crop, preprocess.squash) == ((384, 384), 1.0, True)


def test_colors_without_rescaling():
    settings = {"size": 16, "do_rescale": False, "image_mean": [51, 102, 0], "image_std": [51, 51, 51]}
    preprocess = huggingface_preprocess(settings)
    assert preprocess.mean == (0.2, 0.4, 0.0)
    assert preprocess.std == (0.2, 0.2, 0.2)
    assert preprocess.size == (16, 16)


def test_what_cannot_be_expressed():
    with pytest.raises(ModelError, match="not a fixed size"):
        huggingface_preprocess({"size": {"longest_edge": 512}})
    with pytest.raises(ModelError, match="BGR input"):
        huggingface_preprocess({"size": {"shortest_edge": 32}, "do_flip_channel_order": True})
