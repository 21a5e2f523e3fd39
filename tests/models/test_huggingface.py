"""Hugging Face classifiers taken apart equal the network and its own attention; loading, and its errors."""

import sys
from dataclasses import replace

import pytest
import torch

import seewhy
from conftest import TINY, shake
from seewhy.errors import InputError, MissingExtra, ModelError, OptionError, UnsupportedModel, WeightsError
from seewhy.models import loading
from seewhy.models.adapters import adapt_module
from seewhy.models.huggingface import (
    HuggingFaceViT,
    huggingface_class_names,
    import_transformers,
    load_huggingface,
)
from seewhy.models.module import ModuleClassifier
from vit_checks import check_pieces, check_places, check_split, check_untouched

NAMES = ["ant", "bee", "cat", "dog", "elk"]
SIZES = dict(hidden_size=16, num_hidden_layers=3, num_attention_heads=2, intermediate_size=24)
VIT = dict(image_size=32, patch_size=8, **SIZES)
DINO = dict(image_size=32, patch_size=8, mlp_ratio=2, hidden_size=16, num_hidden_layers=3, num_attention_heads=2)

# class: (configuration, settings, what is known of its layout: prefix, read tokens, pool)
MODELS = {
    "vit": ("ViTForImageClassification", "ViTConfig", VIT, (1, (0,), "token")),
    "vit-no-bias": ("ViTForImageClassification", "ViTConfig", VIT | {"qkv_bias": False}, (1, (0,), "token")),
    "deit": ("DeiTForImageClassification", "DeiTConfig", VIT, (2, (0,), "token")),
    "deit-teacher": ("DeiTForImageClassificationWithTeacher", "DeiTConfig", VIT, (2, (0, 1), "token")),
    "dinov2": ("Dinov2ForImageClassification", "Dinov2Config", DINO, (1, (0,), "token+avg")),
    "dinov2-swiglu": (
        "Dinov2ForImageClassification",
        "Dinov2Config",
        DINO | {"use_swiglu_ffn": True, "image_size": 48},  # positions are interpolated
        (1, (0,), "token+avg"),
    ),
    "dinov2-registers": (
        "Dinov2WithRegistersForImageClassification",
        "Dinov2WithRegistersConfig",
        DINO | {"num_register_tokens": 3, "drop_path_rate": 0.1},
        (4, (0,), "token+avg"),
    ),
    "clip": ("CLIPForImageClassification", "CLIPConfig", {"vision_config": VIT}, (1, (), "avg")),
    "siglip": ("SiglipForImageClassification", "SiglipConfig", {"vision_config": VIT}, (0, (), "avg")),
}


def build(kind: str, **how):
    transformers = import_transformers()
    model, config, settings, _ = MODELS[kind]
    names = dict(id2label=dict(enumerate(NAMES)), label2id={name: index for index, name in enumerate(NAMES)})
    with torch.random.fork_rng():
        torch.manual_seed(0)
        configuration = getattr(transformers, config)(**settings, **names)
        return shake(getattr(transformers, model)._from_config(configuration, **how))


@pytest.fixture(params=MODELS)
def kind(request) -> str:
    return request.param


@pytest.fixture
def vit(kind) -> HuggingFaceViT:
    return HuggingFaceViT(build(kind), TINY, name=kind, class_names=NAMES)


def test_layout(vit, kind):
    assert (vit.prefix, vit.head_tokens, vit.pool) == MODELS[kind][3]
    assert (vit.grid, len(vit.blocks)) == ((4, 4), 3)


@pytest.mark.parametrize(("dtype", "tolerance"), [(torch.float32, 1e-5), (torch.float64, 1e-10)])
def test_pieces_equal_the_network(vit, images, dtype, tolerance):
    vit.module.to(dtype)
    check_pieces(vit, images.to(dtype), lambda x: vit.module(pixel_values=x).logits, tolerance)


