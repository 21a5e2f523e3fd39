"""The structure of the package: imports go upwards only, names agree with files, public names can be imported."""

import ast
import importlib
import inspect
import re
import unicodedata
from pathlib import Path

import pytest

import seewhy
from seewhy.papers import paper_field, read_papers
from seewhy.registry import METHODS, METRICS

SOURCE = Path(seewhy.__file__).parent
ROOT = Path(__file__).parents[1]


def read_rows() -> dict[str, int]:
    """Row of every part, from the table in CONTRIBUTING.md; a line is `number  part  part      comment`."""
    table = (ROOT / "CONTRIBUTING.md").read_text().split("```\n0  ")[1].split("```")[0]
    rows, number = {}, 0
    for line in f"0  {table}".splitlines():
        number = int(line[0]) if line[0].isdigit() else number
        parts = re.split(r" {3,}", line[1:].strip())[0]
        rows |= dict.fromkeys(parts.split(), number)
    return rows


ROW = read_rows()
FILES = sorted(path for path in SOURCE.rglob("*.py") if path != SOURCE / "__init__.py")


def part_of(path: Path) -> str:
    return path.relative_to(SOURCE).parts[0].removesuffix(".py")


def imported(path: Path) -> set[str]:
    """Dotted names below seewhy that a file imports, wherever in the file."""
    names = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.partition(".")[0] == "seewhy":
            names |= {f"{node.module}.{alias.name}".removeprefix("seewhy.") for alias in node.names}
        if isinstance(node, ast.Import):
            names |= {a.name.removeprefix("seewhy.") for a in node.names if a.name.startswith("seewhy.")}
    return names


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_imports_go_upwards(path):
    own = part_of(path)
    for name in imported(path):
        part = name.partition(".")[0]
        if part in ROW:
            assert ROW[part] <= ROW[own], f"{own} (row {ROW[own]}) imports {name} (row {ROW[part]})"
        if own == "methods":
            assert part != "methods", f"{path.name} imports another method: {name}"


def test_rows_name_every_part():
    assert {part_of(path) for path in FILES} <= ROW.keys()


@pytest.mark.parametrize("method", METHODS.all(), ids=lambda method: method.name)
def test_a_method_is_called_like_its_file_and_function(method):
    assert method.function.__module__ == f"seewhy.methods.{method.name}"
    assert method.function.__name__ == method.name
    assert method.summary


def test_every_method_file_registers_one_method():
    files = {path.stem for path in (SOURCE / "methods").glob("[!_]*.py")}
    assert files == {name for name in METHODS.names() if METHODS.get(name).function.__module__.startswith("seewhy.")}


def test_public_names_are_those_that_can_be_imported():
    imported: dict[str, object] = {}
    exec("from seewhy import *", imported)
    assert imported.keys() - {"__builtins__"} == set(seewhy.__all__) == set(dir(seewhy))
    modules = {name for name, value in imported.items() if inspect.ismodule(value)}
    assert modules == {"callbacks", "data", "errors", "hub", "types", "zoo"}
    for name in set(seewhy.__all__) - modules - {"__version__"}:
        assert getattr(seewhy, name).__name__ == name
    with pytest.raises(AttributeError, match="no attribute 'explane'"):
        seewhy.explane  # noqa: B018


def test_submodules_are_attributes():
    assert importlib.import_module("seewhy.registry") is seewhy.registry


def test_the_package_is_typed():
    assert (SOURCE / "py.typed").is_file()


def test_papers_and_their_keys():
    cited = {entry.paper for entry in [*METHODS.all(), *METRICS.all()] if entry.paper}
    assert cited == read_papers().keys()  # every key exists, every paper is cited
    for key in cited:
        surname = unaccented(paper_field(key, "author").split(",")[0]).split()[-1].lower()
        assert key.startswith(f"{surname}{paper_field(key, 'year')}")


def unaccented(text: str) -> str:
    return unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
