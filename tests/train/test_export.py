"""ONNX: the same map as torch, for any number of images, and a script that makes it without seewhy.

The exporter traces with sizes that are tensors, which the type checks of the tests refuse: it runs in a process of its
own, as it does for people.
"""

import runpy
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
import torch
from PIL import Image
from torch.testing import assert_close
from typer.testing import CliRunner

from conftest import TINY, make_tiny_cnn, make_tiny_vit
from seewhy import load_model
from seewhy.cli import app
from seewhy.data.read import read_images
from seewhy.errors import InputError, ModelError, SeewhyError
from seewhy.explainers.config import DecoderShape, ExplainerConfig
from seewhy.explainers.network import AHAExplainer
from seewhy.models.preprocess import Preprocess
from seewhy.train.export import check_replaceable, example_text, export_explainer

DRIVER = """
import sys
sys.path.insert(0, {tests!r})
import torch
from conftest import make_tiny_cnn, make_tiny_vit
from seewhy import load_model
from seewhy.explainers.network import AHAExplainer
from seewhy.train import export
plain = AHAExplainer.forward
{change}
export.export_explainer(AHAExplainer({model}), "exp.onnx", joint={joint})
"""
BLOCKS = "load_model('timm/test_resnet', weights='random', device='cpu')"


def export_in(folder, model, change="", *, joint=False):
    pytest.importorskip("onnx")
    pytest.importorskip("onnxruntime")
    code = DRIVER.format(tests=str(Path(__file__).parents[1]), model=model, change=change, joint=joint)
    return subprocess.run([sys.executable, "-c", code], cwd=folder, capture_output=True, text=True, check=False)


def run_onnx(path, images, targets):
    import onnxruntime

    session = onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"])
    outputs = session.run(None, {"images": images.numpy(), "targets": targets.numpy()})
    return tuple(map(torch.from_numpy, outputs)) if len(outputs) > 1 else torch.from_numpy(outputs[0])


def passes_through(path, weight):
    """How often the graph applies a weight of the network."""
    import onnx

    return sum(f"target.{weight}" in node.input for node in onnx.load(path).graph.node)


def run_script(script, photo, target, monkeypatch):
    """The variables of the example after it ran."""
    monkeypatch.setattr(sys, "argv", [script.name, str(photo), str(target)])
    monkeypatch.chdir(script.parent)
    return runpy.run_path(str(script))


def save_photo(path, width=90, height=61):
    pixels = np.random.default_rng(0).integers(0, 255, (height, width, 3), dtype=np.uint8)
    Image.fromarray(pixels).save(path)
    return path


@pytest.mark.parametrize("make", [make_tiny_vit, make_tiny_cnn])
def test_export_equals_torch_and_the_example_equals_seewhy(make, tmp_path, monkeypatch):
    done = export_in(tmp_path, f"{make.__name__}()")
    assert done.returncode == 0, done.stderr
    explainer, photo = AHAExplainer(make()).eval(), save_photo(tmp_path / "photo.png")
    images = torch.rand(3, 3, 32, 32, generator=torch.Generator().manual_seed(7))
    targets = torch.tensor([[4], [0], [2]])
    example = run_script(tmp_path / "exp_example.py", photo, 3, monkeypatch)
    seen = read_images(photo, explainer.model.preprocess).images
    with torch.no_grad():
        assert_close(run_onnx(tmp_path / "exp.onnx", images, targets), explainer(images, targets), rtol=1e-3, atol=1e-5)
        expected = explainer(seen, torch.tensor([[3]]))
    assert_close(torch.from_numpy(example["images"]), seen)
    assert_close(torch.from_numpy(example["maps"]), expected, rtol=1e-3, atol=1e-5)
    with Image.open(tmp_path / "map.png") as picture:
        assert picture.size == (32, 32)
    assert {path.name for path in tmp_path.iterdir()} == {"exp.onnx", "exp_example.py", "map.png", "photo.png"}


