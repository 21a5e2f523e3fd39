"""The command line on tiny networks: files, output and exit codes."""

import json
import os
import subprocess
import sys

import numpy as np
import pytest
import torch
import typer
from PIL import Image
from typer.testing import CliRunner

from seewhy import Explanation, __version__
from seewhy.bench import BenchConfig
from seewhy.cli import app, demo_explorer, main
from seewhy.cli import demo as demo_command
from seewhy.cli.completion import complete_class, complete_classes, complete_method
from seewhy.cli.options import parse_options
from seewhy.cli.terminal import pick_device
from seewhy.errors import OptionError
from seewhy.registry import METHODS, keyword_only, resolve_method

VIT = ("--model", "timm/test_vit", "--weights", "random", "--device", "cpu")
CNN = ("--model", "timm/test_resnet", "--weights", "random", "--device", "cpu")


def run(*words: object):
    return CliRunner().invoke(app, [str(word) for word in words], env={"COLUMNS": "200", "NO_COLOR": "1"})


@pytest.fixture
def photo(tmp_path):
    pixels = np.random.default_rng(0).integers(0, 255, (90, 120, 3), dtype=np.uint8)
    Image.fromarray(pixels).save(tmp_path / "photo.png")
    return tmp_path / "photo.png"


# explain


def test_explain_writes_overlay_maps_and_facts(photo, tmp_path):
    result = run(
        "explain", photo, *VIT, "--method", "grad_cam", "-o", "relu=no", "-t", "tabby", "-t", 7, "--out", tmp_path
    )
    assert result.exit_code == 0, result.output
    explanation = Explanation.load(tmp_path / "photo.grad_cam.safetensors")
    assert explanation.targets.tolist() == [[281, 7]]
    facts = json.loads((tmp_path / "photo.grad_cam.json").read_text())
    assert facts["options"] == {"relu": False}
    pictures = [Image.open(tmp_path / f"photo.grad_cam.{name}.png") for name in ("tabby", "cock")]
    assert pictures[0].size == pictures[1].size
    assert pictures[0].tobytes() != pictures[1].tobytes()


def test_the_file_beside_a_map_says_what_is_explained(photo, tmp_path):
    run("explain", photo, *VIT, "--method", "grad_cam", "-t", "tabby", "--out", tmp_path)
    file = tmp_path / "photo.grad_cam.json"
    (explained,) = json.loads(file.read_text())["explained"]
    assert explained["targets"][0]["name"] == "tabby"
    assert explained["prediction"] == explained["top"][0]
    assert len(explained["top"]) == 5
    assert len(file.read_text()) < 3000  # not a thousand class names
    assert len(Explanation.load(file.with_suffix(".safetensors")).class_names) == 1000


def test_no_file_is_overwritten_silently(photo, tmp_path):
    words = ("explain", photo, *VIT, "--method", "grad_cam", "-t", "tabby", "--out", tmp_path)
    assert run(*words).exit_code == run(*words).exit_code == 0
    assert (tmp_path / "photo.grad_cam.tabby.png").is_file()
    assert (tmp_path / "photo.grad_cam-2.tabby.png").is_file()
    assert run(*words, "--overwrite").exit_code == 0
    assert not (tmp_path / "photo.grad_cam-3.tabby.png").exists()


def test_maps_below_the_images_are_not_explained(photo, tmp_path):
    words = ("explain", photo.parent, *VIT, "--method", "grad_cam", "-t", "tabby", "--out", tmp_path / "maps")
    assert run(*words).exit_code == run(*words).exit_code == 0
    assert len(list((tmp_path / "maps").glob("*.png"))) == 2


def test_output_paths_are_checked_before_the_work(photo, tmp_path, monkeypatch):
    monkeypatch.setattr("seewhy.cli.terminal.load", lambda *_, **__: pytest.fail("the model was loaded"))
    for command, out in (
        (("compare",), tmp_path),
        (("compare",), tmp_path / "figure.doc"),
        (("explain",), photo),
        (("cover", "--box", "0,0,9,9"), tmp_path / "covered.doc"),
        (("train",), photo),
        (("export",), tmp_path),
        (("card",), tmp_path),
    ):
        words = [word for word in VIT if command[0] != "card" and word not in ("--weights", "random")]
        result = run(command[0], photo, *words, *command[1:], "--out", out)
        assert result.exit_code == 2, result.output
        assert "--out" in result.output


