"""Relevance propagation as a backward pass: relevance is conserved."""

import torch

from seewhy.backward.relevance import relevance_rules


def test_relevance_is_conserved(family, images, targets, monkeypatch):
    """The sum is one at every block; without the stabilizer, to which divisions lose a little."""
    monkeypatch.setattr("seewhy.backward.relevance.EPSILON", 0.0)
    with family.frozen_eval(), relevance_rules():
        trace = family.trace(images.double().requires_grad_())
    relevance = family.gradients(family.scores(trace.logits, targets), trace.tokens)
    for part in relevance:
        torch.testing.assert_close(part.sum(dim=(2, 3)), torch.ones(2, 2, dtype=torch.float64), rtol=1e-4, atol=1e-4)
