import json
import warnings

import numpy as np
import pytest
import torch
from PIL import Image

import seewhy
from contrasts import QUARTERS, SIDE, contrast, quarters
from seewhy import Explanation
from seewhy.errors import InputError, OptionError, SeewhyWarning, ShapeError, TargetError
from seewhy.ops.colors import BRIGHTNESS, class_color


@pytest.fixture
def explanation(tiny_vit, images):
    return seewhy.explain(tiny_vit, images, "grad_cam", targets=["ant", "dog"], relu=False)


def test_keeps_everything_through_a_file(explanation, tmp_path):
    explanation.extras["order"] = torch.arange(6).view(2, 3)
    path = explanation.save(tmp_path / "sub" / "cat.jpg.safetensors")
    loaded = Explanation.load(path)
    for name in ("maps", "targets", "probabilities"):
        torch.testing.assert_close(getattr(loaded, name), getattr(explanation, name), rtol=0, atol=0)
    torch.testing.assert_close(loaded.images, explanation.images, rtol=0, atol=1 / 255)
    for name in ("method", "model", "fingerprint", "cost", "class_names", "names", "boxes", "class_agnostic"):
        assert getattr(loaded, name) == getattr(explanation, name), name
    assert torch.equal(loaded.extras["order"], explanation.extras["order"])
    assert json.loads(path.with_suffix(".json").read_text())["cost"]["forwards"] == explanation.cost.forwards
    assert sorted(file.name for file in path.parent.iterdir()) == [path.with_suffix(".json").name, path.name]


def test_load_says_what_is_wrong(explanation, tmp_path):
    with pytest.raises(InputError, match="no such file"):
        Explanation.load(tmp_path / "nothing")
    path = explanation.save(tmp_path / "old")
    facts = json.loads(path.with_suffix(".json").read_text())
    path.with_suffix(".json").write_text(json.dumps(facts | {"format": 0}))
    with pytest.raises(InputError, match="another version"):
        Explanation.load(path)
    path.with_suffix(".json").write_text("{")
    with pytest.raises(InputError, match=r"old.safetensors or the JSON file beside it is damaged"):
        Explanation.load(path)
    path.write_bytes(b"")
    with pytest.raises(InputError, match="damaged"):
        Explanation.load(path)
    path.with_suffix(".json").unlink()
    with pytest.raises(InputError, match=r"old.json: there is no such file"):
        Explanation.load(path)


@pytest.mark.parametrize("shape", [(4, 4), (2, 4, 4), (2, 3, 4, 4)])
@pytest.mark.parametrize("convert", [np.asarray, torch.as_tensor, lambda array: array.tolist()])
def test_maps_made_by_others(shape, convert):
    array = np.arange(np.prod(shape), dtype=np.float64).reshape(shape)
    targets = [[0, 1, 2], [0, 1, 2]] if len(shape) == 4 else 5
    batch = 2 if len(shape) > 2 else 1
    explanation = Explanation.from_maps(convert(array), targets=targets, images=torch.rand(batch, 3, 8, 8))
    assert explanation.maps.shape == (batch, 3 if len(shape) == 4 else 1, 4, 4)
    np.testing.assert_array_equal(explanation.maps.reshape(shape), array)
    assert explanation.heatmaps().shape[-2:] == (8, 8)


def test_colors_are_not_classes():
    with pytest.raises(ShapeError, match="average color channels first"):
        Explanation.from_maps(torch.rand(1, 3, 8, 8), targets=4)
    with pytest.raises(ShapeError, match="same batch size, got 2 and 1"):
        Explanation.from_maps(torch.rand(2, 8, 8), targets=0, images=torch.rand(1, 3, 8, 8))


def test_classes_of_maps_made_by_others(tiny_cnn, images):
    """A flat list has the classes of every image or, for maps of one class, the class of each image."""
    for several in ([0, 1, 2], torch.tensor([0, 1, 2]), [[0, 1, 2]] * 2):
        assert Explanation.from_maps(torch.rand(2, 3, 4, 4), targets=several).targets.tolist() == [[0, 1, 2]] * 2
    assert Explanation.from_maps(torch.rand(1, 2, 4, 4), targets=(3, 4)).targets.tolist() == [[3, 4]]
    for each in ([3, 4], np.array([3, 4]), torch.tensor([[3], [4]])):
        assert Explanation.from_maps(torch.rand(2, 4, 4), targets=each).targets.tolist() == [[3], [4]]
    with pytest.raises(TargetError, match="between 0 and 4"):
        Explanation.from_maps(torch.rand(2, 4, 4), targets=7, images=images, model=tiny_cnn)


