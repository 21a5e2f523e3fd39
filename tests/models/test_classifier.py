"""What every model keeps: numbers in chunks, counts, hashes, and itself unchanged."""

from functools import partial
from types import SimpleNamespace

import numpy as np
import pytest
import torch
from torch import nn

import seewhy
from conftest import TINY, TinyCNN, make_tiny_cnn
from seewhy.errors import ModelError, ShapeError, UnsupportedModel
from seewhy.models.module import ModuleClassifier
from seewhy.models.outputs import unwrap


class SmallMemory(nn.Module):
    """Fails on batches larger than `most`, as a full device would."""

    def __init__(self, most: int, error: Exception) -> None:
        super().__init__()
        self.net, self.most, self.error, self.batches = TinyCNN(), most, error, []

    def forward(self, x):
        if len(x) > self.most:
            raise self.error
        self.batches.append(len(x))
        return self.net(x)


@pytest.mark.parametrize(
    "error", [torch.OutOfMemoryError("full"), RuntimeError("DefaultCPUAllocator: not enough memory"), MemoryError()]
)
def test_out_of_memory_halves_the_chunk_and_keeps_the_numbers(error):
    module = SmallMemory(3, error).eval()
    model = ModuleClassifier(module, TINY, name="small")
    images = torch.rand(10, 3, 32, 32)
    with torch.no_grad():
        expected = module.net(model.normalize(images))
        torch.testing.assert_close(model.logits(images), expected)
    assert module.batches == [2] * 5
    assert model.chunk == 2


def test_the_chunk_grows_until_memory_runs_out_and_never_tries_that_again():
    module = SmallMemory(20, torch.OutOfMemoryError("full")).eval()
    model = ModuleClassifier(module, TINY, name="small")
    model.chunk, model.chunk_limit = 4, 1024
    images = torch.rand(70, 3, 32, 32)
    with torch.no_grad():
        expected = module.net(model.normalize(images))
        for _ in range(5):
            torch.testing.assert_close(model.logits(images), expected)
    sizes = [4] * 17 + [2] + [8] * 8 + [6] + [16] * 4 + [6]  # then 32 fails once
    assert module.batches == sizes + ([16] * 4 + [6]) * 2
    assert (model.chunk, model.chunk_limit) == (16, 16)


def test_the_chunk_does_not_grow_on_a_cpu_by_default(tiny_cnn):
    tiny_cnn.probabilities(torch.rand(1030, 3, 32, 32))
    assert tiny_cnn.chunk == 392  # as many pixels as 8 images of 224 have


def test_other_errors_are_not_swallowed():
    model = ModuleClassifier(SmallMemory(3, RuntimeError("wrong device")), TINY, name="small")
    with pytest.raises(RuntimeError, match="wrong device"):
        model.probabilities(torch.rand(10, 3, 32, 32))


def test_memory_for_not_even_one_image_is_said():
    model = ModuleClassifier(SmallMemory(0, torch.OutOfMemoryError("full")), TINY, name="small")
    with pytest.raises(torch.OutOfMemoryError):
        model.probabilities(torch.rand(2, 3, 32, 32))


def test_meter_counts_images_forward_and_backward(tiny_cnn, images, targets):
    with tiny_cnn.meter() as outer:
        tiny_cnn.probabilities(images)
        with tiny_cnn.meter() as inner:
            scores = tiny_cnn.scores(tiny_cnn.logits(leaf := images.clone().requires_grad_()), targets)
            tiny_cnn.gradients(scores, [leaf])
    assert (inner.forwards, inner.backwards) == (2, 4)
    assert (outer.forwards, outer.backwards) == (4, 4)
    assert outer.seconds >= inner.seconds > 0
    tiny_cnn.probabilities(images)
    assert outer.forwards == 4, "a meter that was left no longer counts"


def test_meter_counts_partial_passes_by_their_share(tiny_vit, images):
    with tiny_vit.meter() as cost, torch.no_grad():
        tokens = tiny_vit.embed(images)
        tiny_vit.run(tokens, stop=2)
    assert cost.forwards == pytest.approx(2 * 2 / 4)
    with tiny_vit.meter() as cost, torch.no_grad():
        tiny_vit.run(tokens[:, :9])
    assert cost.forwards == pytest.approx(2 * 9 / 17)


def test_fingerprint_follows_the_weights(images):
    first, second = make_tiny_cnn(), make_tiny_cnn()
    assert first.fingerprint == second.fingerprint
    first.probabilities(images)
    assert first.fingerprint == second.fingerprint
    with torch.no_grad():
        first.module.head.bias += 1e-3
    assert first.fingerprint != second.fingerprint
    other = ModuleClassifier(second.module, TINY, name="tiny-cnn")  # other class names
    assert other.fingerprint != second.fingerprint


