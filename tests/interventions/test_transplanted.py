"""Transplanted tokens: nothing, everything, and the patches of a region."""

import torch

from seewhy.interventions.transplanted import transplanted_logits


def test_no_region_changes_nothing_and_the_whole_image_gives_the_donor(tiny_vit, images):
    donors, recipients = images[:1], images[1:2]
    height, width = tiny_vit.image_size
    depth = len(tiny_vit.blocks)
    nothing, everything = (torch.full((1, height, width), value) for value in (False, True))
    kept = transplanted_logits(tiny_vit, donors, recipients, nothing)
    torch.testing.assert_close(kept, tiny_vit.logits(recipients), rtol=1e-4, atol=1e-5)
    given = transplanted_logits(tiny_vit, donors, recipients, everything, blocks=(0, depth))
    own, foreign = tiny_vit.logits(donors), tiny_vit.logits(recipients)
    assert (given - own).norm() < (given - foreign).norm()
    torch.testing.assert_close(given, own, rtol=1e-4, atol=1e-5)


def test_a_part_of_a_patch_moves_the_patch(tiny_vit, images):
    height, width = tiny_vit.image_size
    rows, cols = height // tiny_vit.grid[0], width // tiny_vit.grid[1]
    pixel, patch = (torch.zeros(1, height, width, dtype=torch.bool) for _ in range(2))
    pixel[:, 0, 0] = True
    patch[:, :rows, :cols] = True
    both = [transplanted_logits(tiny_vit, images[:1], images[1:2], region) for region in (pixel, patch)]
    torch.testing.assert_close(*both)
    assert not torch.allclose(both[0], tiny_vit.logits(images[1:2]))