def test_maps_of_an_unknown_class_are_refused():
    with pytest.raises(TargetError, match="pass targets=, or model="):
        Explanation.from_maps(torch.rand(4, 4))
    with pytest.raises(TargetError, match="pass targets=, or model="):
        Explanation.from_maps(torch.rand(4, 4), images=torch.rand(1, 3, 32, 32))
    with pytest.raises(ShapeError, match=r"without a model=, images must be a tensor .* got Image"):
        Explanation.from_maps(torch.rand(4, 4), targets=0, images=Image.new("RGB", (9, 9)))


def test_maps_made_by_others_with_the_model(tiny_cnn, tmp_path):
    """Images are read as `explain` reads them, and the predicted class is the default."""
    noise = np.random.default_rng(0).integers(0, 256, (48, 96, 3), dtype=np.uint8)
    Image.fromarray(noise).save(tmp_path / "noise.png")
    expected = seewhy.explain(tiny_cnn, tmp_path / "noise.png", "gradient")
    wrapped = Explanation.from_maps(torch.rand(4, 4), images=tmp_path / "noise.png", model=tiny_cnn)
    torch.testing.assert_close(wrapped.images, expected.images)
    torch.testing.assert_close(wrapped.probabilities, expected.probabilities)
    assert wrapped.targets.tolist() == expected.targets.tolist()
    assert wrapped.label() == expected.label()
    assert wrapped.overlay().size == (96, 48)
    named = Explanation.from_maps(torch.rand(4, 4), images=tmp_path / "noise.png", model=tiny_cnn, targets="dog")
    assert named.targets.tolist() == [[3]]


def test_explain_warns_of_a_flat_map(tiny_cnn, images):
    weights = tiny_cnn.module.head.weight
    with torch.no_grad():
        weights.zero_()
    with pytest.warns(SeewhyWarning, match="grad_cam on tiny-cnn: a map is flat"):
        seewhy.explain(tiny_cnn, images, "grad_cam")


def test_a_map_that_is_the_same_for_every_class_comes_with_a_warning(tiny_vit, images):
    with pytest.warns(SeewhyWarning, match="rollout on tiny-vit: it gives the same map for every class"):
        seewhy.explain(tiny_vit, images, "rollout", targets=[0, 1])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        seewhy.explain(tiny_vit, images, "rollout")
        seewhy.explain(tiny_vit, images, "random", targets=[0, 1])


def test_checks(tiny_vit, images):
    maps = torch.rand(1, 3, 4, 4)
    maps[0, 1] = 2.0
    maps[0, 2, 0, 0] = torch.nan
    with pytest.warns(SeewhyWarning, match="custom: a map holds NaN or infinity and a map is flat"):
        explanation = Explanation.from_maps(maps, targets=[[0, 1, 2]])
    assert explanation.checks["finite"].tolist() == [[True, True, False]]
    assert explanation.checks["not flat"].tolist() == [[True, False, True]]  # one NaN does not make a map flat
    assert set(explanation.failed_checks) == {"finite", "not flat"}
    with pytest.warns(SeewhyWarning, match="maps of several classes are equal"):
        same = Explanation.from_maps(torch.rand(1, 1, 4, 4).repeat(1, 2, 1, 1), targets=[[0, 1]])
    assert same.failed_checks == ["differs between classes"]
    assert seewhy.explain(tiny_vit, images, "center", targets=[0, 1]).failed_checks == []


def test_overlay_lies_back_on_the_uncropped_original(tiny_cnn):
    """The model sees the middle of a wide photo; the map's colors must appear there and nowhere else."""
    photo = Image.new("RGB", (96, 48), "gray")
    maps = torch.zeros(1, 1, 4, 4)
    maps[..., 0, 0] = 1  # top left of what the model saw
    box = tiny_cnn.preprocess.box(96, 48)
    explanation = Explanation.from_maps(
        maps, targets=0, images=torch.rand(1, 3, 32, 32), originals=(photo,), boxes=(box,)
    )
    pixels = np.asarray(explanation.overlay()).astype(int)
    assert pixels.shape == (48, 96, 3)
    colored = pixels.max(-1) - pixels.min(-1) > 30  # the photo is gray
    rows, cols = np.nonzero(colored)
    left, top = round(box[0]), round(box[1])
    assert left <= cols.min() < left + 3
    assert top <= rows.min() < top + 3
    assert cols.max() < 48
    assert rows.max() < 24
    assert explanation.overlay(full=False).size == (32, 32)


