"""TIS against a reference implementation, one mask at a time."""

import pytest

from reference import token_sampling
from seewhy.registry import resolve_method

pytestmark = pytest.mark.usefixtures("in_double")


@pytest.mark.parametrize(("masks", "keep"), [(12, 0.5), (1000, 0.25)])
def test_reference_implementation(check, masks, keep):
    reference = lambda m, x, y: token_sampling.tis(m, x, y, masks, keep, 3)  # noqa: E731
    check("tis", reference, masks=masks, keep=keep, seed=3)


def test_runs_half_length_sequences(double_vit, images, targets):
    with double_vit.meter() as cost:
        resolve_method("tis")(double_vit, images[:1].double(), targets[:1], masks=20)
    assert cost.forwards == pytest.approx(1 + 20 * 9 / 17)  # the class token and 8 of 16 patches
    assert cost.backwards == 0


def test_patches_that_no_mask_keeps_are_zero(double_vit, images, targets):
    maps = resolve_method("tis")(double_vit, images.double(), targets, masks=1, keep=0.25).maps
    assert ((maps == 0).sum(dim=(2, 3)) == 12).all()
