"""Rescale rule against Captum, completeness on real architectures, and refusals."""

import pytest
import torch
from torch import nn

from conftest import TINY, make_tiny_cnn, shake
from one_patch import make_one_patch, share_at_place
from seewhy.errors import UnsupportedModel
from seewhy.methods.deep_lift import deep_lift
from seewhy.models.module import ModuleClassifier
from seewhy.models.timm import import_timm


def test_equals_captum(images, targets):
    from captum.attr import DeepLift

    model = make_tiny_cnn()
    model.module.body[3].inplace = False  # Captum does not support in-place activations
    maps, _ = deep_lift(model, images, targets)
    for k in range(2):
        with pytest.warns(UserWarning, match="hooks"):
            theirs = DeepLift(model.module).attribute(model.normalize(images).requires_grad_(), target=targets[:, k])
        torch.testing.assert_close(maps[:, k], theirs.sum(dim=1).detach(), rtol=1e-3, atol=1e-5)


def test_one_relu_by_hand():
    """relu(z) from z = -1 to z = 3: the slope between them is 3/4, the gradient would be 1."""
    conv = nn.Conv2d(3, 1, 32)
    with torch.no_grad():
        conv.weight.zero_()
        conv.weight[0, 0, 0, 0] = 4 * TINY.std[0]  # 4 per unit of red in [0, 1]
        conv.bias.fill_(-1 + 4 * TINY.mean[0])  # -1 for a black image
    model = ModuleClassifier(nn.Sequential(conv, nn.ReLU(), nn.Flatten()), TINY, name="one")
    maps, extras = deep_lift(model, torch.ones(1, 3, 32, 32), torch.ones(1, 1, dtype=torch.long), reference="black")
    expected = torch.zeros(1, 1, 32, 32)
    expected[0, 0, 0, 0] = 3.0
    torch.testing.assert_close(maps, expected, rtol=1e-4, atol=1e-5)
    torch.testing.assert_close(extras["completeness"], torch.ones(1, 1), rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("architecture", ["resnet18", "densenet121"])
def test_sums_to_the_difference(architecture):
    """In-place ReLU and +=, overlapping max pooling, concatenation."""
    timm = import_timm()

    with torch.random.fork_rng():
        torch.manual_seed(0)
        module = shake(timm.create_model(architecture, num_classes=4), scale=0.02).double()
    model = ModuleClassifier(module, TINY.__class__(size=(64, 64)), name=architecture)
    images = torch.rand(2, 3, 64, 64, generator=torch.Generator().manual_seed(0)).double()
    maps, extras = deep_lift(model, images, torch.tensor([[0, 1], [2, 3]]))
    torch.testing.assert_close(extras["completeness"], torch.ones(2, 2).double(), rtol=1e-3, atol=1e-3)
    assert maps.abs().max() > 0


def test_reference_image_matters(tiny_cnn, images, targets):
    mean, black = (
        deep_lift(tiny_cnn, images, targets, reference=reference).maps for reference in ("model_mean", "black")
    )
    assert not torch.allclose(mean, black)


def test_a_model_that_reads_one_patch(images):
    maps, _ = deep_lift(make_one_patch(), images, torch.tensor([[0, 1], [1, 0]]))
    torch.testing.assert_close(share_at_place(maps), torch.ones(2, 2))


def test_transformers_are_refused_with_advice(tiny_vit, images, targets):
    with pytest.raises(UnsupportedModel, match="integrated_gradients"):
        deep_lift(tiny_vit, images, targets)


def test_costs_image_and_reference_once_for_all_classes(tiny_cnn, images, targets):
    with tiny_cnn.meter() as cost:
        deep_lift(tiny_cnn, images, targets)
    assert (cost.forwards, cost.backwards) == (4, 4)
