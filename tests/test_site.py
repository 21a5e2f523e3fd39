"""The site: a page for everything that is registered, links that lead somewhere, and code that runs."""

import importlib.util
import posixpath
import re
import sys
from pathlib import Path

import pytest
import torch

import seewhy
from conftest import TinyCNN, make_tiny_vit, shake
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


GENERATOR = load_generator()
PAGES = GENERATOR.all_pages()
SNIPPETS = {path: re.findall(r"```python\n(.*?)```", text, flags=re.DOTALL) for path, text in PAGES.items()}
SLOW = {"audit.md": "audits 300 images, which takes minutes"}
REAL = {"methods/aha.md"}  # needs the explainer that is bundled for the real network


def test_everything_registered_has_a_page():
    assert {f"methods/{name}.md" for name in METHODS.names()} <= PAGES.keys()
    assert {f"metrics/{name}.md" for name in METRICS.names()} <= PAGES.keys()
    assert "seewhy.explain(" in PAGES["api.md"]
    assert "## seewhy explain" in PAGES["commands.md"]


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
    load = seewhy.load_model
    if path.startswith(("methods/", "metrics/")) and path not in REAL:
        monkeypatch.setattr(
            seewhy, "load_model", lambda name: small_scenes_vit() if name == "seewhy/scenes-vit" else load(name)
        )
    for block in SNIPPETS[path]:
        exec(compile(block, path, "exec"), reader)
