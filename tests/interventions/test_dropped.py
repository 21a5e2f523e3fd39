"""A ViT with dropped tokens, also against attention that gives them no weight."""

import pytest
import torch

from conftest import make_tiny_vit
from seewhy.interventions.dropped import kept_logits
from vit_families import FAMILIES, make_eva

pytestmark = pytest.mark.usefixtures("in_double")


@pytest.mark.parametrize("make", [make_tiny_vit, make_eva, lambda: make_tiny_vit(reg_tokens=2, global_pool="avg")])
def test_all_tokens_kept_is_the_plain_network(make, images):
    model = make()
    model.module.double()
    images = images.double()
    with torch.no_grad(), model.frozen_eval():
        logits = kept_logits(model, model.embed(images)[1], torch.ones(2, 16, dtype=torch.bool))
    torch.testing.assert_close(logits, model.logits(images)[1].expand(2, -1))


@pytest.mark.parametrize("make", [make_tiny_vit, make_eva])
def test_dropped_tokens_have_no_effect(make, images):
    """Masks of several lengths at once; the content of a dropped patch has no effect, that of others has."""
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


def masked_run(model, tokens, kept):
    """All tokens run, but nobody attends to those that are not kept."""
    for block in model.blocks:
        normed = block.norm1(tokens)
        q, k, v = block.qkv(normed, None)
        weights = block.attention_logits(q, k).masked_fill(~kept, -torch.inf).softmax(dim=-1)
        tokens = block.finish(tokens, normed, weights @ v)
    return model.read_out(tokens[:, kept])


@pytest.mark.parametrize("family", FAMILIES)
def test_equal_to_masked_attention(family):
    model = FAMILIES[family]()
    model.module.double()
    generator = torch.Generator().manual_seed(0)
    image = torch.rand(1, 3, *model.image_size, generator=generator, dtype=torch.float64)
    masks = torch.rand(5, model.patches, generator=generator) < 0.5
    with torch.no_grad():
        tokens = model.embed(image)
        logits = kept_logits(model, tokens[0], masks)
        for mask, found in zip(masks, logits, strict=True):
            kept = torch.cat([torch.ones(model.prefix, dtype=torch.bool), mask])
            torch.testing.assert_close(found, masked_run(model, tokens, kept)[0], rtol=1e-5, atol=1e-6)
