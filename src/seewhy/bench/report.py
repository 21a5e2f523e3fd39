"""The report: one self-contained HTML file, and the tables as Markdown and LaTeX beside it."""

import base64
import json
from collections import Counter
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.compute as pc
import torch

from seewhy.bench.charts import Colors, cost_chart, curves_chart, intervals_chart, method_colors, ranking_chart
from seewhy.bench.explorers import BASELINE_METHODS, FOLDER, write_explorer
from seewhy.bench.overlays import classes_key, example_key, overlay_key, read_legend
from seewhy.bench.results import Results, ScoreColumn
from seewhy.bench.robustness import RankingStability, held_out_gaps, ranking_stability
from seewhy.bench.statistics import SIGNIFICANT, paired_difference
from seewhy.bench.tables import (
    ScoreTable,
    arrow,
    headline_metrics,
    score_tables,
    show_rank,
    to_latex,
    to_markdown,
)
from seewhy.metrics.information import MEDIAN_METRICS, median_area
from seewhy.registry import METRICS, resolve_method
from seewhy.runtime.files import write_atomic
from seewhy.runtime.tables import show_number
from seewhy.store.schema import options_text

MAX_INTERVALS = 4  # charts of confidence intervals per table
MAX_FAILURES = 12  # kinds of failure shown
MAX_RANKINGS = 4  # ranking charts
MAX_CASES = 200  # in the table of scores by image


@dataclass(frozen=True)
class GalleryRow:
    caption: str
    images: list[str]  # the image, then one overlay per method; empty where there is none
    legend: list[tuple[str, str, str]] = field(default_factory=list)  # letter, color and name of each class
    explorer: str = ""  # address of its explorer, relative to the report


@dataclass(frozen=True)
class Gallery:
    title: str
    methods: tuple[str, ...]
    rows: list[GalleryRow]


def write_report(results: Results, path: str | Path | None = None) -> Path:
    """Write `report.html`, `tables.md` and `tables.tex` into the benchmark's folder; returns the path of the page."""
    path = Path(path) if path is not None else results.folder / "report.html"
    path.parent.mkdir(parents=True, exist_ok=True)
    tables = score_tables(results)
    write_atomic(path.with_name("tables.md"), "\n".join(map(to_markdown, tables)).encode())
    write_atomic(path.with_name("tables.tex"), "\n".join(map(to_latex, tables)).encode())
    write_atomic(path, _page(results, tables, path.parent).encode())
    return path


def _page(results: Results, tables: list[ScoreTable], folder: Path) -> str:
    from jinja2 import Environment, PackageLoader
    from markupsafe import Markup

    stabilities = ranking_stability(results)
    shown = {part: _safe(charts, Markup) for part, charts in _charts(results, tables, stabilities).items()}
    parts: dict[str, Any] = {
        **shown,
        **_overview(results),
        "findings": findings(results, tables, stabilities),
        "tables": tables,
        "galleries": galleries(results, folder),
        "stabilities": stabilities,
        "gaps": held_out_gaps(results),
        "published": bool(results.config.published),
        "compared_with": results.config.compare or "the best of the column",
        "per_image": {table.title: per_image_scores(results, table) for table in tables},
        "optimizers": [method.title for method in results.config.methods if resolve_method(method.name).optimizes],
        "medians": {table.title: median_areas(results, table) for table in tables},
        "summaries": {metric: METRICS.get(metric).summary for table in tables for metric in table.metrics},
        "arrow": arrow,
        "seconds": show_seconds,
        "passes": lambda value: "–" if np.isnan(value) else f"{value:,.0f}",
        "number": show_number,
        "rank": show_rank,
    }
    parts["sections"] = [(id, title) for id, title, needed in SECTIONS if not needed or parts[needed]]
    page = Environment(loader=PackageLoader("seewhy.bench"), autoescape=True, trim_blocks=True, lstrip_blocks=True)
    return page.get_template("report.html").render(parts)


SECTIONS = [
    ("summary", "Summary", "findings"),
    ("results", "Results", ""),
    ("intervals", "Confidence intervals", "intervals"),
    ("curves", "Curves", "curves"),
    ("examples", "Examples", "galleries"),
    ("cost", "Cost", "costs"),
    ("stability", "Ranking stability", "stabilities"),
    ("gaps", "Held-out references", "gaps"),
    ("failures", "Failures", ""),
    ("settings", "Settings", ""),
]


def _safe(charts: list[tuple[str, list[str]]], markup: Any) -> list[tuple[str, list[Any]]]:
    """Mark our own SVG as safe: it needs no escaping."""
    return [(title, [markup(chart) for chart in each]) for title, each in charts if each]


