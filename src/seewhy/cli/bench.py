"""`seewhy bench`: models x methods x images x metrics, and a report."""

from collections.abc import Collection
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from seewhy.cli.output import check_folder, emit
from seewhy.cli.shared import app, print_log

if TYPE_CHECKING:
    from rich.table import Table

    from seewhy.bench import Results
    from seewhy.bench.tables import ScoreTable

FEW = 20  # cases; with fewer, a ranking says little
LONGEST = 26  # letters of a method's name in a line of the terminal


@app.command()
def bench(
    config: Annotated[
        Path, typer.Argument(metavar="CONFIG.toml", help="File, or name of a bundled one: scenes-quick.")
    ],
    workers: Annotated[int, typer.Option(min=1, metavar="N", help="Processes on this machine.")] = 1,
    ray: Annotated[str | None, typer.Option(metavar="ADDRESS", help='A Ray cluster, or "local".')] = None,
    limit: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="Images of each data set, instead of the file's limit.")
    ] = None,
    retry: Annotated[bool, typer.Option("--retry", help="Retry failed tasks.")] = False,
    out: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Output folder, instead of the file's; resumes a run found there."),
    ] = None,
    plan: Annotated[bool, typer.Option("--plan", help="Run one image per model, estimate the cost, stop.")] = False,
) -> None:
    """Run a benchmark and write its report; an interrupted run resumes."""
    from seewhy.bench import BenchConfig
    from seewhy.bench.runner import measure_benchmark, run_benchmark
    from seewhy.cli import terminal

    found = find_config(config)
    settings = BenchConfig.from_toml(found)
    if found != config and out is None:
        out = Path("seewhy-bench") / found.stem  # not beside the bundled file, which lies in the package
    if limit is not None:
        settings = replace(settings, data=tuple(replace(entry, limit=limit) for entry in settings.data))
    if out is not None:
        check_folder(out)
        settings = replace(settings, out=str(out))
    print_log()
    if plan:
        found_plan = measure_benchmark(settings, workers=workers, retry=retry)
        terminal.print_line(str(found_plan))
        emit(asdict(found_plan))
    else:
        emit(show_results(run_benchmark(settings, workers=workers, ray=ray, retry=retry)))


def find_config(config: Path) -> Path:
    """The file, or the bundled one of that name."""
    bundled = Path(__file__).parents[1] / "bench" / "configs" / f"{config}.toml"
    return bundled if not config.exists() and bundled.is_file() else config


def show_results(results: "Results") -> dict[str, Any]:
    """Print the tables and write the report; returns what `--json` prints."""
    from seewhy.bench.report import write_report
    from seewhy.bench.tables import score_tables
    from seewhy.cli import terminal

    screen = terminal.console()
    tables = score_tables(results)
    optimized = [method.title for method in results.config.methods if method.optimized_on]
    for table in tables:
        screen.print(overview(table, optimized, width=screen.width))
        screen.print()
    failed = len(results.failures())
    if failed:
        screen.print(f"{failed:,} of {len(results):,} rows failed; see the report", style="yellow")
    report = write_report(results)
    screen.print(f"wrote {report}", style="dim", soft_wrap=True)
    return {"report": report, "failed": failed, "tables": [_means(table) for table in tables]}


def _means(table: "ScoreTable") -> dict[str, Any]:
    """The mean scores by method and metric, for `--json`."""
    rows = zip(table.methods, table.cells, strict=True)
    means = {method: {m: cell.mean for m, cell in zip(table.metrics, cells, strict=True)} for method, cells in rows}
    return {"title": table.title, "cases": table.cases, "means": means}


def overview(table: "ScoreTable", optimized: Collection[str] = (), *, width: int = 80) -> "Table":
    """Methods by the main metrics that fit the width; the best is green, unless nothing differs significantly from it.

    `optimized` are methods that optimize the metrics themselves; they are marked.
    """
    from rich.table import Table
    from rich.text import Text

    from seewhy.bench.report import show_seconds
    from seewhy.bench.tables import arrow, headline_metrics

    names = [f"{method} *" if method in optimized else method for method in table.methods]
    heads = [f"{metric} {arrow(metric)}" for metric in table.metrics]
    order = [table.metrics.index(metric) for metric in headline_metrics(table.metrics)]
    order += [i for i in range(len(heads)) if i not in order]
    longest = min(LONGEST, max(map(len, ["method", *names])))
    room = width - longest - len("  s / image") - 4
    shown = [i for n, i in enumerate(order) if sum(len(heads[j]) + 2 for j in order[: n + 1]) <= room] or order[:1]
    notes = [f"{len(heads) - len(shown)} more metrics in the report"] if len(heads) > len(shown) else []
    notes += ["* optimizes the metric itself"] if any(name.endswith(" *") for name in names) else []
    notes += ["too few cases to rank methods"] if table.cases < FEW else []
    page = Table(title=f"{table.title} · {table.cases} cases", title_justify="left", box=None, header_style="dim")
    page.caption, page.caption_justify = "; ".join(notes) or None, "left"
    page.add_column("method", style="cyan", min_width=longest, max_width=longest)
    for i in shown:
        page.add_column(heads[i], justify="right", no_wrap=True)
    page.add_column("s / image", justify="right", no_wrap=True)
    for row, name in enumerate(names):
        cells = [Text(table.cells[row][i].text, "bold green" if table.place(row, i) == 1 else "") for i in shown]
        page.add_row(name, *cells, show_seconds(table.seconds[row]))
    return page
