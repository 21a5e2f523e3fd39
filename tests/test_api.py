import inspect
import re

import pytest
import torch
from PIL import Image

import seewhy
from conftest import make_tiny_cnn, make_tiny_vit
from seewhy.errors import (
    ImageError,
    InputError,
    MethodError,
    OptionError,
    ShapeError,
    TargetError,
    UnknownName,
    UnsupportedModel,
)
from seewhy.models.classifier import Classifier
from seewhy.registry import METHODS, register_method, resolve_method
from seewhy.types import Attribution


def test_predicted_class_by_default(tiny_vit, images):
    explanation = seewhy.explain(tiny_vit, images, "grad_cam")
    assert explanation.targets.tolist() == tiny_vit.logits(images).argmax(1, keepdim=True).tolist()
    assert explanation.cost.forwards == pytest.approx(2)
    assert explanation.fingerprint == tiny_vit.fingerprint


FORWARD_FIRST = [method.name for method in METHODS.all() if method.forward_first]


@pytest.mark.parametrize("make", [make_tiny_vit, make_tiny_cnn])
@pytest.mark.parametrize("method", FORWARD_FIRST)
def test_the_prediction_comes_from_the_methods_own_forward_pass(make, method, images):
    model = make()
    if not resolve_method(method).supports(model):
        pytest.skip("for ViTs only")
    predicted = model.probabilities(images)
    try:
        with model.meter() as alone:
            maps, _ = resolve_method(method)(model, images, predicted.argmax(1, keepdim=True))
    except UnsupportedModel:
        pytest.skip("not for this network")
    with model.meter() as total:
        explanation = seewhy.explain(model, images, method)
    torch.testing.assert_close(explanation.probabilities, predicted)
    torch.testing.assert_close(explanation.maps, maps)
    assert total.forwards == explanation.cost.forwards < alone.forwards + len(images) or method == "caap"
    with pytest.raises(TargetError, match="targets must be between 0 and"):
        seewhy.explain(model, images, method, targets=10_000)


def test_a_batch_larger_than_one_chunk(tiny_cnn):
    images = torch.rand(20, 3, 32, 32)
    explanation = seewhy.explain(tiny_cnn, images, "gradient")
    assert len(explanation) == 20
    torch.testing.assert_close(explanation.maps[17:18], seewhy.explain(tiny_cnn, images[17:18], "gradient").maps)


def test_methods_that_run_out_of_memory_get_fewer_images(tiny_cnn):
    seen = []

    def hungry(model: Classifier, images, targets):  # noqa: ARG001
        seen.append(len(images))
        if len(images) > 2:
            raise torch.OutOfMemoryError("full")
        return Attribution(images[:, :1], {"size": torch.full((len(images),), 1.0)})

    method = seewhy.registry.Method("hungry", hungry)
    pipeline = seewhy.registry.Pipeline("hungry", (method,), ({},))
    (maps, extras), _, _ = seewhy.api.run_pipeline(
        pipeline, tiny_cnn, torch.rand(5, 3, 32, 32), torch.zeros(5, 1).long()
    )
    assert (len(maps), len(extras["size"])) == (5, 5)
    assert seen == [5, 2, 2, 1]


def test_files_and_skipping(tiny_cnn, tmp_path):
    Image.new("RGB", (40, 50), "red").save(tmp_path / "good.png")
    (tmp_path / "bad.png").write_text("not an image")
    with pytest.raises(ImageError, match=r"bad\.png"):
        seewhy.explain(tiny_cnn, [tmp_path / "bad.png", tmp_path / "good.png"], "gradient")
    explanation = seewhy.explain(tiny_cnn, [tmp_path / "bad.png", tmp_path / "good.png"], "gradient", on_error="skip")
    assert len(explanation) == 1
    assert explanation.overlay().size == (40, 50)
    assert len(explanation.skipped) == 1
    assert "bad.png" in explanation.skipped[0]


def test_wrong_names_and_options(tiny_vit, images):
    with pytest.raises(UnknownName, match="Did you mean 'grad_cam'"):
        seewhy.explain(tiny_vit, images, "gradcam")
    with pytest.raises(OptionError, match="Did you mean 'relu'"):
        seewhy.explain(tiny_vit, images, "grad_cam", rellu=True)
    with pytest.raises(InputError, match="LIBRARY/NAME"):
        seewhy.load_model("resnet50")
    with pytest.raises(InputError, match="Did you mean 'seewhy/scenes-vit'"):
        seewhy.load_model("scenes-vit")
    with pytest.raises(UnknownName, match="no bundled model"):
        seewhy.load_model("seewhy/nothing-like-it")
    with pytest.raises(OptionError, match="wraps no other method"):
        seewhy.explain(tiny_vit, images, "grad_cam:gradient")


def test_words_that_an_option_does_not_know_are_refused(tiny_cnn, images):
    with pytest.raises(OptionError, match="channels must be 'sum' or 'max', got 'mean'"):
        seewhy.explain(tiny_cnn, images, method="gradient", channels="mean")


