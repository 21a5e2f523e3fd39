"""Which class wins where: colors where they must be, neutral where no class dominates, names beside them."""

import itertools

import numpy as np
import pytest
import torch
from PIL import Image
from typer.testing import CliRunner

import seewhy
from seewhy import Explanation
from seewhy.bench import benchmark
from seewhy.bench.overlays import read_legend, save_classes
from seewhy.bench.report import galleries, write_report
from seewhy.cli import app
from seewhy.errors import InputError
from seewhy.figures import compare_figure, legend
from seewhy.ops.colors import BRIGHTNESS, CLASSES, blend_classes, class_color, class_strength
from seewhy.ops.contrast import class_distribution, won_evidence
from seewhy.types import Attribution
from tiny_bench import tiny_config, write_images

SIDE = 64
QUARTERS = [(slice(0, 32), slice(0, 32)), (slice(0, 32), slice(32, 64)), (slice(32, 64), slice(0, 32))]


def contrast(maps: torch.Tensor, **known) -> Explanation:
    """The explanation that VAR gives of such maps, on a grey photo."""
    present = torch.ones(maps.shape[:2], dtype=torch.bool)
    classes = torch.arange(maps.shape[1]).expand(len(maps), -1)
    extras = {"plain": maps, "distribution": class_distribution(maps, present), "classes": classes}
    grey = torch.full((len(maps), 3, SIDE, SIDE), 0.5)
    return Explanation(maps=maps, targets=classes, images=grey, method="var:made", extras=extras, **known)


def quarters() -> torch.Tensor:
    """Three classes own a quarter each; in the last one all say the same."""
    maps = torch.zeros(1, 3, SIDE, SIDE)
    for k, (rows, cols) in enumerate(QUARTERS):
        maps[0, k, rows, cols] = 1.0
    maps[0, :, 32:, 32:] = 1.0
    return maps


def test_every_place_has_the_color_of_its_class():
    picture = np.asarray(contrast(quarters()).overlay_classes(opacity=1.0))
    for k, (rows, cols) in enumerate(QUARTERS):
        corner = picture[rows, cols][2:6, -6:-2]  # letters stand elsewhere
        assert np.abs(corner.astype(int) - class_color(k)).max() <= 2, k
    neutral = picture[34:, 34:]
    assert (neutral == round(BRIGHTNESS * 128)).all()  # grey: evidence that all share is nobody's


def test_the_lead_counts_and_the_height():
    maps = torch.tensor([2.0, 1.0, 1.0, 1.0]).view(1, 1, 1, 4).expand(1, 3, 1, 4).clone()
    maps[0, 1:] = torch.tensor([[0.0, 0.0, 1.0, 0.999], [0.0, 0.0, 0.0, 0.0]]).unsqueeze(1)
    won = won_evidence(maps, class_distribution(maps, torch.ones(1, 3, dtype=torch.bool)), torch.ones(1, 3).bool())
    first = won[0, 0, 0]
    assert first[0] > 1.9 * first[1] > 0  # twice as high
    assert first[2] == 0  # tied with another class, although both are above an even share
    assert 0 < first[3] < 0.1 * first[1]  # hardly ahead
    assert (won[0, 1:, 0, :3] == 0).all()


def test_absent_classes_win_nothing_and_negative_evidence_neither():
    maps = torch.tensor([-1.0, -2.0, 5.0]).view(1, 3, 1, 1)
    present = torch.tensor([[True, True, False]])
    assert (won_evidence(maps, class_distribution(maps, present), present) == 0).all()


def test_equal_maps_leave_the_photo_grey():
    explanation = contrast(torch.rand(1, 1, SIDE, SIDE).expand(1, 4, SIDE, SIDE))
    assert (np.asarray(explanation.overlay_classes()) == round(BRIGHTNESS * 128)).all()


def test_letters_stand_on_their_classes():
    explanation = contrast(quarters())
    marked, won = np.asarray(explanation.overlay_classes()), explanation._won(0)
    plain = blend_classes(explanation._photo(0), class_strength(won[0]), opacity=0.85)
    changed = (marked != plain).any(axis=-1)
    assert all(changed[rows, cols].any() for rows, cols in QUARTERS)
    assert not changed[36:, 36:].any()


def test_what_the_model_did_not_see_is_dark():
    original = Image.new("RGB", (200, 100), (200, 200, 200))
    known = {"originals": (original,), "boxes": ((50.0, 0.0, 150.0, 100.0),)}
    picture = np.asarray(contrast(quarters(), **known).overlay_classes())
    assert picture.shape == (100, 200, 3)
    assert (picture[:, :50] == 90).all()
    assert (picture[:, 150:] == 90).all()
    assert np.abs(picture[5, 55].astype(int) - class_color(0)).max() < 60


def test_colors_differ_also_in_lightness_or_blueness():
    """Red-green blindness merges colors of one lightness that differ between red and green only."""
    yellowish = [np.array([0.3 * r + 0.6 * g, b]) for r, g, b in CLASSES[:5]]  # the two axes that remain, roughly
    assert min(np.linalg.norm(a - b) for a, b in itertools.combinations(yellowish, 2)) > 50


