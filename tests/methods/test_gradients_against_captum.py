"""`gradient`, `input_x_gradient` and `grad_cam` equal Captum on a CNN."""

import captum.attr
import pytest
import torch

import seewhy
from conftest import shake
from seewhy.models.timm import build_timm


@pytest.fixture(params=["tiny", "resnet18"])
def cnn(request, tiny_cnn):
    if request.param == "tiny":
        return tiny_cnn, tiny_cnn.module.body
    model = seewhy.wrap_model(shake(build_timm("resnet18", num_classes=5), scale=0.02), image_size=64)
    return model, model.module.layer4


@pytest.fixture
def images(cnn):
    return torch.rand(2, 3, *cnn[0].image_size, generator=torch.Generator().manual_seed(1))


def normalized(model, images):
    return model.normalize(images).requires_grad_()


def test_gradient(cnn, images, targets):
    model, _ = cnn
    with model.frozen_eval():
        expected = captum.attr.Saliency(lambda x: model.module(model.normalize(x))).attribute(
            images.clone().requires_grad_(), target=targets[:, 1], abs=False
        )
    maps = seewhy.explain(model, images, "gradient", targets=targets).maps
    torch.testing.assert_close(maps[:, 1], expected.sum(1))
    largest = seewhy.explain(model, images, "gradient", targets=targets, channels="max").maps
    torch.testing.assert_close(largest[:, 1], expected.abs().amax(1))


def test_input_x_gradient(cnn, images, targets):
    model, _ = cnn
    with model.frozen_eval():
        expected = captum.attr.InputXGradient(model.module).attribute(normalized(model, images), target=targets[:, 0])
    maps = seewhy.explain(model, images, "input_x_gradient", targets=targets).maps
    torch.testing.assert_close(maps[:, 0], expected.sum(1), rtol=1e-4, atol=1e-5)


def test_grad_cam(cnn, images, targets):
    model, layer = cnn
    with model.frozen_eval():
        layer_grad_cam = captum.attr.LayerGradCam(model.module, layer)
        expected = layer_grad_cam.attribute(normalized(model, images), target=targets[:, 0])
    maps = seewhy.explain(model, images, "grad_cam", targets=targets, relu=False).maps
    torch.testing.assert_close(maps[:, :1], expected.detach())
    positive = seewhy.explain(model, images, "grad_cam", targets=targets).maps
    torch.testing.assert_close(positive[:, :1], expected.detach().relu())


def test_a_linear_model_is_explained_by_its_weights():
    images = torch.rand(1, 3, 32, 32)
    linear = torch.nn.Linear(3 * 32 * 32, 2, bias=False)
    model = seewhy.wrap_model(torch.nn.Sequential(torch.nn.Flatten(), linear), image_size=32)
    weights = linear.weight.detach().view(2, 3, 32, 32) / torch.tensor(model.std).view(3, 1, 1)
    maps = seewhy.explain(model, images, "gradient", targets=[0, 1]).maps
    torch.testing.assert_close(maps[0], weights.sum(1))


def test_token_grad_cam_against_hooks_on_the_network(tiny_vit, targets):
    images = torch.rand(2, 3, 32, 32, generator=torch.Generator().manual_seed(1))
    kept = []
    handle = tiny_vit.module.blocks[-1].norm1.register_forward_hook(lambda *args: kept.append(args[2]))
    logits = tiny_vit.module(tiny_vit.normalize(images))
    handle.remove()
    tokens = kept[0]
    for k in range(2):
        score = logits.gather(1, targets[:, k : k + 1]).sum()
        gradients = torch.autograd.grad(score, tokens, retain_graph=True)[0]
        weights = gradients[:, 1:].mean(1, keepdim=True)
        expected = (weights * tokens[:, 1:]).sum(-1).view(2, 4, 4)
        maps = seewhy.explain(tiny_vit, images, "grad_cam", targets=targets, relu=False).maps[:, k]
        torch.testing.assert_close(maps, expected.detach(), rtol=1e-4, atol=1e-6)
