"""Files of explainers: saved and loaded, formats, damage."""

import json
from dataclasses import replace

import pytest
import torch
from safetensors.torch import load_file, save_file
from torch.testing import assert_close

from seewhy.errors import InputError, WeightsError
from seewhy.explainers.files import config_from_dict, config_to_dict, read_metadata
from seewhy.explainers.network import AHAExplainer
from seewhy.explainers.presets import PRESETS, SMALL

LEARNED = replace(SMALL.explainer, shape=replace(SMALL.explainer.shape, vectors=False, prior=None))


def test_saved_and_loaded(tiny_vit, images, targets, tmp_path):
    explainer = AHAExplainer(tiny_vit, seed=3).eval()
    explainer.save(tmp_path, training={"step": 7})
    again = AHAExplainer.load(tmp_path, tiny_vit)
    with torch.no_grad():
        assert_close(again(images, targets), explainer(images, targets))
    metadata = json.loads((tmp_path / "explainer.json").read_text())
    assert metadata["model"]["fingerprint"] == tiny_vit.fingerprint
    assert metadata["training"] == {"step": 7}


def test_folders_without_an_explainer(tiny_vit, tmp_path):
    with pytest.raises(InputError, match=r"^there is no explainer .*explainer\.safetensors"):
        AHAExplainer.load(tmp_path, tiny_vit)
    AHAExplainer(tiny_vit).save(tmp_path)
    (tmp_path / "explainer.json").write_text('{"format": 2, "mod')
    with pytest.raises(InputError, match="damaged"):
        AHAExplainer.load(tmp_path, tiny_vit)
    (tmp_path / "explainer.json").write_text('{"format": 2, "sizes": {}, "model": null}')
    with pytest.raises(InputError, match=r"damaged \(no model, config, learning_rate, tau\)"):
        AHAExplainer.load(tmp_path, tiny_vit)


def as_format_3(folder):
    """Files under the names that format 3 had."""
    metadata = json.loads((folder / "explainer.json").read_text())
    loss, shape, sizes = metadata["config"]["loss"], metadata["config"]["shape"], metadata["sizes"]
    loss |= {"steps": loss.pop("points"), "sample_steps": loss.pop("sample_points"), "spread": loss.pop("score_std")}
    loss["references"] = ["black", "mean", "blur"]
    shape["evidence"], sizes["evidence"] = shape.pop("prior"), sizes.pop("prior")
    change(folder, clear=True, **(metadata | {"format": 3}))
    tensors = load_file(folder / "explainer.safetensors")
    save_file(
        {name.replace("by_prior", "by_evidence"): value for name, value in tensors.items()},
        folder / "explainer.safetensors",
    )
    return metadata


def test_format_3_is_read(tiny_vit, images, targets, tmp_path):
    loss = replace(SMALL.explainer.loss, points=7, sample_points=True, score_std=3.0)
    explainer = AHAExplainer(tiny_vit, replace(SMALL.explainer, loss=loss), seed=3).eval()
    torch.nn.init.normal_(explainer.decoder.stages[2].by_prior)
    explainer.save(tmp_path)
    as_format_3(tmp_path)
    again = AHAExplainer.load(tmp_path, tiny_vit)
    assert again.config == explainer.config
    with torch.no_grad():
        assert_close(again(images, targets), explainer(images, targets))


def test_format_2_is_read(tiny_cnn, images, targets, tmp_path):
    """Its only prior map was a flag, and its weights had no dimension for it."""
    shape = replace(LEARNED.shape, prior="head")
    explainer = AHAExplainer(tiny_cnn, replace(LEARNED, shape=shape), seed=3).eval()
    torch.nn.init.normal_(explainer.decoder.stages[2].by_prior)
    explainer.save(tmp_path)
    metadata = as_format_3(tmp_path)
    del metadata["sizes"]["vectors"], metadata["config"]["shape"]["vectors"]
    metadata["config"]["shape"]["evidence"] = metadata["sizes"]["evidence"] = True
    change(tmp_path, **(metadata | {"format": 2}))
    tensors = load_file(tmp_path / "explainer.safetensors")
    for name in ("gain", *(f"stages.{depth}.by_evidence" for depth in range(4))):
        tensors[name] = tensors[name].squeeze(-1)
    save_file(tensors, tmp_path / "explainer.safetensors")
    again = AHAExplainer.load(tmp_path, tiny_cnn)
    assert again.config.shape == shape
    with torch.no_grad():
        assert_close(again(images, targets), explainer(images, targets))


def change(folder, *, clear=False, **changes):
    path = folder / "explainer.json"
    path.write_text(json.dumps(({} if clear else json.loads(path.read_text())) | changes))


def test_files_of_another_version_or_damaged(tiny_vit, tmp_path):
    AHAExplainer(tiny_vit).save(tmp_path)
    metadata = json.loads((tmp_path / "explainer.json").read_text())
    change(tmp_path, format=0)
    with pytest.raises(InputError, match="has format 0, this version of seewhy reads 1 to 4"):
        AHAExplainer.load(tmp_path, tiny_vit)
    change(tmp_path, format=metadata["format"], config=metadata["config"] | {"loss": {"rescale": True}})
    with pytest.raises(InputError, match="another version of seewhy"):
        AHAExplainer.load(tmp_path, tiny_vit)
    change(tmp_path, config=metadata["config"] | {"shape": None})
    with pytest.raises(InputError, match="another version of seewhy"):
        AHAExplainer.load(tmp_path, tiny_vit)
    change(tmp_path, config=metadata["config"], sizes={"widths": [1]}, model={"name": "x"})
    with pytest.raises(InputError, match=r"damaged \(no fingerprint, classes, pyramid, prior, vectors\)"):
        AHAExplainer.load(tmp_path, tiny_vit)
    change(tmp_path, sizes=metadata["sizes"], model=metadata["model"])
    whole = (tmp_path / "explainer.safetensors").read_bytes()
    (tmp_path / "explainer.safetensors").write_bytes(whole[:-100])
    with pytest.raises(WeightsError, match="damaged"):
        AHAExplainer.load(tmp_path, tiny_vit)


@pytest.mark.parametrize("name", PRESETS)
def test_configs_survive_json(name):
    config = PRESETS[name].explainer
    assert config_from_dict(json.loads(json.dumps(config_to_dict(config)))) == config


def test_format_1_is_read(tiny_vit, images, targets, tmp_path):
    """It said "target" for the model and for its features, and "held_out" for the names of images."""
    explainer = AHAExplainer(tiny_vit, LEARNED, seed=3).eval()
    explainer.save(tmp_path, held_out_images=["a.png"])
    metadata = as_format_3(tmp_path)
    old = {"format": 1, "target": metadata.pop("model"), "held_out": metadata.pop("held_out_images")}
    old |= {"config": metadata.pop("config") | {"encoder": "target"}}
    (tmp_path / "explainer.json").write_text(json.dumps(metadata | old))
    assert read_metadata(tmp_path)["held_out_images"] == ["a.png"]
    with torch.no_grad():
        assert_close(AHAExplainer.load(tmp_path, tiny_vit)(images, targets), explainer(images, targets))
