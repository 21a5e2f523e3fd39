"""A network of one's own: arguments checked when given, checkpoints understood, wrappers seen through, precisions."""

import inspect
import json
import warnings

import numpy as np
import pytest
import torch
from PIL import Image
from torch import nn

import seewhy
from conftest import TinyCNN, make_tiny_cnn, make_tiny_vit
from seewhy.cli.terminal import read_class_names
from seewhy.errors import InputError, ModelError, OptionError, UnknownName, UnsupportedModel, WeightsError
from seewhy.models.timm import build_timm
from seewhy.models.wrapping import as_classifier, wrap
from seewhy.registry import METHODS, resolve_method
from test_contract import explainer_for

QUICK = {"samples": 4, "steps": 2, "masks": 8, "blur": 7, "grid": 4, "points": 1, "lattice": 7, "grids": (7,)}
NAMES = [f"{method.name}:grad_cam" if method.wraps else method.name for method in METHODS.all()]


def network():
    return make_tiny_cnn().module


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"mean": (123.7, 116.3, 103.5)}, "divide it by 255"),
        ({"mean": "imagenet"}, "a number per channel"),
        ({"std": (0.5, 0, 0.5)}, "above 0"),
        ({"mean": (0.5, 0.5)}, "a value per channel"),
        ({"image_size": 0}, "image_size must be"),
        ({"image_size": (224,)}, "image_size must be"),
        ({"crop": 2.0}, "crop must be a fraction"),
        ({"crop": "center"}, "crop must be a number"),
        ({"squash": "yes"}, "squash must be a bool"),
        ({"interpolation": "cubic"}, "'bicubic'"),
        ({"transform": "resize"}, "transform must be a function"),
        ({"processor": "google/vit"}, r"AutoImageProcessor.from_pretrained"),
        ({"target": "cat"}, "target must be a function"),
        ({"name": 3}, "name must be a str"),
        ({"outputs": "probabilities"}, "the network returns values from -"),
        ({"class_names": "cat"}, "a list of strings"),
        ({"class_names": ["cat", "dog"]}, "has 5 classes, class_names has 2"),
        ({"class_names": ["cat"], "outputs": "softmax"}, "has 5 classes, class_names has 1$"),
        ({"mean": (0.5,), "std": (0.5,)}, "does not run on images of 1 channel and"),
        ({"mean": 0.5, "std": 0.5}, r"A single number is for gray images, \(0.5, 0.5, 0.5\) for color"),
        ({"mean": 0.5}, r"\(0.5, 0.5, 0.5\) for color or 0.5 for gray images"),
    ],
)
def test_arguments_are_checked_when_given(options, message):
    with pytest.raises((OptionError, InputError, ModelError), match=message):
        wrap(network(), **{"image_size": 32, **options})


