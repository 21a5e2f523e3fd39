"""Charts of the report as SVG elements: the browser's fonts, no external files."""

import io
import re
import textwrap
import zlib
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from seewhy.bench.robustness import RankingStability
from seewhy.bench.tables import ScoreTable, arrow
from seewhy.explorer.view import BASELINES

INK, FAINT, LINE = "#1f2933", "#7b8794", "#e4e7eb"
COLORS = ("#0b6e99", "#d9480f", "#2b8a3e", "#9c36b5", "#e0a800", "#c2255c", "#12b886", "#5f3dc4", "#8d6e63", "#e599f7")
LONGEST = 34  # letters beside a ranking chart
LETTER = 0.0115  # width of a letter, as a fraction of the axes
STYLE: Any = {
    "svg.fonttype": "none",
    "font.family": "sans-serif",
    "font.size": 10,
    "axes.edgecolor": FAINT,
    "axes.labelcolor": INK,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.axisbelow": True,
    "axes.titlesize": 11,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "grid.color": LINE,
    "text.color": INK,
    "xtick.color": FAINT,
    "ytick.color": FAINT,
}

Colors = dict[str, str]


def method_colors(titles: Sequence[str], names: Sequence[str]) -> Colors:
    """One color per method for the whole report; baselines are gray."""
    free = iter(COLORS * (len(titles) // len(COLORS) + 1))
    grays = iter(("#9aa5b1", "#616e7c"))
    return {title: next(grays) if name in BASELINES else next(free) for title, name in zip(titles, names, strict=True)}


def _chart(draw: Callable[..., None], size: tuple[float, float], panels: int = 1, **options: Any) -> str:
    """The SVG element of a figure in our style."""
    import matplotlib
    from matplotlib.backends.backend_svg import FigureCanvasSVG
    from matplotlib.figure import Figure

    with matplotlib.rc_context(STYLE):
        figure = Figure(figsize=size, layout="constrained")
        FigureCanvasSVG(figure)
        axes = figure.subplots(1, panels, squeeze=False, **options)[0]
        draw(figure, axes)
        buffer = io.StringIO()
        figure.savefig(buffer, format="svg", transparent=True, metadata={"Date": None, "Creator": None})
    return _embedded(buffer.getvalue())


def _embedded(svg: str) -> str:
    """The element alone, as wide as its container, with unique ids so that charts do not share clips."""
    svg = svg[svg.index("<svg") :]
    mark = f"{zlib.crc32(svg.encode()):08x}"
    svg = re.sub(r'id="([^"]+)"', rf'id="c{mark}\1"', svg)
    svg = re.sub(r'(url\(#|href="#)', rf"\g<1>c{mark}", svg)
    return re.sub(r'<svg [^>]*?width="[^"]*" height="[^"]*"', _open_tag, svg, count=1)


def _open_tag(match: re.Match[str]) -> str:
    return re.sub(r'(width|height)="[^"]*"', "", match[0]) + ' class="chart" role="img"'


AXIS_LABELS = {  # of each curve
    "deletion": ("fraction of pixels deleted", "probability of the class"),
    "insertion": ("fraction of pixels inserted", "probability of the class"),
    "aic": ("fraction of information", "fraction of images classified correctly"),
    "sic": ("fraction of information", "probability, relative to the image's"),
}
RANDOMIZED = ("fraction of stages with random weights", "similarity to the original map")


def curves_chart(curves: Sequence[dict[str, Any]], names: Sequence[str], methods: Sequence[str], colors: Colors) -> str:
    """Mean curves of some metrics side by side; bands are standard errors over the cases."""

    def draw(_figure: Any, axes: Any) -> None:
        for axis, name in zip(axes, names, strict=True):
            own = [row for row in curves if row["curve"] == name]
            for method in methods:
                _draw_curve(axis, [row for row in own if row["method"] == method], colors[method])
            xlabel, ylabel = AXIS_LABELS.get(name, RANDOMIZED)
            axis.set(xlabel=xlabel, ylabel=ylabel if axis is axes[0] else "", xlim=(0, 1))
            axis.set_title(f"{name.replace('_', ' ').capitalize()} {arrow(name)}")

    return _chart(draw, (9.6, 3.5), panels=len(names), sharey=True)


def _draw_curve(axis: Any, rows: list[dict[str, Any]], color: str) -> None:
    if not rows:
        return
    by_case: dict[Any, list[list[float]]] = {}
    for row in rows:  # references first, so that bands are over cases
        by_case.setdefault((row["image"], row["target"]), []).append(row["value"])
    lines = np.array([np.mean(group, axis=0) for group in by_case.values()])
    lines = lines[np.isfinite(lines).all(axis=1)]
    if len(lines) == 0:
        return
    mean, error = lines.mean(axis=0), lines.std(axis=0) / np.sqrt(len(lines))
    axis.fill_between(rows[0]["at"], mean - error, mean + error, color=color, alpha=0.10, linewidth=0)
    axis.plot(rows[0]["at"], mean, color=color, linewidth=1.8)


def intervals_chart(table: ScoreTable, metric: str, colors: Colors) -> str:
    """Means with their bootstrap intervals, best on top."""
    position = table.metrics.index(metric)
    cells = {method: table.cells[i][position] for i, method in enumerate(table.methods)}
    known = [method for method in table.methods if np.isfinite(cells[method].mean)]
    order = sorted(known, key=lambda method: cells[method].mean, reverse=arrow(metric) == "↓")

    def draw(_figure: Any, axes: Any) -> None:
        for height, method in enumerate(order):
            cell = cells[method]
            axes[0].plot([cell.low, cell.high], [height] * 2, color=colors[method], linewidth=3, alpha=0.45)
            axes[0].plot([cell.mean], [height], "o", color=colors[method], markersize=7)
        axes[0].set_yticks(range(len(order)), order)
        axes[0].tick_params(axis="y", length=0, labelcolor=INK)
        axes[0].grid(axis="y", visible=False)
        axes[0].set_title(f"{metric} {arrow(metric)}")
        axes[0].margins(y=0.08)

    return _chart(draw, (4.6, 0.9 + 0.3 * len(order)))


def cost_chart(table: ScoreTable, metric: str, colors: Colors) -> str:
    """Seconds per image against a score, with the Pareto front."""
    position = table.metrics.index(metric)
    scores = np.array([row[position].mean for row in table.cells])
    seconds = np.maximum(np.array(table.seconds), 1e-4)
    known = [i for i in range(len(scores)) if np.isfinite(scores[i]) and np.isfinite(seconds[i])]

    def draw(_figure: Any, axes: Any) -> None:
        axis = axes[0]
        front = _front(seconds, scores * (1 if arrow(metric) == "↑" else -1), known)
        axis.plot(seconds[front], scores[front], color=LINE, linewidth=6, solid_capstyle="round", zorder=1)
        for i in known:
            axis.plot([seconds[i]], [scores[i]], "o", color=colors[table.methods[i]], markersize=8, zorder=3)
        axis.set_xscale("log")
        axis.margins(x=0.18, y=0.14)
        _label_points(axis, [(seconds[i], scores[i], table.methods[i]) for i in known])
        axis.set(xlabel="seconds per image (median, log scale)", ylabel=f"{metric} {arrow(metric)}")

    return _chart(draw, (6.4, 3.8))


def _front(costs: Float[ndarray, " methods"], gains: Float[ndarray, " methods"], known: list[int]) -> list[int]:
    """The Pareto front by cost: methods for which no other is both faster and better."""
    order = sorted(known, key=lambda i: (costs[i], -gains[i]))
    front: list[int] = []
    for i in order:
        if not front or gains[i] > gains[front[-1]]:
            front.append(i)
    return front


def _label_points(axis: Any, points: Sequence[tuple[float, float, str]]) -> None:
    """Names near their points, above if possible, without overlaps."""
    low, high = axis.get_ylim()
    left, right = np.log10(axis.get_xlim())
    used = [((np.log10(x) - left) / (right - left), (y - low) / (high - low), 0.012) for x, y, _ in points]
    for (x, y, _), name in zip(list(used), [name for _, _, name in points], strict=True):
        half = LETTER * len(name) / 2
        beside = [(x + half + 0.02, y), (x - half - 0.02, y)]
        positions = [(x, y + 0.055), *beside, (x, y - 0.055), (x + half, y + 0.05), (x + half, y - 0.05), (x, y + 0.1)]
        free = [each for each in positions if not any(_overlaps((*each, half), other) for other in used)]
        used.append((*(free or positions)[0], half))
        axis.text(*used[-1][:2], name, transform=axis.transAxes, fontsize=8.5, ha="center", va="center", color=INK)


def _overlaps(one: tuple[float, float, float], other: tuple[float, float, float]) -> bool:
    """Whether two labels (center and half width, as fractions of the axes) touch."""
    return bool(abs(one[0] - other[0]) < one[2] + other[2] and abs(one[1] - other[1]) < 0.042)


def ranking_chart(stability: RankingStability, colors: Colors) -> str:
    """Ranks of the methods under every setting, as lines."""

    def draw(_figure: Any, axes: Any) -> None:
        axis = axes[0]
        across = range(len(stability.settings))
        for i, method in enumerate(stability.methods):
            ranks = stability.ranks[:, i]
            axis.plot(across, ranks, color=colors[method], linewidth=2.4, alpha=0.8)
            axis.plot(across, ranks, "o", color=colors[method], markersize=15, markeredgecolor="white")
            for x, rank in zip(across, ranks, strict=True):
                if np.isfinite(rank):
                    axis.text(x, rank, f"{rank:g}", ha="center", va="center", color="white", fontsize=8)
        for rank in sorted({float(rank) for rank in stability.ranks[-1] if np.isfinite(rank)}):
            names = [m for m, own in zip(stability.methods, stability.ranks[-1], strict=True) if own == rank]
            more = f" and {len(names) - 1} more" if len(names) > 1 else ""
            label = textwrap.shorten(names[0], LONGEST - len(more), placeholder=" …") + more
            axis.text(len(stability.settings) - 0.82, rank, label, va="center", color=INK, fontsize=9.5)
        axis.set_xticks(across, [setting.replace(" / ", "\n") for setting in stability.settings])
        axis.tick_params(axis="x", length=0, labelcolor=INK)
        axis.set(xlim=(-0.4, len(stability.settings) - 0.15), ylim=(len(stability.methods) + 0.6, 0.4), yticks=[])
        axis.grid(visible=False)
        axis.spines[:].set_visible(False)

    width = 2.6 + 1.25 * len(stability.settings)
    return _chart(draw, (width, 0.7 + 0.36 * len(stability.methods)))
