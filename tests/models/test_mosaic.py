"""Images put together from patches of two others: tokens against pixels."""

import pytest
import torch

from seewhy.models.mosaic import embeds_by_patch, mosaic
from vit_families import FAMILIES


@pytest.mark.parametrize("family", FAMILIES)
def test_tokens_give_what_pixels_give(family):
    model = FAMILIES[family]()
    model.module.double()
    rows, cols = model.grid
    present, absent = torch.rand(2, 2, 3, rows * 8, cols * 8, dtype=torch.float64, generator=torch.manual_seed(0))
    assert embeds_by_patch(model, present[:1], absent[:1])
    case, shown = torch.tensor([0, 0, 1]), torch.rand(3, rows, cols, generator=torch.manual_seed(1)) > 0.5
    finer = shown.repeat_interleave(2, 1).repeat_interleave(2, 2)  # another grid, so that pixels are used
    with model.ready():
        tokens = mosaic(model, present, absent, (rows, cols))(case, shown.flatten(1))
        pixels = mosaic(model, present, absent, (2 * rows, 2 * cols))(case, finer.flatten(1))
    torch.testing.assert_close(tokens, pixels)
