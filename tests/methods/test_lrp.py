"""LRP as a modified gradient against LRP as matrix algebra; Captum; conservation; refusals."""

import pytest
import torch
from torch import nn
from torch.nn import functional

from conftest import TINY, make_tiny_cnn, shake
from one_patch import make_one_patch, share_at_place
from reference import lrp as reference
from seewhy.errors import UnsupportedModel
from seewhy.methods.input_x_gradient import input_x_gradient
from seewhy.methods.lrp import lrp
from seewhy.models.module import ModuleClassifier
from seewhy.models.timm import import_timm


class Residual(nn.Module):
    """Convolution with batch norm, one residual block that adds in place, average and max pooling, a linear head."""

    def __init__(self) -> None:
        super().__init__()
        self.stem, self.norm = nn.Conv2d(3, 4, 3, stride=2, padding=1, bias=False), nn.BatchNorm2d(4)
        self.conv, self.after = nn.Conv2d(4, 4, 3, padding=1), nn.BatchNorm2d(4)
        self.head = nn.Linear(4 * 4, 3)
        self.relu = nn.ReLU(inplace=True)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = functional.max_pool2d(self.relu(self.norm(self.stem(x))), 2)
        branch = self.after(self.conv(x))
        branch += x
        return self.head(functional.avg_pool2d(self.relu(branch), 2).flatten(1))


SMALL = TINY.__class__(size=(16, 16), mean=TINY.mean, std=TINY.std)


def make_residual() -> ModuleClassifier:
    with torch.random.fork_rng():
        torch.manual_seed(0)
        module = shake(Residual(), scale=0.5)
    for norm in (module.norm, module.after):
        norm.running_mean.copy_(torch.tensor([0.1, -0.2, 0.3, 0.0]))
        norm.running_var.copy_(torch.tensor([0.5, 1.5, 1.0, 2.0]))
    return ModuleClassifier(module.double(), SMALL, name="residual")


def test_zplus_reference_implementation():
    model, target = make_residual(), 1
    image = torch.rand(1, 3, 16, 16, generator=torch.Generator().manual_seed(2)).double()
    maps, _ = lrp(model, image, torch.tensor([[target]]), epsilon=1e-9)
    net, x = model.module, model.normalize(image)[0]
    low, high = (model.normalize(torch.full_like(image, value))[0] for value in (0.0, 1.0))
    with torch.no_grad():
        stem = functional.relu(net.norm(net.stem(x[None])))[0]
        small = functional.max_pool2d(stem[None], 2)[0]
        branch = net.after(net.conv(small[None]))[0]
        joined = functional.relu(branch + small)
        pooled = functional.avg_pool2d(joined[None], 4 // 2)[0]
        logits = net.head(pooled.flatten())

    seed = torch.zeros(3).double()
    seed[target] = logits[target]
    flat = reference.epsilon(net.head.weight.detach(), pooled.flatten(), logits, seed, 1e-9)
    relevance = reference.zplus(reference.matrix(lambda v: functional.avg_pool2d(v, 2), joined), joined.flatten(), flat)
    main, skip = reference.by_size(branch.flatten(), small.flatten(), relevance)
    conv = reference.matrix(lambda v: net.after(net.conv(v)), small)
    relevance = reference.zplus(conv, small.flatten(), main) + skip
    routes = reference.matrix(lambda v: functional.max_pool2d(v, 2), stem)  # the position of each maximum
    relevance = routes.T @ relevance
    first = reference.matrix(lambda v: net.norm(net.stem(v)), x)
    pixels = reference.zbox(first, x.flatten(), low.flatten(), high.flatten(), relevance)
    expected = pixels.view(3, 16, 16).sum(dim=0)
    torch.testing.assert_close(maps[0, 0], expected, rtol=1e-6, atol=1e-9)
    assert expected.abs().max() > 1e-3


@pytest.mark.parametrize("architecture", ["resnet18", "densenet121"])
def test_zplus_conserves_relevance(architecture):
    timm = import_timm()
    with torch.random.fork_rng():
        torch.manual_seed(0)
        module = shake(timm.create_model(architecture, num_classes=4), scale=0.02).double()
    module.get_classifier().bias.data.zero_()
    model = ModuleClassifier(module, TINY.__class__(size=(64, 64)), name=architecture)
    images = torch.rand(2, 3, 64, 64, generator=torch.Generator().manual_seed(0)).double()
    maps, extras = lrp(model, images, torch.tensor([[0, 1], [2, 3]]))
    torch.testing.assert_close(extras["completeness"], torch.ones(2, 2).double(), rtol=0.02, atol=0.02)
    torch.testing.assert_close(
        maps.sum(dim=(-2, -1)), model.logits(images).gather(1, torch.tensor([[0, 1], [2, 3]])), rtol=0.02, atol=1e-3
    )


def test_epsilon_is_input_times_gradient_in_relu_networks(images, targets):
    model = make_tiny_cnn()
    maps, _ = lrp(model, images, targets, rule="epsilon", epsilon=1e-9)
    torch.testing.assert_close(maps, input_x_gradient(model, images, targets), rtol=1e-3, atol=1e-5)
    assert not torch.allclose(maps, lrp(model, images, targets, rule="epsilon", epsilon=1.0).maps, rtol=1e-2)


def test_epsilon_equals_captum(images, targets):
    from captum.attr import LRP

    model = make_tiny_cnn()
    model.module.body[3].inplace = False
    maps, _ = lrp(model, images, targets, rule="epsilon", epsilon=1e-9)
    theirs = LRP(model.module).attribute(model.normalize(images).requires_grad_(), target=targets[:, 0])
    torch.testing.assert_close(maps[:, 0], theirs.sum(dim=1).detach(), rtol=1e-3, atol=1e-5)


def test_epsilon_conserves_relevance_through_smooth_activations():
    """Without biases and with all neurons active, relevance is conserved for any activation."""
    net = nn.Sequential(nn.Conv2d(3, 5, 4, stride=4, bias=False), nn.SiLU(), nn.Flatten(), nn.Linear(80, 2, bias=False))
    model = ModuleClassifier(shake(net.double(), scale=0.3), SMALL, name="silu")
    images = torch.rand(2, 3, 16, 16, generator=torch.Generator().manual_seed(0)).double()
    _, extras = lrp(model, images, torch.tensor([[0, 1], [0, 1]]), rule="epsilon", epsilon=1e-9)
    torch.testing.assert_close(extras["completeness"], torch.ones(2, 2).double(), rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("rule", ["zplus", "epsilon"])
def test_a_model_that_reads_one_patch(rule, images):
    maps, _ = lrp(make_one_patch(), images, torch.tensor([[0, 1], [1, 0]]), rule=rule)
    torch.testing.assert_close(share_at_place(maps), torch.ones(2, 2))


def test_transformers_are_refused_with_advice(tiny_vit, images, targets):
    with pytest.raises(UnsupportedModel, match="t_attr"):
        lrp(tiny_vit, images, targets)
