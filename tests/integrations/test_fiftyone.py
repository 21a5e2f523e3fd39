"""Maps in FiftyOne: with its interface, and with the library if it is installed, and its database if that starts."""

import sys

import numpy as np
import pytest
import torch
from PIL import Image

import seewhy
from conftest import make_tiny_cnn
from fiftyone_interface import LIBRARY, Dataset
from seewhy.errors import InputError
from seewhy.integrations import to_fiftyone


@pytest.fixture
def paths(tmp_path):
    random = np.random.default_rng(0)
    files = [tmp_path / f"{number}.png" for number in range(3)]
    for file in files:
        Image.fromarray(random.integers(0, 256, (64, 96, 3), dtype=np.uint8)).save(file)
    return files


def check(dataset, paths):
    explanation = seewhy.explain(make_tiny_cnn(), paths[:2], "gradient", [1])
    assert to_fiftyone(explanation, dataset, "why") == 2
    ids = dict(zip(dataset.values("filepath"), dataset.values("id"), strict=True))
    heat = dataset[ids[str(paths[1])]]["why"]
    left = (heat.map.shape[1] - 32) // 2
    inside = torch.as_tensor(heat.map[(heat.map.shape[0] - 32) // 2 :][:32, left : left + 32])
    torch.testing.assert_close(inside.float(), explanation.maps[1, 0])
    assert heat.map.shape[1] > heat.map.shape[0]  # the image is wide, the model saw its center
    assert tuple(heat.range) == pytest.approx((heat.map.min(), heat.map.max()))
    return ids


def test_the_interface(paths, monkeypatch):
    monkeypatch.setitem(sys.modules, "fiftyone", LIBRARY)
    dataset = Dataset(paths)
    check(dataset, paths)
    assert [sample.saved for sample in dataset.samples.values()] == [True, True, False]
    several = seewhy.explain(make_tiny_cnn(), paths[:1], "gradient", [1, 2])
    to_fiftyone(several, dataset, "why")
    assert {"why_bee", "why_cat"} <= dataset["id0"].keys()


def test_other_files_are_refused(paths, monkeypatch):
    monkeypatch.setitem(sys.modules, "fiftyone", LIBRARY)
    with pytest.raises(InputError, match="no image of the explanation is a file of the dataset"):
        to_fiftyone(seewhy.explain(make_tiny_cnn(), paths[0], "gradient"), Dataset(paths[1:]))


@pytest.mark.filterwarnings("ignore")
def test_heatmaps_of_the_library(paths, monkeypatch):
    """Without its database: samples that belong to no dataset."""
    fiftyone = pytest.importorskip("fiftyone", reason="needs fiftyone", exc_type=ImportError)
    monkeypatch.setattr(fiftyone.Sample, "save", lambda _sample: None)
    dataset = Dataset(paths)
    dataset.samples = {id: fiftyone.Sample(sample.path) for id, sample in dataset.samples.items()}
    monkeypatch.setattr(dataset, "values", Dataset(paths).values)
    ids = check(dataset, paths)
    assert isinstance(dataset[ids[str(paths[1])]]["why"], fiftyone.Heatmap)


@pytest.mark.filterwarnings("ignore")
def test_the_library(paths):
    fiftyone = pytest.importorskip("fiftyone", reason="needs fiftyone", exc_type=ImportError)
    try:
        dataset = fiftyone.Dataset()
    except Exception as error:  # its database may not start
        pytest.skip(f"the database of fiftyone does not start: {error}")
    try:
        dataset.add_images_dir(str(paths[0].parent))
        check(dataset, paths)
    finally:
        dataset.delete()
