"""Every method on every kind of model: a map, or an error that names methods that work, as documented."""

from pathlib import Path

import pytest
import torch

from model_families import FAMILIES, NAMES, advised, cell, outcomes
from seewhy.errors import UnsupportedModel

PAGE = Path(__file__).parents[1] / "docs" / "methods.md"


def documented(family):
    """The column of the table in the documentation."""
    table = PAGE.read_text().partition("<!-- families -->")[2].partition("<!-- /families -->")[0]
    rows = [[cell.strip() for cell in line.strip("| ").split("|")] for line in table.strip().splitlines()]
    column = rows[0].index(family)
    return {row[0].strip("`"): row[column] for row in rows[2:]}


@pytest.mark.parametrize("family", FAMILIES)
def test_every_method_gives_a_map_or_names_what_does(family):
    if family == "EfficientNet-Lite0":
        pytest.importorskip("efficientnet_lite_pytorch", reason="needs the extra [demo]")
    found = outcomes(family)
    for name, outcome in found.items():
        if isinstance(outcome, UnsupportedModel):
            fitting = advised(name, outcome)
            assert fitting, f"{name}: {outcome}"
            assert not [other for other in fitting if isinstance(found.get(other), UnsupportedModel)], outcome
        else:
            check_maps(name, outcome)
    assert {name: cell(found[name]) for name in NAMES} == documented(family), "run: python docs/generator/tables.py"


def check_maps(name, maps):
    assert maps.ndim == 4, name
    assert maps.shape[:2] == (1, 2), name
    assert min(maps.shape[2:]) > 1, name
    assert maps.isfinite().all(), name
    spread = maps.flatten(2).std(dim=2)
    least = spread.max() if name.startswith("var:") else spread.min()  # VAR may leave nothing of a class
    assert least > 0, name


def test_a_new_kind_of_refusal_needs_a_short_form():
    with pytest.raises(KeyError, match="short form"):
        cell(UnsupportedModel("the moon is not full"))
    assert cell(torch.zeros(1)) == "yes"
