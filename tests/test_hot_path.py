"""Every copy from the device and every Python loop over images where the work is done has a reason: hot_path.csv.

A new `.cpu()`, `.item()`, `.tolist()`, `.numpy()` or loop over images fails here until it is removed or justified.
"""

import ast
import csv
from collections.abc import Iterator
from pathlib import Path

import seewhy

SOURCE = Path(seewhy.__file__).parent
LIST = Path(__file__).parent / "hot_path.csv"
PARTS = ["backward", "interventions", "methods", "metrics", "ops"]
FILES = ["api", "bench/blocks", "bench/job", "models/classifier", "runtime/chunks", "store/explaining", "store/job"]
COPIES = {"cpu", "item", "numpy", "tolist"}
MANY = {"cases", "heatmaps", "images", "maps", "samples", "targets"}  # names of what has one element per image
PASSED = {"enumerate", "len", "list", "range", "track", "zip"}  # and of what a loop calls with them
CHANGED = {"cpu", "detach", "flatten", "split", "tolist", "unbind"}


def hot_files() -> list[Path]:
    return [
        *(path for part in PARTS for path in sorted((SOURCE / part).glob("*.py"))),
        *(SOURCE / f"{name}.py" for name in FILES),
    ]


def goes_over_images(node: ast.expr) -> bool:
    """Whether a loop over this takes one image after the other."""
    if isinstance(node, ast.Name):
        return node.id in MANY
    if isinstance(node, ast.Attribute):
        return node.attr in MANY
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        return node.func.id in PASSED and any(
            goes_over_images(each) for each in node.args if node.func.id != "range" or isinstance(each, ast.Call)
        )
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        return node.func.attr in CHANGED and goes_over_images(node.func.value)
    return False


def findings(node: ast.AST, name: str) -> Iterator[tuple[str, str]]:
    """Functions, and what each of them does: "copy" or "loop"."""
    for child in ast.iter_child_nodes(node):
        inner = f"{name}:{child.name}" if isinstance(child, ast.FunctionDef) else name
        if isinstance(child, ast.Call) and isinstance(child.func, ast.Attribute) and child.func.attr in COPIES:
            yield name, "copy"
        if isinstance(child, ast.For | ast.comprehension) and goes_over_images(child.iter):
            yield name, "loop"
        yield from findings(child, inner)


def test_copies_and_loops_are_justified():
    found = {
        pair
        for path in hot_files()
        for pair in findings(ast.parse(path.read_text()), path.relative_to(SOURCE).with_suffix("").as_posix())
    }
    with LIST.open(newline="") as file:
        rows = list(csv.DictReader(file))
    listed = {(row["where"], row["what"]) for row in rows}
    assert all(row["why"] for row in rows)
    assert found - listed == set(), "remove these, or say in hot_path.csv why they are needed"
    assert listed - found == set(), "these are gone: remove them from hot_path.csv"


def test_a_new_copy_or_loop_is_found():
    code = "def f(images):\n    for i, image in enumerate(images.split(1)):\n        g(image.mean().item())"
    assert set(findings(ast.parse(code), "methods/new")) == {("methods/new:f", "copy"), ("methods/new:f", "loop")}
    code = "def f(images):\n    for start in range(0, 8, 2):\n        g(images[start:start + 2])"
    assert list(findings(ast.parse(code), "methods/new")) == []
