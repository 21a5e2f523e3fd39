"""Matplotlib figures of one explanation, or of several methods side by side."""

import io
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

from seewhy.drawing import drawn_range, question, show_range, smoothing_note
from seewhy.ops.colors import NEGATIVE, POSITIVE, class_color, is_signed
from seewhy.runtime.options import check

if TYPE_CHECKING:
    from seewhy.explanation import Explanation

CELL = 2.4  # inches per panel
DPI = 120
COLUMNS = 6  # maximum number of panels in a row of a figure about one image
LINE = 30  # characters per line of a title
WINNERS = "winning class\ngray: no class dominates"
SHORT = 18  # characters of a class name that fits into a legend of two columns
LEGEND: dict[str, Any] = dict(loc="upper center", bbox_to_anchor=(0.5, 0.0), frameon=False, fontsize=7.5)
LEGEND |= dict(handlelength=1, handleheight=1, handletextpad=0.5, columnspacing=1, borderaxespad=0.2, labelspacing=0.3)
MARKS = 14  # rows and columns of possible positions of a letter
VISIBLE = 0.1  # fraction of the strongest evidence that a class needs to get a letter


def explanation_figure(explanation: "Explanation", path: str | Path | None = None) -> Any:
    """One row per image: the image as the model saw it, then one map per class, with the scale that they share."""
    figure, axes = _grid(len(explanation), explanation.targets.shape[1] + 1, bars=1, legend_lines=0.5)
    for row in range(len(explanation)):
        _show(axes[row][0], explanation, row, None, prediction(explanation, row) or "image")
        for k, axis in enumerate(axes[row][1:]):
            _show(axis, explanation, row, k, question(explanation, row, k))
        limits = drawn_range(explanation, row)
        _color_bar(figure, axes[row], signed=is_signed(*limits), numbers=show_range(*limits))
    notes = dict.fromkeys(smoothing_note(explanation, row) for row in range(len(explanation)))
    figure.suptitle(" · ".join(filter(None, [explanation.method, explanation.model, *notes])), fontsize=9)
    return _save(figure, path)


def class_figure(explanation: "Explanation", path: str | Path | None = None) -> Any:
    """One row per image: the image, then each position in the color of its winning class."""
    figure, axes = _grid(len(explanation), 2, bars=0, legend_lines=_legend_lines([explanation]))
    for row in range(len(explanation)):
        _show(axes[row][0], explanation, row, None, prediction(explanation, row) or "image")
        _show_classes(axes[row][1], explanation, row, f"{explanation.method}: {WINNERS}")
    return _save(figure, path)


def compare_figure(explanations: Sequence["Explanation"], path: str | Path | None = None) -> Any:
    """A grid of images (rows) and methods (columns): maps of the first target. All explanations share their images.

    Every map has its own scale, whose ends are in its title.

    Contrastive methods with several targets get a second panel that shows the winning class at each position.
    """
    first, panels = explanations[0], _panels(explanations)
    if len(first) == 1:
        return _compare_one(explanations, path)
    bars = _bars(explanations)
    figure, axes = _grid(len(first), len(panels) + 1, bars=len(bars), legend_lines=_legend_lines(explanations))
    for row in range(len(first)):
        _show(axes[row][0], first, row, None, caption(first, row))
        for axis, (explanation, show, title) in zip(axes[row][1:], panels, strict=True):
            show(axis, explanation, row, title)
    return _finish(figure, axes, bars, path, explanations[0].model)


Panel = tuple["Explanation", Callable[..., None], str]  # how to draw it, and its title


def _panels(explanations: Sequence["Explanation"]) -> list[Panel]:
    """The panels next to the image."""
    panels: list[Panel] = []
    for each in explanations:
        panels.append((each, _show_first, each.method))
        if contrasts(each):
            panels.append((each, _show_classes, f"{each.method}: {WINNERS}"))
    return panels