@pytest.mark.parametrize("make", [make_tiny_vit, make_tiny_cnn])
def test_the_joint_file_gives_logits_and_map_of_one_pass(make, tmp_path, monkeypatch):
    done = export_in(tmp_path, f"{make.__name__}()", joint=True)
    assert done.returncode == 0, done.stderr
    explainer = AHAExplainer(make()).eval()
    images = torch.rand(4, 3, 32, 32, generator=torch.Generator().manual_seed(7))
    targets = torch.tensor([[4], [-1], [2], [-1]])
    logits, maps = run_onnx(tmp_path / "exp.onnx", images, targets)
    with torch.no_grad():
        expected = explainer.model.logits(images)
        chosen = torch.where(targets < 0, expected.argmax(dim=1, keepdim=True), targets)
        assert_close(logits, expected, rtol=1e-4, atol=1e-4)
        assert_close(maps, explainer(images, chosen), rtol=1e-4, atol=1e-4)
    example = run_script(tmp_path / "exp_example.py", save_photo(tmp_path / "photo.png"), -1, monkeypatch)
    assert example["logits"].shape == (1, 5)
    first = "patch_embed.proj.weight" if make is make_tiny_vit else "body.0.weight"
    assert passes_through(tmp_path / "exp.onnx", first) == 1


def test_networks_with_many_blocks(tmp_path):
    """Their maps are told apart by resolution, which the exporter traces."""
    done = export_in(tmp_path, BLOCKS)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    "preprocess",
    [
        TINY,
        Preprocess((32, 48), crop=0.9, interpolation="bilinear"),
        Preprocess((32, 48), crop=0.8, squash=True),
        Preprocess((24, 24), crop=1.0),
    ],
)
@pytest.mark.parametrize("size", [(90, 61), (33, 70)])
def test_the_example_sees_what_seewhy_shows_the_model(preprocess, size, tmp_path, monkeypatch):
    height, width = preprocess.size
    session = SimpleNamespace(run=lambda *_: (np.zeros((1, 1, height, width), dtype=np.float32),))
    monkeypatch.setitem(sys.modules, "onnxruntime", SimpleNamespace(InferenceSession=lambda _path: session))
    photo, script = save_photo(tmp_path / "photo.png", *size), tmp_path / "exp_example.py"
    text = example_text(tmp_path / "exp.onnx", preprocess)
    script.write_text(text)
    example = run_script(script, photo, 3, monkeypatch)
    assert_close(torch.from_numpy(example["images"]), read_images(photo, preprocess).images)
    assert len(text.splitlines()) <= 15
    assert "seewhy" not in text.replace("without seewhy", "")


def test_a_transparent_photo_lies_on_white_and_upright(tmp_path, monkeypatch):
    session = SimpleNamespace(run=lambda *_: (np.zeros((1, 1, 32, 32), dtype=np.float32),))
    monkeypatch.setitem(sys.modules, "onnxruntime", SimpleNamespace(InferenceSession=lambda _path: session))
    picture = Image.open(save_photo(tmp_path / "photo.png")).convert("RGBA")
    picture.putalpha(100)
    exif = Image.Exif()
    exif[0x0112] = 6  # turned by 90 degrees
    picture.save(tmp_path / "photo.png", exif=exif)
    (tmp_path / "exp_example.py").write_text(example_text(tmp_path / "exp.onnx", TINY))
    example = run_script(tmp_path / "exp_example.py", tmp_path / "photo.png", 3, monkeypatch)
    assert_close(torch.from_numpy(example["images"]), read_images(tmp_path / "photo.png", TINY).images)


def test_places_that_cannot_be_written(tiny_cnn, tmp_path):
    pytest.importorskip("onnx")
    pytest.importorskip("onnxruntime")
    (tmp_path / "file").touch()
    (tmp_path / "folder.onnx").mkdir()
    for place, says in (
        ("file/exp.onnx", "cannot be the folder"),
        ("folder.onnx", "is a folder"),
        (".", "is a folder"),
    ):
        with pytest.raises(InputError, match=says):
            export_explainer(AHAExplainer(tiny_cnn), tmp_path / place)


def test_a_name_may_have_points(tiny_cnn, tmp_path, monkeypatch):
    pytest.importorskip("onnx")
    pytest.importorskip("onnxruntime")
    monkeypatch.setattr("seewhy.train.export._write_any_or_one", lambda _, path: path.touch())
    for name, written in (("net.v1", "net.v1.onnx"), ("net.v2.onnx", "net.v2.onnx"), ("net", "net.onnx")):
        assert export_explainer(AHAExplainer(tiny_cnn), tmp_path / name) == tmp_path / written


