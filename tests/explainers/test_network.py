"""Explainers: features, encoders, and models they were not trained for."""

import pytest
import torch
from torch.nn.functional import avg_pool2d, interpolate
from torch.testing import assert_close

from conftest import make_tiny_cnn, make_tiny_vit, save_encoder
from seewhy import wrap_model
from seewhy.errors import ModelError, UnsupportedModel, WeightsError
from seewhy.explainers.config import ExplainerConfig
from seewhy.explainers.features import model_features
from seewhy.explainers.files import find_explainer
from seewhy.explainers.network import AHAExplainer


def test_features_of_a_vit_are_its_tokens_after_four_blocks(tiny_vit, images):
    features = model_features(tiny_vit, images)
    tokens = tiny_vit.trace(images).tokens
    for depth, each in enumerate(features):
        expected = torch.nn.functional.layer_norm(tokens[depth + 1][:, 1:], (16,))
        assert_close(each.flatten(2).transpose(1, 2), expected)


def test_features_of_a_cnn_are_its_stages(tiny_cnn, images):
    features = model_features(tiny_cnn, images)
    assert [tuple(each.shape[1:]) for each in features] == [(8, 16, 16)] * 3 + [(12, 8, 8)]


def test_it_starts_from_the_class_activation_map(tiny_cnn, images, targets):
    """Which is HiResCAM for a linear head."""
    explainer = AHAExplainer(tiny_cnn).eval()
    torch.nn.init.zeros_(explainer.decoder.head.last.weight)  # near zero otherwise
    split = tiny_cnn.split(images)
    (gradients,) = tiny_cnn.gradients(tiny_cnn.scores(split.logits, targets), [split.features])
    expected = (split.features.unsqueeze(1) * gradients).sum(dim=2).detach()
    expected = (expected - expected.mean((2, 3), keepdim=True)) / expected.std((2, 3), keepdim=True, correction=0)
    with torch.no_grad():
        maps = explainer(images, targets)
    squares = avg_pool2d(interpolate(expected, (16, 16), mode="bilinear"), 4)
    assert_close(maps, interpolate(squares, (32, 32), mode="bilinear"), rtol=1e-3, atol=1e-3)


def test_other_networks_have_no_evidence(tiny_vit, images, targets):
    hidden = torch.nn.Sequential(
        torch.nn.Conv2d(3, 8, 3, stride=2),
        torch.nn.Conv2d(8, 8, 3, stride=2),
        torch.nn.AdaptiveAvgPool2d(1),
        torch.nn.Flatten(),
        torch.nn.Linear(8, 6),
        torch.nn.Linear(6, 5),
    )
    for model in (tiny_vit, wrap_model(hidden, image_size=32)):
        explainer = AHAExplainer(model).eval()
        assert not explainer.sizes.evidence
        assert explainer(images, targets).shape == (2, 2, 32, 32)


@pytest.mark.parametrize("make", [make_tiny_vit, make_tiny_cnn])
def test_one_forward_pass_of_the_model(make, images, targets):
    model = make()
    explainer = AHAExplainer(model).eval()
    with model.meter() as cost, torch.no_grad():
        maps = explainer(images, targets)
    assert maps.shape == (2, 2, 32, 32)
    assert cost.forwards == pytest.approx(2)


@pytest.mark.parametrize("name", ["timm/test_vit", "timm/test_resnet"])
def test_timm_encoders(name, tiny_cnn, images, targets):
    explainer = AHAExplainer(tiny_cnn, ExplainerConfig(encoder=name, encoder_weights="random")).train()
    assert not explainer._encoder[0].backbone.training
    assert explainer(images, targets).shape == (2, 2, 32, 32)
    assert all("backbone" not in key for key in explainer.state_dict())


def test_an_untrained_encoder_is_reproducible(tiny_cnn, images, targets, tmp_path):
    explainer = AHAExplainer(tiny_cnn, ExplainerConfig("timm/test_vit", encoder_weights="random")).eval()
    explainer.save(tmp_path)
    torch.manual_seed(7)
    again = AHAExplainer.load(tmp_path, tiny_cnn)
    with torch.no_grad():
        assert_close(again(images, targets), explainer(images, targets))


