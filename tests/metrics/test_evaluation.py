"""The result of `evaluate`: a list of rows that prints as a table."""

import math
import sys

import pytest

import seewhy
from seewhy.errors import MissingExtra


@pytest.fixture
def scores(tiny_vit, images):
    explanations = [seewhy.explain(tiny_vit, images, name) for name in ("grad_cam", "gradient")]
    return seewhy.evaluate(tiny_vit, explanations, ["deletion", "insertion"], control=True)


def test_rows_are_a_list_of_dicts(scores):
    assert isinstance(scores, list)
    assert {"image", "target", "method", "metric", "reference", "score"} <= scores[0].keys()
    assert len(scores) == 3 * 2 * 2 * 4  # methods with the control, metrics, images, references with their mean


def test_prints_means_over_images_and_references(scores):
    assert scores.methods == ["grad_cam", "gradient", "random"]
    own = [row["score"] for row in scores if (row["method"], row["metric"]) == ("grad_cam", "deletion")]
    each = [row for row in scores if (row["method"], row["metric"]) == ("grad_cam", "deletion")]
    mean = sum(row["score"] for row in each if row["reference"] == "black") / 2
    assert scores.mean("grad_cam", "deletion", reference="black") == pytest.approx(mean)
    assert scores.mean("grad_cam", "deletion") == pytest.approx(sum(own) / len(own))
    lines = repr(scores).splitlines()
    assert lines[0].split() == ["metric", "grad_cam", "gradient", "random"]
    assert lines[1].split()[:3] == ["deletion", "↓", f"{scores.mean('grad_cam', 'deletion'):.3f}"]
    assert "black, imagenet_mean, blur" in lines[-1]
    assert "<table>" in scores._repr_html_()


def test_undefined_scores_are_left_out_of_means(scores):
    scores[0]["score"] = math.nan
    assert not math.isnan(scores.mean(scores[0]["method"], scores[0]["metric"]))


def test_a_dataframe_on_request(scores, monkeypatch):
    pandas = pytest.importorskip("pandas")
    assert isinstance(scores.to_dataframe(), pandas.DataFrame)
    assert len(scores.to_dataframe()) == len(scores)
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(MissingExtra, match=r"seewhy\[pandas\]"):
        scores.to_dataframe()
