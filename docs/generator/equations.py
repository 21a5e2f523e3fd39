"""Paper to code: every equation, section and algorithm that a comment or docstring in the source names."""

import ast
import re
from pathlib import Path
from typing import NamedTuple

from facts import ROOT, table

from seewhy.papers import paper_field
from seewhy.registry import METHODS

SOURCE = ROOT / "src" / "seewhy"
SYSTEMS = {  # the papers that most files belong to; other methods are listed under their own paper
    "schinagl2026": (
        "AHA",
        [
            "methods/aha.py",
            "methods/refine.py",
            "interventions/soft_sweep.py",
            "explainers",
            "ops/sinkhorn.py",
            "ops/perturb.py",
        ],
    ),
    "izadi2026": ("CAAP", ["methods/caap.py", "methods/e_caap.py", "methods/simple_*.py", "interventions/patched.py"]),
    "walker2025mda": ("MDA", ["methods/mda.py", "interventions/*_search.py", "interventions/patch_order.py"]),
    "walter2025": ("VAR", ["methods/var.py"]),
}
NAMED = re.compile(r"\b(Eqs?\. ?[A-C]?\d[\d.]*(?:(?: to | and |, |-|–)[A-C]?\d+)*(?<!\.)|Algorithm \d+|Sec\. [\d.]+\d)")


class Place(NamedTuple):
    file: str
    line: int
    named: str
    code: str


def equations_page() -> dict[str, str]:
    parts = [
        "# Paper to code\n\nWhere each equation, section and algorithm of a paper is computed. Line numbers are those "
        "of this version; the list is made from the comments in the source."
    ]
    listed: set[str] = set()
    for title, patterns in SYSTEMS.values():
        files = [file for pattern in patterns for file in expand(pattern)]
        listed |= {str(file) for file in files}
        parts.append(f"## {title}\n\n{places_table([place for file in files for place in places(file)])}")
    parts.append("## Other methods")
    for method in METHODS.all():
        file = SOURCE / "methods" / f"{method.name}.py"
        found = places(file) if file.is_file() and str(file) not in listed else []
        if found:
            cited = (
                f"{paper_field(method.paper, 'title')} ({paper_field(method.paper, 'year')})" if method.paper else ""
            )
            parts.append(f"### {method.name}\n\n{cited}\n\n{places_table(found)}")
    return {"papers.md": "\n\n".join(parts) + "\n"}


def expand(pattern: str) -> list[Path]:
    path = SOURCE / pattern
    return sorted(path.glob("*.py")) if path.is_dir() else sorted(SOURCE.glob(pattern))


def places(file: Path) -> list[Place]:
    """The lines of a file that name something of a paper: their code, or the function whose docstring they are."""
    text, found = file.read_text(), []
    owners = docstrings(text)
    for number, line in enumerate(text.splitlines(), start=1):
        for named in NAMED.findall(line):
            code, _, comment = line.strip().partition("  # ")
            shown = owners.get(number, code if comment and named in comment else line.strip("# "))
            if shown:
                found.append(Place(file.relative_to(SOURCE.parent).as_posix(), number, named, shown))
    return found


def docstrings(text: str) -> dict[int, str]:
    """The function or class of every line of a docstring; none for that of the file, which its method's page has.

    >>> docstrings("'File.'\\ndef f():\\n    'Eq. 1.'")
    {1: '', 3: 'def f'}
    """
    owners = {}
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef)) and ast.get_docstring(node):
            kind = {ast.Module: "", ast.ClassDef: "class "}.get(type(node), "def ")
            lines = range(node.body[0].lineno, node.body[0].end_lineno + 1)
            owners |= dict.fromkeys(lines, kind + getattr(node, "name", ""))
    return owners


def places_table(found: list[Place]) -> str:
    rows = [(place.named, f"`{place.file}:{place.line}`", f"`{place.code.replace('`', '')}`") for place in found]
    return table(["in the paper", "file", "line"], rows) if rows else "Nothing is numbered."
