"""Figures: titles, color bars, and the legends of contrasted classes."""

import numpy as np
import torch

import seewhy
from contrasts import QUARTERS, contrast, quarters
from seewhy import Explanation
from seewhy.drawing import drawn_range, question, show_range, smoothing_note
from seewhy.figures import caption, compare_figure, explanation_figure, legend, prediction
from seewhy.ops.colors import blend_classes, class_strength
from seewhy.ops.references import center_bump
from seewhy.ops.resize import draw_maps, resize_maps

PLAIN, SIGNED = ["0%\nlittle", "100%\nmuch"], ["-100%\nagainst", "0", "100%\nfor"]


def bars(figure) -> list[list[str]]:
    """Labels of every color bar."""
    labels = [
        [label.get_text() for label in axis.get_yticklabels()]
        for axis in figure.axes
        if axis.get_label() == "<colorbar>"
    ]
    return sorted(labels, key=len)


def titles(figure) -> list[str]:
    return [axis.get_title() for axis in figure.axes if axis.get_title()]


def two(maps: torch.Tensor, images: torch.Tensor, method: str) -> Explanation:
    """An explanation of two images, of which the model is 75 % and 50 % sure."""
    probabilities = torch.tensor([[0.25, 0.75], [0.5, 0.3]])
    known = {"probabilities": probabilities, "class_names": ("cat, tomcat", "dog"), "model": "my-net"}
    return Explanation.from_maps(maps, targets=[1, 1], images=images, method=method, **known)


def test_titles_tell_prediction_and_probability(images):
    explanation = two(torch.rand(2, 4, 4), images, "mine")
    assert prediction(explanation, 0) == "dog 75%"
    assert caption(explanation, 0) == "dog 75%"
    assert caption(explanation, 1) == "cat 50%\nexplained: dog 30%"
    assert titles(explanation_figure(explanation)) == ["dog 75%", "why dog 75%", "cat 50%", "why dog 30%"]
    assert explanation_figure(explanation).get_suptitle() == "mine · my-net"
    ranges = ["{} to {}".format(*show_range(*drawn_range(explanation, image))) for image in range(2)]
    expected = [["dog 75%", *[f"mine\n{ranges[0]}"] * 2], [caption(explanation, 1), *[f"mine\n{ranges[1]}"] * 2]]
    assert titles(compare_figure([explanation, explanation])) == expected[0] + expected[1]


def test_color_bars_are_those_of_the_maps_shown(images):
    plain, signed = two(torch.rand(2, 4, 4), images, "plain"), two(torch.rand(2, 4, 4) - 0.5, images, "signed")
    assert bars(compare_figure([plain, plain])) == [PLAIN]
    assert bars(compare_figure([signed])) == [SIGNED]
    assert bars(compare_figure([plain, signed])) == [PLAIN, SIGNED]


def test_color_bars_have_numbers():
    """One scale for the classes of an image: the number at its end is the largest value of any of them."""
    maps = torch.zeros(1, 2, 4, 4)
    maps[0, 0, 1, 1], maps[0, 1, 2, 2] = 0.5, 0.05
    explanation = Explanation.from_maps(maps, targets=[[0, 1]], images=torch.full((1, 3, 32, 32), 0.5))
    low, high = bars(explanation_figure(explanation))[0]
    assert (low, high.split("\n")[1]) == ("0\nlittle", "much")
    assert 0.4 < float(high.split("\n")[0]) <= 0.5
    glow = [np.asarray(explanation.overlay(0, k)).astype(int).max() for k in range(2)]
    alone = Explanation.from_maps(maps[:, 1:], targets=1, images=explanation.images)
    assert glow[0] > glow[1] + 60
    assert np.asarray(alone.overlay()).astype(int).max() == glow[0]


def test_coarse_maps_are_drawn_smoothly():
    """Bilinear slopes have corners at the centers of the cells; no second difference may stick out."""
    maps = torch.zeros(1, 1, 7, 7)
    maps[0, 0, 3, 3] = 1
    line = draw_maps(maps, (224, 224))[0, 0, 112]
    assert line.diff().diff().abs().max() < 0.6 * resize_maps(maps, (224, 224))[0, 0, 112].diff().diff().abs().max()
    assert 0 <= line.min() <= line.max() <= 1


