"""The notebooks run and hold no outputs."""

from pathlib import Path

import nbformat
import pytest

EXAMPLES = Path(__file__).parents[1] / "examples"
NOTEBOOKS = sorted(EXAMPLES.glob("*.ipynb"))


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_the_notebook_runs(path, tmp_path, monkeypatch):
    if path.stem == "train_an_explainer":
        pytest.importorskip("accelerate", reason="training needs the extra [train]")
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    for cell in nbformat.read(path, as_version=4).cells:
        if cell.cell_type == "code":
            assert not cell.outputs
            *_, last = cell.source.splitlines()
            exec(compile(cell.source, path.name, "exec"), names)
            if last.isidentifier():
                assert repr(names[last])  # what the notebook would show
