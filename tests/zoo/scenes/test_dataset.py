"""Scenes: the same everywhere, true to its masks, balanced, and its options do what they say."""

import numpy as np
import pytest
import torch

from seewhy.errors import OptionError, SeewhyError, TargetError
from seewhy.zoo.scenes.dataset import CLASS_NAMES, Scenes

GOLDEN = torch.tensor(
    [
        [
            [0.302, 0.3432, 0.3659, 0.3193],
            [0.3773, 0.5799, 0.6176, 0.3523],
            [0.3486, 0.5246, 0.5436, 0.2997],
            [0.3406, 0.3213, 0.3317, 0.3035],
        ],
        [
            [0.5701, 0.626, 0.6457, 0.6433],
            [0.5388, 0.5384, 0.5581, 0.565],
            [0.3993, 0.4217, 0.4303, 0.3978],
            [0.2987, 0.314, 0.3459, 0.3166],
        ],
        [
            [0.8771, 0.854, 0.8066, 0.8019],
            [0.7349, 0.6119, 0.5851, 0.6921],
            [0.5888, 0.4675, 0.4196, 0.5737],
            [0.4843, 0.469, 0.4769, 0.4454],
        ],
    ]
)


@pytest.fixture(scope="module")
def scenes():
    return [Scenes("test", 48)[i] for i in range(48)]


def test_types_and_shapes(scenes):
    scene = scenes[0]
    assert scene.image.shape == (3, 224, 224)
    assert scene.image.dtype == torch.float32
    assert 0 <= scene.image.min() < scene.image.max() <= 1
    assert scene.object.shape == scene.part.shape == (224, 224)
    assert scene.object.dtype == scene.part.dtype == torch.bool


def test_an_index_gives_the_same_image_for_any_size_and_order():
    few, many = Scenes("val", 5), Scenes("val", 500)
    many[3]
    torch.testing.assert_close(few[-1].image, many[4].image, rtol=0, atol=0)


def test_images_are_the_ones_the_model_was_trained_with():
    """Coarse means, so that another processor's last digit passes and another image does not."""
    coarse = torch.stack([torch.nn.functional.avg_pool2d(Scenes("train", 99)[i].image, 56) for i in (0, 1, 98)])
    torch.testing.assert_close(coarse.mean(dim=1), GOLDEN, rtol=0, atol=2e-3)


def test_splits_differ():
    images = [Scenes(split, 1)[0].image for split in ("train", "val", "test")]
    assert not torch.equal(images[0], images[1])
    assert not torch.equal(images[1], images[2])


def test_labels_are_balanced_and_pairs_are_neighbors(scenes):
    assert np.bincount([scene.label for scene in scenes]).tolist() == [4] * 12
    assert all({scene.label, scene.pair} == {2 * (scene.label // 2), 2 * (scene.label // 2) + 1} for scene in scenes)


def test_objects_cover_a_visible_share_and_parts_a_share_of_them(scenes):
    areas = torch.stack([scene.object.float().mean() for scene in scenes])
    parts = torch.stack([scene.part.sum() / scene.object.sum() for scene in scenes])
    assert 0.05 < areas.min() < 0.1 < 0.3 < areas.max() < 0.4
    assert 0.1 < parts.min() < parts.max() < 0.75


@pytest.mark.parametrize("index", range(12))
def test_twins_differ_in_the_part_and_nowhere_else(index):
    scenes = Scenes("test", 12)
    scene, twin = scenes[index], scenes.counterfactual(index)
    changed = (scene.image != twin.image).any(dim=0)
    assert (twin.label, twin.pair) == (scene.pair, scene.label)
    assert not (changed & ~scene.part).any()
    assert torch.equal(scene.part, twin.part)
    assert (scene.image - twin.image).abs().amax(dim=0)[scene.part].gt(0.1).float().mean() > 0.25
    assert (scene.part & ~scene.object & ~twin.object).sum() < 0.2 * scene.part.sum()  # nothing but soft edges and gaps


def test_several_objects_are_of_different_pairs_and_apart():
    for count in (2, 3, 4):
        scene = Scenes("test", 30, objects=count)[7]
        assert scene.label == scene.labels[0] == 7
        assert len({label // 2 for label in scene.labels}) == count == len(scene.objects) == len(scene.parts)
        assert scene.objects.sum(dim=0).max() == 1
        assert scene.objects.flatten(1).sum(dim=1).min() > 1500


def test_a_twin_among_several_objects_changes_the_first_only():
    scenes = Scenes("test", 30, objects=3)
    scene, twin = scenes[4], scenes.counterfactual(4)
    assert twin.labels == (scene.pair, *scene.labels[1:])
    assert not ((scene.image != twin.image).any(dim=0) & ~scene.part).any()


def test_the_circle_marks_its_class_only():
    plain, marked = Scenes("test", 24), Scenes("test", 24, shortcut=("cat", "circle"))
    cat = CLASS_NAMES.index("cat")
    assert marked[cat + 1].cue is None
    torch.testing.assert_close(marked[cat + 1].image, plain[cat + 1].image, rtol=0, atol=0)
    scene = marked[cat]
    assert scene.image[:, scene.cue].mean() > 0.98
    changed = (scene.image != plain[cat].image).any(dim=0)
    assert 500 < changed.sum() < 800
    torch.testing.assert_close(plain.planted(cat).image, scene.image, rtol=0, atol=0)


def test_grids_tile_the_image_with_four_pairs():
    grid = Scenes("test", 10).grid(2)
    assert grid.image.shape == (3, 224, 224)
    assert len({label // 2 for label in grid.labels}) == 4
    assert torch.equal(grid.regions.sum(dim=0), torch.ones(224, 224, dtype=torch.long))
    assert not (grid.objects & ~grid.regions).any()
    assert grid.objects.flatten(1).any(dim=1).all()
    assert not torch.equal(grid.image, Scenes("test", 10).grid(3).image)


def test_wrong_use_is_named():
    with pytest.raises(SeewhyError, match="train, val, test"):
        Scenes("tset", 3)
    with pytest.raises(SeewhyError, match="objects"):
        Scenes("test", 3, objects=5)
    with pytest.raises(OptionError, match="circle"):
        Scenes("test", 3, shortcut=("cat", "square"))
    with pytest.raises(TargetError, match="striped fish"):
        Scenes("test", 3, shortcut=("dog", "circle"))
    with pytest.raises(IndexError):
        Scenes("test", 3)[3]
    assert len(list(Scenes("test", 2))) == 2