def test_a_cnn_is_told_what_fits(tiny_cnn, images):
    from seewhy.models.vit import ViT

    name = next(m.name for m in seewhy.registry.METHODS.all() if m.needs is ViT and not m.wraps)
    with pytest.raises(UnsupportedModel, match=r"needs a ViT, but tiny-cnn is not one.*grad_cam"):
        seewhy.explain(tiny_cnn, images, name)


def test_two_methods_of_one_name_are_refused():
    with pytest.raises(ValueError, match="two methods are called 'gradient'"):

        @register_method("gradient")
        def another(model: Classifier, images, targets):  # noqa: ARG001
            return images

    assert "gradient" in seewhy.list_methods()


def test_methods_and_metrics_need_annotations():
    with pytest.raises(TypeError, match="annotated parameter 'model'"):
        register_method("plain")(lambda model, images, targets: images)  # noqa: ARG005
    with pytest.raises(TypeError, match="annotated parameter 'k'"):
        seewhy.register_metric("plain", higher_is_better=True)(lambda maps, *, k=3: maps * k)
    assert "plain" not in seewhy.list_methods() + seewhy.list_metrics()


def test_cite():
    assert "selvaraju2017" in seewhy.cite("grad_cam")
    assert seewhy.cite("var").count("@") == seewhy.cite("var:").count("@") == 1
    assert seewhy.cite("var:grad_cam").count("@") == 2
    assert seewhy.cite("var").startswith("@misc{")
    assert "journal = {PLOS ONE}" in seewhy.cite("lrp")
    with pytest.raises(InputError, match="no paper to cite"):
        seewhy.cite("center")


@pytest.mark.parametrize("method", [name for name in seewhy.list_methods() if name not in ("center", "random")])
def test_every_method_but_the_controls_can_be_cited(method):
    entry = seewhy.cite(method)
    assert entry.startswith("@")
    assert re.search(r"author = \{\w", entry)
    assert re.search(r"year = \{\d{4}\}", entry)


def test_wrappers_get_their_base_and_their_options(tiny_cnn, images, targets, monkeypatch):
    registry = seewhy.registry
    monkeypatch.setattr(registry.METHODS, "_entries", dict(registry.METHODS._entries))

    @register_method("times")
    def times(model: Classifier, images, targets, base, *, factor: float = 2.0):
        """Factor times the base."""
        return factor * base(model, images, targets).maps

    plain = registry.resolve_method("grad_cam")(tiny_cnn, images, targets, relu=False).maps
    doubled = registry.resolve_method("times:times:grad_cam")(tiny_cnn, images, targets, relu=False).maps
    torch.testing.assert_close(doubled, 4 * plain)
    tripled = registry.resolve_method("times:grad_cam")(tiny_cnn, images, targets, factor=3.0, relu=False).maps
    torch.testing.assert_close(tripled, 3 * plain)
    with pytest.raises(OptionError, match="write times:METHOD"):
        registry.resolve_method("times")


def test_options_of_composed_methods_are_qualified_where_they_must_be(tiny_cnn, images, targets, monkeypatch):
    registry = seewhy.registry
    monkeypatch.setattr(registry.METHODS, "_entries", dict(registry.METHODS._entries))

    @register_method("constant")
    def constant(model: Classifier, images, targets, *, factor: float = 2.0, shift: float = 0.0):  # noqa: ARG001
        """A map of one value."""
        return torch.full((*targets.shape, 2, 2), factor + shift)

    @register_method("times")
    def times(model: Classifier, images, targets, base, *, factor: float = 3.0):
        """Factor times the base."""
        return factor * base(model, images, targets).maps

    def value(**options):
        return float(registry.resolve_method("times:constant", **options)(tiny_cnn, images, targets).maps.mean())

    assert value() == 6
    assert value(**{"times.factor": 5.0}) == 10
    assert value(**{"base.factor": 5.0}) == 15
    assert value(**{"constant.factor": 5.0}) == 15
    assert value(**{"times.factor": 5.0, "base.factor": 7.0, "shift": 1.0}) == 40
    assert set(registry.resolve_method("times:constant").options) == {"times.factor", "base.factor", "shift"}
    with pytest.raises(OptionError, match=r"use 'times.factor' or 'base.factor'"):
        value(factor=1.0)
    with pytest.raises(OptionError, match=r"no option 'times.shift'"):
        value(**{"times.shift": 1.0})
    with pytest.raises(OptionError, match=r"base.factor must be a number, got 'x'"):
        value(**{"base.factor": "x"})


