"""Score tables as data, and as Markdown and LaTeX: methods down, metrics across, the best three marked."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from seewhy.bench.results import Results, ScoreColumn
from seewhy.bench.statistics import (
    SIGNIFICANT,
    Difference,
    best_three,
    holm,
    method_means,
    paired_difference,
    ranks,
    summarize,
)
from seewhy.registry import METRICS
from seewhy.runtime.tables import show_number


@dataclass(frozen=True)
class ScoreCell:
    """A method's score under one metric."""

    mean: float
    error: float
    low: float
    high: float
    count: int
    place: int  # 1, 2, 3, or 0
    difference: Difference | None  # from the method that all are compared with; None for that method
    p: float  # of that difference, corrected for the number of methods
    published: float | None = None

    @property
    def text(self) -> str:
        return show_number(self.mean)


@dataclass(frozen=True)
class ScoreTable:
    """One model on one data set under one protocol."""

    model: str
    data: str
    protocol: str
    metrics: tuple[str, ...]
    methods: tuple[str, ...]
    cells: tuple[tuple[ScoreCell, ...], ...]  # by method, then metric
    mean_ranks: tuple[float, ...]  # of the methods, over the metrics
    seconds: tuple[float, ...]  # median, per image
    passes: tuple[float, ...]  # forwards and backwards, per image
    cases: int

    @property
    def title(self) -> str:
        return f"{self.model} · {self.data} · protocol {self.protocol}"

    def place(self, row: int, column: int) -> int:
        """The place of a score, to mark it; 0 beyond the third, for ties and where no difference is significant."""
        cells = [each[column] for each in self.cells]
        place = cells[row].place
        unique = [cell.place for cell in cells].count(place) == 1
        return place if unique and any(cell.p < SIGNIFICANT for cell in cells) else 0

    @property
    def scored_metrics(self) -> list[str]:
        """Metrics for which at least one method has a score."""
        columns = zip(self.metrics, zip(*self.cells, strict=True), strict=True)
        return [metric for metric, cells in columns if any(np.isfinite(cell.mean) for cell in cells)]


def score_tables(results: Results) -> list[ScoreTable]:
    """One table per model, data set and protocol."""
    columns = [column for column in results.columns() if column.reference == "all"]
    keys = dict.fromkeys((column.model, column.data, column.protocol) for column in columns)
    return [_table(results, [c for c in columns if (c.model, c.data, c.protocol) == key]) for key in keys]


def show_rank(value: float) -> str:
    return "–" if np.isnan(value) else f"{value:.1f}"


def arrow(metric: str) -> str:
    return METRICS.get(metric).arrow


def headline_metrics(metrics: Sequence[str]) -> list[str]:
    """Those of the metrics that are registered as headlines, the first one first."""
    found = sorted((METRICS.get(name).headline, name) for name in metrics)
    return [name for rank, name in found if rank]


def _table(results: Results, columns: list[ScoreColumn]) -> ScoreTable:
    by_metric = [_column_cells(results, column) for column in columns]
    places = np.array(
        [
            ranks(np.array([cell.mean for cell in cells]), higher_is_better=_higher(column))
            for cells, column in zip(by_metric, columns, strict=True)
        ]
    )
    first = columns[0]
    seconds, passes = _costs(results, first)
    return ScoreTable(
        first.model,
        first.data,
        first.protocol,
        tuple(column.metric for column in columns),
        results.methods,
        tuple(zip(*by_metric, strict=True)),
        tuple(method_means(places).tolist()),
        seconds,
        passes,
        max(len(results.matrix(column).cases) for column in columns),
    )


def _higher(column: ScoreColumn) -> bool:
    return METRICS.get(column.metric).higher_is_better