def test_a_failure_to_write_is_no_bug(photo, tmp_path):
    (tmp_path / "out" / "photo.gradient.tabby.png").mkdir(parents=True)
    result = run(
        "explain", photo, *VIT, "--method", "gradient", "-t", "tabby", "--out", tmp_path / "out", "--overwrite"
    )
    assert (result.exit_code, result.output.count("error: ")) == (1, 1)
    assert "photo.gradient.tabby.png: Is a directory" in result.output


@pytest.mark.parametrize(
    ("words", "key"),
    [
        (("explain", "--method", "gradient"), "results"),
        (("compare", "--methods", "gradient,rollout", "--no-scores"), "skipped"),
        (("cover", "--box", "10,10,60,60"), "flipped"),
    ],
)
def test_json_everywhere(words, key, photo, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    result = run(words[0], photo, *CNN, *words[1:], "--json")
    assert result.exit_code == 0, result.output
    assert key in json.loads(result.stdout)
    quiet = run("-q", words[0], photo, *CNN, *words[1:])
    assert (quiet.exit_code, quiet.output) == (0, "")


def test_json_of_compare_holds_numbers(photo, tmp_path):
    result = run("compare", photo, *CNN, "--methods", "gradient", "--json", "--out", tmp_path / "c.png")
    rows = {row.pop("method"): row for row in json.loads(result.stdout)["methods"]}
    assert rows.keys() == {"gradient", "random"}
    assert rows["gradient"]["passes"] == 2
    assert all(isinstance(value, (float, int)) for value in rows["gradient"].values())


@pytest.mark.parametrize("words", [("list", "metrics"), ("cite", "caap"), ("doctor",)])
def test_json_of_commands_without_images(words):
    assert json.loads(run("--json", *words).stdout)


def test_completion_of_method_and_class_names():
    assert {"grad_cam", "grad_cam_pp"} <= set(complete_method("grad"))
    assert "var:grad_cam" in set(complete_method("var:grad_c"))
    assert "caap,var:" in set(complete_method("caap,va"))
    context = typer.Context(typer.main.get_command(app))
    context.params["model"] = "timm/test_vit"
    assert "tabby" in set(complete_class(context, "tab"))
    assert list(complete_class(context, "egyptian")) == ["Egyptian_cat"]
    names = {name.removesuffix(":") for name in complete_method("")}
    assert names == set(METHODS.names())
    assert {name for name in complete_method("") if name.endswith(":")} == {
        f"{method.name}:" for method in METHODS.all() if method.wraps
    }


def test_classes_are_completed_in_a_new_process():
    """Without torch, for which nobody waits at a tab."""
    check = (
        "import sys; from seewhy.cli.completion import _imagenet_names; names = _imagenet_names(); "
        "assert len(names) == 1000, names; assert names[281] == 'tabby'; assert 'torch' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", check], check=True)


def test_every_method_and_class_is_completed(tmp_path):
    """Of all commands: what names a method or a class on the command line is completed."""
    names = {"method", "methods", "target", "label", "classes"}
    commands = typer.main.get_command(app).commands.values()
    found = [(command.name, each) for command in commands for each in command.params if each.name in names]
    assert len(found) > 8
    assert not [(name, each.name) for name, each in found if each._custom_shell_complete is None]
    context = typer.Context(typer.main.get_command(app))
    (tmp_path / "names.txt").write_text("ant\nbee\n")
    context.params |= {"model": "net.py:build", "class_names": tmp_path / "names.txt"}
    assert list(complete_class(context, "b")) == ["bee"]
    assert list(complete_classes(context, "ant,b")) == ["ant,bee"]
    context.params["class_names"] = None
    assert not list(complete_class(context, ""))


def test_piped_tables_are_wide():
    command = [sys.executable, "-m", "seewhy", "list", "metrics"]
    environment = {name: value for name, value in os.environ.items() if name != "COLUMNS"}
    lines = subprocess.run(command, capture_output=True, text=True, env=environment, check=True).stdout.splitlines()
    assert max(map(len, map(str.rstrip, lines))) > 100


def test_messages_speak_of_flags(photo, tmp_path):
    np.save(tmp_path / "maps.npy", np.random.default_rng(0).random((1, 8, 8)))
    result = run("evaluate", photo, *CNN, "--maps", tmp_path / "maps.npy", "--metrics", "pointing_game")
    assert "--masks FOLDER" in result.output
    assert "regions=" not in result.output
    (tmp_path / "net.py").write_text(GRAY)
    result = run("explain", photo, "--model", f"{tmp_path}/net.py:gray", "--out", tmp_path)
    assert "Let FILE.py:FUNCTION return seewhy.wrap_model(network, image_size=…" in result.output


