"""Figures made of explanations: one explanation, or many methods side by side."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from seewhy.explanation import Explanation

CELL = 2.4  # inches per picture


def explanation_figure(explanation: "Explanation", path: str | Path | None = None) -> Any:
    """One row per image: the photo as the model saw it, then one map per class."""
    columns = [("image", None)] + [("", k) for k in range(explanation.targets.shape[1])]
    figure, axes = _grid(len(explanation), len(columns))
    for row in range(len(explanation)):
        for axis, (title, k) in zip(axes[row], columns, strict=True):
            _show(axis, explanation, row, k)
            axis.set_title(title or explanation.label(row, k or 0), fontsize=9)
    return _finish(figure, axes, path)


def compare_figure(explanations: Sequence["Explanation"], path: str | Path | None = None) -> Any:
    """Images down, methods across; all explanations are of the same images and their first target."""
    first = explanations[0]
    figure, axes = _grid(len(first), len(explanations) + 1)
    for row in range(len(first)):
        _show(axes[row][0], first, row, None)
        axes[row][0].set_title(first.label(row), fontsize=9)
        for axis, explanation in zip(axes[row][1:], explanations, strict=True):
            _show(axis, explanation, row, 0)
            if row == 0:
                axis.set_title(explanation.method, fontsize=9)
    return _finish(figure, axes, path)


def _show(axis: Any, explanation: "Explanation", image: int, target: int | None) -> None:
    """A photo (no target) or a map over it."""
    picture = (
        explanation._photo(image) if target is None else np.asarray(explanation.overlay(image, target, full=False))
    )
    axis.imshow(picture)
    axis.set_axis_off()


def _grid(rows: int, cols: int) -> tuple[Any, Any]:
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(cols * CELL + 0.6, rows * (CELL + 0.25)), layout="constrained")
    FigureCanvasAgg(figure)
    return figure, figure.subplots(rows, cols, squeeze=False)


def _finish(figure: Any, axes: Any, path: str | Path | None) -> Any:
    """Add the color bar, and write the figure where a path is given."""
    from matplotlib import colormaps
    from matplotlib.cm import ScalarMappable

    bar = figure.colorbar(ScalarMappable(cmap=colormaps["inferno"]), ax=axes, shrink=0.6, pad=0.01, aspect=30)
    bar.set_ticks([0, 1], labels=["little", "much"])
    bar.set_label("evidence for the class", fontsize=8)
    if path is not None:
        Path(path).parent.mkdir(parents=True, exist_ok=True)
        figure.savefig(path, dpi=120)
    return figure
