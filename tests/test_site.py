"""The site: a page for everything that is registered, links that lead somewhere, and code that runs."""

import importlib.util
import posixpath
import re
import shlex
import sys
import warnings
from pathlib import Path

import pytest
import torch
import typer
from typer.testing import CliRunner

import seewhy
from conftest import TinyCNN, make_tiny_vit, shake
from seewhy.cli import app
from seewhy.models.classifier import Classifier
from seewhy.registry import METHODS, METRICS, register_method
from seewhy.types import Images, Maps, Targets

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
SLOW = {"audit.md": "audits 300 images, which takes minutes"}
UNRUN = {  # blocks that are not run, in `py`: one per page
    "explainers.md": "trains for hours, with weights that are not bundled",
    "integrations.md": "FiftyOne needs its database: see tests/integrations/test_fiftyone.py",
    "methods.md": "a sketch; tests/models/test_adapters.py has a complete adapter",
    "page-api.md": "needs the server: see tests/ui",
}
REAL = {"methods/aha.md"}  # needs the explainer that is bundled for the real network


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


def test_a_new_method_has_a_page_without_any_other_file():
    @register_method("brand_new")
    def brand_new(model: Classifier, images: Images, targets: Targets, *, power: float = 2.0) -> Maps:
        """A map that is new. `power` is an exponent."""

    try:
        page = GENERATOR.method_pages()["methods/brand_new.md"]
        assert "brand_new: methods/brand_new.md" in GENERATOR.navigation(PAGES)
    finally:
        METHODS.remove("brand_new")
    assert "A map that is new." in page
    assert "| `power` | `2.0` | a number | `power` is an exponent. |" in page


class Sum(torch.nn.Module):
    """The network of the worked examples: its probability is the sum of the pixels."""

    def forward(self, images):
        total = images.mean(dim=1).sum(dim=(1, 2))
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
    if path in SLOW:
        pytest.skip(SLOW[path])
    if path == "integrations.md":
        pytest.importorskip("onnxruntime", reason="needs the extra [onnx]")
        write_onnx(Path("classifier.onnx"))
    load = seewhy.load_model
    if path.startswith(("methods/", "metrics/")) and path not in REAL:
        monkeypatch.setattr(
            seewhy, "load_model", lambda name: small_scenes_vit() if name == "seewhy/scenes-vit" else load(name)
        )
    for block in SNIPPETS[path]:
        exec(compile(block, path, "exec"), reader)


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
