"""`Classifier.frozen_eval`: what it changes inside, and that everything is as before afterwards."""

import pytest
import torch
from torch import nn

import seewhy


@pytest.fixture
def mixed():
    """A network in training mode but for one layer, with one frozen parameter and one shared submodule."""
    shared = nn.Conv2d(3, 3, 3, padding=1)
    module = nn.Sequential(
        shared, nn.BatchNorm2d(3), shared, nn.Dropout(), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(3, 4)
    )
    module[1].eval()
    module[6].bias.requires_grad_(False)
    return seewhy.wrap_model(module, image_size=8, mean=(0.5,) * 3, std=(0.5,) * 3)


def state(model):
    modes = [module.training for module in model.module.modules()]
    return modes, [parameter.requires_grad for parameter in model.module.parameters()]


def test_inside_nothing_trains_and_outside_everything_is_as_before(mixed):
    before = state(mixed)
    with mixed.frozen_eval():
        modes, trainable = state(mixed)
        assert not any(modes + trainable)
        with mixed.frozen_eval():
            pass
        assert state(mixed) == (modes, trainable)
    assert state(mixed) == before


def test_restored_after_an_error(mixed):
    before = state(mixed)
    with pytest.raises(ZeroDivisionError), mixed.frozen_eval():
        raise ZeroDivisionError
    assert state(mixed) == before


def test_gradient_mode_is_kept_and_inference_mode_is_left(mixed):
    with torch.inference_mode(), mixed.frozen_eval():
        assert not torch.is_inference_mode_enabled()
        assert not torch.is_grad_enabled()


def test_a_loaded_model_is_in_evaluation_mode():
    model = seewhy.load_model("timm/test_vit", weights="random")
    assert not any(module.training for module in model.module.modules())