def test_an_encoder_with_other_weights_is_refused(tiny_cnn, images, targets, tmp_path):
    save_encoder(tmp_path / "encoder.pt", seed=0)
    config = ExplainerConfig("timm/test_vit", encoder_weights=str(tmp_path / "encoder.pt"))
    explainer = AHAExplainer(tiny_cnn, config).eval()
    explainer.save(tmp_path / "out")
    (tmp_path / "encoder.pt").rename(tmp_path / "moved.pt")
    with pytest.raises(WeightsError, match=r"no file .*encoder\.pt.*encoder_weights"):
        AHAExplainer.load(tmp_path / "out", tiny_cnn)
    moved = AHAExplainer.load(tmp_path / "out", tiny_cnn, encoder_weights=str(tmp_path / "moved.pt"))
    with torch.no_grad():
        assert_close(moved(images, targets), explainer(images, targets))
    save_encoder(tmp_path / "encoder.pt", seed=1)
    with pytest.raises(ModelError, match=f"other weights of its encoder.*{explainer.encoder_fingerprint}"):
        AHAExplainer.load(tmp_path / "out", tiny_cnn)
    assert AHAExplainer.load(tmp_path / "out", tiny_cnn, allow_mismatch=True)(images, targets).isfinite().all()


def test_backbone_train_mode(tiny_cnn):
    for jitter in (False, True):
        config = ExplainerConfig("timm/test_vit", encoder_weights="random", backbone_train_mode=jitter)
        explainer = AHAExplainer(tiny_cnn, config).train()
        assert explainer._encoder[0].backbone.training == jitter
        assert not explainer.eval()._encoder[0].backbone.training


def test_dinov3_jitters_in_train_mode(tiny_cnn, images):
    name = "timm/vit_small_patch16_dinov3"
    for jitter in (False, True):
        config = ExplainerConfig(name, encoder_weights="random", backbone_train_mode=jitter)
        explainer = AHAExplainer(tiny_cnn, config).train()
        first, second = (explainer.features(images)[-1] for _ in range(2))
        assert torch.equal(first, second) == (not jitter)
        first, second = (explainer.eval().features(images)[-1] for _ in range(2))
        assert torch.equal(first, second)


def test_a_model_in_train_mode_is_not_changed(images, targets):
    module = torch.nn.Sequential(
        *(torch.nn.Conv2d(3, 4, 3), torch.nn.BatchNorm2d(4), torch.nn.ReLU(), torch.nn.Conv2d(4, 8, 3, stride=2)),
        *(torch.nn.AdaptiveAvgPool2d(1), torch.nn.Flatten(), torch.nn.Linear(8, 5)),
    ).train()
    model = wrap_model(module, image_size=32)
    before = model.fingerprint
    AHAExplainer(model).eval()(images, targets)
    assert model.fingerprint == before
    assert module.training


def test_building_does_not_change_the_random_state(tiny_cnn):
    torch.manual_seed(3)
    expected = torch.rand(2)
    torch.manual_seed(3)
    AHAExplainer(tiny_cnn)
    assert_close(torch.rand(2), expected, rtol=0, atol=0)


def test_an_explainer_of_this_model_is_loaded_without_running_it(tiny_vit, tmp_path, monkeypatch):
    AHAExplainer(tiny_vit).save(tmp_path)
    monkeypatch.setattr(type(tiny_vit), "logits", lambda *_: pytest.fail("the model was run"))
    AHAExplainer.load(tmp_path, tiny_vit)
    with pytest.raises(pytest.fail.Exception):
        AHAExplainer(tiny_vit)


def test_another_model_is_refused(tiny_vit, images, targets, tmp_path):
    AHAExplainer(tiny_vit).save(tmp_path)
    other = make_tiny_vit(seed=1)
    with pytest.raises(ModelError, match=f"{tiny_vit.fingerprint}.*allow_mismatch=True"):
        AHAExplainer.load(tmp_path, other)
    assert AHAExplainer.load(tmp_path, other, allow_mismatch=True)(images, targets).isfinite().all()
    with pytest.raises(UnsupportedModel, match="seewhy train"):
        find_explainer(tiny_vit)


def test_encoder_weights_that_cannot_be_downloaded(tiny_vit, monkeypatch):
    import huggingface_hub.constants

    monkeypatch.setattr(huggingface_hub.constants, "HF_HUB_OFFLINE", True)
    with pytest.raises(ModelError, match=r"timm/test_vit could not be downloaded.*encoder_weights="):
        AHAExplainer(tiny_vit, ExplainerConfig(encoder="timm/test_vit"))
