"""Both attention variants against the full graph, head by head."""

import pytest
import torch

from conftest import make_tiny_vit
from seewhy.methods.grad_cam_attention import grad_cam_attention
from seewhy.methods.grad_cam_attention_mean import grad_cam_attention_mean


def whole_graph(model, images, targets):
    """Attention of the class token in the last block and its gradient, `batch classes heads patches`."""
    trace = model.trace(images.clone().requires_grad_())
    rows, slopes = [], []
    for index, wanted in enumerate(targets.tolist()):
        (gradient,) = zip(
            *[torch.autograd.grad(trace.logits[index, c], trace.attention[-1], retain_graph=True) for c in wanted],
            strict=True,
        )
        slopes.append(torch.stack([g[index, :, 0, 1:] for g in gradient]))
        rows.append(trace.attention[-1][index, :, 0, 1:].detach())
    return torch.stack(rows), torch.stack(slopes)


@pytest.mark.parametrize("relu", [True, False])
def test_elementwise(tiny_vit, images, targets, relu):
    rows, slopes = whole_graph(tiny_vit, images, targets)
    expected = torch.zeros(2, 2, 16)
    for head in range(2):
        expected += rows[:, None, head] * slopes[:, :, head] / 2
    expected = expected.clamp(min=0) if relu else expected
    torch.testing.assert_close(grad_cam_attention(tiny_vit, images, targets, relu=relu), expected.view(2, 2, 4, 4))


@pytest.mark.parametrize("relu", [True, False])
def test_mean(tiny_vit, images, targets, relu):
    rows, slopes = whole_graph(tiny_vit, images, targets)
    expected = torch.zeros(2, 2, 16)
    for head in range(2):
        expected += rows[:, None, head] * slopes[:, :, head].mean(dim=-1, keepdim=True) / 2
    expected = expected.clamp(min=0) if relu else expected
    torch.testing.assert_close(grad_cam_attention_mean(tiny_vit, images, targets, relu=relu), expected.view(2, 2, 4, 4))


@pytest.mark.parametrize("method", [grad_cam_attention, grad_cam_attention_mean])
def test_costs_one_forward_and_one_block_backward(tiny_vit, images, targets, method):
    with tiny_vit.meter() as cost:
        method(tiny_vit, images, targets)
    assert cost.forwards == pytest.approx(len(images))
    assert cost.backwards == pytest.approx(targets.numel() / 4)


@pytest.mark.parametrize("method", [grad_cam_attention, grad_cam_attention_mean])
def test_networks_without_a_class_token(method, images, targets):
    model = make_tiny_vit(global_pool="avg", class_token=False)
    maps = method(model, images, targets, relu=False)
    assert maps.shape == (2, 2, 4, 4)
    assert maps.abs().max() > 0
