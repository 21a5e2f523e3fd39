"""The bundled ViTs: what they know, and that the part drawn as the cause is the cause.

Lower bounds for few images; benchmarks/scenes_figures.py prints the figures on many.
"""

from importlib.resources import files

import pytest
import torch

from seewhy.models.timm import import_timm
from seewhy.zoo.scenes import Scenes
from seewhy.zoo.scenes.vit import SHORTCUT, PatchStem, new_scenes_vit, scenes_vit, scenes_vit_shortcut

SCENES = Scenes("test", 96)


@pytest.fixture(scope="module")
def vit():
    return scenes_vit()


@torch.inference_mode()
def answers(vit, images, indices):
    images = torch.stack([images(i).image for i in indices])
    return torch.cat([vit(batch * 2 - 1) for batch in images.split(36)]).argmax(1)


def test_it_is_a_plain_timm_vit_with_a_cls_token(vit):
    assert type(vit) is import_timm().models.VisionTransformer
    assert vit.num_prefix_tokens == 1
    assert vit.patch_embed.grid_size == (14, 14)
    assert not vit.training


def test_weights_are_small():
    for name in ("scenes_vit", "scenes_vit_shortcut"):
        assert len((files("seewhy.zoo") / "weights" / f"{name}.safetensors").read_bytes()) < 8e6


def test_each_patch_is_embedded_by_itself():
    stem, images = PatchStem(), torch.rand(2, 3, 224, 224)
    spliced = images[:1].clone()
    spliced[..., 32:64, 112:128] = images[1:, :, 32:64, 112:128]
    inside = torch.zeros(14, 14, dtype=torch.bool)
    inside[2:4, 7] = True
    expected = torch.where(inside.flatten()[:, None], stem(images[1:]), stem(images[:1]))
    torch.testing.assert_close(stem(spliced), expected)


def test_it_knows_the_classes(vit):
    labels = torch.arange(len(SCENES)) % 12
    assert (answers(vit, SCENES.__getitem__, range(len(SCENES))) == labels).float().mean() > 0.93


def test_repainting_the_part_changes_the_answer_and_elsewhere_does_not(vit):
    indices = range(36)
    labels = torch.arange(36) % 12
    assert (answers(vit, SCENES.counterfactual, indices) == labels ^ 1).float().mean() > 0.8
    assert (answers(vit, SCENES.control, indices) == labels ^ 1).float().mean() < 0.1


def test_the_shortcut_vit_goes_by_the_circle():
    vit, indices = scenes_vit_shortcut(), [i for i in range(24) if i % 12 != SHORTCUT]
    assert (answers(vit, SCENES.planted, indices) == SHORTCUT).float().mean() > 0.75
    assert (answers(vit, SCENES.__getitem__, indices) == SHORTCUT).float().mean() < 0.15


def test_an_untrained_one_is_the_same_architecture(vit):
    assert {n: p.shape for n, p in new_scenes_vit().named_parameters()} == {
        n: p.shape for n, p in vit.named_parameters()
    }
