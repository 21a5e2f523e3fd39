"""Write the tables that come from the registries into the README: `python docs/tables.py`."""

import re
from pathlib import Path

from seewhy.models.vit import ViT
from seewhy.registry import METHODS, Method

README = Path(__file__).parents[1] / "README.md"


def methods_table() -> str:
    rows = ["| method | models | what it is | paper |", "|---|---|---|---|"]
    return "\n".join(rows + [_row(method) for method in METHODS.all()])


def _row(method: Method) -> str:
    name = f"`{method.name}:…`" if method.wraps else f"`{method.name}`"
    models = "ViT" if method.needs is ViT else "any"
    paper = method.paper
    source = f"[{paper.authors.split(',')[0]} {paper.year}]({paper.url})" if paper else ""
    return f"| {name} | {models} | {method.summary.rstrip('.')} | {source} |"


def with_tables(text: str) -> str:
    """The text with what stands between the markers replaced."""
    table = f"<!-- methods -->\n{methods_table()}\n<!-- /methods -->"
    return re.sub(r"<!-- methods -->.*<!-- /methods -->", lambda _: table, text, flags=re.DOTALL)


if __name__ == "__main__":
    README.write_text(with_tables(README.read_text()))
