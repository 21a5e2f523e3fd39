"""Cascading randomization: order, restoration, and methods that ignore the model."""

import itertools

import pytest
import torch
from torch import nn

from conftest import make_tiny_cnn, make_tiny_vit
from seewhy.errors import ShapeError
from seewhy.methods.gradient import gradient
from seewhy.metrics import collect_evidence, score_maps
from seewhy.metrics.randomization import cascading_similarity
from seewhy.metrics.randomized_model import randomize, restored, stages
from vit_families import make_dinov2


def state(module):
    return {name: tensor.clone() for name, tensor in module.state_dict().items()}


def test_stages_go_from_output_to_input(tiny_vit):
    names = list(stages(tiny_vit.module))
    assert names == ["head", "norm", "blocks.3", "blocks.2", "blocks.1", "blocks.0", "patch_embed", "(whole network)"]


def test_parts_of_equal_shape_become_different(tiny_vit):
    with restored(tiny_vit.module):
        list(randomize(tiny_vit.module))
        first, second = (block.attn.proj.weight for block in tiny_vit.module.blocks[:2])
        assert not torch.equal(first, second)
        block = tiny_vit.module.blocks[0]
        assert not torch.equal(block.attn.proj.weight.flatten()[:16], block.attn.qkv.weight.flatten()[:16])


def test_blocks_of_hugging_face_are_stages():
    names = list(stages(make_dinov2().module))
    assert sum(".layer.2" in name for name in names) == 1
    assert len(names) >= 3 + 2


def test_randomization_is_cumulative_and_undone(tiny_vit):
    before = state(tiny_vit.module)
    changed = []

    def randomize_and_fail():
        with restored(tiny_vit.module):
            for _ in randomize(tiny_vit.module):
                now = state(tiny_vit.module)
                changed.append({name for name in before if not torch.equal(before[name], now[name])})
            raise KeyError("an error inside a method")

    with pytest.raises(KeyError):
        randomize_and_fail()
    assert changed[0] == {"head.weight", "head.bias"}
    assert all(early <= late for early, late in itertools.pairwise(changed))
    assert changed[-1] == set(before)
    assert all(torch.equal(before[name], tensor) for name, tensor in state(tiny_vit.module).items())


def test_statistics_of_batch_norms_stay():
    module = nn.Sequential(nn.Conv2d(3, 4, 3), nn.BatchNorm2d(4))
    module[1].running_mean.fill_(0.7)
    list(randomize(module))
    assert module[1].running_mean.tolist() == pytest.approx([0.7] * 4)


def test_same_seed_same_weights_and_the_global_generator_stays():
    weights = []
    state_before = torch.random.get_rng_state()
    for seed in (0, 0, 1):
        model = make_tiny_cnn()
        list(randomize(model.module, seed=seed))
        weights.append(model.module.head.weight.detach().clone())
    assert torch.equal(weights[0], weights[1])
    assert not torch.equal(weights[0], weights[2])
    model = make_tiny_cnn()
    state_before = torch.random.get_rng_state()
    list(randomize(model.module))
    assert torch.equal(torch.random.get_rng_state(), state_before)


def test_a_map_that_ignores_the_model_stays_the_same(tiny_cnn, images, targets):
    fixed = torch.randn(2, 2, 8, 8)
    found = cascading_similarity(tiny_cnn, images, targets, fixed, lambda _model, _images, _targets: fixed)
    for similarity in (found.spearman, found.pearson, found.cosine, found.ssim):
        torch.testing.assert_close(similarity, torch.ones_like(similarity))
    assert found.spearman.shape == (2, 2, len(stages(tiny_cnn.module)))


def test_gradients_become_dissimilar(tiny_vit, images, targets):
    maps = gradient(tiny_vit, images, targets)
    evidence = collect_evidence(tiny_vit, images, maps, targets, explain=gradient, protocol="var")
    found = evidence["randomization"]
    assert len(found.stages) == 8
    assert float(found.spearman[..., -1].abs().mean()) < 0.3
    torch.testing.assert_close(gradient(tiny_vit, images, targets), maps)


def test_options(tiny_vit, images, targets):
    maps = gradient(tiny_vit, images, targets)
    signed, absolute = (
        cascading_similarity(tiny_vit, images, targets, maps, gradient, compare=c) for c in ("signed", "absolute")
    )
    assert not torch.equal(signed.spearman, absolute.spearman)
    few = cascading_similarity(tiny_vit, images, targets, maps, gradient, depths=2)
    assert few.stages == ("blocks.2", "(whole network)")
    torch.testing.assert_close(few.spearman[..., 1], signed.spearman[..., -1])
    classes = []

    def remember(model, images, targets):
        classes.append(targets.clone())
        return gradient(model, images, targets)

    cascading_similarity(tiny_vit, images, targets, maps, remember, repredict=True)
    assert any(not torch.equal(each, targets) for each in classes)


def test_maps_of_another_size_are_an_error(tiny_vit, images, targets):
    with pytest.raises(ShapeError, match="explain returned maps"):
        cascading_similarity(tiny_vit, images, targets, torch.rand(2, 2, 4, 4), gradient)


def test_repeats_of_the_runtime(tiny_vit, images, targets):
    calls = []

    def explain(_model, images, targets):
        calls.append(len(images))
        return torch.zeros(*targets.shape, 4, 4)

    options = {"runtime": {"warmup": 2, "repeats": 5}}
    maps = torch.rand(2, 2, 4, 4)
    rows = score_maps(tiny_vit, images, maps, targets, explain=explain, options=options, metrics="runtime")
    assert calls == [1] * (2 + 2 * 3)
    assert all(0 < row["score"] < 1 for row in rows)


def test_a_second_vit_is_untouched():
    first, second = make_tiny_vit(), make_tiny_vit()
    with restored(first.module):
        list(randomize(first.module))
        assert first.fingerprint != second.fingerprint
    assert first.fingerprint == second.fingerprint