def test_errors_inside_a_method_name_method_model_and_image(tiny_cnn, tmp_path, monkeypatch):
    monkeypatch.setattr(seewhy.registry.METHODS, "_entries", dict(seewhy.registry.METHODS._entries))
    Image.new("RGB", (32, 32), "red").save(tmp_path / "red.png")

    @register_method("broken")
    def broken(model: Classifier, images, targets, *, kind: str = "mine"):  # noqa: ARG001
        """Raises."""
        raise UnsupportedModel("no attention") if kind == "mine" else IndexError("out of range")

    with pytest.raises(UnsupportedModel, match=r"^broken on tiny-cnn, image .*red.png: no attention$"):
        seewhy.explain(tiny_cnn, tmp_path / "red.png", "broken")
    with pytest.raises(MethodError, match=r"^broken on tiny-cnn, image .*red.png: IndexError: out of range$") as raised:
        seewhy.explain(tiny_cnn, tmp_path / "red.png", "broken", kind="other")
    assert isinstance(raised.value.__cause__, IndexError)


def test_evaluate_compares_methods_on_the_same_images(tiny_cnn, images):
    explanations = [seewhy.explain(tiny_cnn, images, name) for name in ("gradient", "center")]
    with tiny_cnn.meter() as cost:
        rows = seewhy.evaluate(tiny_cnn, explanations, ["deletion", "insertion"], protocol="aha")
    assert {row["method"] for row in rows} == {"gradient", "center"}
    assert {row["reference"] for row in rows} == {"all", "black", "imagenet_mean", "blur"}
    assert all(row["error"] is None and 0 <= row["score"] <= 1 for row in rows)
    assert len(rows) == 2 * 2 * 2 * 4
    assert cost.forwards < 2 * 2 * 118, "clean and reference images are shared by the methods"


def test_evaluate_tells_options_of_one_method_apart(tiny_cnn, images):
    explanations = [seewhy.explain(tiny_cnn, images, "grad_cam", relu=relu) for relu in (True, False)]
    assert seewhy.evaluate(tiny_cnn, explanations, "sparseness").methods == [
        "grad_cam(relu=True)",
        "grad_cam(relu=False)",
    ]


def test_evaluate_maps_made_elsewhere(tiny_cnn, images):
    foreign = seewhy.Explanation.from_maps(torch.rand(2, 8, 8), targets=1)
    with pytest.raises(InputError, match="holds no images"):
        seewhy.evaluate(tiny_cnn, foreign)
    rows = seewhy.evaluate(tiny_cnn, foreign, "deletion", images=images)
    assert {row["method"] for row in rows} == {"custom"}
    assert {row["target"] for row in rows} == {1}


def test_the_default_method_fits_the_model(tiny_vit, tiny_cnn, images):
    """Chosen on evidence: see docs/methods.md."""
    assert seewhy.default_method(tiny_vit) == seewhy.explain(tiny_vit, images).method == "libra_ixg_plus"
    assert seewhy.default_method(tiny_cnn) == seewhy.explain(tiny_cnn, images).method == "grad_cam"
    flat = seewhy.wrap_model(torch.nn.Sequential(torch.nn.Flatten(), torch.nn.Linear(3 * 32 * 32, 5)), image_size=32)
    assert seewhy.default_method(flat) == seewhy.explain(flat, images).method == "occlusion"
    assert seewhy.explain(tiny_vit, images).cost.forwards <= 2 * len(images)


def test_images_of_inference_mode_are_explained(tiny_cnn):
    with torch.inference_mode():
        inside = torch.rand(1, 3, 32, 32, generator=torch.Generator().manual_seed(0))
        maps = seewhy.explain(tiny_cnn, inside, "gradient").maps
    torch.testing.assert_close(maps, seewhy.explain(tiny_cnn, inside.clone(), "gradient").maps)


def test_maps_of_another_input_size_are_not_scored(tiny_cnn, images):
    explanation = seewhy.explain(tiny_cnn, images, "gradient")
    with pytest.raises(ShapeError, match="takes images of 48x48 pixels, the maps were made for 32x32"):
        seewhy.evaluate(tiny_cnn.with_size((48, 48)), explanation, ["deletion"])


def test_scoring_maps_of_another_model_is_said(tiny_cnn, tiny_vit, images):
    explanation = seewhy.explain(tiny_cnn, images, "gradient")
    with pytest.warns(UserWarning, match=r"of another model or other weights \(tiny-cnn\), the scores are of tiny-vit"):
        seewhy.evaluate(tiny_vit, explanation, ["deletion"])


def test_evaluate_needs_explanations(tiny_cnn):
    with pytest.raises(InputError, match="evaluate takes explanations, got none"):
        seewhy.evaluate(tiny_cnn, [])


def test_an_empty_method_is_an_error(tiny_cnn, images):
    with pytest.raises(UnknownName):
        seewhy.explain(tiny_cnn, images, "")
    with pytest.raises(InputError, match=r"must be a name .* several: seewhy.compare"):
        inspect.unwrap(resolve_method)(["gradient", "occlusion"])  # without the type checks of the tests


def test_a_device_that_is_not_there():
    with pytest.raises(OptionError, match="device gpu cannot be used"):
        seewhy.load_model("timm/test_vit", weights="random", device="gpu")
