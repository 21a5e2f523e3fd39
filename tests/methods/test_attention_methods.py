"""Attention methods against reference implementations: one image, one class, whole graphs."""

import pytest
import torch

from conftest import make_tiny_vit
from reference import attention_methods
from seewhy.registry import resolve_method

pytestmark = pytest.mark.usefixtures("in_double")


def test_raw_attention(check):
    check("raw_attention", lambda m, x, _: attention_methods.raw_attention(m, x))


def test_rollout(check):
    check("rollout", lambda m, x, _: attention_methods.rollout(m, x))


@pytest.mark.parametrize("discard", [0.9, 0.3, 0.0])
def test_grad_rollout(check, discard):
    check("grad_rollout", lambda m, x, y: attention_methods.grad_rollout(m, x, y, discard), discard=discard)


def test_ig_attention_equals_the_whole_graph(check):
    check("ig_attention", lambda m, x, y: attention_methods.ig_attention(m, x, y, 5), steps=5)


def test_ig_attention_in_small_chunks(double_vit, images, targets):
    whole = resolve_method("ig_attention")(double_vit, images.double(), targets, steps=5).maps
    double_vit.chunk = 3
    torch.testing.assert_close(
        resolve_method("ig_attention")(double_vit, images.double(), targets, steps=5).maps, whole
    )


@pytest.mark.parametrize("options", [{}, {"from_block": 2}, {"include_last": True}])
def test_t_attn(check, options):
    start, last = options.get("from_block", 0), options.get("include_last", False)
    check("t_attn", lambda m, x, y: attention_methods.t_attn(m, x, y, 4, start, last), steps=4, **options)


@pytest.mark.parametrize("from_block", [0, 3])
def test_bi_attn(check, from_block):
    reference = lambda m, x, y: attention_methods.bi_attn(m, x, y, 4, from_block + 1)  # noqa: E731
    check("bi_attn", reference, steps=4, from_block=from_block)


def test_in_flow(check):
    check("in_flow", attention_methods.in_flow)


@pytest.mark.parametrize("blocks", [2, 4])
def test_legrad(check, blocks):
    check("legrad", lambda m, x, y: attention_methods.legrad(m, x, y, blocks), blocks=blocks)


@pytest.mark.parametrize("start", [0, 1])
def test_ixg_plus(check, start):
    check("ixg_plus", lambda m, x, y: attention_methods.ixg_plus(m, x, y, start), from_block=start)


@pytest.mark.parametrize(("skip", "start"), [(0.5, 2), (0.0, 0), (1.0, 3)])
def test_skip_plus(check, skip, start):
    check("skip_plus", lambda m, x, y: attention_methods.ixg_plus(m, x, y, start), skip=skip)


def test_att_cat(check):
    check("att_cat", attention_methods.att_cat)


@pytest.mark.parametrize("name", ["ig_attention", "t_attn", "bi_attn"])
def test_integrals_cost_at_most_26_forward_passes(name, images, targets):
    """One class, twelve blocks as in a real network; a backward pass counts as two forward passes."""
    vit = make_tiny_vit(depth=12)
    vit.module.float()
    with vit.meter() as cost:
        resolve_method(name)(vit, images[:1].float(), targets[:1, :1])
    assert 20 <= cost.forwards + 2 * cost.backwards <= 26
