"""ONNX: the same map as torch, and a script that makes it without seewhy.

The exporter traces with sizes that are tensors, which the type checks of the tests refuse: it runs in a process of its
own, as it does for people.
"""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

DRIVER = """
import sys
sys.path.insert(0, {tests!r})
import conftest
from seewhy.models.explainer import AHAExplainer
from seewhy.train import export
export.TOLERANCE = {tolerance}
export.export_explainer(AHAExplainer(conftest.{make}()), "explainer.onnx")
"""


def export_in(folder, make, *, tolerance=1e-3):
    pytest.importorskip("onnx")
    pytest.importorskip("onnxruntime")
    code = DRIVER.format(tests=str(Path(__file__).parents[1]), make=make, tolerance=tolerance)
    return subprocess.run([sys.executable, "-c", code], cwd=folder, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("make", ["make_tiny_vit", "make_tiny_cnn"])
def test_export_equals_torch_and_runs_alone(make, tmp_path):
    done = export_in(tmp_path, make)
    assert done.returncode == 0, done.stderr
    pixels = np.random.default_rng(0).integers(0, 255, (40, 50, 3), dtype=np.uint8)
    Image.fromarray(pixels).save(tmp_path / "photo.png")
    script = tmp_path / "explainer.py"
    assert "seewhy" not in script.read_text().replace("without seewhy", "")
    assert len(script.read_text().splitlines()) <= 16
    subprocess.run([sys.executable, script.name, "photo.png", "3"], cwd=tmp_path, check=True)
    with Image.open(tmp_path / "map.png") as picture:
        assert picture.size == (32, 32)


def test_a_file_that_differs_is_not_handed_over(tmp_path):
    done = export_in(tmp_path, "make_tiny_cnn", tolerance=-1)
    assert "differs from torch" in done.stderr
    assert not list(tmp_path.iterdir())