def test_fingerprint_follows_the_transform():
    def transform(image, box=None):
        values = np.asarray(image.resize((32, 32), box=box), dtype=np.float32) / 255
        return torch.from_numpy(values).permute(2, 0, 1)

    def wrapped(**options):
        return seewhy.wrap_model(make_tiny_cnn().module, transform=partial(transform, **options)).fingerprint

    assert wrapped() == wrapped() != wrapped(box=(0, 0, 200, 200))


@pytest.mark.parametrize("failing", [False, True])
def test_ready_restores_every_flag(tiny_cnn, failing):
    module = tiny_cnn.module.train()
    module.body[0].eval()
    module.head.weight.requires_grad_(False)
    modes = [part.training for part in module.modules()]
    wants = [parameter.requires_grad for parameter in module.parameters()]

    def use():
        with tiny_cnn.frozen_eval():
            assert not any(part.training for part in module.modules())
            assert not any(parameter.requires_grad for parameter in module.parameters())
            if failing:
                raise RuntimeError("half-way")

    if failing:
        with pytest.raises(RuntimeError, match="half-way"):
            use()
    else:
        use()
    assert modes == [part.training for part in module.modules()]
    assert wants == [parameter.requires_grad for parameter in module.parameters()]


def test_trace_and_split_undo_nothing_because_they_change_nothing(tiny_vit, images):
    before = {name: tensor.clone() for name, tensor in tiny_vit.module.state_dict().items()}
    with torch.no_grad():
        expected = tiny_vit.logits(images)

    def broken(*_):
        raise RuntimeError("half-way")

    handle = tiny_vit.module.blocks[2].mlp.register_forward_hook(broken)
    for use in (tiny_vit.trace, tiny_vit.split):
        with pytest.raises(RuntimeError, match="half-way"):
            use(images)
    handle.remove()
    assert not any(module._forward_hooks for module in tiny_vit.module.modules())
    torch.testing.assert_close(tiny_vit.module.state_dict(), before, rtol=0, atol=0)
    with torch.no_grad():
        torch.testing.assert_close(tiny_vit.logits(images), expected, rtol=0, atol=0)


@pytest.mark.parametrize(
    "output",
    [torch.ones(1, 2), (torch.ones(1, 2), 0), {"logits": torch.ones(1, 2)}, SimpleNamespace(logits=torch.ones(1, 2))],
)
def test_outputs_are_unwrapped(output):
    assert torch.equal(unwrap(output), torch.ones(1, 2))


@pytest.mark.parametrize(
    ("output", "message"), [({"a": 1}, "none of them 'logits'"), (None, "NoneType"), ((), "tuple")]
)
def test_outputs_that_are_no_logits(output, message):
    with pytest.raises(ModelError, match=message):
        unwrap(output)


def test_images_of_another_size(tiny_cnn):
    with pytest.raises(ShapeError, match="32x32 pixels, got 16x16"):
        tiny_cnn.logits(torch.rand(1, 3, 16, 16))


def test_features_as_output_are_refused():
    with pytest.raises(ModelError, match="must return logits of shape"):
        seewhy.wrap_model(nn.Conv2d(3, 4, 3), image_size=32)


def test_a_network_without_places_has_no_cam(images):
    model = seewhy.wrap_model(nn.Sequential(nn.Flatten(), nn.Linear(3 * 32 * 32, 4)), image_size=32)
    assert seewhy.explain(model, images, "gradient").maps.shape == (2, 1, 32, 32)
    with pytest.raises(UnsupportedModel, match="Use 'gradient'"):
        seewhy.explain(model, images, "grad_cam")


def test_scores(tiny_cnn):
    logits = torch.tensor([[1.0, 3.0, 2.0]])
    targets = torch.tensor([[1, 0]])
    assert tiny_cnn.scores(logits, targets).tolist() == [[3, 1]]
    assert tiny_cnn.scores(logits, targets, kind="margin").tolist() == [[1, -2]]
    torch.testing.assert_close(tiny_cnn.scores(logits, targets, kind="prob"), logits.softmax(1)[:, [1, 0]])
    torch.testing.assert_close(tiny_cnn.scores(logits, targets, kind="logprob"), logits.log_softmax(1)[:, [1, 0]])


def test_half_precision_comes_back_as_float32(tiny_cnn, images):
    tiny_cnn.module.bfloat16()
    assert tiny_cnn.probabilities(images).dtype == torch.float32