def test_attention_equals_the_networks_own(vit, kind, images):
    eager = build(kind, attn_implementation="eager")
    eager.load_state_dict(vit.module.state_dict())
    own = eager(pixel_values=vit.normalize(images), output_attentions=True).attentions
    torch.testing.assert_close(vit.trace(images).attention, list(own), rtol=1e-5, atol=1e-6)


def test_split(vit, images):
    check_split(vit, images)


def test_patches_lie_where_the_image_has_them(vit, images):
    check_places(vit, images)


def test_network_is_left_as_it_was(vit, images, monkeypatch):
    check_untouched(vit, images, vit.blocks[1].norm2, monkeypatch)


def test_positions_are_interpolated_for_other_sizes(images):
    wide = torch.cat([images, images.flip(3)], dim=3)
    vit = HuggingFaceViT(build("dinov2"), replace(TINY, size=(32, 64)), name="wide")
    assert vit.grid == (4, 8)
    check_pieces(vit, wide, lambda x: vit.module(x).logits, 1e-5)
    check_places(vit, wide)


def test_what_does_not_fit():
    transformers = import_transformers()
    headless = transformers.ViTForImageClassification(transformers.ViTConfig(**VIT, num_labels=0))
    with pytest.raises(UnsupportedModel, match="no classification head"):
        HuggingFaceViT(headless, TINY, name="headless")
    two_towers = transformers.CLIPConfig(vision_config=VIT, text_config=SIZES | {"vocab_size": 9})
    with pytest.raises(InputError, match="classes="):
        HuggingFaceViT(transformers.CLIPModel(two_towers), TINY, name="two towers")
    with pytest.raises(UnsupportedModel, match="Linear is not one of"):
        HuggingFaceViT(torch.nn.Linear(2, 2), TINY, name="linear")


def test_a_changed_network_falls_back_and_says_why():
    module = build("vit")
    base = type(module)
    module.__class__ = type("Doubled", (base,), {"forward": lambda self, x: 2 * base.forward(self, x).logits})
    wrapped = adapt_module(module, TINY, name="doubled")
    assert isinstance(wrapped, ModuleClassifier)
    assert "other logits" in wrapped.not_vit


def test_class_names():
    transformers = import_transformers()
    assert huggingface_class_names(transformers.ViTConfig(num_labels=3)) is None
    config = transformers.ViTConfig(id2label={1: "one", 0: "zero"}, label2id={"one": 1, "zero": 0})
    assert huggingface_class_names(config) == ["zero", "one"]


def test_wrap_model_finds_the_adapter():
    wrapped = loading.wrap(build("deit"))
    assert isinstance(wrapped, HuggingFaceViT)
    assert (wrapped.image_size, wrapped.class_names) == ((32, 32), tuple(NAMES))
    assert loading.wrap(build("siglip")).grid == (4, 4)


# loading


def save(module, folder, processor: str, **settings) -> str:
    module.save_pretrained(folder)
    getattr(import_transformers(), processor)(**settings).save_pretrained(folder)
    return str(folder)


def test_load_a_vit(tmp_path, images):
    module = build("vit").half()
    settings = dict(size={"height": 32, "width": 32}, image_mean=[0.1, 0.2, 0.3], image_std=[0.4, 0.5, 0.6], resample=3)
    vit = load_huggingface(save(module, tmp_path, "ViTImageProcessor", **settings))
    assert isinstance(vit, HuggingFaceViT)
    assert vit.class_names == tuple(NAMES)
    assert not vit.module.training
    assert vit.dtype == torch.float32  # whatever the file holds
    assert vit.preprocess.squash
    assert (vit.image_size, vit.preprocess.interpolation) == ((32, 32), "bicubic")
    assert (vit.mean, vit.std) == ((0.1, 0.2, 0.3), (0.4, 0.5, 0.6))
    torch.testing.assert_close(vit.logits(images), module.float()(vit.normalize(images)).logits)


