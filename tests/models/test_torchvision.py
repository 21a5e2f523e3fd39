"""torchvision's Vision Transformers taken apart equal the network; preprocessing and names come without a download."""

import pytest
import torch

from conftest import TINY, shake
from seewhy.errors import UnknownName, UnsupportedModel
from seewhy.models import loading
from seewhy.models.torchvision import (
    TorchvisionViT,
    build_torchvision,
    import_torchvision,
    torchvision_class_names,
    torchvision_preprocess,
)
from vit_checks import check_pieces, check_places, check_split, check_untouched


@pytest.fixture
def vit() -> TorchvisionViT:
    import_torchvision()
    from torchvision.models import VisionTransformer

    with torch.random.fork_rng():
        torch.manual_seed(0)
        module = VisionTransformer(32, 8, num_layers=3, num_heads=2, hidden_dim=16, mlp_dim=24, num_classes=5)
    return TorchvisionViT(shake(module), TINY, name="tiny", class_names=None)


def test_layout(vit):
    assert (vit.grid, vit.prefix, vit.head_tokens, vit.pool, len(vit.blocks)) == ((4, 4), 1, (0,), "token", 3)


@pytest.mark.parametrize(("dtype", "tolerance"), [(torch.float32, 1e-5), (torch.float64, 1e-10)])
def test_pieces_equal_the_network(vit, images, dtype, tolerance):
    vit.module.to(dtype)
    check_pieces(vit, images.to(dtype), vit.module, tolerance)


def test_attention_equals_the_networks_own(vit, images):
    tokens, attention, _ = vit.trace(images)
    for layer, entering, weights in zip(vit.module.encoder.layers, tokens[:-1], attention, strict=True):
        normed = layer.ln_1(entering)
        own = layer.self_attention(normed, normed, normed, need_weights=True, average_attn_weights=False)[1]
        torch.testing.assert_close(weights, own)


def test_split(vit, images):
    check_split(vit, images)


def test_patches_lie_where_the_image_has_them(vit, images):
    check_places(vit, images)


def test_network_is_left_as_it_was(vit, images, monkeypatch):
    check_untouched(vit, images, vit.module.encoder.layers[2].ln_2, monkeypatch)


def test_fits_only_plain_vision_transformers(vit, tiny_cnn):
    with pytest.raises(UnsupportedModel, match="TinyCNN is not a torchvision"):
        TorchvisionViT(tiny_cnn.module, tiny_cnn.preprocess, name="cnn")
    vit.module.encoder.layers[1] = torch.nn.Identity()
    with pytest.raises(UnsupportedModel, match="its blocks are Identity"):
        TorchvisionViT(vit.module, vit.preprocess, name="changed")


def test_wrap_model_finds_the_adapter(vit):
    wrapped = loading.wrap(vit.module)
    assert isinstance(wrapped, TorchvisionViT)
    assert wrapped.image_size == (32, 32)


def test_build_by_name():
    module = build_torchvision("squeezenet1_1", num_classes=7)
    assert module(torch.zeros(1, 3, 64, 64)).shape == (1, 7)
    with pytest.raises(UnknownName, match="vit_b_16"):
        build_torchvision("vit_b16")


def test_preprocessing_and_names_of_the_default_weights():
    resnet = torchvision_preprocess("resnet50")  # IMAGENET1K_V2: resize to 232, crop 224, bilinear
    assert (resnet.size, resnet.crop, resnet.interpolation) == ((224, 224), 224 / 232, "bilinear")
    assert resnet.mean == (0.485, 0.456, 0.406)
    assert torchvision_preprocess("swin_t").interpolation == "bicubic"
    names = torchvision_class_names("resnet50")
    assert (len(names), names[281]) == (1000, "tabby")
