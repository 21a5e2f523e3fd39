"""Scenes as a data set: the ground truth is the object or the part."""

import torch

from seewhy.data import open_dataset
from seewhy.models.preprocess import Preprocess


def test_scenes_know_the_object_and_the_part():
    preprocess = Preprocess(size=(224, 224))
    whole = open_dataset("scenes", size=4)[2]
    part = open_dataset("scenes", size=4, truth="part", contrast=True)[2]
    assert part.labels == (2, 3)
    assert torch.equal(whole.read(preprocess).image, part.read(preprocess).image)
    assert 0 < part.read(preprocess).regions[0].sum() < whole.read(preprocess).regions[0].sum()
    assert whole.key() != part.key()
    assert open_dataset("scenes", size=4)[2].key() == whole.key()
