"""T-Attr against a reference implementation that propagates relevance operation by operation."""

import pytest

from reference import relevance
from seewhy.registry import resolve_method
from vit_families import FAMILIES


@pytest.mark.usefixtures("in_double")
@pytest.mark.parametrize(("start", "normalize"), [(0, False), (1, True)])
def test_reference_implementation(check, start, normalize):
    reference = lambda m, x, y: relevance.t_attr(m, x, y, start, normalize)  # noqa: E731
    check("t_attr", reference, from_block=start, normalize_rows=normalize)


@pytest.mark.parametrize("family", [name for name in FAMILIES if name != "oblong"])
def test_every_family_is_explained(family, images, targets):
    maps = resolve_method("t_attr")(FAMILIES[family](), images, targets).maps
    assert maps.shape == (2, 2, 4, 4)
    assert maps.isfinite().all()
    assert maps.std(dim=(2, 3)).min() > 0
