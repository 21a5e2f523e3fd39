"""Figures: what is written above the pictures, and which color bars belong to them."""

import torch

import seewhy
from seewhy import Explanation
from seewhy.figures import caption, compare_figure, explanation_figure, prediction

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
