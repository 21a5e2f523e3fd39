"""Libra IxG+ against a reference implementation: a network with frozen gates, run without each token."""

import pytest

from reference import relevance
from seewhy.registry import resolve_method
from vit_families import FAMILIES


@pytest.mark.usefixtures("in_double")
@pytest.mark.parametrize("start", [0, 2])
def test_change_of_a_linearized_network_without_the_token(check, start):
    reference = lambda m, x, y: relevance.libra(m, x, y, start)  # noqa: E731
    check("libra_ixg_plus", reference, from_block=start)


@pytest.mark.parametrize("family", [name for name in FAMILIES if name != "oblong"])
def test_every_family_is_explained(family, images, targets):
    maps = resolve_method("libra_ixg_plus")(FAMILIES[family](), images, targets).maps
    assert maps.shape == (2, 2, 4, 4)
    assert maps.isfinite().all()
    assert maps.std(dim=(2, 3)).min() > 0
