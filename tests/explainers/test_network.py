"""Explainers: features, encoders, and models they were not trained for."""

from dataclasses import replace

import pytest
import torch
from torch.nn.functional import avg_pool2d, interpolate
from torch.testing import assert_close

from conftest import make_tiny_cnn, make_tiny_vit, save_encoder
from seewhy import wrap_model
from seewhy.errors import ModelError, OptionError, UnsupportedModel, WeightsError
from seewhy.explainers.config import DecoderShape, ExplainerConfig
from seewhy.explainers.features import class_vectors, model_features
from seewhy.explainers.files import find_explainer
from seewhy.explainers.network import AHAExplainer
from seewhy.explainers.prior import standardized
from seewhy.methods.libra_ixg_plus import libra_ixg_plus
from vit_families import make_zero_shot


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


def start_of(explainer, images, targets):
    """Its maps before training: the prior alone, which is averaged over squares of four of the head's pixels."""
    torch.nn.init.zeros_(explainer.decoder.head.last.weight)  # near zero otherwise
    with torch.no_grad():
        return explainer.eval()(images, targets)


def as_start(maps):
    """Maps as an untrained explainer shows them as its prior."""
    maps = (maps - maps.mean((2, 3), keepdim=True)) / maps.std((2, 3), keepdim=True, correction=0)
    squares = avg_pool2d(interpolate(maps.clamp(-3, 3), (16, 16), mode="bilinear"), 4)
    return interpolate(squares, (32, 32), mode="bilinear")


def test_a_vit_starts_from_its_head_at_every_patch(tiny_vit, images, targets):
    module = tiny_vit.module
    tokens = tiny_vit.trace(images).tokens[-1][:, 1:]
    logits = module.head(module.norm(tokens)).detach()  # batch patches outputs
    expected = torch.stack([row[:, classes].T for row, classes in zip(logits, targets, strict=True)])
    maps = start_of(AHAExplainer(tiny_vit), images, targets)
    assert_close(maps, as_start(expected.unflatten(2, (4, 4))), rtol=1e-3, atol=1e-3)


def test_it_starts_from_the_map_of_a_method(tiny_vit, images, targets):
    config = ExplainerConfig(shape=replace(DecoderShape(), prior="libra_ixg_plus"))
    explainer = AHAExplainer(tiny_vit, config)
    assert explainer.sizes.prior == 5  # the head at four depths, and the method
    expected = libra_ixg_plus(tiny_vit, images, targets).detach()
    assert_close(start_of(explainer, images, targets), as_start(expected), rtol=1e-3, atol=1e-3)


def test_a_score_per_patch_in_the_order_of_the_method(tiny_vit, images, targets):
    shape = DecoderShape(prior="libra_ixg_plus", patchwise=True)
    explainer = AHAExplainer(tiny_vit, ExplainerConfig(shape=shape)).eval()
    torch.nn.init.zeros_(explainer.decoder.head.last.weight)  # near zero otherwise
    maps = explainer(images, targets)
    native = libra_ixg_plus(tiny_vit, images, targets)
    patches = avg_pool2d(maps, 8)
    assert_close(maps, interpolate(patches, scale_factor=8, mode="nearest"))
    assert torch.equal(patches.flatten(2).argsort(), native.flatten(2).argsort())


def test_only_vits_have_a_score_per_patch(tiny_cnn):
    with pytest.raises(OptionError, match="features of several resolutions, not patches"):
        AHAExplainer(tiny_cnn, ExplainerConfig(shape=DecoderShape(patchwise=True)))


def test_a_method_and_the_features_share_a_forward_pass(tiny_vit, images, targets):
    explainer = AHAExplainer(tiny_vit, ExplainerConfig(shape=DecoderShape(prior="libra_ixg_plus"))).eval()
    with tiny_vit.meter() as cost:
        shared = explainer.read(images, targets)
    assert cost.forwards == pytest.approx(2)
    assert cost.backwards == pytest.approx(2 * 2)
    for mine, plain in zip(shared.features, model_features(tiny_vit, images), strict=True):
        assert_close(mine, plain, rtol=1e-4, atol=1e-4)
    assert tiny_vit._recorded is None  # nothing is kept


