"""The bundled explainers: complete, small, found by their model, and better than their baselines."""

import pytest
import torch

import seewhy
from seewhy.errors import ModelError, UnsupportedModel
from seewhy.explainers.files import bundled_explainers, find_explainer, find_folder, read_metadata
from seewhy.explainers.network import AHAExplainer
from seewhy.zoo.photos import sample_photos
from seewhy.zoo.scenes import Scenes

MEGABYTES_ALLOWED = 8


@pytest.mark.parametrize("name", ["deit-tiny", "efficientnet-lite0", "scenes-vit"])
def test_it_is_complete_and_small(name):
    assert name in bundled_explainers()
    folder, metadata = find_folder(name), read_metadata(name)
    assert {each.name for each in folder.iterdir()} >= {"README.md", "log.jsonl"}
    assert sum(each.stat().st_size for each in folder.iterdir()) <= MEGABYTES_ALLOWED * 2**20
    assert metadata["held_out_images"]
    assert metadata["config"]["encoder"] == "model"


def test_the_working_directory_does_not_matter(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    bundled = find_folder("scenes-vit")
    (tmp_path / "scenes-vit").mkdir()
    assert find_folder("scenes-vit") == bundled  # the other one is empty
    model = seewhy.load_model("seewhy/scenes-vit")
    AHAExplainer(model).save(tmp_path / "scenes-vit")
    assert find_folder("scenes-vit").resolve() == tmp_path / "scenes-vit"  # folders take precedence
    assert find_explainer(model) == bundled


def test_on_scenes_it_beats_t_attr_and_random():
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


def test_that_of_deit_tiny_is_loaded_by_name():
    """Without the network's weights, which are not bundled; the mismatch is refused unless accepted."""
    model = seewhy.load_model("timm/deit_tiny_patch16_224", weights="random")
    with pytest.raises(UnsupportedModel, match="no bundled explainer"):
        find_explainer(model)
    with pytest.raises(ModelError, match="trained for timm/deit_tiny_patch16_224"):
        AHAExplainer.load("deit-tiny", model)
    explainer = AHAExplainer.load("deit-tiny", model, allow_mismatch=True)
    maps = explainer(torch.rand(1, 3, 224, 224), torch.tensor([[3, 7]]))
    assert maps.isfinite().all()
    assert maps[0, 0].std() > 0 < (maps[0, 0] - maps[0, 1]).abs().max()


def test_that_of_deit_tiny_is_found_by_its_fingerprint(data):
    model = seewhy.load_model(
        "timm/deit_tiny_patch16_224", weights=data / "models" / "deit_tiny_patch16_224.safetensors"
    )
    assert find_explainer(model).name == "deit-tiny"
    names = read_metadata("deit-tiny")["held_out_images"][-2:]
    photos = [data / name for name in names]
    assert ins_del(model, photos, "aha", None) > ins_del(model, photos, "random", None)


def ins_del(model, images, method, targets):
    rows = seewhy.evaluate(model, seewhy.explain(model, images, method, targets), ["ins_del"])
    scores = [row["score"] for row in rows if row["reference"] == "all"]
    return sum(scores) / len(scores)
