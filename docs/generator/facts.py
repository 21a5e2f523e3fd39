"""Measured facts, notes and tables that pages quote: data files of `benchmarks/data/` and `docs/notes.toml`."""

import csv
import itertools
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

try:
    import tomllib
except ModuleNotFoundError:  # Python 3.10
    import tomli as tomllib  # type: ignore[no-redef]

from seewhy.defaults import CNN, VIT
from seewhy.registry import Method
from seewhy.runtime.options import describe
from seewhy.ui.schema import usual_meanings

ROOT = Path(__file__).parents[2]
DATA = ROOT / "benchmarks" / "data"
NETWORKS = {"vit": "seewhy/scenes-vit", "cnn": "seewhy/efficientnet-lite0"}  # bundled: pages run and draw on them
BASES = {"vit": VIT, "cnn": CNN}  # what wrappers are shown with
COLUMNS = {"vit": "timm ViT", "cnn": "EfficientNet-Lite0"}  # of the matrix in docs/methods.md
OTHER = "other"  # the group of a method without notes


def table(heads: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A Markdown table; bars in cells are escaped."""
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join(f"| {' | '.join(str(cell).replace('|', chr(92) + '|') for cell in line)} |" for line in lines)


@cache
def read_data(name: str) -> list[dict[str, str]]:
    path = DATA / f"{name}.csv"
    if not path.exists():
        return []
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


def full_name(method: Method, network: str) -> str:
    """The name to explain with: wrappers get the default method of the network."""
    return f"{method.name}:{BASES[network]}" if method.wraps else method.name


def facts_of(method: str, network: str) -> dict[str, dict[str, str]]:
    """Rows of `method_facts.csv` by measure."""
    rows = read_data("method_facts")
    return {row["measure"]: row for row in rows if (row["method"], row["model"]) == (method, NETWORKS[network])}


def passes(method: str, network: str) -> float | None:
    """Forward and backward passes per map; None if not measured."""
    facts = facts_of(method, network)
    return float(facts["forwards"]["value"]) + float(facts["backwards"]["value"]) if facts else None


@cache
def recorded_tables() -> list[tuple[dict[str, str], list[dict[str, str]]]]:
    """The tables of `benchmarks/data/tables`, each with its line of the index."""
    index = read_data("tables/index")
    return [(about, read_data(f"tables/{about['table']}")) for about in index]


def recorded(method: str) -> list[tuple[dict[str, str], dict[str, str]]]:
    """Rows of recorded tables about a method with its default options, with the line of the index."""
    return [
        (about, row)
        for about, rows in recorded_tables()
        for row in rows
        if _bare(row.get("method", "")) == _bare(method)
    ]


def _bare(title: str) -> str:
    """A method's name as tables and code write it: Grad-CAM++ and grad_cam_pp are the same.

    >>> _bare("Grad-CAM++") == _bare("grad_cam_pp"), _bare("AHA, T = 3")
    (True, 'ahat3')
    """
    return re.sub(r"[^a-z0-9]", "", title.replace("++", "pp").replace("+", "plus").lower())


@cache
def _families() -> dict[str, dict[str, str]]:
    """The matrix in docs/methods.md: what each method does on each network."""
    text = (ROOT / "docs" / "methods.md").read_text().partition("<!-- families -->")[2].partition("<!-- /families")[0]
    heads, _, *lines = [
        [cell.strip(" `") for cell in line.strip("| ").split(" | ")] for line in text.strip().splitlines()
    ]
    return {cells[0].partition(":")[0]: dict(zip(heads, cells, strict=True)) for cells in lines}


def runs_on(method: str, network: str) -> bool:
    """Whether a method runs on a bundled network; new methods are taken to."""
    return _families().get(method, {}).get(COLUMNS[network], "yes") == "yes"


def interval(row: Mapping[str, str] | None) -> str:
    """A mean with its interval and number of images."""
    if row is None:
        return "–"
    value, low, high = (float(row[key]) for key in ("value", "low", "high"))
    spread = f"{low:.3g} to {high:.3g}, " if int(row["n"]) > 1 else ""
    return f"{value:.3g} ({spread}n = {row['n']})"


@cache
def notes() -> dict[str, Any]:
    with (ROOT / "docs" / "notes.toml").open("rb") as file:
        return tomllib.load(file)


def group_of(method: Method) -> str:
    """The group in the notes, else CAM for what reads feature maps, else "other"."""
    for name, group in notes()["groups"].items():
        if method.name in group.get("methods", ()):
            return str(name)
    return "cam" if method.features else OTHER


@cache
def peculiarities() -> dict[str, list[list[str]]]:
    """The rows of the table of peculiarities in docs/methods.md, by method."""
    found: dict[str, list[list[str]]] = {}
    for line in (ROOT / "docs" / "methods.md").read_text().splitlines():
        cells = [cell.strip() for cell in line.strip("| ").split(" | ")]
        if line.startswith("| `") and len(cells) == 4 and cells[3] in ("measured", "hypothesis"):
            for name in re.findall(r"`(\w+)", cells[0]):
                found.setdefault(name, []).append(cells[1:])
    return found


def options_table(options: Mapping[str, Any], source: str, usual: Mapping[str, str] | None = None) -> str:
    """Options of a signature: name, default, allowed values, and what they mean by the docstring, else as usual."""
    usual = usual_meanings() if usual is None else usual
    rows = [
        (
            f"`{name}`",
            f"`{shown(parameter.default)}`",
            describe(parameter.annotation),
            sentence(name, source) or usual.get(name, ""),
        )
        for name, parameter in options.items()
    ]
    return table(["option", "default", "values", "meaning"], rows)


def shown(value: object) -> str:
    """A value as code; long lists of evenly spaced fractions in words."""
    if isinstance(value, tuple) and len(value) > 8 and all(isinstance(each, float) for each in value):
        steps = {round(b - a, 6) for a, b in itertools.pairwise(value)}
        kind = "evenly spaced" if max(steps) - min(steps) < 2e-6 else "fractions"
        return f"{len(value)} {kind}, from {value[0]:.4g} to {value[-1]:.4g}"
    return repr(value)


def sentence(option: str, docstring: str) -> str:
    """The first sentence of a docstring that mentions an option.

    >>> sentence("a", "Text. `a` is one (first; None: all). `b` is two.")
    '`a` is one (first; None: all).'
    """
    text, parts = " ".join(docstring.split()), [""]
    for part in re.split(r"(?<=[.;:])\s+(?=[A-Z`])", text):
        if parts[-1].count("(") > parts[-1].count(")"):
            parts[-1] += f" {part}"
        else:
            parts.append(part)
    return next((part.rstrip(";") for part in parts if f"`{option}`" in part or f"`{option}=" in part), "")
