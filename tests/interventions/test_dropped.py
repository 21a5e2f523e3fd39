"""A ViT with dropped tokens."""

import pytest
import torch

from conftest import make_tiny_vit
from seewhy.interventions.dropped import kept_logits
from vit_families import make_eva

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
