"""The site: a page for everything that is registered, links that lead somewhere, and code that runs."""

import doctest
import importlib
import importlib.util
import posixpath
import re
import shlex
import subprocess
import sys
import warnings
from pathlib import Path

import pytest
import torch
import typer
from typer.testing import CliRunner

import fiftyone_interface
import seewhy
from conftest import TinyCNN, make_tiny_cnn, make_tiny_vit, shake
from seewhy.cli import app
from seewhy.models.classifier import Classifier
from seewhy.registry import METHODS, METRICS

ROOT = Path(__file__).parents[1]
SCENES_CLASSES = seewhy.Scenes.class_names


def load_generator():
    """The program that writes the pages."""
    folder = ROOT / "docs" / "generator"
    sys.path.insert(0, str(folder))
    spec = importlib.util.spec_from_file_location("site_generator", folder / "__main__.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def blocks_of(text: str, *languages: str) -> list[str]:
    """The fenced blocks of a page in these languages."""
    found = re.findall(r"^```(\w*)\n(.*?)^```$", text, flags=re.DOTALL | re.MULTILINE)
    return [block for language, block in found if language in languages]


def commands_of(text: str) -> list[list[str]]:
    """The words of every `seewhy …` in a block without a language; continued lines are one command."""
    lines = "\n".join(blocks_of(text, "", "sh")).replace("\\\n", " ").splitlines()
    return [shlex.split(line, comments=True)[1:] for line in lines if line.startswith("seewhy ")]


GENERATOR = load_generator()
FACTS = sys.modules["facts"]  # of the generator
PAGES = GENERATOR.all_pages()
SNIPPETS = {path: blocks_of(text, "python") for path, text in PAGES.items()}
COMMANDS = {path: commands_of(text) for path, text in PAGES.items()}
SHORTER = {  # what tests run in place of what pages show, to save time
    "audit.md": [
        ("size=300", "size=60"),
        ("out=", "classes=['mug'], trial=4, donors=3, recipients=6, screened=4, explorers=0, out="),
    ],
    "explainers.md": [("epochs=2, batch=16", "epochs=2, batch=1, points=3"), ("refine_steps=3", "refine_steps=1")],
}
UNRUN = {  # blocks that `test_code_runs` does not run, in `py`: one per page
    "explainers.md": "needs the authors' weights; tests/explainers/test_files.py reads such files",
    "page-api.md": "needs the server: tests/ui/test_answers.py runs it",
}
TRACING = {"explainers.md"}
REAL = {"methods/aha.md"}  # needs the explainer that is bundled for the real network


@pytest.mark.parametrize("name", ["api_pages", "equations", "facts"])
def test_the_examples_in_the_generator_are_right(name):
    results = doctest.testmod(sys.modules[name])
    assert results.attempted
    assert not results.failed


def test_everything_registered_has_a_page():
    assert {f"methods/{name}.md" for name in METHODS.names()} <= PAGES.keys()
    assert {f"metrics/{name}.md" for name in METRICS.names()} <= PAGES.keys()
    assert "seewhy.explain(" in PAGES["api.md"]
    assert "## seewhy explain" in PAGES["commands.md"]


@pytest.mark.parametrize("method", METHODS.all(), ids=lambda method: method.name)
def test_a_method_page_has_all_its_parts(method):
    page = PAGES[f"methods/{method.name}.md"]
    parts = ["Idea", "The same six images", "Use", "Options", "Measured", "Explore", "Known failures", "Citation"]
    of_papers = ["Formula", "When not to use it"] if method.paper else []
    assert [part for part in (*parts, *of_papers) if f"## {part}\n" not in page] == []
    assert not method.paper or re.search(r"## Formula\n\n```\n.*=.*\n(?s:.*?)```\n\n\| symbol", page)


@pytest.mark.parametrize("path", PAGES)
def test_rows_of_a_table_have_as_many_cells_as_its_head(path):
    text = re.sub(r"^```.*?^```", "", PAGES[path], flags=re.DOTALL | re.MULTILINE)
    for lines in re.findall(r"(?:^\|.*\n?)+", text, flags=re.MULTILINE):
        counts = [len(re.findall(r"(?<!\\)\|", line)) for line in lines.splitlines()]
        assert set(counts) == {counts[0]}, lines.splitlines()[0]


@pytest.mark.parametrize("path", [path for path in PAGES if path.startswith(("methods/", "metrics/"))])
def test_every_option_says_what_it_means(path):
    assert not re.findall(r"^\| `\w+` \| .* \|  \|$", PAGES[path], flags=re.MULTILINE)


def test_the_template_of_a_method_runs_and_has_a_page_without_any_other_file(tmp_path, monkeypatch, images):
    template = blocks_of((ROOT / "CONTRIBUTING.md").read_text().partition("## Add a method\n")[2], "")[0]
    code = template.replace("NAME", "brand_new").replace("KEY", METHODS.get("gradient").paper)
    (tmp_path / "brand_new.py").write_text(code)
    monkeypatch.syspath_prepend(tmp_path)
    try:
        importlib.import_module("brand_new")
        maps = seewhy.explain(make_tiny_cnn(), images, "brand_new", targets=[1, 3]).maps
        page = GENERATOR.method_pages()["methods/brand_new.md"]
        assert "brand_new: methods/brand_new.md" in GENERATOR.navigation(PAGES)
    finally:
        METHODS.remove("brand_new")
    assert maps.shape == (2, 2, 32, 32)
    assert maps.std() > 0
    assert "One line that says what the map shows" in page
    assert "| `power` | `2.0` | a number above 0 |" in page
    assert "## Formula\n\n```\nmap = " in page


class Sum(torch.nn.Module):
    """The network of the worked examples: its probability is the sum of the pixels, at most 1."""

    def forward(self, images):
        total = images.mean(dim=1).sum(dim=(1, 2)).clamp(max=1)
        return torch.stack([1 - total, total], dim=1)


@pytest.mark.filterwarnings("ignore::seewhy.errors.SeewhyWarning")
@pytest.mark.parametrize("name", METRICS.names())
def test_the_worked_example_of_a_metric_is_right(name):
    notes = FACTS.notes()["metrics"][name]
    assert notes["range"]
    assert notes["example"]
    if "value" not in notes:
        return  # needs more than a map and four pixels
    image = torch.tensor([[0.4, 0.3], [0.2, 0.1]]).expand(1, 3, 2, 2)
    regions = torch.tensor([[True, True], [False, False]])[None, None]
    other = torch.tensor([[0.4, 0.1], [0.3, 0.2]])[None, None]
    model = seewhy.wrap_model(Sum(), image_size=2, mean=(0, 0, 0), std=(1, 1, 1), outputs="probabilities")
    of_regions = "top row as region" in PAGES[f"metrics/{name}.md"]
    maps = other if of_regions else image[:, :1]
    explanation = seewhy.Explanation.from_maps(maps, targets=1, images=image, model=model)
    black = {"references": ("black",)}
    options = {"curves": black | {"fractions": (0.0, 0.25, 0.5, 0.75, 1.0)}, "masked": black}
    rows = seewhy.evaluate(model, explanation, [name], options=options, regions=regions if of_regions else None)
    (score,) = {row["score"] for row in rows if row["reference"] == "all"}
    assert score == pytest.approx(notes["value"], abs=1e-4)


@pytest.mark.parametrize("path", PAGES)
def test_links_lead_somewhere(path):
    text = re.sub(r"```.*?```|`[^`\n]*`", "", PAGES[path], flags=re.DOTALL)
    for target in re.findall(r"\]\((?!https?:|#)([^)#\s]+)[^)]*\)", text):
        found = posixpath.normpath(posixpath.join(posixpath.dirname(path), target))
        known = found in PAGES or (ROOT / "docs" / found).exists() or found.startswith("pictures/")
        assert known, f"{path} links to {target}"


ASKED = {  # most by users of Captum, pytorch-grad-cam and Quantus: where the start page must lead in one click
    "layer and reshape of a ViT": "troubleshooting.md#which-layer-and-which-reshape-does-a-vit-need",
    "fused attention": "troubleshooting.md#attention-weights-are-missing-fused-attention",
    "out of memory": "troubleshooting.md#out-of-memory",
    "blank map": "troubleshooting.md#the-map-is-blank-or-flat",
    "normalization of images": "troubleshooting.md#wrong-class-wrong-prediction-normalization",
    "normalization of maps": "troubleshooting.md#are-maps-normalized",
    "Hugging Face outputs": "troubleshooting.md#hugging-face-outputs-must-return-logits",
    "CLIP prompts": "troubleshooting.md#clip-prompts",
    "which metric": "choose.md#which-metric",
    "slow metrics": "troubleshooting.md#slow-metrics",
    "own data set": "datasets.md#labels-boxes-masks",
}


@pytest.mark.parametrize("question", ASKED)
def test_the_start_page_leads_to_what_is_asked_most(question):
    page, _, anchor = ASKED[question].partition("#")
    headings = re.findall(r"^##+ (.*)$", PAGES[page], flags=re.MULTILINE)
    assert f"]({ASKED[question]})" in PAGES["index.md"]
    assert anchor in {re.sub(r"[^\w -]", "", heading).lower().replace(" ", "-") for heading in headings}


def test_no_page_loads_anything_from_elsewhere():
    for path, text in PAGES.items():
        assert not re.search(r'(src|srcset)="https?:|!\[[^\]]*\]\(https?:', text), path


def test_the_equations_of_the_four_systems_are_found():
    text = PAGES["papers.md"]
    for system in ("AHA", "CAAP", "MDA", "VAR"):
        section = text.partition(f"## {system}\n")[2].partition("\n## ")[0]
        assert section.count("seewhy/") >= 4, system


@pytest.fixture
def reader(tmp_path, monkeypatch):
    """A folder with the files, and a namespace with the names, that pages take for granted."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "photos").mkdir()
    photo = seewhy.zoo.sample_photos()["cat"]
    for name in ("photo.jpg", "cat.jpg", "mug.png", "photos/a.jpg", "photos/b.jpg"):
        photo.save(name)
    network = TinyCNN()
    network.head = torch.nn.Linear(12, 2)
    monkeypatch.setattr("PIL.Image.Image.show", lambda _image: None)
    return {"network": shake(network)}


def write_onnx(path: Path) -> None:
    """A classifier of 64 pixels and two classes, as somebody else would have exported it."""
    network = TinyCNN()
    network.head = torch.nn.Linear(12, 2)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        torch.onnx.export(shake(network), torch.rand(1, 3, 64, 64), path, dynamo=False)


def small_scenes_vit() -> Classifier:
    """A network with the interface of the bundled one, a hundredth of its cost."""
    model = make_tiny_vit(img_size=224, patch_size=32, num_classes=len(SCENES_CLASSES))
    model.name, model.class_names = "seewhy/scenes-vit", tuple(SCENES_CLASSES)
    return model


@pytest.mark.filterwarnings("ignore::seewhy.errors.SeewhyWarning")
@pytest.mark.parametrize("path", [path for path, blocks in SNIPPETS.items() if blocks])
def test_code_runs(path, reader, monkeypatch):
    """Pages of methods and metrics on a small network, all others as they stand."""
    pytest.importorskip("efficientnet_lite_pytorch", reason="examples need the extra [demo]")
    if path in ("integrations.md", "explainers.md"):
        pytest.importorskip("onnxruntime", reason="needs the extra [onnx]")
    if path == "explainers.md":
        pytest.importorskip("accelerate", reason="needs the extra [train]")
    if path == "audit.md":
        pytest.importorskip("sklearn", reason="needs the extra [audit]")
    if path == "integrations.md":
        write_onnx(Path("classifier.onnx"))
        monkeypatch.setitem(sys.modules, "fiftyone", fiftyone_interface.LIBRARY)
    load = seewhy.load_model
    if path.startswith(("methods/", "metrics/")) and path not in REAL:
        monkeypatch.setattr(
            seewhy, "load_model", lambda name: small_scenes_vit() if name == "seewhy/scenes-vit" else load(name)
        )
    code = "\n".join(SNIPPETS[path])
    for shown, shorter in SHORTER.get(path, ()):
        assert shown in code
        code = code.replace(shown, shorter)
    if path in TRACING:  # a process of its own: an export's tracers are no numbers to the tests' type checks
        result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
        assert result.returncode == 0, result.stderr
    else:
        exec(compile(code, path, "exec"), reader)


def test_other_python_is_named():
    """A block of Python that no test runs has a reason."""
    assert {path for path, text in PAGES.items() if blocks_of(text, "py")} == UNRUN.keys()
    python = re.compile(r"^(import|from) \w+|^\w+ = seewhy", re.MULTILINE)
    for path in PAGES.keys() - {"api.md", "contributing.md"}:
        assert not [block for block in blocks_of(PAGES[path], "") if python.search(block)], path


@pytest.mark.parametrize("path", [path for path, commands in COMMANDS.items() if commands])
def test_commands_are_understood(path):
    """Names, options and values; `test_documentation.py` runs the commands of the README."""
    program = typer.main.get_command(app)
    for name, *words in COMMANDS[path]:
        program.commands[name].make_context(name, list(words))


@pytest.mark.filterwarnings("ignore::seewhy.errors.SeewhyWarning")
@pytest.mark.usefixtures("reader")
@pytest.mark.parametrize("name", METHODS.names())
def test_the_command_of_a_method_runs(name, monkeypatch):
    """On a small network in place of the bundled ViT."""
    pytest.importorskip("efficientnet_lite_pytorch", reason="examples need the extra [demo]")
    load, path = seewhy.load_model, f"methods/{name}.md"
    if path not in REAL:
        monkeypatch.setattr(
            "seewhy.api.load_model",
            lambda name, **options: small_scenes_vit() if name == "seewhy/scenes-vit" else load(name, **options),
        )
    (command,) = COMMANDS[path]
    result = CliRunner().invoke(app, [*command, "--out", "out"])
    assert result.exit_code == 0, result.output
    assert list(Path("out").rglob("*.safetensors"))


# The other commands of pages (export, bench, card, audit, ui) need more than a small network in place of the one they
# name: test_documentation.py runs the first three, tests/audits and tests/ui the others.
TRAINED_SHORT = ["-o", "iterations=1", "-o", "batch=1", "-o", "points=3"]


@pytest.mark.filterwarnings("ignore::seewhy.errors.SeewhyWarning")
@pytest.mark.usefixtures("reader")
@pytest.mark.parametrize(("path", "names"), [("explorer.md", ["view"]), ("explainers.md", ["train", "explain"])])
def test_the_commands_of_a_guide_run(path, names, monkeypatch):
    """On a small network in place of the one that is named."""
    if "train" in names:
        pytest.importorskip("accelerate", reason="needs the extra [train]")
    monkeypatch.setattr("seewhy.api.load_model", lambda _name, **_options: small_scenes_vit())
    monkeypatch.setenv("BROWSER", "true")
    for command in [words for words in COMMANDS[path] if words[0] in names]:
        result = CliRunner().invoke(app, [*command, *(TRAINED_SHORT if command[0] == "train" else [])])
        assert result.exit_code == 0, result.output
    assert Path("seewhy-explorer.html").exists() or list(Path("seewhy-out").glob("cat.aha*"))
