import dataclasses
import webbrowser

import pytest
import torch

import seewhy
from seewhy.errors import InputError
from seewhy.explorer import view
from seewhy.explorer.view import open_in_browser


@pytest.fixture
def explanation(tiny_vit, images):
    return seewhy.explain(tiny_vit, images, "gradient", targets=[1, 3])


def test_an_explanation_shows_itself_beside_the_baselines(explanation):
    shown = explanation.view(references=["black"])
    assert [[entry.method for entry in bundle.entries] for bundle in shown.bundles] == [
        ["gradient", "random", "center"]
    ] * len(explanation)
    assert shown._repr_html_().startswith("<iframe")
    assert "2 images; gradient, random, center" in repr(shown)


def test_several_explanations_share_one_explorer(tiny_vit, images, explanation, tmp_path):
    other = seewhy.explain(tiny_vit, images, "random", targets=[1, 3])
    shown = seewhy.view([explanation, other], references=["black"], height=500)
    assert [entry.method for entry in shown.bundles[1].entries] == ["gradient", "random", "center"]
    assert "height:500px" in shown._repr_html_()
    assert shown.save(tmp_path / "explorer.html").stat().st_size > 80_000


def test_baselines_can_be_left_out(explanation):
    shown = view(explanation, baselines=False, references=["black"])
    assert [entry.method for entry in shown.bundles[0].entries] == ["gradient"]


def test_a_loaded_explanation_needs_the_model(tiny_vit, explanation, tmp_path):
    loaded = seewhy.Explanation.load(explanation.save(tmp_path / "maps"))
    with pytest.raises(InputError, match="pass model="):
        loaded.view()
    assert len(loaded.view(tiny_vit, references=["black"]).bundles) == len(explanation)
    with pytest.raises(InputError, match="at least one explanation"):
        view([])
    without = dataclasses.replace(explanation, images=None)
    with pytest.raises(InputError, match="holds none"):
        without.view()


def test_maps_made_elsewhere_can_be_viewed(tiny_vit, images):
    maps = seewhy.Explanation.from_maps(torch.rand(2, 4, 4), targets=[1, 2], images=images)
    assert maps.view(tiny_vit, references=["black"]).bundles[1].targets == (2,)


def test_a_file_is_opened_only_where_there_is_a_screen(monkeypatch, tmp_path, explanation):
    opened = []
    monkeypatch.setattr(webbrowser, "open", lambda address: opened.append(address) or True)
    monkeypatch.setattr("sys.platform", "linux")
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER"):
        monkeypatch.delenv(name, raising=False)
    assert not open_in_browser(tmp_path / "a.html")
    monkeypatch.setenv("DISPLAY", ":0")
    path = explanation.view(references=["black"], baselines=False).open()
    assert opened == [path.as_uri()]
