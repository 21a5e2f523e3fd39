"""The last block's attention from a graph that begins there, against the whole graph."""

import pytest
import torch

from conftest import make_tiny_vit


@pytest.mark.parametrize("pool", ["token", "avg"])
def test_equals_the_whole_graph(images, targets, pool):
    model = make_tiny_vit(global_pool=pool)
    with model.frozen_eval(), torch.enable_grad():
        weights, logits = model.last_attention(images)
        trace = model.trace(images.clone().requires_grad_())
        (short,) = model.gradients(model.scores(logits, targets), [weights])
        (whole,) = model.gradients(model.scores(trace.logits, targets), [trace.attention[-1]])
    torch.testing.assert_close(logits, trace.logits)
    torch.testing.assert_close(weights, trace.attention[-1])
    torch.testing.assert_close(short, whole)
    assert whole.abs().max() > 0


def test_works_without_gradients_outside_and_counts_one_forward_per_image(tiny_vit, images):
    with tiny_vit.meter() as cost, tiny_vit.frozen_eval(), torch.no_grad():
        weights, _ = tiny_vit.last_attention(images)
    assert weights.requires_grad
    assert cost.forwards == pytest.approx(len(images))


def test_rows_nobody_reads_have_no_gradient(tiny_vit, images, targets):
    with tiny_vit.frozen_eval(), torch.enable_grad():
        weights, logits = tiny_vit.last_attention(images)
        (gradients,) = tiny_vit.gradients(tiny_vit.scores(logits, targets), [weights])
    assert gradients[..., 1:, :].abs().max() == 0
    assert gradients[..., 0, :].abs().min() > 0
