"""The surrogate of MDA's responses against a run in which only two tokens react, and the search that uses it."""

import pytest
import torch

from conftest import make_tiny_vit
from seewhy.interventions.greedy_search import SearchResult
from seewhy.interventions.mosaics import mosaic, token_masks
from seewhy.interventions.patch_order import best_per_case
from seewhy.interventions.recorded import record_tokens
from seewhy.interventions.surrogate_search import Canvas, search_by_surrogate
from seewhy.methods.mda import mda
from seewhy.registry import resolve_method

TARGET = torch.tensor([2])


@pytest.fixture
def vit():
    model = make_tiny_vit()
    model.module.double()
    with model.frozen_eval():
        yield model


def canvas(model, images):
    image, reference = model.embed(images[:1].double()), model.embed(images[1:2].double())
    return Canvas(model, image, reference, record_tokens(model, image, stop=0), TARGET, lambda _shown: 1 / 0)


def responder(model, show, classes):
    return lambda case, shown: model.scores(show(case, shown), classes[case], kind="prob")[:, 0]


def two_tokens_react(model, on, shown, patch):
    """All tokens but the class token and the new patch are those of the state after every block."""
    state = torch.where(token_masks(shown, model), on.image, on.reference)
    position, frozen = model.prefix + patch, model.run(state)[0]
    tokens = state.clone()
    tokens[:, position] = on.image[:, position]
    for block, fixed in zip(model.blocks, frozen[1:], strict=True):
        run, _ = block(tokens)
        tokens = fixed.clone()
        tokens[:, [0, position]] = run[:, [0, position]]
    return model.to_probabilities(model.read_out(tokens))[0, TARGET[0]]


def test_only_the_class_token_and_the_new_patch_react(vit, images):
    on, shown = canvas(vit, images), torch.zeros(1, 16, dtype=torch.bool)
    shown[0, [1, 6]] = True
    patches = torch.tensor([0, 5, 15])
    with torch.no_grad():
        state, response = on.run(shown)
        expected = [two_tokens_react(vit, on, shown, int(patch)) for patch in patches]
        torch.testing.assert_close(on.surrogate(state, patches), torch.stack(expected))
        plain = vit.to_probabilities(vit.read_out(vit.run(state.tokens[0])[0][-1]))[0, TARGET[0]]
    torch.testing.assert_close(response, plain)


def test_every_curve_point_of_the_search_is_measured(vit, images):
    images, classes, ranking = images.double(), torch.tensor([[2], [1]]), torch.stack([torch.arange(16)] * 2)
    references = images.flip(0), torch.zeros_like(images)
    responds = tuple(responder(vit, mosaic(vit, images, reference, vit.grid), classes) for reference in references)
    clean = vit.probabilities(images).gather(1, classes)[:, 0]
    found = search_by_surrogate(
        vit, images, references, classes, responds, ranking, clean, candidates=8, insert_until=0.5
    )
    assert (found.order.sort(dim=1).values == torch.arange(16)).all()
    ranks = found.order.argsort(dim=1)
    for step in (0, 3, 6, 12, 16):
        case = torch.arange(2)
        torch.testing.assert_close(found.insertion[:, step], responds[0](case, ranks < step))
        if step in (0, 16):
            torch.testing.assert_close(found.deletion[:, step], responds[1](case, ranks >= step))


def test_the_better_of_two_orders_is_kept_for_each_case():
    good, bad = torch.tensor([[0.0, 0.9, 1.0]]), torch.tensor([[0.0, 0.1, 1.0]])
    first = SearchResult(torch.tensor([[0, 1], [0, 1]]), torch.cat([good, bad]), 1 - torch.cat([good, bad]))
    second = SearchResult(torch.tensor([[1, 0], [1, 0]]), torch.cat([bad, good]), 1 - torch.cat([bad, good]))
    best = best_per_case([first, second])
    assert best.order.tolist() == [[0, 1], [1, 0]]
    torch.testing.assert_close(best.insertion, torch.cat([good, good]))


def test_fast_tries_two_priors_and_takes_a_named_one_alone(monkeypatch, tiny_vit, images):
    asked = []
    monkeypatch.setattr(
        "seewhy.interventions.patch_order.resolve_method", lambda name: asked.append(name) or resolve_method(name)
    )
    for options in ({"fast": True}, {"fast": True, "prior": "gradient"}, {}):
        mda(tiny_vit, images[:1], torch.tensor([[2]]), blur=7, **options)
    assert asked == ["bi_attn", "libra_ixg_plus", "gradient", "bi_attn"]
