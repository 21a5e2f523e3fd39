"""T-Attr and Libra against second writings, and their laws on networks with other parts."""

import pytest
import torch

from reference import relevance as slow
from seewhy.backward.libra import libra_rules
from seewhy.backward.relevance import relevance_rules
from seewhy.registry import resolve_method
from vit_families import FAMILIES


@pytest.fixture(params=[name for name in FAMILIES if name != "oblong"])
def family(request):
    model = FAMILIES[request.param]()
    model.module.double()
    return model


@pytest.mark.usefixtures("in_double")
@pytest.mark.parametrize(("start", "normalize"), [(0, False), (1, True)])
def test_t_attr_walks_back_as_by_hand(check, start, normalize):
    reference = lambda m, x, y: slow.t_attr(m, x, y, start, normalize)  # noqa: E731
    check("t_attr", reference, from_block=start, normalize_rows=normalize)


@pytest.mark.usefixtures("in_double")
@pytest.mark.parametrize("start", [0, 2])
def test_libra_is_what_a_frozen_network_loses_without_the_token(check, start):
    reference = lambda m, x, y: slow.libra(m, x, y, start)  # noqa: E731
    check("libra_ixg_plus", reference, from_block=start)


def without_biases(model):
    with torch.no_grad():
        for name, parameter in model.module.named_parameters():
            if name.endswith("bias"):
                parameter.zero_()
    return model


def test_libra_is_complete_without_biases(family, images, targets):
    model = without_biases(family)
    with model.frozen_eval(), libra_rules():
        trace = model.trace(images.double().requires_grad_())
    scores = model.scores(trace.logits, targets)
    gradients = model.gradients(scores, trace.tokens)
    for state, slope in zip(trace.tokens, gradients, strict=True):
        sums = (state.unsqueeze(1) * slope).sum(dim=(2, 3))
        torch.testing.assert_close(sums, scores, rtol=1e-6, atol=1e-8)


@pytest.mark.parametrize("rules", [libra_rules, relevance_rules])
def test_rules_do_not_change_values(family, images, rules):
    images = images.double()
    with family.frozen_eval():
        plain = family.trace(images)
        with rules():
            ruled = family.trace(images.requires_grad_())
    torch.testing.assert_close(ruled.logits, plain.logits)
    torch.testing.assert_close(ruled.attention[-1], plain.attention[-1])


def test_relevance_neither_grows_nor_gets_lost(family, images, targets, monkeypatch):
    """One at the class, one in all at every block; what divisions lose to their stabilizer is left out here."""
    monkeypatch.setattr("seewhy.backward.relevance.EPSILON", 0.0)
    with family.frozen_eval(), relevance_rules():
        trace = family.trace(images.double().requires_grad_())
    relevance = family.gradients(family.scores(trace.logits, targets), trace.tokens)
    for part in relevance:
        torch.testing.assert_close(part.sum(dim=(2, 3)), torch.ones(2, 2, dtype=torch.float64), rtol=1e-4, atol=1e-4)


def test_every_family_is_explained(family, images, targets):
    for name in ("t_attr", "libra_ixg_plus"):
        maps = resolve_method(name)(family, images.double(), targets).maps
        assert maps.shape == (2, 2, 4, 4)
        assert maps.isfinite().all()
        assert maps.std(dim=(2, 3)).min() > 0