def _column_cells(results: Results, column: ScoreColumn) -> list[ScoreCell]:
    scores = results.matrix(column).scores
    summary = summarize(scores)
    places = best_three(summary.mean, higher_is_better=_higher(column))
    compared_with = _compared_with(results, places)
    gaps = [paired_difference(scores[:, i], scores[:, compared_with]) for i in range(scores.shape[1])]
    tested = [i for i, gap in enumerate(gaps) if i != compared_with and np.isfinite(gap.p)]
    ps = dict(zip(tested, holm(np.array([gaps[i].p for i in tested])), strict=True)) if tested else {}
    published = {
        each.method: each.score
        for each in results.config.published
        if each.metric == column.metric and each.reference == column.reference
    }
    return [
        ScoreCell(
            mean=float(summary.mean[i]),
            error=float(summary.error[i]),
            low=float(summary.low[i]),
            high=float(summary.high[i]),
            count=int(summary.count[i]),
            place=places[i],
            difference=None if i == compared_with else gaps[i],
            p=float(ps.get(i, np.nan)),
            published=published.get(method),
        )
        for i, method in enumerate(results.methods)
    ]


def _compared_with(results: Results, places: Sequence[int]) -> int:
    """The method that others are compared with: the configured one, else the best."""
    if results.config.compare in results.methods:
        return results.methods.index(results.config.compare)
    return places.index(1) if 1 in places else 0


def _costs(results: Results, column: ScoreColumn) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Median seconds, and mean forwards plus backwards, of one explanation."""
    rows = results.explanations(column)
    seconds, passes = [], []
    for method in results.methods:
        own = [row for row in rows if row["method"] == method and row["seconds"] is not None]
        seconds.append(float(np.median([row["seconds"] for row in own])) if own else float("nan"))
        passes.append(float(np.mean([row["forwards"] + row["backwards"] for row in own])) if own else float("nan"))
    return tuple(seconds), tuple(passes)


def to_markdown(table: ScoreTable) -> str:
    """The best is bold, the second italic, the third underlined."""
    head = ["method", *(f"{metric} {arrow(metric)}" for metric in table.metrics), "mean rank", "s / image"]
    lines = [
        f"**{table.title}** ({table.cases} cases, mean ± standard error)",
        "",
        _line(head),
        _line(["---"] * len(head)),
    ]
    for i, method in enumerate(table.methods):
        marked = _marked(table, i, "**{}**", "*{}*", "<u>{}</u>")
        cells = [text + _error(cell, " ± ") for text, cell in zip(marked, table.cells[i], strict=True)]
        lines.append(_line([method, *cells, show_rank(table.mean_ranks[i]), f"{table.seconds[i]:.2g}"]))
    return "\n".join(lines) + "\n"


def to_latex(table: ScoreTable) -> str:
    """A `booktabs` table; the best is bold, the second underlined, the third italic."""
    heads = [
        rf"{_escape(m)} ${'uparrow' if arrow(m) == '↑' else 'downarrow'}$".replace("$", "$\\", 1) for m in table.metrics
    ]
    lines = [r"\begin{table}", r"\centering", rf"\caption{{{_escape(table.title)}, {table.cases} cases.}}"]
    lines += [
        rf"\begin{{tabular}}{{l{'r' * len(heads)}}}",
        r"\toprule",
        " & ".join(["Method", *heads]) + r" \\",
        r"\midrule",
    ]
    for i, method in enumerate(table.methods):
        cells = _marked(table, i, r"\textbf{{{}}}", r"\underline{{{}}}", r"\textit{{{}}}")
        lines.append(" & ".join([_escape(method), *cells]) + r" \\")
    return "\n".join([*lines, r"\bottomrule", r"\end{tabular}", r"\end{table}"]) + "\n"


def _marked(table: ScoreTable, row: int, *marks: str) -> list[str]:
    """The scores of a method; `marks` are those of the first, second and third place."""
    places = [table.place(row, column) for column in range(len(table.metrics))]
    return [("{}", *marks)[place].format(cell.text) for place, cell in zip(places, table.cells[row], strict=True)]


def _error(cell: ScoreCell, sign: str) -> str:
    return f"{sign}{show_number(cell.error)}" if np.isfinite(cell.error) else ""


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _escape(text: str) -> str:
    special = {character: f"\\{character}" for character in "_%&#${}"}
    special |= {"·": r"$\cdot$", "^": r"\^{}", "~": r"\~{}"}
    return "".join(special.get(character, character) for character in text)
