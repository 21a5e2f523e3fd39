"""MUTEX against a reference implementation, one mask at a time."""

import pytest
import torch

from reference import token_sampling
from seewhy.registry import resolve_method

pytestmark = pytest.mark.usefixtures("in_double")


@pytest.mark.parametrize("keep", [0.5, 0.3])
def test_reference_implementation(check, keep):
    check("mutex", lambda m, x, y: token_sampling.mutex(m, x, y, keep), keep=keep)


def test_constant_attention_gives_the_plain_probability(double_vit, images, targets):
    """Every statistic ties, so every mask keeps all patches."""
    with torch.no_grad():
        for block in double_vit.module.blocks:
            block.attn.qkv.weight[:32] = 0
            block.attn.qkv.bias[:32] = 0
    maps = resolve_method("mutex")(double_vit, images.double(), targets).maps
    plain = double_vit.probabilities(images.double()).gather(1, targets)
    torch.testing.assert_close(maps, plain[:, :, None, None].expand_as(maps))