def contrasts(explanation: "Explanation") -> bool:
    """Whether the explanation contrasts several target classes."""
    return "distribution" in explanation.extras and explanation.targets.shape[1] > 1


def _compare_one(explanations: Sequence["Explanation"], path: str | Path | None) -> Any:
    """A single image: panels in rows of equal length."""
    panels = _panels(explanations)
    rows = math.ceil((len(panels) + 1) / COLUMNS)
    bars = _bars(explanations)
    columns = math.ceil((len(panels) + 1) / rows)
    figure, axes = _grid(rows, columns, bars=len(bars), legend_lines=_legend_lines(explanations))
    _show(axes.flat[0], explanations[0], 0, None, caption(explanations[0], 0))
    for axis, (explanation, show, title) in zip(axes.flat[1:], panels, strict=False):
        show(axis, explanation, 0, title)
    for axis in axes.flat[len(panels) + 1 :]:
        axis.set_axis_off()
    return _finish(figure, axes, bars, path, explanations[0].model)


def prediction(explanation: "Explanation", image: int) -> str:
    """The predicted class and its probability; empty if probabilities are unknown."""
    if explanation.probabilities is None:
        return ""
    index = int(explanation.probabilities[image].argmax())
    name = explanation.class_names[index].partition(",")[0] if explanation.class_names else f"class {index}"
    return f"{name} {float(explanation.probabilities[image, index]):.0%}"


def caption(explanation: "Explanation", image: int) -> str:
    """The prediction, and the explained class where it differs."""
    predicted, explained = prediction(explanation, image), explanation.label(image)
    return explained if predicted in ("", explained) else f"{predicted}\nexplained: {explained}"


def _show(axis: Any, explanation: "Explanation", image: int, target: int | None, title: str) -> None:
    """Draw the image or, with a target, its map over the image."""
    pixels = explanation.pixels(image) if target is None else explanation.overlay(image, target, full=False)
    _draw(axis, pixels, title)


def _show_first(axis: Any, explanation: "Explanation", image: int, title: str) -> None:
    """Draw the first class's map, with the ends of its scale."""
    low, high = show_range(*drawn_range(explanation, image))
    smoothed = ", smoothed" if smoothing_note(explanation, image) else ""
    _show(axis, explanation, image, 0, f"{title}\n{low} to {high}{smoothed}")


def _show_classes(axis: Any, explanation: "Explanation", image: int, title: str) -> None:
    """Draw the winning classes over the image, with a legend below."""
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
    """Letter, color (#rrggbb) and name of each competing class."""
    return [
        (letter(k), "#{:02x}{:02x}{:02x}".format(*class_color(k)), explanation.name_of(image, index))
        for k, index in enumerate(explanation.extras["classes"][image].tolist())
        if index >= 0
    ]


def letter(number: int) -> str:
    return chr(ord("A") + number % 26)


