"""Dropped tokens against attention that gives them no weight."""

import pytest
import torch

from seewhy.interventions.dropped import kept_logits
from vit_families import FAMILIES


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
