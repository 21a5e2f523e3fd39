"""The documentation is up to date: its code runs, its tables match the registries, its links exist."""

import importlib.util
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


@pytest.mark.parametrize("page", ["README.md", "docs/explainers.md"])  # docs/methods.md: see test_families.py
def test_tables_are_those_of_the_code(page):
    spec = importlib.util.spec_from_file_location("tables", ROOT / "docs" / "tables.py")
    tables = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(tables)
    text = (ROOT / page).read_text()
    assert tables.with_tables(text) == text, "run: python docs/tables.py"


def test_readme_code_runs(tmp_path, monkeypatch):
    pytest.importorskip("efficientnet_lite_pytorch", reason="the example needs the extra [demo]")
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(), flags=re.DOTALL)
    assert blocks
    for block in blocks:
        exec(compile(block, "README.md", "exec"), {})
    assert (tmp_path / "why.png").stat().st_size > 10_000


@pytest.mark.parametrize(
    "name",
    ["README.md", "CONTRIBUTING.md", "docs/methods.md", "docs/scenes.md", "docs/explainers.md", "docs/explorer.md"],
)
def test_links_lead_somewhere(name):
    text = (ROOT / name).read_text()
    assert "]()" not in text
    for target in re.findall(r"\]\((?!https?:)([^)#]+)[^)]*\)", text):
        assert ((ROOT / name).parent / target).exists(), f"{name} links to {target}"
