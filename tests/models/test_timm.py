"""What is known of each architecture against what the adapter detects; built without weights."""

import pytest
import torch

import seewhy
from conftest import shake
from seewhy.models.module import ModuleClassifier
from seewhy.models.timm import TimmViT, build_timm

# name, options, grid, prefix tokens, pool, tokens that the head reads
VITS = [
    ("vit_tiny_patch16_224", {}, (14, 14), 1, "token", (0,)),
    ("vit_tiny_patch16_224", {"img_size": (96, 160)}, (6, 10), 1, "token", (0,)),
    ("vit_small_patch32_224", {}, (7, 7), 1, "token", (0,)),
    ("vit_base_patch16_224", {"depth": 2}, (14, 14), 1, "token", (0,)),
    ("vit_tiny_patch16_224", {"global_pool": "avg", "fc_norm": True}, (14, 14), 1, "avg", ()),
    ("vit_medium_patch16_gap_240", {"depth": 2}, (15, 15), 0, "avg", ()),
    ("deit_tiny_patch16_224", {}, (14, 14), 1, "token", (0,)),
    ("deit_tiny_distilled_patch16_224", {}, (14, 14), 2, "token", (0, 1)),
    ("deit3_small_patch16_224", {"depth": 3}, (14, 14), 1, "token", (0,)),
    ("vit_small_patch14_dinov2", {"img_size": 98, "num_classes": 7, "depth": 3}, (7, 7), 1, "token", (0,)),
    ("vit_small_patch14_reg4_dinov2", {"img_size": 98, "num_classes": 7, "depth": 3}, (7, 7), 5, "token", (0,)),
    ("vit_small_patch16_dinov3", {"img_size": 128, "num_classes": 7, "depth": 3}, (8, 8), 5, "avg", ()),
    ("vit_small_plus_patch16_dinov3", {"img_size": 128, "num_classes": 7, "depth": 2}, (8, 8), 5, "avg", ()),
    ("vit_base_patch32_clip_224", {"depth": 3}, (7, 7), 1, "token", (0,)),
    ("vit_base_patch16_clip_quickgelu_224", {"depth": 2, "num_classes": 7}, (14, 14), 1, "token", (0,)),
    ("vit_base_patch16_siglip_224", {"depth": 2, "num_classes": 7}, (14, 14), 0, "map", ()),
    ("eva02_tiny_patch14_224", {"depth": 3, "num_classes": 7}, (16, 16), 1, "avg", ()),
    ("eva_giant_patch14_224", {"depth": 1, "embed_dim": 64, "num_heads": 4}, (16, 16), 1, "avg", ()),
    ("vit_small_patch16_rope_mixed_224", {"depth": 3}, (14, 14), 1, "token", (0,)),
    ("vit_small_patch16_rope_224", {"depth": 3}, (14, 14), 1, "token", (0,)),
    ("vit_pe_core_tiny_patch16_384", {"img_size": 128, "num_classes": 7, "depth": 2}, (8, 8), 1, "map", ()),
    ("flexivit_small", {"depth": 2}, (15, 15), 1, "token", (0,)),
    ("test_vit", {}, (10, 10), 1, "token", (0,)),
    ("test_vit4", {}, (10, 10), 1, "avg", ()),
]
# name, options, grid of the last feature map, channels
CNNS = [
    ("resnet18", {}, (7, 7), 512),
    ("resnet50", {}, (7, 7), 2048),
    ("resnext26ts", {}, (8, 8), 2048),
    ("convnext_atto", {}, (7, 7), 320),
    ("convnextv2_atto", {}, (7, 7), 320),
    ("densenet121", {}, (7, 7), 1024),
    ("vgg11", {}, (14, 14), 512),
    ("efficientnet_b0", {}, (7, 7), 1280),
    ("efficientnet_lite0", {}, (7, 7), 1280),
    ("mobilenetv3_small_100", {}, (7, 7), 576),
    ("mobilenetv2_050", {}, (7, 7), 1280),
    ("regnety_002", {}, (7, 7), 368),
    ("repvgg_a0", {}, (7, 7), 1280),
    ("swin_tiny_patch4_window7_224", {"depths": (1, 1, 1, 1)}, (7, 7), 768),
    ("swinv2_cr_tiny_ns_224", {"depths": (1, 1, 1, 1)}, (7, 7), 768),
    ("poolformer_s12", {}, (7, 7), 512),
    ("test_resnet", {}, (5, 5), 96),
]


