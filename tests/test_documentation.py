"""The documentation is up to date: its code runs, its tables match the registries, its links exist."""

import importlib.util
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from seewhy.cli import app
from seewhy.zoo.photos import sample_photos

ROOT = Path(__file__).parents[1]
PAGES = ["README.md", *(f"docs/{path.name}" for path in sorted((ROOT / "docs").glob("*.md")))]


@pytest.mark.parametrize("page", [page for page in PAGES if page != "docs/methods.md"])  # that is test_families.py's
def test_tables_are_those_of_the_code(page):
    spec = importlib.util.spec_from_file_location("tables", ROOT / "docs" / "generator" / "tables.py")
    tables = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(tables)
    text = (ROOT / page).read_text()
    assert tables.with_tables(text) == text, "run: python docs/generator/tables.py"


def prose(text: str) -> str:
    """What a page says outside of code, generated tables and values, and addresses."""
    generated = (r"<!-- = .*?<!-- / -->", r"<!-- (\w+) -->.*?<!-- /\1 -->", r"<!-- \w+ [^>]*-->.*?<!-- end -->")
    for pattern in (r"```.*?```", *generated, r"`[^`]*`", r"\]\([^)]*\)"):
        text = re.sub(pattern, " ", text, flags=re.DOTALL)
    return text


@pytest.mark.parametrize("page", PAGES)
def test_nobody_types_a_result_into_prose(page):
    """Decimals, percentages and ± come from data files; settings are code."""
    numbers = r"(?<![\d.-])\d*\.\d+(?![\d.])|\d ?%(?! intervals?\b)|±"
    assert not re.findall(rf".{{0,30}}(?:{numbers}).{{0,20}}", prose((ROOT / page).read_text()))


def test_a_value_is_that_of_its_data_file(monkeypatch):
    spec = importlib.util.spec_from_file_location("tables", ROOT / "docs" / "generator" / "tables.py")
    tables = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(tables)
    rows = [{"method": "a b", "score": "0.512"}, {"method": "c", "score": "0.9"}]
    monkeypatch.setattr(tables, "measured", lambda _name: rows)
    text = "It scores <!-- = x score method='a b' .2f -->0.9<!-- / -->, not less."
    assert tables.with_tables(text).endswith("-->0.51<!-- / -->, not less.")
    with pytest.raises(ValueError, match="0 rows"):
        tables.with_tables(text.replace("a b", "z"))


def test_readme_code_runs(tmp_path, monkeypatch):
    pytest.importorskip("efficientnet_lite_pytorch", reason="the example needs the extra [demo]")
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(), flags=re.DOTALL)
    assert blocks
    for block in blocks:
        exec(compile(block, "README.md", "exec"), {})
    assert (tmp_path / "why.png").stat().st_size > 10_000


@pytest.mark.parametrize("name", ["CONTRIBUTING.md", *PAGES])
def test_links_lead_somewhere(name):
    text = (ROOT / name).read_text()
    assert "]()" not in text
    for target in re.findall(r"\]\((?!https?:)([^)#]+)[^)]*\)", text):
        assert ((ROOT / name).parent / target).exists(), f"{name} links to {target}"


SHORTER = {"train": "-o iterations=1 -o batch=2 -o points=3 -o held_out=2 -o evaluated=1 -o reported=1"}  # and the rest
GROUPS = {  # commands that need each other, in this order; `demo` is in test_cli.py
    "maps": ("explain", "cover", "evaluate", "bench", "card", "list", "cite", "doctor"),
    "pictures": ("compare", "view"),
    "training": ("train", "export"),
}


def readme_commands() -> list[str]:
    """The commands of the README, without comments."""
    section = (ROOT / "README.md").read_text().partition("## Command line")[2].partition("```\n")[2].partition("```")[0]
    return [line.partition("#")[0].strip() for line in section.splitlines() if line.strip()]


def test_readme_commands_are_one_per_line_and_exist():
    names = {command.name or command.callback.__name__ for command in app.registered_commands}
    for command in readme_commands():
        program, name, *words = shlex.split(command)
        assert program == "seewhy"
        assert name in names
        assert "seewhy" not in words


@pytest.mark.parametrize("group", GROUPS)
def test_readme_commands_run(group, tmp_path, monkeypatch):
    """As pasted, from anywhere: no file of the repository is needed."""
    pytest.importorskip("efficientnet_lite_pytorch", reason="the default model needs the extra [demo]")
    if group == "training":
        pytest.importorskip("accelerate", reason="needs the extra [train]")
        pytest.importorskip("onnxruntime", reason="needs the extra [onnx]")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("BROWSER", "true")  # `view` opens what it wrote
    sample_photos()["cat"].save("cat.jpg")
    commands = [shlex.split(f"{command} {SHORTER.get(command.split()[1], '')}")[1:] for command in readme_commands()]
    chosen = [words for words in commands if words[0] in GROUPS[group]]
    assert {words[0] for words in chosen} == set(GROUPS[group])
    for words in chosen:
        # a process of its own: an export traces the network, and tracers are no numbers to the tests' type checks
        result = subprocess.run([sys.executable, "-m", "seewhy", *words], capture_output=True, text=True, check=False)
        assert result.returncode == 0, f"{' '.join(words)}\n{result.stdout}{result.stderr}"


def test_every_readme_command_is_run():
    names = {shlex.split(command)[1] for command in readme_commands()}
    assert names == {"demo", *(name for group in GROUPS.values() for name in group)}
