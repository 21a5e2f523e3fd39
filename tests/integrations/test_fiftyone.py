"""Maps in FiftyOne: with the real library if it is installed and its database starts, else with its interface."""

import sys
from types import SimpleNamespace

import numpy as np
import pytest
import torch
from PIL import Image

import seewhy
from conftest import make_tiny_cnn
from seewhy.errors import InputError
from seewhy.integrations import to_fiftyone


class Dataset:
    """The part of FiftyOne's interface that is used: `values`, access by id, fields of samples, `save`."""

    def __init__(self, paths):
        self.samples = {f"id{number}": Sample(path) for number, path in enumerate(paths)}

    def values(self, name):
        return list(self.samples) if name == "id" else [sample.path for sample in self.samples.values()]

    def __getitem__(self, id):
        return self.samples[id]


class Sample(dict):
    def __init__(self, path):
        super().__init__()
        self.path, self.saved = str(path), False

    def save(self):
        self.saved = True


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
    monkeypatch.setitem(sys.modules, "fiftyone", SimpleNamespace(Heatmap=SimpleNamespace))
    dataset = Dataset(paths)
    check(dataset, paths)
    assert [sample.saved for sample in dataset.samples.values()] == [True, True, False]
    several = seewhy.explain(make_tiny_cnn(), paths[:1], "gradient", [1, 2])
    to_fiftyone(several, dataset, "why")
    assert {"why_bee", "why_cat"} <= dataset["id0"].keys()


def test_other_files_are_refused(paths, monkeypatch):
    monkeypatch.setitem(sys.modules, "fiftyone", SimpleNamespace(Heatmap=SimpleNamespace))
    with pytest.raises(InputError, match="no image of the explanation is a file of the dataset"):
        to_fiftyone(seewhy.explain(make_tiny_cnn(), paths[0], "gradient"), Dataset(paths[1:]))


@pytest.mark.filterwarnings("ignore")
def test_the_library(paths):
    fiftyone = pytest.importorskip("fiftyone", reason="needs fiftyone", exc_type=ImportError)
    try:
        dataset = fiftyone.Dataset()
    except Exception as error:  # its database may not start
        pytest.skip(f"the database of fiftyone does not start: {error}")
    try:
        dataset.add_samples([fiftyone.Sample(str(path)) for path in paths])
        check(dataset, paths)
    finally:
        dataset.delete()
