"""Figures: titles, color bars, and the legends of contrasted classes."""

import numpy as np
import torch

import seewhy
from contrasts import QUARTERS, contrast, quarters
from seewhy import Explanation
from seewhy.figures import caption, compare_figure, explanation_figure, legend, prediction
from seewhy.ops.colors import blend_classes, class_strength

PLAIN, SIGNED = ["little\nevidence", "much\nevidence"], ["against\nthe class", "0", "for\nthe class"]


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
    known = {"probabilities": probabilities, "class_names": ("cat, tomcat", "dog")}
    return Explanation.from_maps(maps, targets=[1, 1], images=images, method=method, **known)


def test_titles_tell_prediction_and_probability(images):
    explanation = two(torch.rand(2, 4, 4), images, "mine")
    assert prediction(explanation, 0) == "dog 75%"
    assert caption(explanation, 0) == "dog 75%"
    assert caption(explanation, 1) == "cat 50%\nexplained: dog 30%"
    assert titles(explanation_figure(explanation)) == ["dog 75%", "why dog 75%", "cat 50%", "why dog 30%"]
    assert titles(compare_figure([explanation, explanation])) == ["dog 75%", "mine", "mine", caption(explanation, 1)]


def test_color_bars_are_those_of_the_maps_shown(images):
    plain, signed = two(torch.rand(2, 4, 4), images, "plain"), two(torch.rand(2, 4, 4) - 0.5, images, "signed")
    assert bars(compare_figure([plain, plain])) == [PLAIN]
    assert bars(compare_figure([signed])) == [SIGNED]
    assert bars(compare_figure([plain, signed])) == [PLAIN, SIGNED]


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
