"""Regions are cropped like the image."""

import numpy as np
import pytest
import torch
from PIL import Image

from seewhy.data import Boxes, ImageItem, Mask, open_dataset
from seewhy.data.regions import crop_region
from seewhy.errors import ImageError
from seewhy.models.preprocess import Preprocess
from squares import square


@pytest.mark.parametrize("squash", [False, True])
def test_boxes_and_masks_lie_where_the_model_sees_the_object(tmp_path, squash):
    box = square(tmp_path / "a.png")
    preprocess = Preprocess(size=(32, 32), crop=0.9, squash=squash, interpolation="nearest")
    pixels = np.asarray(Image.open(tmp_path / "a.png"))[..., 0] > 0
    for region in (Boxes((box,)), Mask(pixels)):
        sample = ImageItem("a", tmp_path / "a.png", (3,), (region,)).read(preprocess)
        assert torch.equal(sample.regions[0], sample.image[0] > 0.5)


def test_a_mask_of_another_size_is_the_same_region():
    mask = np.zeros((4, 4), dtype=bool)
    mask[:2, :2] = True
    large = mask.repeat(10, axis=0).repeat(10, axis=1)
    views = [crop_region(Mask(each), (0, 0, 8, 8), (8, 8), (16, 16)) for each in (mask, large)]
    assert torch.equal(*views)
    assert views[0].sum() == 64


def test_annotations_are_read_with_their_image(tmp_path, tiny_cnn):
    square(tmp_path / "photos" / "cats" / "tom.png")
    (tmp_path / "boxes").mkdir()
    (tmp_path / "boxes" / "tom.xml").write_text("<annotation><size>")
    (item,) = open_dataset("imagenet", path=tmp_path / "photos", boxes=tmp_path / "boxes")
    with pytest.raises(ImageError, match=r"tom\.xml: not an ILSVRC annotation file"):
        item.read(tiny_cnn.preprocess)