def test_a_full_disk_at_the_export(tiny_cnn, tmp_path, monkeypatch):
    pytest.importorskip("onnx")
    pytest.importorskip("onnxruntime")

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("seewhy.train.export._write_any_or_one", full)
    with pytest.raises(SeewhyError, match=r"cannot write .*Free disk space"):
        export_explainer(AHAExplainer(tiny_cnn), tmp_path / "exp.onnx")


def test_a_file_of_someone_else_is_not_overwritten(tiny_cnn, tmp_path):
    pytest.importorskip("onnx")
    pytest.importorskip("onnxruntime")
    script, text = tmp_path / "exp_example.py", example_text(tmp_path / "exp.onnx", TINY)
    script.write_text("print('mine')\n")
    with pytest.raises(InputError, match=r"exp_example\.py would be overwritten.*another name"):
        export_explainer(AHAExplainer(tiny_cnn), tmp_path / "exp.onnx")
    assert [path.name for path in tmp_path.iterdir()] == ["exp_example.py"]
    script.write_text(text + "# changed by hand\n")
    check_replaceable(script, text)


BROKEN = """
def baked_class(self, images, targets):
    return plain(self, images, torch.tensor(targets.tolist()) + 0 * targets)

def baked_image(self, images, targets):
    return plain(self, torch.tensor(images.tolist()) + 0 * images, targets)

def unknown(self, images, targets):
    return plain(self, images, targets) + torch.linalg.eigvals(images).real.sum()

def raises(self, images, targets):
    return 1 / 0

def one_only(self, images, targets):
    maps = plain(self, images, targets)
    return torch.cat([maps, maps.new_zeros(len(images), *maps.shape[1:])], dim=1)[:, :1]

for forward in (baked_class, baked_image, unknown, raises, one_only):
    AHAExplainer.forward = forward
    try:
        export.export_explainer(AHAExplainer(make_tiny_cnn()), forward.__name__ + "/exp.onnx")
    except Exception as error:
        print(f"{forward.__name__}: {type(error).__name__}: {error}", file=sys.stderr)
sys.exit()
"""


def test_what_goes_wrong_leaves_no_file(tmp_path):
    said = export_in(tmp_path, "", BROKEN).stderr
    assert "baked_class: ModelError: the exported explainer differs from torch" in said
    assert "baked_image: ModelError: the exported explainer differs from torch" in said
    assert "unknown: ModelError: torch cannot write an explainer of tiny-cnn as ONNX" in said
    assert "raises: ZeroDivisionError" in said
    assert "the file takes one image at a time" in said
    assert {path.name for path in tmp_path.rglob("*.*")} == {"exp.onnx", "exp_example.py"}
    one_only = tmp_path / "one_only" / "exp.onnx"  # a network that fixes the number of images
    assert run_onnx(one_only, torch.rand(1, 3, 32, 32), torch.tensor([[2]])).shape == (1, 1, 32, 32)


def test_export_takes_the_explainer_of_another_model_if_asked(tmp_path, monkeypatch):
    written = []

    def record(explainer, out, *, joint):
        assert not joint
        written.append(explainer)
        return out

    monkeypatch.setattr("seewhy.train.export.export_explainer", record)
    AHAExplainer(load_model("timm/test_vit", weights="random", device="cpu")).save(tmp_path / "vit")
    words = ["export", str(tmp_path / "vit"), "--out", str(tmp_path / "x.onnx"), "--model", "timm/test_vit",
             "--weights", "random", "--device", "cpu"]  # fmt: skip
    refused = CliRunner().invoke(app, words)
    assert refused.exit_code == 1
    assert not written
    accepted = CliRunner().invoke(app, [*words, "--allow-mismatch"], env={"COLUMNS": "300"})
    assert accepted.exit_code == 0, accepted.output
    assert "x_example.py" in accepted.output
    assert len(written) == 1


def test_an_explainer_that_starts_from_a_method_is_not_exported(tiny_vit, tmp_path):
    config = ExplainerConfig(shape=DecoderShape(prior="libra_ixg_plus"))
    with pytest.raises(ModelError, match=r"'libra_ixg_plus'.*prior='head'"):
        export_explainer(AHAExplainer(tiny_vit, config), tmp_path / "map.onnx")
    assert not list(tmp_path.iterdir())
