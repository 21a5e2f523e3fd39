"""CAAP against the paper's Algorithm 1, against exact fractions, and on real photos."""

import gc
import itertools
import weakref
from fractions import Fraction
from typing import get_args

import numpy as np
import pytest
import torch

import seewhy
from caap_models import FAMILIES, MeanToy, make_family, toy_image
from reference.caap import as_matrix, caap_variant, windows_of
from seewhy.data.read import read_images
from seewhy.errors import OptionError, ShapeError, UnsupportedModel
from seewhy.methods.caap import caap, caap_algorithm1
from seewhy.ops.references import ReferenceName

AFTER, CONTEXT = ("propagate", "reference", "source"), ("frozen", "recompute")
exact = {"rtol": 0, "atol": 1e-10}


def picture(model, seed=1, batch=1):
    generator = torch.Generator().manual_seed(seed)
    return torch.rand(batch, 3, *model.image_size, generator=generator, dtype=torch.float64)


def variant(model, image, targets, *, select="box1", score="logit", reference=1.0, blocks=(1, 4), **options):
    windows = windows_of(select, model.grid) if isinstance(select, str) else select
    with torch.no_grad():
        scores = caap_variant(
            model,
            image,
            torch.full_like(image, reference),
            targets,
            as_matrix(windows, model.patches),
            l_s=blocks[0],
            l_e=blocks[1],
            score=score,
            **options,
        )
    return scores.T.unflatten(1, model.grid)[None]


@pytest.fixture(scope="module", params=FAMILIES)
def family(request):
    return make_family(request.param)


@pytest.mark.parametrize("blocks", [(0, 0), (1, 4), (6, 6)])
def test_equal_to_algorithm_1(family, blocks):
    image, targets, (l_s, l_e) = picture(family), torch.tensor([[1, 3, 0]]), blocks
    windows = as_matrix(windows_of("box1", family.grid), family.patches)
    with torch.no_grad():
        expected = caap_algorithm1(family, image, torch.ones_like(image), targets, windows, l_s=l_s, l_e=l_e)
    maps = caap(family, image, targets, blocks=blocks)
    torch.testing.assert_close(maps, expected.T.unflatten(1, family.grid)[None], **exact)


def test_every_variant(family):
    image, targets = picture(family), torch.tensor([[1, 3, 0]])
    for after, context in itertools.product(AFTER, CONTEXT):
        options = dict(after=after, context=context, score="logit", blocks=(1, 4))
        if not family.head_tokens and (after, context) == ("reference", "frozen"):
            with pytest.raises(UnsupportedModel, match="reads patches"):
                caap(family, image, targets, **options)
            continue
        maps, expected = caap(family, image, targets, **options), variant(family, image, targets, **options)
        spread = expected.amax(dim=(2, 3)) - expected.amin(dim=(2, 3))
        assert spread.min() > 1e-6, "else this test cannot fail"
        torch.testing.assert_close(maps, expected, **exact)


@pytest.mark.parametrize("blocks", [(0, 0), (0, 3), (2, 2), (3, 6), (6, 6)])
def test_every_range_of_blocks(family, blocks):
    image, targets = picture(family), torch.tensor([[2]])
    for after in AFTER:
        if family.head_tokens or after != "reference" or blocks[1] == 6:
            options = dict(blocks=blocks, after=after, score="logit")
            maps = caap(family, image, targets, **options)
            torch.testing.assert_close(maps, variant(family, image, targets, **options), **exact)


@pytest.mark.parametrize("select", ["none", "box2", "manhattan1", "matrix"])
def test_every_selection(family, select):
    image, targets = picture(family), torch.tensor([[2]])
    chosen = select
    if select == "matrix":
        generator = torch.Generator().manual_seed(3)
        chosen = torch.rand(family.patches, family.patches, generator=generator) < 0.4
        chosen.fill_diagonal_(True)
        select = [row.nonzero().flatten().tolist() for row in chosen]
    for after in AFTER if family.head_tokens else ("propagate", "source"):
        maps = caap(family, image, targets, select=chosen, after=after, score="logit", blocks=(1, 4))
        torch.testing.assert_close(maps, variant(family, image, targets, select=select, after=after), **exact)


