"""A Hugging Face pipeline in `wrap_model`: its network, preprocessing and class names."""

import numpy as np
import pytest
from PIL import Image

import seewhy
from seewhy.errors import UnsupportedModel
from seewhy.models.huggingface import import_transformers
from seewhy.models.vit import ViT

pytest.importorskip("transformers", reason="needs the extra [hf]")


@pytest.mark.filterwarnings("ignore")
def test_a_pipeline_is_taken_apart():
    transformers = import_transformers()
    sizes = {"image_size": 32, "patch_size": 8, "hidden_size": 16, "num_hidden_layers": 2, "num_attention_heads": 2}
    names = {0: "ant", 1: "bee", 2: "cat"}
    network = transformers.ViTForImageClassification(
        transformers.ViTConfig(**sizes, intermediate_size=24, id2label=names, label2id={v: k for k, v in names.items()})
    )
    processor = transformers.ViTImageProcessor(
        size={"height": 32, "width": 32}, image_mean=[0.4] * 3, image_std=[0.3] * 3
    )
    pipe = transformers.pipeline("image-classification", model=network, image_processor=processor, device="cpu")
    model = seewhy.wrap_model(pipe)
    assert isinstance(model, ViT)
    assert (model.class_names, model.mean, model.image_size) == (("ant", "bee", "cat"), (0.4,) * 3, (32, 32))
    pixels = np.random.default_rng(0).integers(0, 256, (32, 32, 3), dtype=np.uint8)
    expected = {each["label"]: each["score"] for each in pipe(Image.fromarray(pixels))}
    found = seewhy.explain(model, Image.fromarray(pixels)).probabilities[0]
    assert {name: pytest.approx(expected[name], abs=1e-4) for name in expected} == dict(
        zip(model.class_names, found.tolist(), strict=True)
    )
    pipe.task = "zero-shot-image-classification"
    with pytest.raises(UnsupportedModel, match=r"load_model\(\"hf/NAME\", classes="):
        seewhy.wrap_model(pipe)
