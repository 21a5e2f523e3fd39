"""Small tables as text, for the REPL, and as HTML, for notebooks."""

import html
import math
from collections.abc import Sequence
from typing import Any

from seewhy.errors import MissingExtra

Cells = Sequence[Sequence[str]]


def text_table(columns: Sequence[str], rows: Cells) -> str:
    """Aligned columns: text to the left, numbers to the right.

    >>> print(text_table(["method", "score"], [["caap", "0.5"], ["random", "10.0"]]))
    method  score
    caap      0.5
    random   10.0
    """
    by_column = list(zip(columns, *rows, strict=True))
    widths = [max(map(len, cells)) for cells in by_column]
    right = [all(map(_is_number, cells[1:])) for cells in by_column]
    lines = [
        "  ".join(
            cell.rjust(width) if to_right else cell.ljust(width)
            for cell, width, to_right in zip(row, widths, right, strict=True)
        ).rstrip()
        for row in zip(*by_column, strict=True)
    ]
    return "\n".join(lines)


def html_table(columns: Sequence[str], rows: Cells) -> str:
    """A plain table; a notebook styles it."""
    head = "".join(f"<th>{html.escape(column)}</th>" for column in columns)
    body = "".join(f"<tr>{''.join(f'<td>{html.escape(cell)}</td>' for cell in row)}</tr>" for row in rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def to_dataframe(rows: Sequence[Any]) -> Any:
    """A pandas DataFrame of dicts; pandas is not a dependency."""
    try:
        import pandas
    except ModuleNotFoundError as error:
        raise MissingExtra("a DataFrame", "pandas") from error
    return pandas.DataFrame(list(rows))


def show_number(value: float) -> str:
    """A score in a table.

    >>> show_number(0.12345), show_number(-0.0001), show_number(63.4), show_number(float("nan"))
    ('0.123', '0.000', '63.4', '–')
    """
    if math.isnan(value):
        return "–"
    return f"{value:.1f}" if abs(value) >= 10 else f"{round(value, 3) + 0.0:.3f}"


def _is_number(cell: str) -> bool:
    return cell in ("", "–", "never") or cell.lstrip("-+−≤≥<>~ ")[:1].isdigit()