@pytest.mark.parametrize("score", ["prob", "logprob", "logit"])
def test_scores(score):
    model = make_family("plain")
    image, targets = picture(model), torch.tensor([[2, 4]])
    maps = caap(model, image, targets, score=score)
    torch.testing.assert_close(maps, variant(model, image, targets, score=score), **exact)


@pytest.mark.parametrize("after", AFTER)
def test_turns_do_not_change_the_result(monkeypatch, after):
    model = make_family("token+avg")
    images, targets = picture(model, batch=3), torch.tensor([[2], [1], [0]])
    together = caap(model, images, targets, after=after, score="logit")
    monkeypatch.setattr("seewhy.interventions.patched.ELEMENTS", 7 * 4 * 17 * 16)  # seven rows at a time
    torch.testing.assert_close(caap(model, images, targets, after=after, score="logit"), together, **exact)
    monkeypatch.setattr("seewhy.interventions.patched.ELEMENTS", 40 * 4 * 17 * 16)  # two images at a time
    torch.testing.assert_close(caap(model, images, targets, after=after, score="logit"), together, **exact)


# exact fractions of the toy


def toy_map(patches, depth, rows=1, **options):
    image = toy_image(*patches, rows=rows)
    model = MeanToy(tuple(image.shape[2:]), depth)
    return caap(model, image, torch.tensor([[0]]), reference="black", score="logit", **options).flatten()


def fractions(*texts):
    return torch.tensor([float(Fraction(text)) for text in texts], dtype=torch.float64)


def test_one_block():
    alone = toy_map((1, 2, 3, 4), 1, rows=2, blocks=(0, 0), select="none")
    torch.testing.assert_close(alone, fractions("1/5", "2/5", "3/5", "4/5"), **exact)
    torch.testing.assert_close(toy_map((1, 2, 3, 4), 1, rows=2, blocks=(0, 0)), fractions(2, 2, 2, 2), **exact)


@pytest.mark.parametrize(
    ("blocks", "after", "expected"),
    [
        ((1, 1), "propagate", ("56/27", "104/27")),
        ((1, 1), "reference", ("28/27", "52/27")),
        ((1, 1), "source", ("73/27", "115/27")),
        ((0, 1), "propagate", ("73/27", "155/27")),
        ((0, 1), "reference", ("44/27", "100/27")),
        ((1, 2), "propagate", ("73/27", "115/27")),
        ((1, 2), "reference", ("73/27", "115/27")),
        ((1, 2), "source", ("73/27", "115/27")),
    ],
)
def test_three_blocks(blocks, after, expected):
    maps = toy_map((1, 3), 3, blocks=blocks, after=after, select="none")
    torch.testing.assert_close(maps, fractions(*expected), **exact)


def test_toy_with_everything_selected():
    maps = toy_map((1, 3), 3, blocks=(0, 3), select=torch.ones(2, 2))
    torch.testing.assert_close(maps, fractions("28/3", "28/3"), **exact)


# identities


def test_the_reference_image_scores_like_the_reference(family):
    reference, targets = torch.ones(1, 3, *family.image_size, dtype=torch.float64), torch.tensor([[0, 4]])
    maps = caap(family, reference, targets, score="logit")
    expected = family.read_out(family.trace(reference).tokens[-1])[:, [0, 4], None, None].expand_as(maps)
    torch.testing.assert_close(maps, expected, **exact)


def test_everything_selected_is_the_image(family):
    image, targets = picture(family), torch.tensor([[0, 4]])
    maps = caap(family, image, targets, select=torch.ones(family.patches, family.patches), blocks=(0, 6), score="logit")
    if family.prefix > len(family.head_tokens):
        return  # registers and unread class tokens stay the reference's
    expected = family.read_out(family.trace(image).tokens[-1])[:, [0, 4], None, None].expand_as(maps)
    torch.testing.assert_close(maps, expected, **exact)


def test_source_to_the_end_does_not_depend_on_the_cutoff():
    model = make_family("plain")
    image, targets = picture(model), torch.tensor([[0]])
    short, long = (caap(model, image, targets, blocks=(1, last), after="source") for last in (2, 5))
    torch.testing.assert_close(short, long, **exact)


