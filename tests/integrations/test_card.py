"""`seewhy card`: the numbers of a benchmark as a section of a model card."""

import json

import pytest
from typer.testing import CliRunner

from seewhy.bench import benchmark
from seewhy.bench.tables import score_tables
from seewhy.cli import app
from seewhy.errors import InputError
from seewhy.integrations import card_section
from tiny_bench import tiny_config, write_images


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    folder = tmp_path_factory.mktemp("card")
    images = write_images(folder / "images", 4)
    return benchmark(
        tiny_config(images, folder / "out", metrics=["deletion", "sparseness"], methods=["gradient", "rollout"])
    )


def test_the_section_has_the_scores_of_the_benchmark(results):
    section = card_section(results.folder)
    (table,) = score_tables(results)
    cell = table.cells[0][table.metrics.index("deletion")]
    assert f"{cell.mean:.3f} ({cell.low:.3f} to {cell.high:.3f})" in section
    assert "deletion ↓" in section
    assert f"n = {table.cases}" in section
    assert "protocol aha" in section


def test_a_card_keeps_its_text_and_one_section(results, tmp_path):
    card = tmp_path / "README.md"
    card.write_text("# My model\n\nText.\n")
    for _ in range(2):
        done = CliRunner().invoke(app, ["card", str(results.folder), "--out", str(card), "--json"])
        assert json.loads(done.stdout)["file"] == str(card), done.output
    text = card.read_text()
    assert text.startswith("# My model\n\nText.\n")
    assert text.count("## Explanations") == 1


def test_a_folder_without_results_is_refused(tmp_path):
    with pytest.raises(InputError, match="no benchmark was run there"):
        card_section(tmp_path)
