"""Guided backpropagation and Guided Grad-CAM against Captum, by hand, and on networks where module hooks fail."""

import pytest
import torch
from torch import nn
from torch.nn import functional

from conftest import TINY, make_tiny_cnn, shake
from one_patch import make_one_patch, share_at_place
from seewhy.errors import UnsupportedModel
from seewhy.methods.grad_cam import grad_cam
from seewhy.methods.gradient import gradient
from seewhy.methods.guided_backprop import guided_backprop
from seewhy.methods.guided_grad_cam import guided_grad_cam
from seewhy.models.module import ModuleClassifier
from seewhy.models.timm import import_timm


def captum_guided(model, images, targets):
    """Gradient with respect to normalized pixels, converted to pixels in [0, 1]."""
    from captum.attr import GuidedBackprop

    std = torch.tensor(model.std).view(3, 1, 1)
    with pytest.warns(UserWarning, match="backward hooks"):
        theirs = GuidedBackprop(model.module).attribute(model.normalize(images).requires_grad_(), target=targets)
    return (theirs / std).sum(dim=1)


def test_equals_captum(images, targets):
    model = make_tiny_cnn()
    model.module.body[3].inplace = False  # Captum does not support in-place activations
    ours = guided_backprop(model, images, targets)
    for k in range(2):
        torch.testing.assert_close(ours[:, k], captum_guided(model, images, targets[:, k]), rtol=1e-4, atol=1e-6)


class Functional(nn.Module):
    """TinyCNN's layers with one activation module used twice, or functions, or in place."""

    def __init__(self, tiny, style):
        super().__init__()
        self.tiny, self.style, self.shared = tiny, style, nn.ReLU()

    def activate(self, x):
        if self.style == "method":
            return x.relu_()
        return {"shared": self.shared, "function": functional.relu, "torch": torch.relu}[self.style](x)

    def forward(self, x):
        first, second = self.tiny.body[0], self.tiny.body[2]
        return self.tiny.head(self.tiny.pool(self.activate(second(self.activate(first(x))))).flatten(1))


@pytest.mark.parametrize("style", ["shared", "function", "torch", "method"])
def test_relu_is_found_however_it_is_called(style, images, targets):
    usual = make_tiny_cnn()
    other = ModuleClassifier(Functional(make_tiny_cnn().module, style), TINY, name=style)
    torch.testing.assert_close(guided_backprop(other, images, targets), guided_backprop(usual, images, targets))
    assert not torch.allclose(guided_backprop(usual, images, targets), gradient(usual, images, targets))


def test_two_neurons_by_hand(images):
    """y = -relu(u) + relu(v): the gradient at relu(u) is negative and becomes 0."""
    convs = nn.Conv2d(3, 2, 32)
    head = nn.Linear(2, 1, bias=False)
    with torch.no_grad():
        convs.weight.fill_(0.01)
        convs.bias.fill_(50.0)  # both active
        head.weight.copy_(torch.tensor([[-1.0, 1.0]]))
    model = ModuleClassifier(nn.Sequential(convs, nn.ReLU(), nn.Flatten(), head), TINY, name="two")
    maps = guided_backprop(model, images, torch.zeros(2, 1, dtype=torch.long))
    expected = sum(0.01 / s for s in TINY.std)
    torch.testing.assert_close(maps, torch.full_like(maps, expected))


def test_networks_without_relu_are_refused_with_advice(tiny_vit, images, targets):
    with pytest.raises(UnsupportedModel, match="smooth_grad or integrated_gradients"):
        guided_backprop(tiny_vit, images, targets)
    with pytest.raises(UnsupportedModel, match="grad_cam or hires_cam"):
        guided_grad_cam(tiny_vit, images, targets)
    cut = guided_backprop(tiny_vit, images, targets, activations="all")
    assert not torch.allclose(cut, gradient(tiny_vit, images, targets))


@pytest.mark.parametrize("resize", ["bilinear", "nearest"])
def test_guided_grad_cam_is_the_product(tiny_cnn, images, targets, resize):
    coarse = grad_cam(tiny_cnn, images, targets)
    corners = {} if resize == "nearest" else {"align_corners": False}
    large = functional.interpolate(coarse, size=(32, 32), mode=resize, **corners)
    expected = guided_backprop(tiny_cnn, images, targets) * large
    torch.testing.assert_close(guided_grad_cam(tiny_cnn, images, targets, resize=resize), expected)


def test_a_model_that_reads_one_patch(images):
    maps = guided_backprop(make_one_patch(), images, torch.tensor([[0, 1], [1, 0]]))
    torch.testing.assert_close(share_at_place(maps), torch.ones(2, 2))


def test_relu6_and_residuals_of_a_timm_network():
    timm = import_timm()

    with torch.random.fork_rng():
        torch.manual_seed(0)
        module = shake(timm.create_model("efficientnet_lite0", num_classes=3), scale=0.02)
    model = ModuleClassifier(module, TINY.__class__(size=(64, 64)), name="lite0")
    images = torch.rand(1, 3, 64, 64, generator=torch.Generator().manual_seed(0))
    maps = guided_backprop(model, images, torch.tensor([[1]]))
    assert maps.abs().max() > 0
