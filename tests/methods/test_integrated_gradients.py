"""Integrated Gradients against Captum, completeness, a linear model, and a Riemann sum step by step."""

import pytest
import torch
from torch import nn

from conftest import TINY, make_tiny_cnn, make_tiny_vit
from one_patch import make_one_patch, share_at_place
from seewhy.methods.integrated_gradients import integrated_gradients as attribute
from seewhy.models.module import ModuleClassifier


def integrated_gradients(*inputs, **options) -> torch.Tensor:
    """The maps, without the extra."""
    return attribute(*inputs, **options).maps


@pytest.mark.parametrize("make", [make_tiny_cnn, make_tiny_vit])
def test_equals_captum(make, images, targets):
    from captum.attr import IntegratedGradients

    model = make()
    ours = integrated_gradients(model, images, targets, steps=7)
    for k in range(2):
        theirs = IntegratedGradients(model.module).attribute(
            model.normalize(images), baselines=0, target=targets[:, k], n_steps=7, method="gausslegendre"
        )
        torch.testing.assert_close(ours[:, k], theirs.sum(dim=1).float(), rtol=1e-3, atol=1e-4)


@pytest.mark.parametrize("reference", ["model_mean", "black", "white"])
def test_sums_to_the_difference(tiny_vit, images, targets, reference):
    maps = integrated_gradients(tiny_vit, images, targets, steps=64, reference=reference)
    colors = {"model_mean": TINY.mean, "black": (0.0, 0.0, 0.0), "white": (1.0, 1.0, 1.0)}[reference]
    start = torch.tensor(colors).view(3, 1, 1).expand_as(images)
    with torch.no_grad():
        gap = (tiny_vit.logits(images) - tiny_vit.logits(start)).gather(1, targets)
    torch.testing.assert_close(maps.sum(dim=(-2, -1)), gap, rtol=0.01, atol=0.01)


def test_linear_model_gives_its_weights(images):
    head = nn.Linear(3 * 32 * 32, 4)
    model = ModuleClassifier(nn.Sequential(nn.Flatten(), head), TINY, name="linear")
    maps = integrated_gradients(model, images, torch.tensor([[2], [2]]), steps=3)
    expected = (head.weight[2].view(3, 32, 32) * model.normalize(images)).sum(dim=1, keepdim=True)
    torch.testing.assert_close(maps, expected.detach(), rtol=1e-4, atol=1e-5)


def test_riemann_sum_step_by_step(tiny_cnn, images, targets):
    maps = integrated_gradients(tiny_cnn, images, targets, steps=5, reference="black", quadrature="riemann")
    total = torch.zeros_like(images[0])
    for step in range(1, 6):
        point = (images[0] * step / 5).requires_grad_()
        score = tiny_cnn.module(tiny_cnn.normalize(point[None]))[0, targets[0, 1]]
        total += torch.autograd.grad(score, point)[0] / 5
    torch.testing.assert_close(maps[0, 1], (images[0] * total).sum(dim=0), rtol=1e-4, atol=1e-6)


def test_steps_share_forwards_between_classes(tiny_cnn, images, targets):
    with tiny_cnn.meter() as cost:
        integrated_gradients(tiny_cnn, images, targets, steps=10)
    assert (cost.forwards, cost.backwards) == (20 + 3, 40)  # three ends for the convergence delta


def test_small_chunks_change_nothing(tiny_cnn, images, targets):
    whole = integrated_gradients(tiny_cnn, images, targets, steps=9)
    tiny_cnn.chunk = 8
    torch.testing.assert_close(integrated_gradients(tiny_cnn, images, targets, steps=9), whole)
    assert tiny_cnn.chunk == 8


def test_a_model_that_reads_one_patch(images):
    maps = integrated_gradients(make_one_patch(), images, torch.tensor([[0, 1], [1, 0]]), steps=8)
    torch.testing.assert_close(share_at_place(maps), torch.ones(2, 2))


def test_double_precision(tiny_cnn, images, targets):
    tiny_cnn.module.double()
    maps = integrated_gradients(tiny_cnn, images.double(), targets, steps=4)
    assert maps.dtype == torch.float64


def test_convergence_delta_is_what_the_map_misses(tiny_vit, images, targets):
    few, many = (attribute(tiny_vit, images, targets, steps=steps) for steps in (2, 200))
    start = torch.tensor(tiny_vit.mean).view(1, 3, 1, 1).expand_as(images)
    with torch.no_grad():
        gain = (tiny_vit.logits(images) - tiny_vit.logits(start)).gather(1, targets)
    for each in (few, many):
        torch.testing.assert_close(each.extras["convergence_delta"], each.maps.sum(dim=(-2, -1)) - gain)
    assert many.extras["convergence_delta"].abs().max() < 0.01 * few.extras["convergence_delta"].abs().max() + 1e-4