def test_only_a_contrast_has_classes(tiny_cnn, images):
    with pytest.raises(InputError, match="var:gradient"):
        seewhy.explain(tiny_cnn, images, "gradient", [0, 1]).overlay_classes()


def test_names_and_figures(tiny_cnn, images, tmp_path):
    explanation = seewhy.explain(tiny_cnn, images, "var:grad_cam", ["cat", "bee"])
    assert [(letter, name.split()[0]) for letter, _, name in legend(explanation, 1)] == [("A", "cat"), ("B", "bee")]
    figure = explanation.plot_classes(tmp_path / "classes.png")
    assert (tmp_path / "classes.png").is_file()
    texts = [text.get_text() for axis in figure.axes if axis.get_legend() for text in axis.get_legend().get_texts()]
    assert [text.split()[:2] for text in texts] == [["A", "cat"], ["B", "bee"]] * 2
    beside = compare_figure([seewhy.explain(tiny_cnn, images, "grad_cam", ["cat", "bee"]), explanation])
    assert len([axis for axis in beside.axes if axis.images and axis.get_label() != "<colorbar>"]) == 2 * 4
    single = seewhy.explain(tiny_cnn, images, "var:grad_cam", "cat")
    assert not any("wins" in axis.get_title() for axis in compare_figure([single]).axes)


def test_absent_classes_keep_their_letter_and_color():
    explanation = contrast(quarters())
    explanation.extras["classes"] = torch.tensor([[0, -1, 2]])
    assert [(mark, color) for mark, color, _ in legend(explanation, 0)] == [("A", "#e47400"), ("C", "#f0e442")]


def test_loaded_explanations_show_their_classes(tiny_cnn, images, tmp_path):
    explanation = seewhy.explain(tiny_cnn, images, "var:grad_cam", ["cat", "bee"])
    loaded = Explanation.load(explanation.save(tmp_path / "maps"))
    assert loaded.overlay_classes(1).size == explanation.overlay_classes(1).size == (32, 32)


def test_commands(tmp_path):
    pixels = np.random.default_rng(0).integers(0, 255, (90, 120, 3), dtype=np.uint8)
    Image.fromarray(pixels).save(tmp_path / "photo.png")
    words = [str(tmp_path / "photo.png"), "--model", "timm/test_vit", "--weights", "random", "--device", "cpu"]
    words += ["-t", "tabby", "-t", "7"]
    run = CliRunner().invoke
    result = run(app, ["explain", *words, "--method", "var:grad_cam", "--out", str(tmp_path / "out")])
    assert result.exit_code == 0, result.output
    assert "photo.var-grad_cam.classes.png" in result.output.replace("\n", "")
    assert (tmp_path / "out" / "photo.var-grad_cam.classes.png").is_file()
    widths = {}
    for methods in ("grad_cam", "var:grad_cam"):
        out = tmp_path / f"{methods[:3]}.png"
        result = run(app, ["compare", *words, "--methods", methods, "--out", str(out)])
        assert result.exit_code == 0, result.output
        with Image.open(out) as picture:
            widths[methods] = picture.width
    assert widths["var:grad_cam"] > widths["grad_cam"] + 200  # one more picture


# in a report


def test_the_legend_travels_with_the_picture(tmp_path):
    explanation = contrast(quarters())
    names = ("a < b", "bee, honey bee", "café")
    result = Attribution(explanation.maps, explanation.extras)
    (tmp_path / "x.jpg").write_bytes(save_classes(result, explanation.images, explanation.targets, names))
    assert read_legend(tmp_path / "x.jpg") == [
        ("A", "#e47400", "a < b"),
        ("B", "#0072b2", "bee"),
        ("C", "#f0e442", "café"),
    ]
    assert save_classes(Attribution(explanation.maps), explanation.images, explanation.targets, names) is None


def test_a_report_of_grids_shows_the_dominant_class(tmp_path):
    pictures = write_images(tmp_path / "photos", 8)
    for number, file in enumerate(sorted(pictures.rglob("*.png"))):
        folder = pictures / f"class{number % 4}"  # four classes
        folder.mkdir(exist_ok=True)
        file.rename(folder / file.name)
    config = tiny_config(
        pictures,
        tmp_path / "out",
        data={"kind": "imagenet", "path": str(pictures), "quad": True},
        methods=["grad_cam", {"name": "var:grad_cam", "label": "with VAR"}],
        protocols=["var"],
        metrics=["region_attribution"],
        targets="labels",
        examples=1,
    )
    results = benchmark(config)
    plain, classes = galleries(results)
    assert (plain.methods, classes.methods) == (("grad_cam", "with VAR"), ("with VAR",))
    assert [len(row.images) for row in classes.rows] == [2]
    assert all(picture.startswith("data:image/jpeg") for picture in classes.rows[0].images)
    assert [letter for letter, _, _ in classes.rows[0].legend] == ["A", "B", "C", "D"]
    assert "dominant class" in write_report(results).read_text()
