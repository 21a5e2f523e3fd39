"""2x2 grids: cells, regions, and the model that takes them."""

from dataclasses import replace

import pytest
import torch

from seewhy.api import explain
from seewhy.data import open_dataset, quad, read_images
from seewhy.errors import InputError, OptionError
from seewhy.models.preprocess import Preprocess
from squares import SMALL, square


def test_quad_cells_are_the_images(tiny_vit, tiny_cnn):
    """Cells have half of a ViT's size, and the size of a network that takes any."""
    for model, side in ((tiny_vit, 16), (tiny_cnn, 32)):
        images = torch.rand(6, 3, side, side, generator=torch.Generator().manual_seed(0))
        labels = [0, 1, 2, 3, 0, 1]
        grids = quad(images, labels, model)
        assert grids.images.shape == (1, 3, 2 * side, 2 * side)
        assert sorted(grids.targets[0].tolist()) == [0, 1, 2, 3]
        for cell, label in enumerate(grids.targets[0].tolist()):
            shown = grids.images[0][:, grids.regions[0, cell]].view(3, side, side)
            assert any(torch.equal(shown, images[i]) for i in range(6) if labels[i] == label)
        assert torch.equal(grids.regions.sum(dim=1), torch.ones(1, 2 * side, 2 * side, dtype=torch.int64))


def test_grids_come_with_a_model_that_takes_them(tiny_cnn, tiny_vit):
    photos = torch.rand(4, 3, 32, 32, generator=torch.Generator().manual_seed(0))
    grids = quad(photos, [0, 1, 2, 3], tiny_cnn)
    assert tiny_cnn.image_size == (32, 32)
    assert grids.model.module is tiny_cnn.module
    assert grids.model.fingerprint != tiny_cnn.fingerprint
    explanation = explain(grids.model, grids.images, "grad_cam", grids.targets)
    assert torch.equal(explanation.images, grids.images)
    assert quad(photos, [0, 1, 2, 3], tiny_vit).model is tiny_vit


def test_quad_of_a_data_set(tmp_path):
    for label in range(5):
        square(tmp_path / f"c{label}" / "p.png", left=10 * label)
    found = open_dataset("imagenet", path=tmp_path, quad=True, seed=1)
    assert len(found) == 1
    sample = found[0].read(SMALL)
    assert len(set(sample.labels)) == 4
    first = read_images(
        tmp_path / f"c{sample.labels[0]}" / "p.png", Preprocess(size=(16, 16), crop=0.5, interpolation="nearest")
    )
    assert torch.equal(sample.image[:, :16, :16], first.images[0])
    assert torch.equal(sample.regions_of([sample.labels[2], 99])[0], sample.regions[2])
    assert not sample.regions_of([99])[0].any()


@pytest.mark.parametrize("truth", ["object", "part"])
def test_quad_with_the_items_own_regions(truth):
    whole = open_dataset("scenes", size=12, truth=truth, quad=True)[0]
    own = open_dataset("scenes", size=12, truth=truth, quad="truth")[0]
    assert own.key() != whole.key()
    sample, cells = own.read(SMALL), whole.read(SMALL)
    assert torch.equal(sample.image, cells.image)
    corners = [(..., rows, cols) for rows in (slice(16), slice(16, 32)) for cols in (slice(16), slice(16, 32))]
    for item, region, corner in zip(own.items, sample.regions, corners, strict=True):
        assert torch.equal(region[corner], item.read(replace(SMALL, size=(16, 16))).regions[0])
        assert region.sum() == region[corner].sum() > 0


def test_quad_with_regions_that_are_not_there(tmp_path):
    for label in range(4):
        square(tmp_path / f"c{label}" / "p.png")
    with pytest.raises(InputError, match=r"c\d/p.png has none. quad=True"):
        open_dataset("imagenet", path=tmp_path, quad="truth")[0].read(SMALL)
    with pytest.raises(OptionError, match="quad must be False, True, 'truth' or 'squashed', got 'part'"):
        open_dataset("imagenet", path=tmp_path, quad="part")


def test_too_few_classes_for_grids(tmp_path, tiny_cnn):
    square(tmp_path / "c0" / "p.png")
    with pytest.raises(InputError, match="four different classes"):
        open_dataset("imagenet", path=tmp_path, quad=True)
    with pytest.raises(InputError, match="one label per image"):
        quad(torch.rand(2, 3, 16, 16), [1], tiny_cnn)
