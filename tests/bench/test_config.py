"""Settings: a mistake is reported with its key and a suggestion, before anything runs."""

from pathlib import Path

import pytest

from seewhy.bench import BenchConfig
from seewhy.errors import InputError, OptionError, UnknownName
from tiny_bench import tiny_config, tiny_table


def build(**changes) -> BenchConfig:
    return BenchConfig.from_dict(tiny_table(Path("photos"), Path("out"), **changes))


def test_short_forms():
    config = build()
    assert [method.title for method in config.methods] == ["gradient", "Chance", "rollout"]
    assert config.protocols == ("aha",)
    assert config.models[0].options["patch_size"] == 8
    assert config.data[0].options == {"path": "photos"}


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"exmaples": 3}, "the file has no key 'exmaples'. Did you mean 'examples'"),
        ({"examples": "many"}, "examples must be an int, got 'many'"),
        ({"examples": True}, "examples must be an int"),
        ({"targets": "predictd"}, "targets must be 'predicted', 'label' or 'labels', got 'predictd'"),
        ({"methods": [{"nam": "gradient"}]}, r"methods\[0\] has no key 'nam'. Did you mean 'name'"),
        ({"methods": [{"label": "x"}]}, r"methods\[0\] needs 'name'"),
        (
            {"methods": [{"name": "random", "options": {"sead": 1}}]},
            "no option 'sead'. Did you mean 'seed'",
        ),
        ({"methods": ["random", "random"]}, "two of methods are called 'random'"),
        ({"methods": []}, "needs methods"),
        ({"model": {"name": "timm/test_vit", "wieghts": "x"}}, r"models\[0\] has no key 'wieghts'"),
        ({"data": {"kind": "folder", "path": "x", "patth": 1}}, "no option 'patth'"),
        ({"data": {"kind": "folder"}}, "'folder' needs path"),
        ({"data": {"kind": "photos", "model": "vgg"}}, "no model here is called 'vgg'; there are 'timm/test_vit'"),
        ({"data": {"kind": "photos", "quad": "part"}}, "quad must be False, True, 'truth' or 'squashed', got 'part'"),
        ({"compare": "grad_cam"}, "no method here is called 'grad_cam'"),
        ({"published": {"method": "gradient", "metric": "deletion", "score": "x"}}, "score must be a number"),
    ],
)
def test_mistakes(changes, message):
    with pytest.raises(OptionError, match=message):
        build(**changes)


@pytest.mark.parametrize(
    "changes",
    [{"methods": ["gradeint"]}, {"protocols": ["ahaa"]}, {"metrics": ["deltion"]}, {"data": {"kind": "foldr"}}],
)
def test_unknown_names_answer_with_the_nearest(changes):
    with pytest.raises(UnknownName, match="Did you mean"):
        build(**changes)


def test_toml(tmp_path, monkeypatch):
    monkeypatch.setenv("PHOTOS", "/somewhere")
    file = tmp_path / "run.toml"
    file.write_text(
        'methods = ["gradient"]\n[[models]]\nname = "timm/test_vit"\nweights = "w.safetensors"\n'
        '[data]\nkind = "folder"\npath = "$PHOTOS/cats"\nlimit = 3\n'
        '[options.deletion]\nrule = "mean"\n[options.curves]\nfractions = [0, 1]\n'
    )
    config = BenchConfig.from_toml(file)
    assert config.data[0].options["path"] == "/somewhere/cats"
    assert config.data[0].limit == 3
    assert config.options == {"deletion": {"rule": "mean"}, "curves": {"fractions": [0, 1]}}
    assert config.models[0].weights == str(tmp_path / "w.safetensors")
    assert config.out == str(tmp_path / "results" / "benchmark")


def test_toml_mistakes_name_the_file(tmp_path, monkeypatch):
    file = tmp_path / "run.toml"
    with pytest.raises(InputError, match="no such file"):
        BenchConfig.from_toml(file)
    file.write_text("methods = [")
    with pytest.raises(OptionError, match=r"run\.toml: not valid TOML"):
        BenchConfig.from_toml(file)
    monkeypatch.delenv("PHOTOS", raising=False)
    file.write_text('methods = ["gradient"]\nmodel = "timm/test_vit"\n[data]\nkind = "folder"\npath = "$PHOTOS"\n')
    with pytest.raises(OptionError, match=r"run\.toml: .*variable PHOTOS"):
        BenchConfig.from_toml(file)


@pytest.mark.parametrize(
    "file", sorted((Path(__file__).parents[2] / "benchmarks").glob("*.toml")), ids=lambda f: f.stem
)
def test_configurations_of_this_repository_are_valid(file, monkeypatch):
    monkeypatch.setenv("SEEWHY_DATA", "somewhere")
    monkeypatch.setenv("SEEWHY_COCO", "somewhere")
    config = BenchConfig.from_toml(file)
    assert config.name == file.stem
    assert config.about


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"data": {"kind": "photos", "limit": 0}}, "limit must be an int of at least 1 or None, got 0"),
        ({"data": {"kind": "photos", "per_class": 5}}, "per_class needs confidence"),
        ({"examples": -1}, "examples must be an int of at least 0, got -1"),
        ({"metrics": ["deletion", "deletion"]}, "'deletion' is listed twice"),
        ({"methods": ["gradient", {"name": "gradient", "label": "again"}]}, "'gradient' and 'again' are the same"),
        ({"methods": [{"name": "gradient", "options": {"channels": "mean"}}]}, "channels must be 'sum' or 'max'"),
        ({"methods": [{"name": "gradient", "optimized_on": ["blakc"]}]}, "no reference 'blakc'"),
        ({"published": {"gradient": {"deletion_": 0.1}}}, "no metric called 'deletion_'"),
        ({"options": {"deletion": {"rul": 1}}}, "deletion has no option 'rul'"),
        ({"options": {"curves": {"references": ["mean"]}}}, "among black, imagenet_mean"),
        ({"options": {"deletion": "mean"}}, "options of deletion must be a table, got 'mean'"),
        ({"models": ["timm/test_vit"]}, "both 'model' and 'models' are given"),
    ],
)
def test_what_cannot_be_meant_is_refused(tmp_path, changes, message):
    with pytest.raises(InputError, match=message):
        tiny_config(tmp_path, tmp_path / "out", **changes)
