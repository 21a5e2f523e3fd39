"""Sets of patches: activation patching against Algorithm 1 run token by token, and the search for a smallest flip."""

import itertools

import pytest
import torch
from torch import nn

import seewhy
from caap_models import FAMILIES, make_family
from reference.caap import as_matrix, caap_variant
from seewhy.errors import InputError, OptionError, UnsupportedModel
from seewhy.interventions.patch_sets import patch_grid, patch_pixels, patch_set, patched_set_logits
from seewhy.models.module import ModuleClassifier
from seewhy.models.preprocess import Preprocess

SET = [1, 2, 7, 11]


def random_image(model, seed=0):
    generator = torch.Generator().manual_seed(seed)
    return torch.rand(1, 3, *model.image_size, generator=generator, dtype=torch.float64)


@pytest.mark.parametrize("family", FAMILIES)
def test_a_set_of_patches_is_patched_as_algorithm_1_patches_a_window(family):
    model = make_family(family)
    image, reference = random_image(model), torch.ones(1, 3, *model.image_size, dtype=torch.float64)
    for after, context in itertools.product(("propagate", "reference", "source"), ("frozen", "recompute")):
        options = {"after": after, "context": context}
        if not model.head_tokens and (after, context) == ("reference", "frozen"):
            with pytest.raises(UnsupportedModel, match="reads patches"):
                patched_set_logits(model, image, reference, patch_set(model, SET), blocks=(1, 4), **options)
            continue
        found = patched_set_logits(model, image, reference, patch_set(model, SET), blocks=(1, 4), **options)
        windows, classes = as_matrix([SET], model.grid[0] * model.grid[1]), torch.arange(5)[None]
        expected = caap_variant(model, image, reference, classes, windows, l_s=1, l_e=4, score="logit", **options)
        torch.testing.assert_close(found, expected)


def test_patch_activations_is_the_same_with_files_and_names(tiny_vit, images):
    answer = seewhy.patch_activations(tiny_vit, images[:1], [3, 5], reference="black", blocks="1-2")
    black = torch.zeros_like(images[:1])
    logits = patched_set_logits(tiny_vit, images[:1], black, patch_set(tiny_vit, [3, 5]), blocks=(1, 2))
    torch.testing.assert_close(answer.after, logits.softmax(dim=-1)[0])
    torch.testing.assert_close(answer.before, tiny_vit.probabilities(images[:1])[0])
    assert answer.share == pytest.approx(2 / 16)
    assert "patched into the reference" in repr(answer)


def test_all_patches_give_the_image_back_and_none_the_reference(tiny_cnn, images):
    patches = range(patch_grid(tiny_cnn)[0] * patch_grid(tiny_cnn)[1])
    everything = seewhy.patch_activations(tiny_cnn, images[:1], patches)
    torch.testing.assert_close(everything.after, everything.before)
    nothing = seewhy.patch_activations(tiny_cnn, images[:1], [])
    torch.testing.assert_close(nothing.after, tiny_cnn.probabilities(torch.ones_like(images[:1]))[0])


def test_a_spliced_network_only_propagates(tiny_cnn, images):
    with pytest.raises(UnsupportedModel, match="got 'source'"):
        seewhy.patch_activations(tiny_cnn, images[:1], [0], after="source")


def test_cover_takes_patches(tiny_vit, images):
    mask = torch.zeros(tiny_vit.image_size, dtype=torch.bool)
    mask[8:16, 16:24] = True  # row 1, column 2 of a 4x4 grid of 8 pixels
    assert torch.equal(patch_pixels(tiny_vit, [6]), mask)
    for inverse in (False, True):
        by_patch = seewhy.cover(tiny_vit, images[:1], patches=[6], inverse=inverse)
        torch.testing.assert_close(by_patch.after, seewhy.cover(tiny_vit, images[:1], mask, inverse=inverse).after)


def test_patches_outside_the_grid_are_refused(tiny_vit, images):
    with pytest.raises(OptionError, match="from 0 to 15, on a 4x4 grid"):
        seewhy.cover(tiny_vit, images[:1], patches=[16])
    with pytest.raises(InputError, match="either a region or patches"):
        seewhy.cover(tiny_vit, images[:1])


class Votes(nn.Module):
    """Class 0 has the votes of three patches of a white image, class 1 a constant: 0.4 + 0.3 + 0.2 against 0.45."""

    def forward(self, images: torch.Tensor) -> torch.Tensor:
        patches = nn.functional.avg_pool2d(images.mean(dim=1, keepdim=True), 4).flatten(1)
        votes = 0.4 * patches[:, 5] + 0.3 * patches[:, 9] + 0.2 * patches[:, 30]
        return 20 * torch.stack([votes, torch.full_like(votes, 0.45)], dim=1)


@pytest.fixture
def votes():
    preprocess = Preprocess((32, 32), mean=(0.0,) * 3, std=(1.0,) * 3, crop=1.0)
    return ModuleClassifier(Votes(), preprocess, name="votes", class_names=["yes", "no"])


def test_the_smallest_flip_of_a_known_network(votes):
    found = seewhy.smallest_flip(votes, torch.ones(1, 3, 32, 32), reference="black")
    assert found.patches == (5, 9)  # 0.9 - 0.4 is still above 0.45
    assert (found.found, found.decision, found.becomes) == (True, 0, 1)
    assert found.forwards == 1 + 64 + 24 + 2 + 1  # clean, every patch, candidates, pruning, the answer
    assert "changes from yes to no" in repr(found)


def test_a_decision_that_nothing_changes(votes):
    found = seewhy.smallest_flip(votes, torch.ones(1, 3, 32, 32), reference=(1.0, 1.0, 1.0))
    assert (found.found, found.becomes) == (False, 0)
    assert "stays yes" in repr(found)


def test_the_smallest_flip_is_as_small_as_brute_force_finds(votes):
    cells = [[patch] for patch in (5, 9, 30)] + [list(pair) for pair in itertools.combinations((5, 9, 30), 2)]
    white = torch.ones(1, 3, 32, 32)
    flips = [cell for cell in cells if seewhy.cover(votes, white, patches=cell, reference="black").flipped]
    assert min(map(len, flips)) == len(seewhy.smallest_flip(votes, white, reference="black").patches)
