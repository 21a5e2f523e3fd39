"""Images put together from patches of two others: tokens against pixels."""

import pytest
import torch

from seewhy.interventions.mosaics import embeds_by_patch, mosaic
from vit_families import FAMILIES


@pytest.mark.parametrize("family", FAMILIES)
def test_tokens_give_what_pixels_give(family):
    model = FAMILIES[family]()
    model.module.double()
    rows, cols = model.grid
    present, absent = torch.rand(2, 2, 3, rows * 8, cols * 8, dtype=torch.float64, generator=torch.manual_seed(0))
    assert embeds_by_patch(model)
    case, shown = torch.tensor([0, 0, 1]), torch.rand(3, rows, cols, generator=torch.manual_seed(1)) > 0.5
    finer = shown.repeat_interleave(2, 1).repeat_interleave(2, 2)  # another grid, so that pixels are used
    with model.frozen_eval():
        tokens = mosaic(model, present, absent, (rows, cols))(case, shown.flatten(1))
        pixels = mosaic(model, present, absent, (2 * rows, 2 * cols))(case, finer.flatten(1))
    torch.testing.assert_close(tokens, pixels)


def test_a_stem_that_reaches_across_patches_is_seen_whatever_the_images(tiny_vit):
    """Two black images would agree with anything."""
    embedding = tiny_vit.module.patch_embed
    embedding.proj = torch.nn.Conv2d(3, embedding.proj.out_channels, 15, stride=8, padding=7)
    assert not embeds_by_patch(tiny_vit)
    black = torch.zeros(1, 3, 32, 32)
    other = torch.rand(1, 3, 32, 32, generator=torch.manual_seed(0))
    shown = torch.arange(16).unsqueeze(0) % 3 == 0
    with tiny_vit.frozen_eval():
        show = mosaic(tiny_vit, torch.cat([black, other]), black.expand(2, -1, -1, -1), (4, 4))
        together = show(torch.tensor([1]), shown)
        alone = mosaic(tiny_vit, other, black, (4, 4))(torch.tensor([0]), shown)
    torch.testing.assert_close(together, alone)
