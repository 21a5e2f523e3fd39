"""ONNX files as classifiers: the same outputs, maps and scores as the network they were written from."""

import pickle
import warnings

import pytest
import torch

import seewhy
from conftest import TINY, make_tiny_cnn
from seewhy.errors import InputError, OptionError, UnsupportedModel

pytest.importorskip("onnxruntime", reason="ONNX files need the extra [onnx]")
BLACK_BOX = {"occlusion": {"window": 8, "stride": 8}, "rise": {"samples": 32}, "shap": {"samples": 8}}


def write_onnx(module, path, *, batch=None, outputs=("logits",)):
    """A file that takes any number of images, or exactly `batch`."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        torch.onnx.export(
            module.eval(),
            torch.rand(batch or 2, 3, 32, 32),
            str(path),
            input_names=["pixels"],
            output_names=list(outputs),
            dynamic_axes=None if batch else {"pixels": {0: "n"}} | {name: {0: "n"} for name in outputs},
            dynamo=False,
        )
    return path


@pytest.fixture
def network():
    return make_tiny_cnn()


@pytest.fixture
def path(network, tmp_path):
    return write_onnx(network.module, tmp_path / "net.onnx")


def load(path, **options):
    return seewhy.load_model(f"onnx/{path}", mean=TINY.mean, std=TINY.std, **options)


@pytest.mark.parametrize("batch", [None, 1, 4])
def test_logits_are_those_of_the_network(network, tmp_path, batch):
    model = load(write_onnx(network.module, tmp_path / "net.onnx", batch=batch))
    images = torch.rand(5, 3, 32, 32)
    torch.testing.assert_close(model.logits(images), network.logits(images), rtol=1e-5, atol=1e-5)
    assert model.image_size == (32, 32)


@pytest.mark.parametrize("method", BLACK_BOX)
def test_maps_and_scores_are_those_of_the_network(network, path, images, targets, method):
    found, expected = (
        seewhy.explain(model, images, method, targets, **BLACK_BOX[method]) for model in (load(path), network)
    )
    torch.testing.assert_close(found.maps, expected.maps, rtol=1e-3, atol=1e-5)
    own = seewhy.evaluate(load(path), found, ["deletion", "insertion"])
    with pytest.warns(UserWarning, match="these maps are of another model"):
        of_torch = seewhy.evaluate(network, found, ["deletion", "insertion"])
    assert [row["score"] for row in own] == pytest.approx([row["score"] for row in of_torch], abs=1e-4)


def test_default_method_needs_outputs_only(path, images):
    assert seewhy.explain(load(path), images).method == "occlusion"


@pytest.mark.parametrize("method", ["gradient", "grad_cam", "smooth_grad", "refine:occlusion", "rollout"])
def test_methods_that_need_more_refuse_with_advice(path, images, method):
    with pytest.raises(UnsupportedModel, match=r"ONNX file (has no|provides outputs only).*occlusion"):
        seewhy.explain(load(path), images, method)


def test_probabilities_and_named_outputs_are_understood(network, images, tmp_path):
    class Two(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.network = network.module

        def forward(self, pixels):
            logits = self.network(pixels)
            return logits.mean(dim=1), logits.softmax(dim=1)

    file = write_onnx(Two(), tmp_path / "two.onnx", outputs=("mean", "shares"))
    model = load(file, output_key="shares")
    assert model.outputs.kind == "probabilities"
    torch.testing.assert_close(model.probabilities(images), network.probabilities(images))


def test_other_files_have_other_fingerprints(path, tmp_path):
    other = write_onnx(make_tiny_cnn(seed=1).module, tmp_path / "other.onnx")
    assert load(path).fingerprint == load(path).fingerprint != load(other).fingerprint


def test_other_processes_open_the_file_again(path, images):
    model = load(path)
    torch.testing.assert_close(pickle.loads(pickle.dumps(model)).logits(images), model.logits(images))


def test_wrong_use_is_refused(path, tmp_path):
    with pytest.raises(InputError, match="no such file"):
        seewhy.load_model(f"onnx/{tmp_path / 'none.onnx'}")
    with pytest.raises(InputError, match="includes its weights"):
        load(path, weights="random")
    with pytest.raises(OptionError, match="Did you mean 'image_size'"):
        load(path, image_sise=3)
    with pytest.raises(InputError, match="class_names has 2"):
        load(path, class_names=["a", "b"])
