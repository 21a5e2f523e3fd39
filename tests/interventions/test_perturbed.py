"""Probabilities of masked images in half precision: close, and small gradients do not underflow."""

import pytest
import torch
from torch.testing import assert_close

from seewhy.interventions.perturbed import masked_probabilities, model_precision


def respond(model, images, targets, *, weight=1.0):
    masks = torch.rand(2, 3, 4, 4, generator=torch.Generator().manual_seed(0))
    weights = torch.full((3, 2), weight)
    return masked_probabilities(model, images, torch.zeros(1, *images.shape), masks, targets, weights, sigma=1.0)


@pytest.mark.parametrize("precision", ["bf16", "fp16"])
@pytest.mark.parametrize("model", ["tiny_vit", "tiny_cnn"])
def test_half_precision_is_close_and_returns_float32(model, precision, images, targets, request):
    model = request.getfixturevalue(model)
    full = respond(model, images, targets)
    with model_precision(precision):
        half = respond(model, images, targets)
    assert {each.dtype for each in half} == {torch.float32}
    assert not torch.equal(half.probabilities, full.probabilities)
    assert_close(half.probabilities, full.probabilities, rtol=0, atol=0.02)
    assert_close(half.gradients, full.gradients, rtol=0, atol=0.1 * float(full.gradients.abs().max()))
    assert torch.equal(respond(model, images, targets).probabilities, full.probabilities)


def test_small_gradients_survive_float16(tiny_cnn, images, targets):
    full = respond(tiny_cnn, images, targets, weight=1e-6).gradients
    with model_precision("fp16"):
        half = respond(tiny_cnn, images, targets, weight=1e-6).gradients
    assert_close(half, full, rtol=0, atol=0.1 * float(full.abs().max()))