# options


def test_paper_range_and_its_spellings():
    model = make_family("plain")
    image, targets = picture(model), torch.tensor([[0]])
    usual = caap(model, image, targets)
    for blocks in ((1, 4), [1, 4], "1-4"):
        assert torch.equal(caap(model, image, targets, blocks=blocks), usual)


@pytest.mark.parametrize("blocks", [(2, 1), (0, 7), (1,), "early", "1-2-3", (-1, 3)])
def test_wrong_blocks(blocks):
    model = make_family("plain")
    with pytest.raises(OptionError, match="blocks must be"):
        caap(model, picture(model), torch.tensor([[0]]), blocks=blocks)


def test_references_differ_and_tensors_are_accepted():
    model = make_family("plain")
    image, targets = picture(model), torch.tensor([[0]])
    maps = [caap(model, image, targets, reference=name) for name in get_args(ReferenceName)]
    for one, other in itertools.combinations(maps, 2):
        assert not torch.allclose(one, other)
    torch.testing.assert_close(caap(model, image, targets, reference=torch.zeros(3, 32, 32)), maps[1], **exact)
    torch.testing.assert_close(maps[1], variant(model, image, targets, reference=0.0, score="prob"), **exact)
    with pytest.raises(ShapeError, match="reference must be one image"):
        caap(model, image, targets, reference=torch.zeros(3, 8, 8))


def test_wrong_selection():
    model = make_family("plain")
    with pytest.raises(ShapeError, match=r"\(16, 16\) matrix"):
        caap(model, picture(model), torch.tensor([[0]]), select=torch.ones(4, 4))
    with pytest.raises(OptionError, match="empty window"):
        caap(model, picture(model), torch.tensor([[0]]), select=torch.zeros(16, 16))
    with pytest.raises(OptionError, match=r"select must be 'box1'.* or a Tensor, got array"):
        seewhy.explain(model, picture(model), "caap", select=np.ones((16, 16)))


def test_blocks_are_not_one_number():
    model = make_family("plain")
    with pytest.raises(OptionError, match=r"blocks must be a list of ints or a str or None, got 4"):
        seewhy.explain(model, picture(model), "caap", blocks=4)


# the cached run of the reference


def test_reference_run_is_shared_and_forgotten_when_weights_change():
    model = make_family("plain")
    image, targets = picture(model), torch.tensor([[0]])
    with model.meter() as first:
        before = caap(model, image, targets)
    with model.meter() as second:
        caap(model, picture(model, seed=2), targets)
    assert first.forwards - second.forwards == pytest.approx(1)
    with torch.no_grad():
        model.module.blocks[2].mlp.fc1.weight.mul_(1.5)
    changed = caap(model, image, targets)
    assert not torch.allclose(before, changed)
    torch.testing.assert_close(changed, variant(model, image, targets, score="prob"), **exact)


def test_reference_run_does_not_keep_the_model_alive():
    model = make_family("plain")
    caap(model, picture(model), torch.tensor([[0]]))
    watch = weakref.ref(model)
    del model
    gc.collect()
    assert watch() is None


# a real model


def test_twenty_patches_of_three_photos_on_deit_tiny(data):
    model = seewhy.load_model("timm/deit_tiny_patch16_224", weights=data / "models/deit_tiny_patch16_224.safetensors")
    files = sorted((data / "imagenet-val/images").glob("*"))[:3]
    images = read_images(files, model.preprocess).images
    targets = model.probabilities(images).argmax(dim=1, keepdim=True)
    maps = caap(model, images, targets)
    chosen, windows = range(0, 196, 10), as_matrix(windows_of("box1", model.grid), 196)
    for image, target, found in zip(images, targets, maps, strict=True):
        x, y = image[None], target[None]
        with torch.no_grad():
            expected = caap_algorithm1(model, x, torch.ones_like(x), y, windows[list(chosen)], l_s=1, l_e=8)
        torch.testing.assert_close(found.flatten()[list(chosen), None], expected, rtol=0, atol=1e-5)
