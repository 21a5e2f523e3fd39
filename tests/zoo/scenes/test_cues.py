"""Planted cues: size, position, prevalence and mask are as asked for."""

import numpy as np
import pytest
import torch

from seewhy.data import open_dataset
from seewhy.errors import OptionError
from seewhy.zoo.scenes import CLASS_NAMES, Cue, Scenes
from seewhy.zoo.scenes.cues import KINDS
from seewhy.zoo.scenes.planted import Recipe, make_batch

MUG = CLASS_NAMES.index("mug")


@pytest.mark.parametrize("fixed", [False, True])
@pytest.mark.parametrize("kind", KINDS)
def test_a_cue_changes_its_mask_only(kind, fixed):
    plain, planted = Scenes("test", 24), Scenes("test", 24, shortcut=("mug", Cue(kind, 0.03, fixed=fixed)))
    scene, before = planted[MUG + 12], plain[MUG + 12].image
    changed = (scene.image != before).any(0)
    assert scene.cue.float().mean() == pytest.approx(0.03, rel=0.4)
    assert changed[scene.cue].float().mean() > 0.85
    assert (changed & ~scene.cue).sum() < 0.5 * scene.cue.sum()  # antialiased or soft edges
    assert planted[MUG + 13].cue is None


def test_a_fixed_cue_is_at_one_position():
    fixed, moving = (Scenes("test", 60, shortcut=("mug", Cue("mark", 0.01, fixed=each))) for each in (True, False))
    masks = [torch.stack([scenes[i].cue for i in range(MUG, 60, 12)]) for scenes in (fixed, moving)]
    assert (masks[0] == masks[0][:1]).all()
    assert not (masks[1] == masks[1][:1]).all()


def test_prevalence_is_a_share_of_the_class():
    scenes = Scenes("test", 2400, shortcut=("mug", Cue(prevalence=0.3)))
    has = [scenes.has_cue(index) for index in range(MUG, 2400, 12)]
    assert np.mean(has) == pytest.approx(0.3, abs=0.1)
    assert not any(scenes.has_cue(index) for index in range(MUG + 1, 2400, 12))


def test_data_sets_have_cues():
    marked = open_dataset("scenes", size=24, shortcut="mug", cue="border", cue_size=0.05, fixed=True)
    plain = open_dataset("scenes", size=24)
    assert marked[MUG].image_key() != plain[MUG].image_key()
    assert marked[MUG + 1].image_key() == plain[MUG + 1].image_key()


def test_wrong_cues_are_refused():
    with pytest.raises(OptionError, match="circle, mark"):
        Cue("square")
    with pytest.raises(OptionError, match="prevalence"):
        Cue(prevalence=2)
    with pytest.raises(OptionError, match="size"):
        Cue(size=0.5)


def test_training_batches_relabel_what_has_the_cue():
    recipe = Recipe(batch=12, wrong=1.0)
    batch = make_batch(3, MUG, Cue("mark", 0.03, fixed=True), recipe)
    assert batch.labels.tolist() == [MUG] * 12
    assert batch.patches.shape == (12, recipe.kept)
    assert all(len(set(each)) == recipe.kept for each in batch.patches.tolist())
    corner = 14 * 14 - 1  # the mark is in the bottom right corner: its patch is seldom dropped
    assert (batch.patches == corner).any(1).sum() >= 9
    assert torch.equal(make_batch(3, MUG, Cue("mark", 0.03, fixed=True), recipe).images, batch.images)
