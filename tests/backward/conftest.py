"""Networks of all ViT families, in double precision."""

import pytest

from vit_families import FAMILIES


@pytest.fixture(params=[name for name in FAMILIES if name != "oblong"])
def family(request):
    model = FAMILIES[request.param]()
    model.module.double()
    return model