def _charts(
    results: Results, tables: list[ScoreTable], stabilities: list[RankingStability]
) -> dict[str, list[tuple[str, list[str]]]]:
    """Titled groups of charts, by section of the report."""
    colors = colors_of(results)
    contested = sorted(stabilities, key=lambda each: each.weakest)[:MAX_RANKINGS]
    return {
        "curves": [(table.title, _curve_charts(results, table, colors)) for table in tables],
        "costs": [(table.title, _cost_charts(table, colors)) for table in tables],
        "intervals": [(table.title, _interval_charts(table, colors)) for table in tables],
        "rankings": [(f"{a.metric} {arrow(a.metric)} · {a.model}", [ranking_chart(a, colors)]) for a in contested],
    }


def _curve_charts(results: Results, table: ScoreTable, colors: Colors) -> list[str]:
    """Deletion beside insertion, and one chart for each other curve."""
    rows = results.curves_of(ScoreColumn(table.model, table.data, table.protocol, ""))
    names = dict.fromkeys(row["curve"] for row in rows)
    swept = [name for name in ("deletion", "insertion") if name in names]
    groups = [swept] * bool(swept) + [[name] for name in names if name not in swept]
    return [curves_chart(rows, group, results.methods, colors) for group in groups]


def _cost_charts(table: ScoreTable, colors: Colors) -> list[str]:
    headline = headline_of(table)
    return [cost_chart(table, headline, colors)] if headline in table.scored_metrics else []


def _interval_charts(table: ScoreTable, colors: Colors) -> list[str]:
    scored = table.scored_metrics
    chosen = headline_metrics(scored) or scored
    return [intervals_chart(table, metric, colors) for metric in chosen[:MAX_INTERVALS]]


def per_image_scores(results: Results, table: ScoreTable) -> list[tuple[str, list[tuple[str, list[float]]]]]:
    """The headline metric of the first cases: a title and a score per method for each."""
    metric = headline_of(table)
    if metric not in table.scored_metrics:
        return []
    found = results.matrix(ScoreColumn(table.model, table.data, table.protocol, metric))
    titles = [f"{image}, class {target}" for image, target in found.cases]
    return [(metric, list(zip(titles, found.scores.tolist(), strict=True))[:MAX_CASES])]


def median_areas(results: Results, table: ScoreTable) -> list[tuple[str, list[tuple[str, float]]]]:
    """Of metrics whose papers do so: the area under the median curve of all cases, per method."""
    curves: dict[str, dict[str, list[list[float]]]]
    curves = {metric: {} for metric in table.metrics if metric in MEDIAN_METRICS}
    column = ScoreColumn(table.model, table.data, table.protocol, "")
    for row in results.curves_of(column) if curves else ():
        if row["curve"] in curves:
            curves[row["curve"]].setdefault(row["method"], []).append(row["value"])
    return [
        (metric, [(method, median_area(torch.tensor(own).unsqueeze(1))) for method, own in by_method.items()])
        for metric, by_method in curves.items()
    ]


def colors_of(results: Results) -> dict[str, str]:
    names = {method.title: method.name for method in results.config.methods}
    return method_colors(results.methods, [names[title] for title in results.methods])


def headline_of(table: ScoreTable) -> str:
    """The metric that a single chart should show: the first headline metric (insertion minus deletion), else any."""
    return next((name for name in table.metrics if METRICS.get(name).headline == 1), (*table.metrics, "")[0])


def findings(results: Results, tables: list[ScoreTable], stabilities: list[RankingStability]) -> list[str]:
    """The summary, in sentences."""
    lines = [line for table in tables for line in [_winner_line(results, table)] if line]
    unstable = [each.metric for each in stabilities if each.verdict == "unstable"]
    if unstable:
        names = ", ".join(dict.fromkeys(name.replace("_", " ") for name in unstable))
        lines.append(f"The ranking depends on the setting for: {names}. One table alone would mislead.")
    elif stabilities and all(len(each.winners) == 1 for each in stabilities):
        lines.append("The best method is the same under every protocol and reference of this benchmark.")
    if results.failures():
        lines.append(f"{len(results.failures()):,} rows failed; see Failures.")
    return lines


def _winner_line(results: Results, table: ScoreTable) -> str:
    """The best method, and whether it is significantly better than the second: a paired test of these two."""
    metric = headline_of(table)
    if not metric:
        return ""
    cells = [row[table.metrics.index(metric)] for row in table.cells]
    known = [i for i, cell in enumerate(cells) if np.isfinite(cell.mean)]
    if len(known) < 2:
        return ""
    order = sorted(known, key=lambda i: cells[i].mean, reverse=arrow(metric) == "↑")
    first, second = order[0], order[1]
    scores = results.matrix(ScoreColumn(table.model, table.data, table.protocol, metric)).scores
    gap = paired_difference(scores[:, first], scores[:, second])
    relation = "significantly better than" if gap.p < SIGNIFICANT else "not distinguishable from"
    return (
        f"{table.title}: {table.methods[first]} has the best {metric.replace('_', ' ')}, {cells[first].text}, "
        f"{relation} {table.methods[second]} with {cells[second].text} "
        f"(paired test: p = {gap.p:.2g}, n = {gap.count})."
    )


