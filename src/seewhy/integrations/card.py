"""The section "Explanations" of a model card, from the results of a benchmark."""

from pathlib import Path

from seewhy import __version__
from seewhy.bench.results import Results
from seewhy.bench.tables import ScoreTable, arrow, score_tables

START, END = "<!-- seewhy -->", "<!-- /seewhy -->"
INTRODUCTION = """## Explanations

How faithful maps of different methods are for this model, measured by [seewhy]({url}) {version}: means over n images
with 95 % bootstrap intervals. Scores compare within one table only.
"""
URL = "https://pypi.org/project/seewhy"


def card_section(folder: str | Path) -> str:
    """Markdown between two comments, so that `insert_section` can replace it later."""
    results = Results(folder)
    tables = [_table(table) for table in score_tables(results)]
    note = "A map shows what the model responds to, not what is true, and not that the model is right."
    return "\n\n".join([START, INTRODUCTION.format(url=URL, version=__version__).strip(), *tables, note, END]) + "\n"


def insert_section(text: str, section: str) -> str:
    """The card with the section in place of an older one, else at its end.

    >>> insert_section("# Card\\n", "<!-- seewhy -->\\nnew\\n<!-- /seewhy -->\\n")
    '# Card\\n\\n<!-- seewhy -->\\nnew\\n<!-- /seewhy -->\\n'
    """
    before, start, rest = text.partition(START)
    if not start:
        return f"{text.rstrip()}\n\n{section}"
    return before + section.rstrip("\n") + rest.partition(END)[2]


def _table(table: ScoreTable) -> str:
    metrics = table.scored_metrics
    heads = ["method", *(f"{metric} {arrow(metric)}" for metric in metrics), "passes per map"]
    rows = [heads, ["---"] * len(heads)]
    for method, cells, passes in zip(table.methods, table.cells, table.passes, strict=True):
        scores = dict(zip(table.metrics, cells, strict=True))
        shown = [f"{scores[each].mean:.3f} ({scores[each].low:.3f} to {scores[each].high:.3f})" for each in metrics]
        rows.append([f"`{method}`", *shown, f"{passes:.4g}"])
    lines = "\n".join(f"| {' | '.join(row)} |" for row in rows)
    return f"{table.title}, n = {table.cases}\n\n{lines}"
