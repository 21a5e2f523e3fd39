"""The same maps whatever the batch, the number of processes, the order of the images, and after a restart."""

import pytest
import torch

import seewhy
from tiny_bench import VIT, write_images

pytestmark = pytest.mark.filterwarnings("ignore:mda. no blur")  # of random networks
N = 7
METHODS = {
    "gradient": {},
    "grad_cam": {},
    "rollout": {},
    "smooth_grad": {"samples": 3},
    "gradient_shap": {"samples": 3},
    "integrated_gradients": {"steps": 3},
    "occlusion": {},
    "score_cam": {},
    "rise": {"samples": 8},
    "refine:rollout": {"refine.steps": 2},
    "mda": {},
    "random": {},
}


@pytest.fixture(scope="module")
def model():
    torch.manual_seed(0)
    return seewhy.load_model("timm/test_vit", weights="random", **VIT)


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    return [str(file) for file in sorted(write_images(tmp_path_factory.mktemp("photos"), N).rglob("*.png"))]


@pytest.fixture(scope="module")
def fill(model, tmp_path_factory):
    def run(files, store=None, **options):
        folder = store or tmp_path_factory.mktemp("maps")
        return seewhy.explain_dataset(model, files, METHODS, store=folder, **options)

    return run


@pytest.fixture(scope="module")
def expected(fill, files):
    return fill(files, batch_size=4)


def assert_same(first, second, **tolerance):
    assert first.images == second.images
    assert first.failures == second.failures == []
    for method in METHODS:
        maps = [store.explanation(first.images, method=method).maps for store in (first, second)]
        torch.testing.assert_close(*maps, **tolerance)


@pytest.mark.parametrize("batch_size", [1, 3, 64])
def test_whatever_the_batch(fill, files, expected, batch_size):
    assert_same(expected, fill(files, batch_size=batch_size), rtol=1e-5, atol=1e-5)


def test_bit_for_bit_with_the_same_batches(fill, files, expected):
    assert_same(expected, fill(files, batch_size=4), rtol=0, atol=0)


def test_whatever_the_number_of_processes(fill, files, expected):
    assert_same(expected, fill(files, batch_size=4, workers=2, readers=1), rtol=1e-5, atol=1e-5)


def test_whatever_the_order(fill, files, expected):
    assert_same(expected, fill(files[::-1], batch_size=3), rtol=1e-5, atol=1e-5)


def test_after_a_restart(fill, files, expected, tmp_path):
    fill(files[2:5], store=tmp_path / "maps", batch_size=2)
    assert_same(expected, fill(files, store=tmp_path / "maps", batch_size=3), rtol=1e-5, atol=1e-5)
