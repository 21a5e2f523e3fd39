"""TIS, MUTEX, AtMan and ViT-CX against second writings; what dropping tokens means."""

import pytest
import torch

from conftest import make_tiny_vit
from reference import token_sampling as slow
from seewhy.interventions.dropped import kept_logits
from seewhy.registry import resolve_method
from vit_families import make_eva

pytestmark = pytest.mark.usefixtures("in_double")


@pytest.mark.parametrize(("masks", "keep"), [(12, 0.5), (1000, 0.25)])
def test_tis(check, masks, keep):
    reference = lambda m, x, y: slow.tis(m, x, y, masks, keep, 3)  # noqa: E731
    check("tis", reference, masks=masks, keep=keep, seed=3)


def test_tis_runs_half_length_sequences(double_vit, images, targets):
    with double_vit.meter() as cost:
        resolve_method("tis")(double_vit, images[:1].double(), targets[:1], masks=20)
    assert cost.forwards == pytest.approx(1 + 20 * 9 / 17)  # the class token and 8 of 16 patches
    assert cost.backwards == 0


def test_tis_of_patches_never_kept_is_zero(double_vit, images, targets):
    maps = resolve_method("tis")(double_vit, images.double(), targets, masks=1, keep=0.25).maps
    assert ((maps == 0).sum(dim=(2, 3)) == 12).all()


@pytest.mark.parametrize("keep", [0.5, 0.3])
def test_mutex(check, keep):
    check("mutex", lambda m, x, y: slow.mutex(m, x, y, keep), keep=keep)


def test_mutex_of_constant_attention_is_the_plain_probability(double_vit, images, targets):
    """Nothing to order: every statistic ties, every mask keeps everything."""
    with torch.no_grad():
        for block in double_vit.module.blocks:
            block.attn.qkv.weight[:32] = 0
            block.attn.qkv.bias[:32] = 0
    maps = resolve_method("mutex")(double_vit, images.double(), targets).maps
    plain = double_vit.probabilities(images.double()).gather(1, targets)
    torch.testing.assert_close(maps, plain[:, :, None, None].expand_as(maps))


@pytest.mark.parametrize("similarity", [None, 0.6, 0.0])
def test_atman(check, similarity):
    reference = lambda m, x, y: slow.atman(m, x, y, 0.1, similarity)  # noqa: E731
    check("atman", reference, similarity=similarity)


def test_atman_with_factor_one_changes_nothing(double_vit, images, targets):
    maps = resolve_method("atman")(double_vit, images.double(), targets, factor=1.0).maps
    torch.testing.assert_close(maps, torch.zeros_like(maps))


@pytest.mark.parametrize("threshold", [0.1, 0.3])
def test_vit_cx(check, threshold):
    reference = lambda m, x, y: slow.vit_cx(m, x, y, threshold, torch.zeros(3, 32, 32))  # noqa: E731
    check("vit_cx", reference, threshold=threshold, noise=0.0)


def test_vit_cx_fills_with_seeded_noise(check):
    noise = 0.5 * torch.randn(3, 32, 32, generator=torch.Generator().manual_seed(7), dtype=torch.float32).double()
    reference = lambda m, x, y: slow.vit_cx(m, x, y, 2.0, noise)  # noqa: E731
    check("vit_cx", reference, threshold=2.0, noise=0.5, seed=7)


@pytest.mark.parametrize("make", [make_tiny_vit, make_eva, lambda: make_tiny_vit(reg_tokens=2, global_pool="avg")])
def test_all_tokens_kept_is_the_plain_network(make, images):
    model = make()
    model.module.double()
    images = images.double()
    with torch.no_grad(), model.frozen_eval():
        logits = kept_logits(model, model.embed(images)[1], torch.ones(2, 16, dtype=torch.bool))
    torch.testing.assert_close(logits, model.logits(images)[1].expand(2, -1))


@pytest.mark.parametrize("make", [make_tiny_vit, make_eva])
def test_dropped_tokens_do_not_exist(make, images):
    """Masks of several lengths at once; whatever lies in a dropped patch does not matter, other places do."""
    model = make()
    model.module.double()
    masks = torch.rand(6, 16, generator=torch.Generator().manual_seed(0)) < torch.tensor([[0.3], [0.8]] * 3)
    masks[:, 5] = False
    with torch.no_grad(), model.frozen_eval():
        tokens = model.embed(images.double())[0]
        other = tokens.clone()
        other[model.prefix + 5] = 100.0
        logits = kept_logits(model, tokens, masks)
        torch.testing.assert_close(kept_logits(model, other, masks), logits)
        for row, mask in enumerate(masks):
            torch.testing.assert_close(kept_logits(model, tokens, mask.unsqueeze(0))[0], logits[row])
        other[model.prefix + 6] = 100.0
        assert not torch.allclose(kept_logits(model, other, masks | (torch.arange(16) == 6)), logits)
