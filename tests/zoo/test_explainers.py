"""The explainers that come with seewhy: small, whole, for the networks that come with it, and good at their task."""

import pytest

import seewhy
from seewhy.explainers.network import AHAExplainer, bundled_explainers, find_explainer, find_folder, read_facts
from seewhy.zoo.photos import sample_photos
from seewhy.zoo.scenes import Scenes

MEGABYTES_ALLOWED = 8


@pytest.mark.parametrize("name", ["scenes-vit", "efficientnet-lite0"])
def test_it_is_whole_and_small(name):
    assert name in bundled_explainers()
    folder, facts = find_folder(name), read_facts(name)
    assert {each.name for each in folder.iterdir()} >= {"README.md", "log.jsonl"}
    assert sum(each.stat().st_size for each in folder.iterdir()) <= MEGABYTES_ALLOWED * 2**20
    assert facts["held_out"], "which pictures it was not trained on"


def test_the_working_directory_does_not_matter(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    bundled = find_folder("scenes-vit")
    (tmp_path / "scenes-vit").mkdir()
    assert find_folder("scenes-vit") == bundled  # there is nothing in the other one
    model = seewhy.load_model("seewhy/scenes-vit")
    AHAExplainer(model).save(tmp_path / "scenes-vit")
    assert find_folder("scenes-vit").resolve() == tmp_path / "scenes-vit"  # by name, what is here comes first
    assert find_explainer(model) == bundled


def test_on_scenes_it_beats_what_it_is_compared_with():
    model, scenes = seewhy.load_model("seewhy/scenes-vit"), list(Scenes("test", 3))
    assert find_explainer(model).name == "scenes-vit"
    scores = {
        method: ins_del(model, [scene.image for scene in scenes], method, [scene.label for scene in scenes])
        for method in ("aha", "t_attr", "random")
    }
    assert max(scores, key=scores.get) == "aha", scores


def test_on_photos_it_beats_grad_cam():
    pytest.importorskip("efficientnet_lite_pytorch")
    pytest.importorskip("skimage")
    model, photos = seewhy.load_model("seewhy/efficientnet-lite0"), list(sample_photos().values())
    assert find_explainer(model).name == "efficientnet-lite0"
    assert ins_del(model, photos, "aha", None) > ins_del(model, photos, "grad_cam", None)


def ins_del(model, images, method, targets):
    rows = seewhy.evaluate(model, seewhy.explain(model, images, method, targets), ["ins_del"])
    scores = [row["score"] for row in rows if row["reference"] == "all"]
    return sum(scores) / len(scores)
