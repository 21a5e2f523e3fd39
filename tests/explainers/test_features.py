"""Encoders: every kind of timm backbone yields four maps or a reason why not; shapes of the paper's.

Where only shapes matter, networks are built on torch's meta device, without weights.
"""

import pytest
import torch
from torch.nn.functional import interpolate
from torch.testing import assert_close

from seewhy.errors import UnknownName, UnsupportedModel
from seewhy.explainers.decoder import Decoder, Sizes
from seewhy.explainers.features import TimmEncoder
from seewhy.explainers.presets import OFFICIAL
from seewhy.models.timm import import_timm


def meta_encoder(name, **options):
    with torch.device("meta"):
        return TimmEncoder(name, weights="random", **options)


def meta_images(side=224):
    return torch.zeros(2, 3, side, side, device="meta")


def random_images(side):
    return torch.rand(2, 3, side, side, generator=torch.Generator().manual_seed(0))


@pytest.mark.parametrize(
    ("name", "shapes"),
    [
        ("vgg11", [(256, 56), (512, 28), (512, 14), (512, 7)]),  # no forward_intermediates
        ("densenet121", [(256, 56), (512, 28), (1024, 14), (1024, 7)]),
        ("inception_v3", [(192, 52), (288, 25), (768, 12), (2048, 5)]),
        ("dpn48b", [(144, 56), (320, 28), (512, 14), (832, 7)]),  # stages give two maps
        ("levit_128s", [(128, 14), (128, 14), (256, 7), (384, 4)]),  # three maps
        ("pit_ti_224", [(64, 27), (64, 27), (128, 14), (256, 7)]),
        ("nest_tiny", [(96, 56), (96, 56), (192, 28), (384, 14)]),
        ("hiera_tiny_224", [(96, 56), (192, 28), (384, 14), (768, 7)]),  # no norm
        ("xcit_nano_12_p8_224", [(128, 28)] * 4),  # patch_size is a number
        ("vit_tiny_patch16_384", [(192, 24)] * 4),  # takes one size only
        ("swinv2_tiny_window8_256", [(96, 64), (192, 32), (384, 16), (768, 8)]),
        ("test_vit", [(64, 14)] * 4),  # takes any size
    ],
)
def test_backbones_of_every_kind_yield_four_maps(name, shapes):
    maps = meta_encoder(name)(meta_images())
    assert [tuple(each.shape) for each in maps] == [(2, width, side, side) for width, side in shapes]


@pytest.mark.parametrize("name", ["test_nfnet", "dpn48b", "legacy_seresnet18"])
def test_stages_are_what_timm_reads_with_features_only(name):
    encoder = TimmEncoder(name, weights="random")
    reference = import_timm().create_model(name, features_only=True).eval()
    images = random_images(64)
    mean, std = encoder.colors
    with torch.no_grad():
        own = encoder.backbone.state_dict().values()
        for theirs, mine in zip(reference.state_dict().values(), own, strict=False):  # it has no layers behind the last
            theirs.copy_(mine)
        expected = reference((images - mean) / std)[-4:]
    for mine, theirs in zip(encoder(images), expected, strict=True):
        assert_close(mine, theirs)


def test_stages_whose_channels_come_last():
    maps = TimmEncoder("sequencer2d_s", weights="random")(random_images(64)[:1])
    assert [tuple(each.shape[1:]) for each in maps] == [(192, 32, 32)] + [(384, 16, 16)] * 3


def test_images_are_resized_where_a_backbone_takes_one_size_only():
    encoder = TimmEncoder("xcit_nano_12_p16_224", weights="random")
    images = random_images(100)
    expected = encoder(interpolate(images, (224, 224), mode="bilinear"))
    assert_close(encoder(images)[0], expected[0])


def test_images_of_no_whole_patches_are_resized():
    """So that a position of the features is a position of the image, at any size."""
    encoder = TimmEncoder("test_vit", weights="random")
    encoder.backbone.patch_embed.strict_img_size = False
    encoder.size, seen = None, []
    encoder.backbone.forward_intermediates = lambda images, **_: seen.append(images) or [images] * 4
    images = random_images(100)
    encoder(images)
    mean, std = encoder.colors
    assert_close(seen[0], interpolate((images - mean) / std, (112, 112), mode="bilinear"))


def test_taps_of_networks_of_one_resolution_are_spread():
    assert meta_encoder("gmlp_s16_224").taps == [6, 14, 21, 29]
    assert meta_encoder("test_resnet").taps == [1, 2, 3, 4]
    assert meta_encoder("vgg11", taps=(0, 1)).taps == [0, 1]


@pytest.mark.parametrize(
    ("name", "lacks"),
    [
        ("crossvit_tiny_240", "no feature_info"),
        ("convmixer_1024_20_ks9_p14", "no feature_info"),
        ("convit_tiny", "head does not output a feature map"),
        ("hrnet_w18", "stage.* does not output a feature map"),
        ("halonet26t", "rejects images of 224 x 224"),
    ],
)
def test_unsupported_encoders_give_a_reason(name, lacks):
    with pytest.raises(UnsupportedModel, match=f"timm/{name} .*{lacks}.*plain ViT, a ResNet or a ConvNeXt works"):
        meta_encoder(name)(meta_images())


def test_taps_and_names_that_do_not_exist():
    for name in ("test_vit", "test_nfnet"):
        with pytest.raises(UnsupportedModel, match=r"the taps \[99\]"):
            meta_encoder(name, taps=(99,))(meta_images())
    with pytest.raises(UnknownName, match="resnet18"):
        TimmEncoder("resnet_18", weights="random")


@pytest.mark.parametrize(
    ("side", "tokens", "stages", "end"), [(224, 14, [56, 28, 14, 7], 224), (240, 15, [60, 30, 15, 8], 256)]
)
def test_shapes_of_the_paper(side, tokens, stages, end):
    """At side 240 the decoder ends at 256, and its maps are resized to the image."""
    config = OFFICIAL.explainer
    features = meta_encoder(config.encoder.partition("/")[2], taps=config.taps)(meta_images(side))
    assert [tuple(each.shape) for each in features] == [(2, 1024, tokens, tokens)] * 4
    with torch.device("meta"):
        decoder = Decoder(Sizes((1024,) * 4, 1000, pyramid=False), shape=config.shape).eval()
        targets = torch.zeros(2, 1, dtype=torch.long)
    sides = []
    for part in (*decoder.stages, decoder.head):
        part.register_forward_hook(lambda _part, _inputs, output: sides.append(output.shape[-1]))
    maps = decoder(features, meta_images(side), targets)
    assert sides == [*stages, end]
    assert maps.shape == (2, 1, side, side)