GRAY = """
from torch import nn
def gray():
    return nn.Sequential(nn.Conv2d(1, 4, 3), nn.ReLU(), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(4, 2))
"""


def test_explain_prints_predictions_cost_and_checks(photo, tmp_path):
    result = run("explain", photo, *VIT, "-t", "tabby", "--out", tmp_path)
    lines = [line for line in result.output.splitlines() if line.rstrip().endswith("%")]
    shares = [float(line.split()[-1].rstrip("%")) for line in lines]
    assert shares[:5] == sorted(shares[:5], reverse=True)
    assert len([line for line in lines if line.startswith("▸")]) == 1
    assert "▸  tabby [281]" in result.output
    assert "backward" in result.output
    assert "✓ not flat" in result.output


def test_a_broken_file_does_not_stop_the_others(photo, tmp_path):
    (tmp_path / "broken.png").write_bytes(photo.read_bytes()[:99])
    result = run("explain", tmp_path / "none.png", tmp_path, *VIT, "--out", tmp_path / "out")
    assert result.exit_code == 2
    assert "none.png: there is no such file" in result.output
    assert "broken.png: the image is truncated" in result.output
    assert {path.name for path in (tmp_path / "out").iterdir()} == {
        "photo.libra_ixg_plus.json",
        "photo.libra_ixg_plus.safetensors",
        *(path.name for path in (tmp_path / "out").glob("photo.libra_ixg_plus.*.png")),
    }


def test_several_targets_show_the_winning_classes(photo, tmp_path):
    words = [photo, *VIT, "-t", "tabby", "-t", "7"]
    result = run("explain", *words, "--method", "var:grad_cam", "--out", tmp_path)
    assert result.exit_code == 0, result.output
    assert "photo.var-grad_cam.classes.png" in result.output
    assert (tmp_path / "photo.var-grad_cam.classes.png").is_file()
    widths = {}
    for method in ("grad_cam", "var:grad_cam"):
        result = run("compare", *words, "--methods", method, "--no-scores", "--out", tmp_path / f"{len(method)}.png")
        assert result.exit_code == 0, result.output
        with Image.open(tmp_path / f"{len(method)}.png") as figure:
            widths[method] = figure.width
    assert widths["var:grad_cam"] > widths["grad_cam"] + 200  # one more panel


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        ((*VIT, "--method", "grad_camm"), 2, "no method called 'grad_camm'. Did you mean 'grad_cam'"),
        ((*VIT, "--method", "grad_cam", "-o", "relux=1"), 2, "no option 'relux'. Did you mean 'relu'?"),
        ((*VIT, "--method", "grad_cam", "-o", "relu=maybe"), 2, "relu must be true or false, got 'maybe'"),
        ((*VIT, "-o", "relu"), 2, "KEY=VALUE"),
        ((*VIT, "--method", "gradient", "-o", "channels=mean"), 2, "channels must be 'sum' or 'max', got 'mean'"),
        ((*VIT, "-t", "tabbby"), 2, "no class called 'tabbby'. Did you mean '281: tabby"),
        (
            (*VIT, "--method", "aha", "-o", "learning_rate=inf"),
            2,
            "learning_rate must be a number above 0, got 'inf'",
        ),
        ((*VIT[:-1], "warp:9"), 2, "--device warp:9 cannot be used"),
        (("--model", "seewhy/efficientnet-lite9"), 2, "Did you mean 'efficientnet-lite0'"),
        (("--model", "timm/vit_tiny_patch61_224", "--weights", "random"), 2, "no timm architecture called"),
        (("--model", "resnet50"), 2, "LIBRARY/NAME"),
        (("--model", "nets.py"), 2, "or FILE.py:FUNCTION; got 'nets.py', without :FUNCTION"),
        ((*VIT, "--method", "grad_cam,gradient"), 2, "several methods need --store DIR; `seewhy compare"),
        ((*VIT, "--method", "xyzzy"), 2, "att_cat, bi_attn"),
        ((*VIT, "--workers", 2), 2, "--workers needs --store DIR"),
        ((*VIT, "--batch-size", 2), 2, "--batch-size needs --store DIR"),
        ((*VIT, "--store", __file__), 2, "test_cli.py is a file, not a folder"),
        ((__file__.replace("test_cli.py", "none.csv"), *VIT, "--store", "maps"), 2, "none.csv: among several sources"),
        ((*VIT, "--prompt", "a cat"), 2, "To name classes: --class-names FILE; --prompt is for zero-shot models"),
        ((*VIT, "--class-names", __file__), 2, "has 1000 classes, --class-names has"),
        (("--model", "seewhy/scenes-vit", "--weights", "w.pt"), 2, "seewhy/scenes-vit includes its weights: omit --we"),
        (("--model", "seewhy/scenes-vit", "--prompt", "a cat"), 2, "has no option 'classes'"),
        ((*VIT, "--class-names", "none.txt"), 2, "--class-names none.txt: there is no such file"),
        ((*CNN, "--method", "rollout"), 1, "needs a ViT"),
        (("--model", "timm/test_vit", "--weights", "none.safetensors"), 1, "no weights file"),
    ],
)
def test_errors_are_one_line_with_an_exit_code(photo, words, code, message):
    result = run("explain", photo, *words)
    assert message in result.output
    assert result.exit_code == code
    assert "Traceback" not in result.output
    assert result.output.count("error: ") == 1


