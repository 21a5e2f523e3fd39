"""Every method that needs a ViT, found in the registry, on every kind of ViT; and on one that looks at one patch."""

import functools

import pytest
import torch

from seewhy.errors import UnsupportedModel
from seewhy.models.vit import ViT
from seewhy.ops.resize import resize_maps
from seewhy.registry import METHODS, resolve_method
from test_contract import QUICK
from vit_families import FAMILIES, PLACE, bright_patch, make_looking_vit

ELSEWHERE = {  # methods that have a reason to look elsewhere too
    "mutex",  # its masks keep whatever receives most attention, so that all patches tie here
    "e_caap",  # against a white image, patches of the mean color count as well
}
NAMES = [method.name for method in METHODS.all() if method.needs is ViT and not method.wraps]
COVERED = {  # by test_families and by the tests of relevance
    "layer-scale", "qk-norm", "registers", "plain", "distilled", "dinov2", "clip", "siglip",
}  # fmt: skip

build = functools.cache(lambda family: FAMILIES[family]())


def explain(name, model, images, targets):
    pipeline = resolve_method(name)
    quick = {key: value for key, value in QUICK.items() if key in pipeline.options}
    return pipeline(model, images, targets, **quick).maps


@pytest.mark.parametrize("family", [name for name in FAMILIES if name not in COVERED])
@pytest.mark.parametrize("name", NAMES)
def test_runs_on_every_kind_of_vit(name, family, images, targets):
    model = build(family)
    try:
        maps = explain(name, model, images[..., : model.image_size[1]], targets)
    except UnsupportedModel as error:
        pytest.skip(str(error))
    assert maps.shape[:2] == (2, 2)
    assert maps.shape[2:] in (model.grid, model.image_size)
    assert maps.isfinite().all()
    assert maps.std(dim=(2, 3)).max() > 0


@pytest.mark.parametrize("name", [name for name in NAMES if name not in ELSEWHERE])
def test_a_model_that_reads_one_patch_is_explained_by_that_patch(name):
    maps = explain(name, make_looking_vit(), bright_patch(), torch.tensor([[0]]))
    cells = torch.nn.functional.adaptive_avg_pool2d(resize_maps(maps, (32, 32), mode="nearest"), 4)[0, 0]
    others = cells.clone()
    others[PLACE] = -torch.inf
    assert cells[PLACE] > others.max() + 1e-4 * cells.abs().max()