def build(name, options):
    with torch.random.fork_rng():
        torch.manual_seed(0)
        return seewhy.wrap_model(shake(build_timm(name, **options), scale=0.02), name=name)


def some_images(model):
    return torch.rand(1, 3, *model.image_size, generator=torch.Generator().manual_seed(0))


def assert_explains(model, grid):
    for method, options, size in (("gradient", {}, model.image_size), ("grad_cam", {"relu": False}, grid)):
        explanation = seewhy.explain(model, some_images(model), method, **options)
        assert not explanation.failed_checks
        assert tuple(explanation.maps.shape[-2:]) == size


@pytest.mark.parametrize(("name", "options", "grid", "prefix", "pool", "read"), VITS)
def test_vit(name, options, grid, prefix, pool, read):
    model = build(name, options)
    assert isinstance(model, TimmViT)
    assert (model.grid, model.prefix, model.pool, model.head_tokens) == (grid, prefix, pool, read)
    images = some_images(model)
    with torch.no_grad(), model.frozen_eval():
        trace = model.trace(images)
        torch.testing.assert_close(trace.logits, model.logits(images), rtol=1e-5, atol=1e-5)
    for weights in trace.attention:
        torch.testing.assert_close(weights.sum(-1), torch.ones(weights.shape[:-1]))
    assert len(trace.tokens) == len(trace.attention) + 1 == len(model.blocks) + 1
    assert_explains(model, grid)


@pytest.mark.parametrize(("name", "options", "grid", "channels"), CNNS)
def test_cnn(name, options, grid, channels):
    model = build(name, options)
    assert isinstance(model, ModuleClassifier)
    features, logits, head, _ = model.split(some_images(model))
    assert features.shape == (1, channels, *grid)
    torch.testing.assert_close(head(features), logits, rtol=1e-4, atol=1e-5)
    torch.testing.assert_close(logits, model.logits(some_images(model)), rtol=1e-4, atol=1e-5)
    assert_explains(model, grid)


@pytest.mark.parametrize(("name", "options", "grid", "prefix", "pool", "read"), VITS)
def test_dropped_tokens_keep_their_positions(name, options, grid, prefix, pool, read):  # noqa: ARG001
    model = build(name, options)
    with torch.no_grad(), model.frozen_eval():
        tokens = model.embed(some_images(model))
        order = torch.randperm(model.patches, generator=torch.Generator().manual_seed(1)) + prefix
        positions = torch.cat([torch.arange(prefix), order])
        plain, _ = model.run(tokens)
        for given in (positions, positions.expand(1, -1)):
            shuffled, _ = model.run(tokens[:, positions], positions=given)
            torch.testing.assert_close(shuffled[-1], plain[-1][:, positions], rtol=1e-4, atol=1e-4)


def test_a_transformer_that_cannot_be_taken_apart_still_explains():
    model = build("vit_small_patch16_36x1_224", {"depth": 1})
    assert isinstance(model, TimmViT)
    model = build("vit_base_patch16_xp_224", {"depth": 1, "num_classes": 7})  # parallel attention and MLP
    assert isinstance(model, ModuleClassifier)
    assert "not pre-norm blocks" in model.not_vit


def test_no_head_is_said():
    with pytest.raises(seewhy.errors.ModelError, match="no classification head"):
        seewhy.load_model("timm/vit_small_patch14_dinov2", weights="random")


def test_unknown_architecture_names_near_ones():
    with pytest.raises(seewhy.errors.UnknownName, match="'deit_tiny_patch16_224'"):
        seewhy.load_model("timm/deit_tiny_patch16", weights="random")


def test_float64_and_non_square(tiny_vit):
    tiny_vit.module.double()
    images = torch.rand(2, 3, 32, 32, dtype=torch.float64)
    with torch.no_grad():
        torch.testing.assert_close(tiny_vit.trace(images).logits, tiny_vit.logits(images), rtol=1e-10, atol=1e-10)