def mark_classes(image: Image.Image, values: Float[ndarray, "classes height width"]) -> Image.Image:
    """Write a letter where each class is strongest, for readers who cannot tell the colors apart."""
    draw, size = ImageDraw.Draw(image), max(10, round(min(image.size) / 13))
    font = ImageFont.load_default(size)
    coarse = adaptive_avg_pool2d(torch.from_numpy(values), (MARKS, MARKS))
    inner = (coarse * avg_pool2d(coarse, 5, stride=1, padding=2)).numpy()  # prefers the inside of a region to its edge
    for k, (candidates, evidence) in enumerate(zip(inner, values, strict=True)):
        if evidence.max() >= VISIBLE:
            row, col = np.unravel_index(candidates.argmax(), candidates.shape)
            position = ((col + 0.5) / MARKS * image.width, (row + 0.5) / MARKS * image.height)
            draw.text(
                position,
                letter(k),
                "black",
                font,
                anchor="mm",
                stroke_width=max(1, size // 7),
                stroke_fill="white",
            )
    return image


def _draw(axis: Any, pixels: Any, title: str) -> None:
    axis.imshow(np.asarray(pixels), interpolation="lanczos")
    axis.set_axis_off()
    lines = [part for line in title.splitlines() for part in textwrap.wrap(line, LINE)]
    axis.set_title("\n".join(lines), fontsize=9)


def _legend_lines(explanations: Sequence["Explanation"]) -> int:
    """Maximum number of lines of a legend below a panel."""
    return max((each.extras["classes"].shape[1] for each in explanations if contrasts(each)), default=0)


def _grid(rows: int, cols: int, *, bars: int, legend_lines: float = 0) -> tuple[Any, Any]:
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure
    from matplotlib.layout_engine import ConstrainedLayoutEngine

    below = 0.25 + 0.16 * legend_lines if legend_lines else 0
    layout = ConstrainedLayoutEngine(w_pad=0.03, h_pad=0.05, hspace=0.01, wspace=0.01)
    figure: Any = Figure(figsize=(cols * CELL + 0.8 * bars, rows * (CELL + 0.4 + below)), layout=layout)
    FigureCanvasAgg(figure)
    figure._repr_png_ = lambda: _png(figure)  # notebooks display it, also where pyplot was never imported
    return figure, figure.subplots(rows, cols, squeeze=False)


def _png(figure: Any) -> bytes:
    buffer = io.BytesIO()
    figure.savefig(buffer, format="png", dpi=DPI)
    return buffer.getvalue()


def _finish(figure: Any, axes: Any, bars: Sequence[bool], path: str | Path | None, model: str) -> Any:
    """Add the color bars, relative to each map's own scale, and the model; save the figure if a path is given."""
    for signed in bars:
        _color_bar(figure, axes, signed=signed, numbers=("-100%" if signed else "0%", "100%"))
    figure.suptitle(model or " ", fontsize=9)
    return _save(figure, path)


def _save(figure: Any, path: str | Path | None) -> Any:
    if path is not None:
        known = figure.canvas.get_supported_filetypes()
        suffix = Path(path).suffix.lower()[1:]
        check(not suffix or suffix in known, f"a figure's file must end in .{', .'.join(known)}; got {str(path)!r}")
        Path(path).parent.mkdir(parents=True, exist_ok=True)
        figure.savefig(path, dpi=DPI)
    return figure


def _bars(explanations: Sequence["Explanation"]) -> list[bool]:
    """The color bars of a comparison: False for maps without negative evidence, True for signed ones."""
    return sorted({is_signed(*drawn_range(each, image)) for each in explanations for image in range(len(each))})


def _color_bar(figure: Any, axes: Any, *, signed: bool, numbers: tuple[str, str]) -> None:
    """A color bar beside the axes, with labeled ends."""
    from matplotlib import colormaps
    from matplotlib.cm import ScalarMappable
    from matplotlib.colors import LinearSegmentedColormap, Normalize

    red_blue = LinearSegmentedColormap.from_list("signed", np.array([NEGATIVE, (225, 225, 225), POSITIVE]) / 255)
    colors = ScalarMappable(Normalize(-1, 1), red_blue) if signed else ScalarMappable(cmap=colormaps["inferno"])
    rows = len(axes) if axes.ndim == 2 else 1
    share = min(0.75, 1.5 / rows)  # of the figure's height: at most one and a half panels
    bar = figure.colorbar(colors, ax=axes, shrink=share, pad=0.01, aspect=16 * share * rows)
    low, high = (f"{numbers[0]}\n{'against' if signed else 'little'}", f"{numbers[1]}\n{'for' if signed else 'much'}")
    ticks = {-1: low, 0: "0", 1: high} if signed else {0: low, 1: high}
    bar.set_ticks(list(ticks), labels=list(ticks.values()), fontsize=8)
    for label in bar.ax.get_yticklabels():
        label.set_multialignment("left")
    bar.outline.set_visible(False)
    bar.ax.tick_params(length=0)