def test_class_names_of_another_form_are_said(photo, tmp_path):
    (tmp_path / "names.json").write_text('{"cat": 0}')
    result = run("explain", photo, *VIT, "--class-names", tmp_path / "names.json")
    assert result.exit_code == 2
    assert "names.json: expected a name per line or, in JSON" in result.output


def test_equal_names_do_not_overwrite_each_other(photo, tmp_path):
    for name in ("a/photo.png", "b/photo.png", "c/photo-2.png"):
        (tmp_path / name).parent.mkdir()
        (tmp_path / name).write_bytes(photo.read_bytes())
    folders = [tmp_path / name for name in "abc"]
    result = run("explain", *folders, *VIT, "--method", "gradient", "-t", 7, "--out", tmp_path / "out")
    assert result.exit_code == 0, result.output
    assert len(list((tmp_path / "out").glob("*.json"))) == 3


def test_missing_images():
    result = run("explain", "none.png", *VIT)
    assert (result.exit_code, result.output) == (2, "error: none.png: there is no such file.\n")


def test_debug_shows_the_trace(photo):
    result = run("explain", photo, "--method", "nonsense", "--debug")
    assert "no method called" in str(result.exception)


def test_bugs_are_answered_too(monkeypatch, capsys):
    def broken():
        raise ZeroDivisionError("division by zero")

    monkeypatch.setattr("seewhy.cli.shared.app", broken)
    monkeypatch.setattr(sys, "argv", ["seewhy"])
    with pytest.raises(SystemExit) as caught:
        main()
    assert caught.value.code == 1
    assert "ZeroDivisionError: division by zero" in capsys.readouterr().err


# compare, list, cite, doctor, demo


def test_compare_draws_one_figure(photo, tmp_path):
    Image.new("L", (50, 60), 90).save(tmp_path / "second.png")
    words = ("--methods", "gradient,input_x_gradient,center", "--no-scores", "--out")
    assert run("compare", photo, *VIT, *words, tmp_path / "one.png").exit_code == 0
    result = run("compare", photo, tmp_path / "second.png", tmp_path / "none.png", *VIT, *words, tmp_path / "two.png")
    assert result.exit_code == 2  # one file is missing, the others are drawn
    assert "none.png: there is no such file" in result.output
    with Image.open(tmp_path / "one.png") as one, Image.open(tmp_path / "two.png") as two:
        assert one.width == two.width
        assert abs(two.height - 2 * one.height) < 5


def test_compare_chooses_methods_that_fit(photo, tmp_path):
    words = ("--no-scores", "--out", tmp_path / "x.png")
    result = run("compare", photo, *CNN, "--methods", "rollout", *words)
    assert (result.exit_code, "needs a ViT" in result.output) == (1, True)
    assert not (tmp_path / "x.png").exists()
    result = run("compare", photo, *CNN, "--methods", "gradient,rollout,aha", *words)
    assert (result.exit_code, "skipped rollout" in result.output) == (0, True)
    assert "skipped aha: " in result.output
    assert "then pass -o explainer=DIR" in result.output
    assert (tmp_path / "x.png").is_file()


@pytest.mark.parametrize(
    ("kind", "known"),
    [("methods", "grad_cam"), ("metrics", "deletion"), ("models", "seewhy/efficientnet-lite0"), ("protocols", "aha")],
)
def test_list(kind, known):
    result = run("list", kind)
    assert result.exit_code == 0, result.output
    assert known in [line.split()[0] for line in result.output.splitlines() if line.split()]
    assert known in run("list").output


def test_cite():
    result = run("cite", "grad_cam", "gradient", "grad_cam")
    assert result.output.count("@inproceedings{") == 2
    assert "selvaraju2017" in result.output
    assert run("cite", "center").exit_code == 2