def test_a_flat_map_is_no_evidence():
    maps = torch.full((1, 1, 4, 4), 1e-20)
    tiny = torch.linspace(0, 1e-20, 16).view(1, 1, 4, 4)
    assert standardized([maps]).count_nonzero() == 0
    assert_close(float(standardized([tiny]).std(correction=0)), 1.0, rtol=1e-4, atol=0)


@pytest.mark.parametrize("make", [make_tiny_vit, make_tiny_cnn])
def test_classes_are_known_by_their_vectors(make, images):
    """Two classes with the same row of the head get the same map, trained or not; no weight belongs to a class."""
    model = make()
    head = [layer for layer in model.module.modules() if isinstance(layer, torch.nn.Linear)][-1]
    with torch.no_grad():
        head.weight[3], head.bias[3] = head.weight[1], head.bias[1]
    explainer = AHAExplainer(model).eval()
    for parameter in explainer.decoder.parameters():
        torch.nn.init.normal_(parameter, std=0.3)
    with torch.no_grad():
        same, other, twin = explainer(images, torch.tensor([[1, 2, 3]] * 2)).unbind(dim=1)
    assert_close(same, twin)
    assert float((same - other).abs().max()) > 1e-2
    shapes = [parameter.shape for parameter in explainer.decoder.parameters()]
    assert not any(5 in shape for shape in shapes)  # the model has five classes


def test_class_vectors_of_a_zero_shot_model_are_its_prompts():
    model = make_zero_shot("CLIP")
    vectors = class_vectors(model, classes=len(model.module.prompts))
    assert_close(vectors, model.module.prompts)
    explainer = AHAExplainer(model).eval()
    images = torch.rand(1, 3, *model.image_size, generator=torch.Generator().manual_seed(0))
    first, second = explainer(images, torch.tensor([[0, 1]])).detach()[0]
    assert float((first - second).abs().max()) > 1e-2


def test_networks_with_a_hidden_layer_have_no_head_at_a_position(images, targets):
    hidden = torch.nn.Sequential(
        torch.nn.Conv2d(3, 8, 3, stride=2),
        torch.nn.Conv2d(8, 8, 3, stride=2),
        torch.nn.AdaptiveAvgPool2d(1),
        torch.nn.Flatten(),
        torch.nn.Linear(8, 6),
        torch.nn.Linear(6, 5),
    )
    explainer = AHAExplainer(wrap_model(hidden, image_size=32)).eval()
    assert explainer.sizes.prior == 0
    assert explainer.sizes.vectors == 6
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
    with pytest.raises(WeightsError, match=r"no weights file .*encoder\.pt.*encoder_weights"):
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


def test_an_old_explainer_without_a_prior_fits_another_model(tiny_vit, images, targets, tmp_path):
    """The model could give it class maps and vectors, which its decoder has no weights for."""
    sizes = AHAExplainer(tiny_vit).sizes
    assert sizes.prior > 0 < sizes.vectors
    old = AHAExplainer(tiny_vit, sizes=sizes._replace(prior=0, vectors=0)).eval()
    old.save(tmp_path)
    other = make_tiny_vit(seed=1)
    loaded = AHAExplainer.load(tmp_path, other, allow_mismatch=True)
    assert loaded.sizes == old.sizes
    assert loaded(images, targets).isfinite().all()


def test_encoder_weights_that_cannot_be_downloaded(tiny_vit, monkeypatch):
    import huggingface_hub.constants

    monkeypatch.setattr(huggingface_hub.constants, "HF_HUB_OFFLINE", True)
    with pytest.raises(ModelError, match=r"timm/test_vit could not be downloaded.*encoder_weights="):
        AHAExplainer(tiny_vit, ExplainerConfig(encoder="timm/test_vit"))
