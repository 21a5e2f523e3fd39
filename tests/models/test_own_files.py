"""A network that a Python file of one's own builds: other processes find its classes."""

import subprocess
import sys

import pytest
import torch

import seewhy

NET = """
from torch import nn
from beside import WIDTH

class Net(nn.Sequential):
    def __init__(self):
        pooled = [nn.AdaptiveAvgPool2d(1), nn.Flatten()]
        super().__init__(nn.Conv2d(3, WIDTH, 3, stride=4), nn.ReLU(), *pooled, nn.Linear(WIDTH, 3))

def build():
    return Net()
"""


@pytest.fixture
def file(tmp_path):
    (tmp_path / "beside.py").write_text("WIDTH = 5\n")
    (tmp_path / "net.py").write_text(NET)
    return tmp_path / "net.py"


@pytest.fixture
def model(file):
    torch.manual_seed(0)
    return seewhy.load_model(f"{file}:build", weights="random")


def test_workers_explain_with_it(model, tmp_path):
    images = torch.rand(6, 3, 224, 224)
    here = seewhy.explain_dataset(model, images, "gradient", store=tmp_path / "here")
    there = seewhy.explain_dataset(model, images, "gradient", store=tmp_path / "there", workers=2, batch_size=2)
    assert there.failures == []
    torch.testing.assert_close(there.explanation().maps, here.explanation().maps)


def test_it_is_unpickled_where_the_file_was_never_loaded(model, tmp_path):
    import pickle

    (tmp_path / "model.pickle").write_bytes(pickle.dumps(model))
    code = "import pickle, sys; print(pickle.load(open(sys.argv[1], 'rb')).fingerprint)"
    found = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path / "model.pickle")], capture_output=True, text=True, check=True
    )
    assert found.stdout.strip() == model.fingerprint


def test_a_changed_file_is_executed_again(file):
    before = seewhy.load_model(f"{file}:build", weights="random")
    file.write_text(NET.replace("WIDTH, 3))", "WIDTH, 4))"))
    after = seewhy.load_model(f"{file}:build", weights="random")
    assert [m.probabilities(torch.rand(1, 3, 224, 224)).shape[1] for m in (before, after)] == [3, 4]
