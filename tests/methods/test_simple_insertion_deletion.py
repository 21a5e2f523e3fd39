"""Simple Insertion and Simple Deletion by hand, and Simple Insertion as the case of CAAP that touches h^0 only."""

import pytest
import torch

from caap_models import make_family
from reference.caap import windows_of
from seewhy.methods.caap import caap
from seewhy.methods.simple_deletion import simple_deletion
from seewhy.methods.simple_insertion import simple_insertion


def picture(model):
    return torch.rand(1, 3, *model.image_size, generator=torch.Generator().manual_seed(1), dtype=torch.float64)


@pytest.mark.parametrize("name", ["plain", "registers", "mean", "map", "rope"])
def test_insertion_is_caap_of_the_embedding_with_everything_recomputed(name):
    model = make_family(name)
    image, targets = picture(model), torch.tensor([[2, 0]])
    expected = caap(model, image, targets, blocks=(0, 0), context="recompute")
    torch.testing.assert_close(simple_insertion(model, image, targets), expected, rtol=0, atol=1e-10)


def test_both_by_hand():
    model = make_family("wide")
    image, targets, windows = picture(model), torch.tensor([[2]]), windows_of("manhattan1", model.grid)
    inserted, dropped = [], []
    for window in windows:
        into, out = torch.zeros_like(image), image.clone()
        for patch in window:
            row, col = divmod(patch, model.grid[1])
            place = (..., slice(8 * row, 8 * row + 8), slice(8 * col, 8 * col + 8))
            into[place], out[place] = image[place], 0
        inserted.append(model.logits(into)[0, 2])
        dropped.append(model.logits(image)[0, 2] - model.logits(out)[0, 2])
    options = dict(select="manhattan1", reference="black", score="logit")
    torch.testing.assert_close(simple_insertion(model, image, targets, **options).flatten(), torch.stack(inserted))
    torch.testing.assert_close(simple_deletion(model, image, targets, **options).flatten(), torch.stack(dropped))