def test_a_box_larger_than_the_photo_is_cut(images):
    explanation = Explanation.from_maps(
        torch.rand(1, 4, 4),
        targets=0,
        images=images[:1],
        originals=(Image.new("RGB", (20, 10)),),
        boxes=((-5.0, -5.0, 25.0, 15.0),),
    )
    assert explanation.overlay().size == (20, 10)


def test_thin_photos_have_an_overlay(tiny_cnn):
    for size, shown in [((1, 1), (1, 1)), ((1, 3000), (1, 1024)), ((3000, 1), (1024, 1))]:
        assert seewhy.explain(tiny_cnn, Image.new("RGB", size), "gradient").overlay().size == shown


def test_shows_itself_in_a_notebook(explanation):
    text = explanation._repr_html_()
    assert text.count("<img src='data:image/png;base64,") == 4
    assert "grad_cam" in text
    assert "forwards" in text
    assert "checks passed" in text
    assert explanation.label(0, 1).startswith("dog ")


def test_figures(explanation, tmp_path):
    explanation.plot(tmp_path / "figure.png")
    with Image.open(tmp_path / "figure.png") as figure:
        assert figure.size[0] > 300


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"image": 7}, "image must be an int from 0 to 1, got 7"),
        ({"target": -1}, "target must be an int from 0 to 1, got -1"),
        ({"opacity": 5}, "opacity must be a number from 0 to 1, got 5"),
    ],
)
def test_a_map_that_is_not_there_is_not_drawn(explanation, options, message):
    with pytest.raises(OptionError, match=message):
        explanation.overlay(**options)


def test_sizes_and_files_that_cannot_be(explanation, tmp_path):
    with pytest.raises(OptionError, match="size must be a pair of"):
        explanation.heatmaps((0, 5))
    with pytest.raises(OptionError, match=r"must end in \..*\.png.*; got '.*why.txt'"):
        explanation.plot(tmp_path / "why.txt")


def test_no_images_no_overlay():
    explanation = Explanation.from_maps(torch.rand(4, 4), targets=0)
    with pytest.raises(InputError, match="pass images="):
        explanation.overlay()
    with pytest.raises(InputError, match="pass size="):
        explanation.heatmaps()
    assert "class 0" in explanation._repr_html_()


# contrasted classes


def test_every_position_has_the_color_of_its_class():
    overlay = np.asarray(contrast(quarters()).overlay_classes(opacity=1.0))
    for k, (rows, cols) in enumerate(QUARTERS):
        corner = overlay[rows, cols][2:6, -6:-2]  # letters stand elsewhere
        assert np.abs(corner.astype(int) - class_color(k)).max() <= 2, k
    neutral = overlay[34:, 34:]
    assert (neutral == round(BRIGHTNESS * 128)).all()  # gray: evidence that all share is nobody's


def test_equal_maps_leave_the_image_gray():
    explanation = contrast(torch.rand(1, 1, SIDE, SIDE).expand(1, 4, SIDE, SIDE))
    assert (np.asarray(explanation.overlay_classes()) == round(BRIGHTNESS * 128)).all()


def test_what_the_model_did_not_see_is_dark():
    original = Image.new("RGB", (200, 100), (200, 200, 200))
    known = {"originals": (original,), "boxes": ((50.0, 0.0, 150.0, 100.0),)}
    overlay = np.asarray(contrast(quarters(), **known).overlay_classes())
    assert overlay.shape == (100, 200, 3)
    assert (overlay[:, :50] == 90).all()
    assert (overlay[:, 150:] == 90).all()
    assert np.abs(overlay[5, 55].astype(int) - class_color(0)).max() < 60


def test_only_a_contrast_has_classes(tiny_cnn, images):
    with pytest.raises(InputError, match="var:gradient"):
        seewhy.explain(tiny_cnn, images, "gradient", [0, 1]).overlay_classes()


def test_loaded_explanations_show_their_classes(tiny_cnn, images, tmp_path):
    explanation = seewhy.explain(tiny_cnn, images, "var:grad_cam", ["cat", "bee"])
    loaded = Explanation.load(explanation.save(tmp_path / "maps"))
    assert loaded.overlay_classes(1).size == explanation.overlay_classes(1).size == (32, 32)


def test_points_in_the_name_of_a_file_are_kept(explanation, tmp_path):
    """`run.1` and `run.2` are two files, not twice `run.safetensors`."""
    first, second = (explanation.save(tmp_path / f"run.{number}") for number in (1, 2))
    assert first != second
    assert Explanation.load(tmp_path / "run.2").method == explanation.method
    assert explanation.save(tmp_path / "cat.safetensors") == explanation.save(tmp_path / "cat.json")
