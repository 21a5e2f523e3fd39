"""Rules change gradients, never values."""

import pytest
import torch

from seewhy.backward.libra import libra_rules
from seewhy.backward.relevance import relevance_rules


@pytest.mark.parametrize("rules", [libra_rules, relevance_rules])
def test_rules_do_not_change_values(family, images, rules):
    images = images.double()
    with family.frozen_eval():
        plain = family.trace(images)
        with rules():
            ruled = family.trace(images.requires_grad_())
    torch.testing.assert_close(ruled.logits, plain.logits)
    torch.testing.assert_close(ruled.attention[-1], plain.attention[-1])