def test_pixel_level_maps_are_smoothed_and_say_so():
    noise = torch.randn(1, 1, 224, 224, generator=torch.Generator().manual_seed(0))
    images = torch.full((1, 3, 224, 224), 0.5)
    confetti = Explanation.from_maps(noise, targets=0, images=images)
    assert "smoothed for display" in smoothing_note(confetti, 0)
    assert "smoothed for display" in explanation_figure(confetti).get_suptitle()
    assert "smoothed for display" in confetti._repr_html_()
    for smooth in (center_bump(224, 224)[None, None], torch.rand(1, 1, 14, 14)):
        assert not smoothing_note(Explanation.from_maps(smooth, targets=0, images=images), 0)


def test_the_caption_lies_below_the_overlay(images):
    explanation = two(torch.rand(2, 4, 4), images, "mine")
    picture = explanation.captioned(0, 0)
    assert picture.width >= 360
    strip = np.asarray(picture)[picture.width :]
    assert (strip == 255).all(axis=-1).mean() > 0.5
    assert (strip.max(axis=-1) < 60).any()  # letters


def test_figures_show_themselves_in_a_notebook(images):
    assert explanation_figure(two(torch.rand(2, 4, 4), images, "mine"))._repr_png_()[1:4] == b"PNG"


def test_repr_is_short(images):
    assert repr(two(torch.rand(2, 4, 4), images, "mine")) == (
        "Explanation(mine on my-net: 2 images x 1 classes, maps 4x4; dog 75% and 1 more)"
    )


def test_a_single_image_takes_rows_of_equal_length(tiny_vit, images, tmp_path):
    explanation = seewhy.explain(tiny_vit, images[:1], "center")
    figure = compare_figure([explanation] * 8, tmp_path / "new" / "figure.png")
    columns = {round(axis.get_subplotspec().colspan.start) for axis in figure.axes[:9]}
    assert columns == set(range(5))
    assert (tmp_path / "new" / "figure.png").is_file()


# contrasted classes


def test_letters_stand_on_their_classes():
    explanation = contrast(quarters())
    marked, won = np.asarray(explanation.overlay_classes()), explanation._won(0)
    plain = blend_classes(explanation.pixels(0), class_strength(won[0]), opacity=0.85)
    changed = (marked != plain).any(axis=-1)
    assert all(changed[rows, cols].any() for rows, cols in QUARTERS)
    assert not changed[36:, 36:].any()


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
    assert not any("winning" in axis.get_title() for axis in compare_figure([single]).axes)


def test_absent_classes_keep_their_letter_and_color():
    explanation = contrast(quarters())
    explanation.extras["classes"] = torch.tensor([[0, -1, 2]])
    assert [(mark, color) for mark, color, _ in legend(explanation, 0)] == [("A", "#e47400"), ("C", "#f0e442")]


def test_a_map_for_every_class_says_so(tiny_vit, images):
    """The picture of a method that does not know classes is not titled as the answer for one."""
    same, own = (seewhy.explain(tiny_vit, images[:1], name, targets=3) for name in ("rollout", "gradient"))
    assert question(same, 0, 0).endswith("the same map for every class")
    assert question(own, 0, 0) == f"why {own.label()}"
    titles = [axis.get_title() for axis in explanation_figure(same).axes]
    assert any("the same map" in title for title in titles)
    assert not any("why" in title for title in titles)
    assert "the same map for every class" in same._repr_html_()
    assert "the same map" not in own._repr_html_()


def test_random_weights_are_named_on_the_picture():
    model = seewhy.load_model("timm/test_vit", weights="random")
    explanation = seewhy.explain(model, torch.rand(1, 3, 160, 160), "gradient")
    assert explanation.model == "timm/test_vit (random weights)"
    assert "random weights" in explanation_figure(explanation).get_suptitle()
    assert model.name == "timm/test_vit"  # what loads it again