def test_doctor():
    result = run("doctor")
    assert result.exit_code == 0, result.output
    assert __version__ in result.output
    assert "✓ self-test" in result.output
    assert "hf" in result.output


def test_doctor_reports_what_is_wrong(monkeypatch):
    def broken(*_, **__):
        raise RuntimeError("operator does not exist")

    monkeypatch.setattr("seewhy.api.load_model", broken)
    result = run("doctor")
    assert result.exit_code == 1
    assert "✗ self-test: RuntimeError: operator does not exist" in result.output


def test_demo(tmp_path, monkeypatch):
    pytest.importorskip("efficientnet_lite_pytorch")
    pytest.importorskip("skimage")
    from seewhy.zoo.photos import sample_photos

    photos = {"cat": sample_photos()["cat"]}
    monkeypatch.setattr("seewhy.zoo.photos.sample_photos", lambda: photos)
    chosen = ("Grad-CAM", "LayerCAM", "Random")
    few = [method for method in demo_command.METHODS if method["label"] in chosen]
    monkeypatch.setattr(demo_command, "METHODS", few)
    monkeypatch.setattr(demo_command, "SCENES", 1)
    monkeypatch.setattr(demo_explorer, "SCENES", 1)
    monkeypatch.setattr(demo_explorer, "SYSTEMS", {"grad_cam": {}})
    result = run("demo", "--out", tmp_path / "demo", "--device", "cpu")
    assert result.exit_code == 0, result.output
    again = run("--json", "demo", "--out", tmp_path / "demo", "--device", "cpu")  # resumes
    assert json.loads(again.stdout).keys() == {"files", "benchmark"}
    figures = {"cat.png", "cat-contrast.png"}
    assert {path.name for path in (tmp_path / "demo").iterdir()} == figures | {"report", "explorer.html"}
    assert result.output.startswith("This takes about")
    assert "too few cases to rank methods" in result.output
    assert "cat" in result.output
    assert str(tmp_path / "demo") in result.output
    report = (tmp_path / "demo" / "report" / "report.html").read_text()
    assert all(name in report for name in ("EfficientNet-Lite0", "Scenes ViT", *chosen))
    assert "failed" not in result.output


def test_the_demo_compares_the_four_systems_with_five_baselines(tmp_path):
    names = [method["name"].partition(":")[0] for method in demo_command.METHODS]
    systems = {"aha", "refine", "caap", "mda", "var"}  # AHA's explainer, and its objective without one
    assert systems <= set(names)
    assert len(names) - len(systems) == 5
    BenchConfig.from_dict(demo_command.demo_benchmark(tmp_path, None))  # every name and option exists
    assert {name.partition(":")[0] for name in demo_explorer.SYSTEMS} == {"aha", "caap", "mda", "var"}
    for name, options in demo_explorer.SYSTEMS.items():
        resolve_method(name, **options)


# the rest


def test_help_does_not_wait_for_torch():
    check = (
        "import sys; from typer.testing import CliRunner; from seewhy.cli import app; "
        "codes = [CliRunner().invoke(app, [*words, '--help']).exit_code for words in ([], ['explain'], ['demo'])]; "
        "assert codes == [0, 0, 0], codes; assert not {'torch', 'numpy', 'matplotlib'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", check], check=True)


def test_runs_as_a_module():
    words = [sys.executable, "-m", "seewhy", "--version"]
    assert subprocess.run(words, check=True, capture_output=True, text=True).stdout == f"seewhy {__version__}\n"


@pytest.mark.parametrize("method", METHODS.all(), ids=lambda method: method.name)
def test_every_default_can_be_written(method):
    """Each option of each method takes its own default as text."""
    for name, option in keyword_only(method.function).items():
        default = option.default
        text = ",".join(map(str, default)) if isinstance(default, (tuple, list)) else str(default)
        assert parse_options([f"{name}={text}"], lambda key: method.options[key].annotation) == {name: default}


def test_dashes_are_fine_in_keys():
    def function(*, some_steps: int = 3): ...

    known = {name: option.annotation for name, option in keyword_only(function).items()}
    assert parse_options(["some-steps=5"], known.get) == {"some_steps": 5}
    with pytest.raises(OptionError, match="--option some_steps must be a whole number, got 'five'"):
        parse_options(["some_steps=five"], known.get)


def test_each_of_several_processes_has_a_device_of_its_own(monkeypatch):
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    assert pick_device(None) == "cuda:0"
    monkeypatch.setenv("LOCAL_RANK", "1")
    assert pick_device(None) == "cuda:1"
    assert pick_device("cpu") == "cpu"
