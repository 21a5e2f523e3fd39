"""Sections of a model card: "Explanations" from a benchmark, "Shortcuts" from an audit."""

from pathlib import Path

from seewhy import __version__
from seewhy.audits.findings import FILE, Findings, load_findings
from seewhy.bench.results import Results
from seewhy.bench.tables import ScoreTable, arrow, score_tables

INTRODUCTION = """## Explanations

How faithful maps of different methods are for this model, measured by [seewhy]({url}) {version}: means over n images
with 95 % bootstrap intervals. Scores compare within one table only.
"""
URL = "https://pypi.org/project/seewhy"


AUDITED = """## Shortcuts

Cues that images of a class share, removed, and pasted into images of other classes, by an audit of [seewhy]({url})
{version}. It finds what enough of its images share: no finding does not prove that there is no shortcut.
"""


def card_section(folder: str | Path) -> str:
    """Markdown from a benchmark or an audit, between two comments, so that `insert_section` can replace it later."""
    if (Path(folder) / FILE).is_file():
        return _between("seewhy audit", AUDITED, _audit(load_findings(folder)))
    tables = [_table(table) for table in score_tables(Results(folder))]
    note = "A map shows what the model responds to, not what is true, and not that the model is right."
    return _between("seewhy", INTRODUCTION, [*tables, note])


def _between(name: str, introduction: str, parts: list[str]) -> str:
    start = introduction.format(url=URL, version=__version__).strip()
    return "\n\n".join([f"<!-- {name} -->", start, *parts, f"<!-- /{name} -->"]) + "\n"


def _audit(findings: Findings) -> list[str]:
    """The verdicts, and a sentence per confirmed finding."""
    heads, rows = findings.table()
    sentences = [f"- {each.summary}" for each in findings.confirmed] or ["No cue was confirmed."]
    return [*([_markdown(heads, rows)] if rows else []), "\n".join(sentences)]


def insert_section(text: str, section: str) -> str:
    """The card with the section in place of an older one of its kind, else at its end.

    >>> insert_section("# Card\\n", "<!-- seewhy -->\\nnew\\n<!-- /seewhy -->\\n")
    '# Card\\n\\n<!-- seewhy -->\\nnew\\n<!-- /seewhy -->\\n'
    """
    first, *_, last = section.splitlines()
    before, found, rest = text.partition(first)
    if not found:
        return f"{text.rstrip()}\n\n{section}"
    return before + section.rstrip("\n") + rest.partition(last)[2]


def _table(table: ScoreTable) -> str:
    metrics = table.scored_metrics
    heads = ["method", *(f"{metric} {arrow(metric)}" for metric in metrics), "passes per map"]
    rows = []
    for method, cells, passes in zip(table.methods, table.cells, table.passes, strict=True):
        scores = dict(zip(table.metrics, cells, strict=True))
        shown = [f"{scores[each].mean:.3f} ({scores[each].low:.3f} to {scores[each].high:.3f})" for each in metrics]
        rows.append([f"`{method}`", *shown, f"{passes:.4g}"])
    return f"{table.title}, n = {table.cases}\n\n{_markdown(heads, rows)}"


def _markdown(heads: list[str], rows: list[list[str]]) -> str:
    return "\n".join(f"| {' | '.join(row)} |" for row in [heads, ["---"] * len(heads), *rows])
