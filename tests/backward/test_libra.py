"""Libra's backward pass: token times gradient sums to the logit."""

import torch

from seewhy.backward.libra import libra_rules


def without_biases(model):
    with torch.no_grad():
        for name, parameter in model.module.named_parameters():
            if name.endswith("bias"):
                parameter.zero_()
    return model


def test_complete_without_biases(family, images, targets):
    model = without_biases(family)
    with model.frozen_eval(), libra_rules():
        trace = model.trace(images.double().requires_grad_())
    scores = model.scores(trace.logits, targets)
    gradients = model.gradients(scores, trace.tokens)
    for state, slope in zip(trace.tokens, gradients, strict=True):
        sums = (state.unsqueeze(1) * slope).sum(dim=(2, 3))
        torch.testing.assert_close(sums, scores, rtol=1e-6, atol=1e-8)
