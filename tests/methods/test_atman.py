"""AtMan against a reference implementation, one patch at a time."""

import pytest
import torch

from reference import token_sampling
from seewhy.registry import resolve_method

pytestmark = pytest.mark.usefixtures("in_double")


@pytest.mark.parametrize("similarity", [None, 0.6, 0.0])
def test_reference_implementation(check, similarity):
    reference = lambda m, x, y: token_sampling.atman(m, x, y, 0.1, similarity)  # noqa: E731
    check("atman", reference, similarity=similarity)


def test_factor_one_changes_nothing(double_vit, images, targets):
    maps = resolve_method("atman")(double_vit, images.double(), targets, factor=1.0).maps
    torch.testing.assert_close(maps, torch.zeros_like(maps))
