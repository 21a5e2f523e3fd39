"""`seewhy bench`: its table, its report, its errors."""

import json

from typer.testing import CliRunner

from seewhy.cli import app
from tiny_bench import VIT, write_images


def run(*words: object):
    return CliRunner().invoke(app, [str(word) for word in words], env={"COLUMNS": "200", "NO_COLOR": "1"})


def write_config(folder, **lines):
    options = "\n".join(f"{name} = {value}" for name, value in VIT.items())
    extra = "\n".join(f"{name} = {value}" for name, value in lines.items())
    (folder / "run.toml").write_text(
        f'{extra}\nname = "small"\nmethods = ["gradient", "random"]\nmetrics = ["deletion"]\n'
        f'[data]\nkind = "folder"\npath = "photos"\n'
        f'[model]\nname = "timm/test_vit"\nweights = "random"\n[model.options]\n{options}\n'
    )
    write_images(folder / "photos", 3)
    return folder / "run.toml"


def test_bench_prints_a_table_and_writes_the_report(tmp_path):
    config = write_config(tmp_path)
    planned = run("bench", config, "--plan")
    assert planned.exit_code == 0, planned.output
    assert "about" in planned.output
    assert "forwards" in planned.output
    assert not (tmp_path / "results/small/report.html").exists()
    assert json.loads(run("--json", "bench", config, "--plan").stdout)["tasks"] == 6
    result = run("bench", config)
    assert result.exit_code == 0, result.output
    assert "deletion ↓" in result.output
    assert "gradient" in result.output
    assert (tmp_path / "results/small/report.html").stat().st_size > 10_000
    (table,) = json.loads(run("--json", "bench", config).stdout)["tables"]
    assert table["means"].keys() == {"gradient", "random"}
    assert run("bench", config, "-q").output == ""


def test_bench_writes_where_it_is_told(tmp_path):
    config, out = write_config(tmp_path), tmp_path / "elsewhere"
    result = run("bench", config, "--limit", 1, "--out", out)
    assert result.exit_code == 0, result.output
    assert (out / "report.html").is_file()
    assert not (tmp_path / "results").exists()
    refused = run("bench", config, "--out", config / "report")
    assert refused.exit_code == 2
    assert "run.toml is a file, not a folder" in refused.output


def test_bench_with_a_mistake_in_the_file(tmp_path):
    result = run("bench", write_config(tmp_path, protcols='["aha"]'))
    assert result.exit_code == 2
    assert run("bench", tmp_path / "nowhere.toml").exit_code == 2