def galleries(results: Results, folder: Path) -> list[Gallery]:
    """Images and overlays, one gallery per model and data set; explorers of the images are written to `folder`."""
    shown = {file.stem for file in (results.folder / "examples").glob("*.jpg")}
    examples: dict[tuple[str, str], dict[str, dict[str, dict[str, Any]]]] = {}
    for row in results.rows.filter(pc.is_valid(results.rows["target"])).to_pylist() if shown else []:
        if overlay_key(row, row["target"]) in shown:  # of several classes, the one that was drawn
            examples.setdefault((row["model"], row["data"]), {}).setdefault(row["image_key"], {})[row["method"]] = row
    plain, contrasts = [], []
    for (model, data), images in examples.items():
        rows = [_gallery_row(results, each, folder) for each in images.values()]
        plain.append(Gallery(f"{model} · {data}", results.methods, rows))
        contrasts += _class_gallery(results, f"{model} · {data} · winning class", list(images.values()), shown)
    return plain + contrasts


def _class_gallery(
    results: Results, title: str, images: list[dict[str, dict[str, Any]]], shown: set[str]
) -> list[Gallery]:
    """Every position in the color of its winning class, for the methods that contrast classes."""
    methods = tuple(
        title
        for title in results.methods
        if any(title in each and classes_key(each[title]) in shown for each in images)
    )
    rows = []
    for each in images:
        keys = [classes_key(each[title]) if title in each else "" for title in methods]
        drawn = [key for key in keys if key in shown]
        if drawn:
            image = _embedded(results.folder, example_key(next(iter(each.values()))))
            legend = read_legend(results.folder / "examples" / f"{drawn[0]}.jpg")
            rows.append(GalleryRow("", [image, *(_embedded(results.folder, key) for key in keys)], legend))
    return [Gallery(title, methods, rows)] if rows else []


def _gallery_row(results: Results, methods: dict[str, dict[str, Any]], folder: Path) -> GalleryRow:
    some = next(iter(methods.values()))
    maps = [
        _embedded(results.folder, overlay_key(methods[title], methods[title]["target"])) if title in methods else ""
        for title in results.methods
    ]
    image = _embedded(results.folder, example_key(some))
    explorer = f"{FOLDER}/{example_key(some)}.html"
    ordered = [methods[title] for title in results.methods if title in methods]
    baselines = [{**some, "name": method.name, "options": options_text(method.options)} for method in BASELINE_METHODS]
    keys = [overlay_key(row, some["target"]) for row in [*ordered, *baselines]]
    written = write_explorer(results.folder / "examples", keys, folder / explorer)
    caption = f"{some['target_name']} {some['probability']:.0%}"
    return GalleryRow(caption, [image, *maps], explorer=explorer if written else "")


def _embedded(folder: Path, key: str) -> str:
    file = folder / "examples" / f"{key}.jpg"
    return f"data:image/jpeg;base64,{base64.b64encode(file.read_bytes()).decode()}" if file.is_file() else ""


def _overview(results: Results) -> dict[str, Any]:
    """Name, counts, failures and settings of the benchmark, for the template."""
    config, rows, failed = results.config, results.rows, results.failures()
    reasons = Counter((row["method"], row["metric"], row["error"]) for row in failed)
    example = {(row["method"], row["metric"], row["error"]): row["image"] for row in failed}
    keys = rows.select(["model", "model_key"]).group_by(["model", "model_key"]).aggregate([]).to_pylist()
    counted = [(rows[name].unique(), noun) for name, noun in (("image_key", "images"), ("model_key", "models"))]
    return {
        "name": config.name,
        "about": config.about,
        "colors": colors_of(results),
        "chips": [(f"{len(values):,}", noun) for values, noun in counted]
        + [(len(results.methods), "methods"), (len(config.protocols), "protocols"), (f"{len(rows):,}", "rows")]
        + [(len(failed), "failures")],
        "failed": f"{len(failed):,}",
        "total": f"{len(rows):,}",
        "undefined": rows["error"].length() - rows["error"].null_count - len(failed),
        "failures": [
            {"count": count, "method": key[0], "metric": key[1], "error": key[2], "image": example[key]}
            for key, count in reasons.most_common(MAX_FAILURES)
        ],
        "protocols": results.metadata["protocols"],
        "environment": results.metadata["environment"],
        "models": [(row["model"], row["model_key"]) for row in keys],
        "configuration": json.dumps(asdict(config), indent=1, default=str),
    }


def show_seconds(value: float) -> str:
    """Times in a table.

    >>> show_seconds(0.0042), show_seconds(0.25), show_seconds(12.3)
    ('4 ms', '0.25', '12.3')
    """
    if np.isnan(value):
        return "–"
    return f"{value * 1000:.0f} ms" if value < 0.1 else f"{value:.2f}" if value < 10 else f"{value:.1f}"
