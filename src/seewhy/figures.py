"""Figures made of explanations: one explanation, or many methods side by side."""

import math
import textwrap
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from jaxtyping import Float
from numpy import ndarray
from PIL import Image, ImageDraw, ImageFont
from torch.nn.functional import adaptive_avg_pool2d, avg_pool2d

from seewhy.ops.colors import AGAINST, FOR, class_color, strength

if TYPE_CHECKING:
    from seewhy.explanation import Explanation

CELL = 2.4  # inches per picture
ACROSS = 6  # pictures in a row, where a single image leaves the choice
LINE = 30  # letters of a title in a line
WINNERS = "who wins where\ngrey: no class dominates"
SHORT = 18  # letters of a class's name that leave room for another beside it
LEGEND: dict[str, Any] = dict(loc="upper center", bbox_to_anchor=(0.5, 0.0), frameon=False, fontsize=7.5)
LEGEND |= dict(handlelength=1, handleheight=1, handletextpad=0.5, columnspacing=1, borderaxespad=0.2, labelspacing=0.3)
MARKS = 14  # places across where a letter may stand
VISIBLE = 0.1  # of the strongest evidence: what is below gets no letter


def explanation_figure(explanation: "Explanation", path: str | Path | None = None) -> Any:
    """One row per image: the photo as the model saw it, then one map per class."""
    bars = _bars([explanation])
    figure, axes = _grid(len(explanation), explanation.targets.shape[1] + 1, bars)
    for row in range(len(explanation)):
        _show(axes[row][0], explanation, row, None, prediction(explanation, row) or "image")
        for k, axis in enumerate(axes[row][1:]):
            _show(axis, explanation, row, k, f"why {explanation.label(row, k)}")
    return _finish(figure, axes, bars, path)


def class_figure(explanation: "Explanation", path: str | Path | None = None) -> Any:
    """One row per image: the photo, and every place in the color of the class that wins it."""
    figure, axes = _grid(len(explanation), 2, [], names=_names_below([explanation]))
    for row in range(len(explanation)):
        _show(axes[row][0], explanation, row, None, prediction(explanation, row) or "image")
        _show_classes(axes[row][1], explanation, row, f"{explanation.method}: {WINNERS}")
    return _finish(figure, axes, [], path)


def compare_figure(explanations: Sequence["Explanation"], path: str | Path | None = None) -> Any:
    """Images down, methods across; all explanations are of the same images and their first target.

    Where several classes were contrasted, a second picture shows which of them wins where.
    """
    first, cells = explanations[0], _cells(explanations)
    if len(first) == 1:
        return _compare_one(explanations, path)
    bars = _bars(explanations)
    figure, axes = _grid(len(first), len(cells) + 1, bars, names=_names_below(explanations))
    for row in range(len(first)):
        _show(axes[row][0], first, row, None, caption(first, row))
        for axis, (explanation, show, title) in zip(axes[row][1:], cells, strict=True):
            show(axis, explanation, row, title if row == 0 else "")
    return _finish(figure, axes, bars, path)


def _cells(explanations: Sequence["Explanation"]) -> list[tuple["Explanation", Callable, str]]:
    """What stands beside the photo: explanation, how it is shown, title."""
    cells: list[tuple[Explanation, Callable, str]] = []
    for each in explanations:
        cells.append((each, _show_first, each.method))
        if contrasts(each):
            cells.append((each, _show_classes, f"{each.method}: {WINNERS}"))
    return cells


def contrasts(explanation: "Explanation") -> bool:
    """Whether several classes were asked for, and compete."""
    return "distribution" in explanation.extras and explanation.targets.shape[1] > 1


def _compare_one(explanations: Sequence["Explanation"], path: str | Path | None) -> Any:
    """A single image: as many rows as it takes, equally long."""
    cells = _cells(explanations)
    rows = math.ceil((len(cells) + 1) / ACROSS)
    bars = _bars(explanations)
    figure, axes = _grid(rows, math.ceil((len(cells) + 1) / rows), bars, names=_names_below(explanations))
    _show(axes.flat[0], explanations[0], 0, None, caption(explanations[0], 0))
    for axis, (explanation, show, title) in zip(axes.flat[1:], cells, strict=False):
        show(axis, explanation, 0, title)
    for axis in axes.flat[len(cells) + 1 :]:
        axis.set_axis_off()
    return _finish(figure, axes, bars, path)


def prediction(explanation: "Explanation", image: int) -> str:
    """The likeliest class and its probability; empty where probabilities are not known."""
    if explanation.probabilities is None:
        return ""
    index = int(explanation.probabilities[image].argmax())
    name = explanation.class_names[index].partition(",")[0] if explanation.class_names else f"class {index}"
    return f"{name} {float(explanation.probabilities[image, index]):.0%}"


def caption(explanation: "Explanation", image: int) -> str:
    """What the model says; and, where another class is explained, which."""
    said, explained = prediction(explanation, image), explanation.label(image)
    return explained if said in ("", explained) else f"{said}\nexplained: {explained}"


def _show(axis: Any, explanation: "Explanation", image: int, target: int | None, title: str) -> None:
    """A photo (no target) or a map over it."""
    photo = explanation._photo(image) if target is None else explanation.overlay(image, target, full=False)
    _draw(axis, photo, title)


def _show_first(axis: Any, explanation: "Explanation", image: int, title: str) -> None:
    _show(axis, explanation, image, 0, title)


