"""COCO: regions are the union of a category's objects."""

import json

import pytest
import torch

from seewhy.data import open_dataset
from seewhy.errors import InputError
from seewhy.models.preprocess import Preprocess
from squares import square


def test_coco_unites_the_objects_of_a_category(tmp_path):
    square(tmp_path / "a.png")
    corners = [30, 10, 49, 10, 49, 29, 30, 29]
    crowd = {"size": [60, 90], "counts": [90 * 60 - 60, 60]}  # the last column
    listed = {
        "images": [{"id": 4, "file_name": "a.png", "width": 90, "height": 60}],
        "categories": [{"id": 1, "name": "cat"}, {"id": 2, "name": "tie"}, {"id": 3, "name": "dog"}],
        "annotations": [
            {"image_id": 4, "category_id": 1, "area": 400, "segmentation": [corners]},
            {"image_id": 4, "category_id": 3, "area": 60, "segmentation": crowd},
            {"image_id": 4, "category_id": 1, "area": 10, "segmentation": [[0, 0, 3, 0, 3, 3]]},
            {"image_id": 4, "category_id": 2, "area": 900, "segmentation": [[0, 0, 30, 0, 30, 30]]},
        ],
    }
    (tmp_path / "instances.json").write_text(json.dumps(listed))
    found = open_dataset(
        "coco", images=tmp_path, annotations=tmp_path / "instances.json", classes={"cat": 281, "dog": 207}
    )
    assert found[0].labels == (207, 281)
    sample = found[0].read(Preprocess(size=(60, 90), crop=1.0, interpolation="nearest"))
    assert torch.equal(sample.regions[1], sample.image[0] > 0.5)
    assert sample.regions[0].sum() == 60
    assert sample.regions[0][:, -1].all()


def test_files_that_are_not_of_coco(tmp_path):
    annotations = tmp_path / "instances.json"
    for content, message in (("[1", "not COCO's"), ('{"categories": []}', "no category called 'cat'")):
        annotations.write_text(content)
        with pytest.raises(InputError, match=message):
            open_dataset("coco", classes={"cat": 1}, images=tmp_path, annotations=annotations)
