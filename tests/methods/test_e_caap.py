"""E-CAAP against its formula, written head by head and token by token."""

import pytest
import torch

from caap_models import make_family
from reference.caap import e_caap_logits, windows_of
from seewhy.errors import UnsupportedModel
from seewhy.methods.caap import caap
from seewhy.methods.e_caap import e_caap


def picture(model):
    return torch.rand(1, 3, *model.image_size, generator=torch.Generator().manual_seed(1), dtype=torch.float64)


@pytest.mark.parametrize("average", ["uniform", "weighted"])
@pytest.mark.parametrize(
    "name", ["plain", "distilled", "registers", "rope", "token+avg", "beit_shared", "relpos_class"]
)
def test_equal_to_the_formula(name, average):
    model = make_family(name)
    image, reference, windows = (
        picture(model),
        torch.ones(1, 3, 32, 32, dtype=torch.float64),
        windows_of("box1", (4, 4)),
    )
    logits = e_caap_logits(model, image[0], reference, windows, blocks=(1, 4), mean=average)
    maps = e_caap(model, image, torch.tensor([[2, 0]]), score="logit", average=average)
    torch.testing.assert_close(maps, logits[:, [2, 0]].T.view(1, 2, 4, 4), rtol=0, atol=1e-10)


def test_weighted_average_is_exact_in_the_first_block_and_for_the_reference():
    """Zero-th order: where the query is the reference's, the summary loses nothing."""
    model = make_family("plain")
    image, targets = picture(model), torch.tensor([[2]])
    options = dict(blocks=(5, 5), score="logit")
    exact = caap(model, image, targets, **options)
    torch.testing.assert_close(e_caap(model, image, targets, average="weighted", **options), exact)
    assert not torch.allclose(e_caap(model, image, targets, **options), exact)
    reference = torch.ones_like(image)
    whole = model.logits(reference)[0, 2].expand(1, 1, 4, 4)
    torch.testing.assert_close(e_caap(model, reference, targets, average="weighted", score="logit"), whole)


def test_large_logits_do_not_overflow():
    model = make_family("plain")
    with torch.no_grad():
        for block in model.module.blocks:
            block.attn.qkv.weight.mul_(40)
    maps = e_caap(
        model.__class__(model.module.float(), model.preprocess, name="loud"),
        picture(model).float(),
        torch.tensor([[2]]),
    )
    assert maps.isfinite().all()


def test_everything_selected_leaves_no_context():
    model = make_family("plain")
    maps = e_caap(model, picture(model), torch.tensor([[2]]), select=torch.ones(16, 16), average="uniform")
    assert maps.isfinite().all()


def test_needs_a_class_token():
    model = make_family("mean")
    with pytest.raises(UnsupportedModel, match="class token"):
        e_caap(model, picture(model), torch.tensor([[0]]))


def test_the_context_is_summed_up_once_and_again_when_anything_changes():
    model, targets = make_family("plain"), torch.tensor([[2]])
    image, other = picture(model), picture(model).flip(-1)

    def summaries():
        return model.cache["context summaries"][0][-1]

    e_caap(model, image, targets)
    first = summaries()
    e_caap(model, other, targets)
    assert summaries() is first  # another image, the same reference
    for change in ({"select": "none"}, {"blocks": (1, 3)}, {"average": "weighted"}, {"reference": "black"}):
        e_caap(model, image, targets)
        before = summaries()
        changed = e_caap(model, image, targets, **change)
        assert summaries() is not before
        torch.testing.assert_close(changed, e_caap(make_family("plain"), image, targets, **change))
