"""Figures made of explanations: one explanation, or many methods side by side."""

import math
import textwrap
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from seewhy.ops.colors import AGAINST, FOR, strength

if TYPE_CHECKING:
    from seewhy.explanation import Explanation

CELL = 2.4  # inches per picture
ACROSS = 6  # pictures in a row, where a single image leaves the choice
LINE = 30  # letters of a title in a line


def explanation_figure(explanation: "Explanation", path: str | Path | None = None) -> Any:
    """One row per image: the photo as the model saw it, then one map per class."""
    bars = _bars([explanation])
    figure, axes = _grid(len(explanation), explanation.targets.shape[1] + 1, bars)
    for row in range(len(explanation)):
        _show(axes[row][0], explanation, row, None, prediction(explanation, row) or "image")
        for k, axis in enumerate(axes[row][1:]):
            _show(axis, explanation, row, k, f"why {explanation.label(row, k)}")
    return _finish(figure, axes, bars, path)


def compare_figure(explanations: Sequence["Explanation"], path: str | Path | None = None) -> Any:
    """Images down, methods across; all explanations are of the same images and their first target."""
    first = explanations[0]
    if len(first) == 1:
        return _compare_one(explanations, path)
    bars = _bars(explanations)
    figure, axes = _grid(len(first), len(explanations) + 1, bars)
    for row in range(len(first)):
        _show(axes[row][0], first, row, None, caption(first, row))
        for axis, explanation in zip(axes[row][1:], explanations, strict=True):
            _show(axis, explanation, row, 0, explanation.method if row == 0 else "")
    return _finish(figure, axes, bars, path)


def _compare_one(explanations: Sequence["Explanation"], path: str | Path | None) -> Any:
    """A single image: as many rows as it takes, equally long."""
    cells = len(explanations) + 1
    rows = math.ceil(cells / ACROSS)
    bars = _bars(explanations)
    figure, axes = _grid(rows, math.ceil(cells / rows), bars)
    _show(axes.flat[0], explanations[0], 0, None, caption(explanations[0], 0))
    for axis, explanation in zip(axes.flat[1:], explanations, strict=False):
        _show(axis, explanation, 0, 0, explanation.method)
    for axis in axes.flat[cells:]:
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
    axis.imshow(np.asarray(photo), interpolation="lanczos")
    axis.set_axis_off()
    lines = [part for line in title.splitlines() for part in textwrap.wrap(line, LINE)]
    axis.set_title("\n".join(lines), fontsize=9)


def _grid(rows: int, cols: int, bars: Sequence[bool]) -> tuple[Any, Any]:
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure
    from matplotlib.layout_engine import ConstrainedLayoutEngine

    layout = ConstrainedLayoutEngine(w_pad=0.03, h_pad=0.05, hspace=0.01, wspace=0.01)
    figure = Figure(figsize=(cols * CELL + 0.8 * len(bars), rows * (CELL + 0.27)), layout=layout)
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
