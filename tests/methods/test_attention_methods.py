"""Attention methods against slow second writings: one image, one class, whole graphs."""

import pytest
import torch

from conftest import make_tiny_vit
from reference import attention_methods as slow
from seewhy.registry import resolve_method


@pytest.fixture
def vit():
    model = make_tiny_vit()
    model.module.double()
    return model


@pytest.fixture(autouse=True)
def _double():
    """The references' own matrices are double as well."""
    before = torch.get_default_dtype()
    torch.set_default_dtype(torch.float64)
    yield
    torch.set_default_dtype(before)


def check(vit, images, targets, name, reference, **options):
    """Both images, both classes at once, against one call each."""
    images = images.double()
    maps = resolve_method(name)(vit, images, targets, **options)
    normalized = vit.normalize(images)
    for image in range(2):
        for k in range(2):
            expected = reference(vit.module, normalized[image], int(targets[image, k])).view(4, 4)
            torch.testing.assert_close(maps[image, k], expected.detach(), rtol=1e-6, atol=1e-9)


def test_raw_attention(vit, images, targets):
    check(vit, images, targets, "raw_attention", lambda m, x, _: slow.raw_attention(m, x))


def test_rollout(vit, images, targets):
    check(vit, images, targets, "rollout", lambda m, x, _: slow.rollout(m, x))


@pytest.mark.parametrize("discard", [0.9, 0.3, 0.0])
def test_grad_rollout(vit, images, targets, discard):
    check(vit, images, targets, "grad_rollout", lambda m, x, y: slow.grad_rollout(m, x, y, discard), discard=discard)


def test_ig_attention_equals_the_whole_graph(vit, images, targets):
    check(vit, images, targets, "ig_attention", lambda m, x, y: slow.ig_attention(m, x, y, 5), steps=5)


def test_ig_attention_in_small_chunks(vit, images, targets):
    whole = resolve_method("ig_attention")(vit, images.double(), targets, steps=5)
    vit.chunk = 3
    torch.testing.assert_close(resolve_method("ig_attention")(vit, images.double(), targets, steps=5), whole)


@pytest.mark.parametrize("options", [{}, {"from_block": 2}, {"include_last": True}])
def test_t_attn(vit, images, targets, options):
    start, last = options.get("from_block", 0), options.get("include_last", False)
    check(vit, images, targets, "t_attn", lambda m, x, y: slow.t_attn(m, x, y, 4, start, last), steps=4, **options)


@pytest.mark.parametrize("from_block", [0, 3])
def test_bi_attn(vit, images, targets, from_block):
    reference = lambda m, x, y: slow.bi_attn(m, x, y, 4, from_block + 1)  # noqa: E731
    check(vit, images, targets, "bi_attn", reference, steps=4, from_block=from_block)


def test_in_flow(vit, images, targets):
    check(vit, images, targets, "in_flow", slow.in_flow)


@pytest.mark.parametrize("blocks", [2, 4])
def test_legrad(vit, images, targets, blocks):
    check(vit, images, targets, "legrad", lambda m, x, y: slow.legrad(m, x, y, blocks), blocks=blocks)


@pytest.mark.parametrize("start", [0, 1])
def test_ixg_plus(vit, images, targets, start):
    check(vit, images, targets, "ixg_plus", lambda m, x, y: slow.ixg_plus(m, x, y, start), from_block=start)


@pytest.mark.parametrize(("skip", "start"), [(0.5, 2), (0.0, 0), (1.0, 3)])
def test_skip_plus(vit, images, targets, skip, start):
    check(vit, images, targets, "skip_plus", lambda m, x, y: slow.ixg_plus(m, x, y, start), skip=skip)


def test_att_cat(vit, images, targets):
    check(vit, images, targets, "att_cat", slow.att_cat)


@pytest.mark.parametrize("name", ["ig_attention", "t_attn", "bi_attn"])
def test_integrals_cost_at_most_26_forward_passes(name, images, targets):
    """One class, twelve blocks as in a real network; a backward pass counts as two forward passes."""
    vit = make_tiny_vit(depth=12)
    vit.module.float()
    with vit.meter() as cost:
        resolve_method(name)(vit, images[:1].float(), targets[:1, :1])
    assert 20 <= cost.forwards + 2 * cost.backwards <= 26