def _show_classes(axis: Any, explanation: "Explanation", image: int, title: str) -> None:
    """The colors of the classes over the photo, and below it what they stand for."""
    from matplotlib.patches import Patch

    _draw(axis, explanation.overlay_classes(image, full=False), title)
    shown = legend(explanation, image)
    names = [f"{mark} {textwrap.shorten(name, LINE, placeholder='…')}" for mark, _, name in shown]
    axis.legend(
        handles=[Patch(color=color, label=name) for (_, color, _), name in zip(shown, names, strict=True)],
        ncols=2 if len(names) > 2 and max(map(len, names)) <= SHORT else 1,
        **LEGEND,
    )


def legend(explanation: "Explanation", image: int) -> list[tuple[str, str, str]]:
    """Letter, color (#rrggbb) and name of every class that competes."""
    return [
        (letter(k), "#{:02x}{:02x}{:02x}".format(*class_color(k)), explanation.name_of(image, index))
        for k, index in enumerate(explanation.extras["classes"][image].tolist())
        if index >= 0
    ]


def letter(number: int) -> str:
    return chr(ord("A") + number % 26)


def mark_classes(picture: Image.Image, values: Float[ndarray, "classes height width"]) -> Image.Image:
    """A letter where each class is strongest, for those to whom colors say little."""
    draw, size = ImageDraw.Draw(picture), max(10, round(min(picture.size) / 13))
    font = ImageFont.load_default(size)
    coarse = adaptive_avg_pool2d(torch.from_numpy(values), (MARKS, MARKS))
    inner = (coarse * avg_pool2d(coarse, 5, stride=1, padding=2)).numpy()  # rather amid a region than at its edge
    for k, (own, won) in enumerate(zip(inner, values, strict=True)):
        if won.max() >= VISIBLE:
            row, col = np.unravel_index(own.argmax(), own.shape)
            place = ((col + 0.5) / MARKS * picture.width, (row + 0.5) / MARKS * picture.height)
            draw.text(
                place,
                letter(k),
                "black",
                font,
                anchor="mm",
                stroke_width=max(1, size // 7),
                stroke_fill="white",
            )
    return picture


def _draw(axis: Any, picture: Any, title: str) -> None:
    axis.imshow(np.asarray(picture), interpolation="lanczos")
    axis.set_axis_off()
    lines = [part for line in title.splitlines() for part in textwrap.wrap(line, LINE)]
    axis.set_title("\n".join(lines), fontsize=9)


def _names_below(explanations: Sequence["Explanation"]) -> int:
    """Most lines that the names of classes take below a picture."""
    return max((each.extras["classes"].shape[1] for each in explanations if contrasts(each)), default=0)


def _grid(rows: int, cols: int, bars: Sequence[bool], *, names: int = 0) -> tuple[Any, Any]:
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure
    from matplotlib.layout_engine import ConstrainedLayoutEngine

    layout = ConstrainedLayoutEngine(w_pad=0.03, h_pad=0.05, hspace=0.01, wspace=0.01)
    figure = Figure(
        figsize=(cols * CELL + 0.8 * len(bars), rows * (CELL + 0.27 + (0.25 + 0.16 * names if names else 0))),
        layout=layout,
    )
    FigureCanvasAgg(figure)
    return figure, figure.subplots(rows, cols, squeeze=False)


def _finish(figure: Any, axes: Any, bars: Sequence[bool], path: str | Path | None) -> Any:
    """Add the color bars; write the figure where a path is given."""
    for signed in bars:
        _color_bar(figure, axes, signed=signed)
    if path is not None:
        Path(path).parent.mkdir(parents=True, exist_ok=True)
        figure.savefig(path, dpi=120)
    return figure


def _bars(explanations: Sequence["Explanation"]) -> list[bool]:
    """A color bar for plain maps (False), for signed ones (True), or one for each kind."""
    return sorted({_is_signed(each, i, k) for each in explanations for i, k in np.ndindex(*_drawn(each, explanations))})


def _drawn(explanation: "Explanation", explanations: Sequence["Explanation"]) -> tuple[int, int]:
    """A comparison draws the first target only."""
    batch, classes = explanation.targets.shape
    return batch, classes if len(explanations) == 1 else 1


def _is_signed(explanation: "Explanation", image: int, target: int) -> bool:
    return bool(strength(explanation.maps[image, target]).min() < 0)


def _color_bar(figure: Any, axes: Any, *, signed: bool) -> None:
    from matplotlib import colormaps
    from matplotlib.cm import ScalarMappable
    from matplotlib.colors import LinearSegmentedColormap, Normalize

    red_blue = LinearSegmentedColormap.from_list("signed", np.array([AGAINST, (225, 225, 225), FOR]) / 255)
    colors = ScalarMappable(Normalize(-1, 1), red_blue) if signed else ScalarMappable(cmap=colormaps["inferno"])
    share = min(0.75, 1.5 / len(axes))  # of the height: never longer than one picture and a half
    bar = figure.colorbar(colors, ax=axes, shrink=share, pad=0.01, aspect=16 * share * len(axes))
    ticks = (
        {-1: "against\nthe class", 0: "0", 1: "for\nthe class"}
        if signed
        else {0: "little\nevidence", 1: "much\nevidence"}
    )
    bar.set_ticks(list(ticks), labels=list(ticks.values()), fontsize=8)
    for label in bar.ax.get_yticklabels():
        label.set_multialignment("left")
    bar.outline.set_visible(False)
    bar.ax.tick_params(length=0)