def half_and_normalize(image):
    """The left half, as a transform of one's own."""
    half = image.crop((0, 0, image.width // 2, image.height)).resize((32, 32))
    values = torch.from_numpy(np.array(half)).permute(2, 0, 1).float() / 255
    return (values - 0.5) / 0.25


def test_a_transform_of_ones_own():
    image = Image.fromarray(np.random.default_rng(0).integers(0, 256, (50, 80, 3), dtype=np.uint8))
    model = seewhy.wrap_model(network(), transform=half_and_normalize, mean=(0.5,) * 3, std=(0.25,) * 3)
    assert model.image_size == (32, 32)
    explanation = seewhy.explain(model, image, "grad_cam", relu=False)
    torch.testing.assert_close(model.normalize(explanation.images)[0], half_and_normalize(image), rtol=0, atol=1e-5)
    assert explanation.preprocessing == "own transform to 32x32 pixels"
    assert explanation.overlay().size == (32, 32)
    found = seewhy.wrap_model(network(), transform=half_and_normalize)
    assert (found.mean, found.std) == (pytest.approx((0.5,) * 3), pytest.approx((0.25,) * 3))
    wrong = seewhy.wrap_model(network(), transform=half_and_normalize, mean=(0.1,) * 3, std=(0.25,) * 3)
    with pytest.raises(InputError, match="Pass the mean= and std= that it normalizes with"):
        seewhy.explain(wrong, image, "gradient")
    with pytest.raises(OptionError, match="larger values for a white image than for a black one"):
        seewhy.wrap_model(network(), transform=lambda image: -half_and_normalize(image))
    with pytest.raises(OptionError, match="one size for all images"):
        seewhy.wrap_model(network(), transform=lambda image: torch.zeros(3, image.height, image.width))


def test_torchvision_transforms_and_processors_bring_their_colors():
    from seewhy.models.torchvision import import_torchvision

    import_torchvision()
    from torchvision import transforms as T

    steps = [T.Resize(40), T.CenterCrop(32), T.ToTensor(), T.Normalize((0.4, 0.5, 0.6), (0.2, 0.3, 0.25))]
    model = seewhy.wrap_model(network(), transform=T.Compose(steps))
    assert (model.mean, model.image_size) == (pytest.approx((0.4, 0.5, 0.6)), (32, 32))
    processor = {"size": {"height": 32, "width": 32}, "image_mean": [0.4] * 3, "image_std": [0.2] * 3, "resample": 2}
    preprocess = seewhy.wrap_model(network(), processor=processor).preprocess
    assert (preprocess.size, preprocess.crop, preprocess.interpolation) == ((32, 32), 1.0, "bilinear")


def test_crop_and_squash_are_yours():
    model = seewhy.wrap_model(network(), image_size=32, crop=1.0, squash=True, interpolation="nearest")
    assert model.preprocess.description == "whole image, stretched to 32x32 pixels (nearest)"
    assert model.preprocess.box(100, 50) == (0, 0, 100, 50)


def test_the_number_of_classes_is_that_of_the_weights(tmp_path):
    module = build_timm("test_resnet", num_classes=7)
    torch.save(module.state_dict(), tmp_path / "plain.pt")
    lightning = {f"model.{name}": value for name, value in module.state_dict().items()} | {"loss.weight": torch.ones(2)}
    torch.save({"state_dict": lightning, "epoch": 3}, tmp_path / "lightning.ckpt")
    torch.save({f"_orig_mod.module.{n}": v for n, v in module.state_dict().items()}, tmp_path / "compiled.pt")
    for file in ("plain.pt", "lightning.ckpt", "compiled.pt"):
        names = [f"class {index}" for index in range(7)]
        model = seewhy.load_model("timm/test_resnet", weights=tmp_path / file, class_names=names)
        assert model.probabilities(torch.rand(1, 3, *model.image_size)).shape == (1, 7)
        assert model.class_names == tuple(names)
        torch.testing.assert_close(model.module.state_dict(), module.state_dict())
    with pytest.raises(WeightsError, match="shape"):
        seewhy.load_model("timm/test_resnet", weights=tmp_path / "plain.pt", num_classes=3)
    other = seewhy.load_model("torchvision/squeezenet1_1", weights="random", num_classes=4)
    assert other.class_names is None


OWN = """
from torch import nn

def build(classes=3):
    return nn.Sequential(nn.Conv2d(3, 4, 3, 2), nn.ReLU(), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(4, classes))

def gray():
    import seewhy
    network = build()
    network[0] = nn.Conv2d(1, 4, 3, 2)
    return seewhy.wrap_model(network, image_size=32, mean=0.5, std=0.25)

def broken():
    raise ValueError("no such data")

def number():
    return 3
"""


def test_a_network_in_a_file(tmp_path):
    (tmp_path / "mine.py").write_text(OWN)
    model = seewhy.load_model(f"{tmp_path}/mine.py:build", class_names=["a", "b", "c", "d"], classes=4)
    assert seewhy.explain(model, torch.rand(1, 3, 224, 224), "gradient", "d").targets.tolist() == [[3]]
    with pytest.raises(UnknownName, match="build"):
        seewhy.load_model(f"{tmp_path}/mine.py:built")
    with pytest.raises(InputError, match="there is no such file"):
        seewhy.load_model(f"{tmp_path}/yours.py:build")
    with pytest.raises(ModelError, match=r"mine\.py:broken raised ValueError: no such data"):
        seewhy.load_model(f"{tmp_path}/mine.py:broken")
    with pytest.raises(InputError, match=r"must return a torch.nn.Module or seewhy.wrap_model\(…\), got int"):
        seewhy.load_model(f"{tmp_path}/mine.py:number")


def test_a_wrapped_network_in_a_file_takes_weights(tmp_path):
    """They were left out without a word."""
    (tmp_path / "mine.py").write_text(OWN)
    model = seewhy.load_model(f"{tmp_path}/mine.py:gray")
    state = {f"model.{name}": torch.full_like(value, 0.5) for name, value in model.module.state_dict().items()}
    torch.save({"state_dict": state}, tmp_path / "mine.ckpt")
    filled = seewhy.load_model(f"{tmp_path}/mine.py:gray", weights=tmp_path / "mine.ckpt")
    assert (filled.channels, filled.image_size) == (1, (32, 32))
    assert all(bool((value == 0.5).all()) for value in filled.module.state_dict().values())


def test_names_from_a_file(tmp_path):
    (tmp_path / "names.txt").write_text("ant\nbee\n")
    (tmp_path / "list.json").write_text(json.dumps(["ant", "bee"]))
    (tmp_path / "imagenet.json").write_text(json.dumps({"1": ["n2", "bee"], "0": ["n1", "ant"]}))
    for name in ("names.txt", "list.json", "imagenet.json"):
        assert read_class_names(tmp_path / name) == ["ant", "bee"]


def test_modules_are_wrapped_and_wrappers_seen_through(images):
    plain = seewhy.wrap_model(network(), image_size=32)
    expected = seewhy.explain(plain, images, "grad_cam", relu=False).maps
    for module in (torch.compile(network()), nn.DataParallel(network())):
        wrapped = seewhy.wrap_model(module, image_size=32)
        assert isinstance(wrapped.module, TinyCNN)
        torch.testing.assert_close(seewhy.explain(wrapped, images, "grad_cam", relu=False).maps, expected)
    with pytest.warns(UserWarning, match="assumed center crop"):
        maps = seewhy.explain(network(), torch.rand(1, 3, 224, 224), "gradient").maps
    assert maps.shape == (1, 1, 224, 224)
    with pytest.raises(InputError, match=r"Classifier or a torch\.nn\.Module, got str"):
        as_classifier("resnet18")


@pytest.mark.parametrize("precision", ["float16", "bfloat16", "float64", "autocast"])
@pytest.mark.parametrize("kind", ["vit", "cnn"])
def test_every_method_in_every_precision(kind, precision, images, targets):
    """Finite maps close to those of float32 in float64, and of float32 for half precision."""
    for name in NAMES:
        pipeline, model = resolve_method(name), make_tiny_vit() if kind == "vit" else make_tiny_cnn()
        if not pipeline.supports(model):
            continue
        options = {key: value for key, value in QUICK.items() if key in pipeline.options}
        if "explainer" in pipeline.options:
            options |= {"explainer": explainer_for(kind), "allow_mismatch": True}
        model.module.to(torch.float32 if precision == "autocast" else getattr(torch, precision))
        try:
            with torch.autocast("cpu", dtype=torch.bfloat16, enabled=precision == "autocast"):
                maps = pipeline(model, images[:1], targets[:1], **options).maps
        except UnsupportedModel:  # as in float32
            continue
        assert maps.isfinite().all(), name
        assert maps.dtype in (torch.float32, torch.float64), name


def test_assumed_preprocessing_is_said():
    """Only for a bare module: what is given, or in the configuration, is not assumed."""
    with pytest.warns(UserWarning, match=r"assumed .*ImageNet's mean and std"):
        seewhy.wrap_model(network())
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        seewhy.wrap_model(network(), image_size=32, mean=(0.5,) * 3, std=(0.5,) * 3)
        seewhy.load_model("timm/test_vit", weights="random")


def test_a_name_must_be_a_string():
    with pytest.raises(InputError, match="must be a string such as 'timm/resnet50', got NoneType"):
        inspect.unwrap(seewhy.load_model)(None)


def test_suggested_methods_run_on_any_network(images):
    """Also on a network that CAAP cannot cut."""
    model = seewhy.wrap_model(nn.Sequential(nn.Flatten(), nn.Linear(3 * 32 * 32, 4)), image_size=32)
    with pytest.raises(UnsupportedModel, match="Methods that fit") as raised:
        seewhy.explain(model, images, "rollout")
    suggested = str(raised.value).rpartition("Methods that fit: ")[2].rstrip(".").split(", ")
    assert "gradient" in suggested
    assert "caap" not in suggested


def test_prompts_for_a_network_without_prompts(tmp_path):
    with pytest.raises(OptionError, match=r"unexpected keyword argument 'classes'.*class_names="):
        seewhy.load_model("timm/test_vit", weights="random", classes=["a cat"])
    (tmp_path / "nets.py").write_text("def build():\n    pass\n")
    with pytest.raises(ModelError, match=r"unexpected keyword argument 'classes'.*class_names="):
        seewhy.load_model(f"{tmp_path / 'nets.py'}:build", classes=["a cat"])