def test_load_a_distilled_deit_with_both_heads(tmp_path):
    folder = save(
        build("deit-teacher"),
        tmp_path,
        "DeiTImageProcessor",
        size={"height": 40, "width": 40},
        crop_size={"height": 32, "width": 32},
    )
    vit = load_huggingface(folder)
    assert isinstance(vit, HuggingFaceViT)
    assert vit.head_tokens == (0, 1)
    assert (vit.image_size, vit.preprocess.crop, vit.preprocess.squash) == ((32, 32), 0.8, True)


def test_load_a_cnn(tmp_path, images):
    transformers = import_transformers()
    config = transformers.ResNetConfig(embedding_size=8, hidden_sizes=[8, 12], depths=[1, 1], num_labels=5)
    module = shake(transformers.ResNetForImageClassification(config))
    folder = save(module, tmp_path, "ConvNextImageProcessor", size={"shortest_edge": 32}, crop_pct=0.8)
    cnn = load_huggingface(folder)
    assert isinstance(cnn, ModuleClassifier)
    assert cnn.class_names is None
    assert (cnn.image_size, cnn.preprocess.crop) == ((32, 32), 0.8)
    features, logits, *_ = cnn.split(images)
    assert features.shape == (2, 12, 4, 4)
    torch.testing.assert_close(logits, module(cnn.normalize(images)).logits)


def test_a_checkpoint_without_head_is_refused(tmp_path):
    folder = save(build("vit").vit, tmp_path, "ViTImageProcessor", size={"height": 32, "width": 32})
    with pytest.raises(WeightsError, match=r"classifier\.bias"):
        load_huggingface(folder)


def test_pickled_weights_are_refused(tmp_path):
    folder = save(build("vit"), tmp_path, "ViTImageProcessor", size={"height": 32, "width": 32})
    (tmp_path / "model.safetensors").unlink()
    torch.save(build("vit").state_dict(), tmp_path / "pytorch_model.bin")
    with pytest.raises(ModelError, match=r"weights of hf/.*model\.safetensors"):
        load_huggingface(folder)


def test_a_model_that_cannot_be_had(tmp_path):
    with pytest.raises(ModelError, match=r"configuration of hf/nobody/nothing could not be loaded.*Check the spelling"):
        load_huggingface("nobody/nothing", local_files_only=True, cache_dir=str(tmp_path))
    build("vit").save_pretrained(tmp_path)
    with pytest.raises(ModelError, match=r"image processor of hf/.*preprocessor_config\.json"):
        load_huggingface(str(tmp_path))


def test_wrong_options(tmp_path):
    with pytest.raises(OptionError, match="trust_remote_code"):
        load_huggingface("nobody/nothing", trust_remote_code=True)
    with pytest.raises(InputError, match="a photo of a cat"):
        load_huggingface("nobody/nothing", classes="cat")
    folder = save(build("vit"), tmp_path, "ViTImageProcessor")
    with pytest.raises(InputError, match="has fixed classes"):
        load_huggingface(folder, classes=["a photo of a cat"])


def test_without_transformers(monkeypatch):
    monkeypatch.setitem(sys.modules, "transformers", None)
    with pytest.raises(MissingExtra, match=r"seewhy\[hf\]"):
        load_huggingface("nobody/nothing")


def test_a_wrapped_network_takes_the_processor_beside_it(tmp_path):
    transformers = import_transformers()
    build("vit").save_pretrained(tmp_path)
    network = transformers.AutoModelForImageClassification.from_pretrained(tmp_path)
    with pytest.warns(UserWarning, match="holds no image processor"):
        seewhy.wrap_model(network)
    size = network.config.image_size
    half = {"image_mean": [0.5] * 3, "image_std": [0.5] * 3, "size": {"height": size, "width": size}}
    transformers.ViTImageProcessor(**half).save_pretrained(tmp_path)
    assert seewhy.wrap_model(network).mean == (0.5, 0.5, 0.5)
    assert seewhy.wrap_model(network, mean=(0.4,) * 3, std=(0.5,) * 3).mean == (0.4, 0.4, 0.4)
