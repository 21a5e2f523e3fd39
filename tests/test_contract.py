"""The contract of every method, run for the whole registry: a new method is tested without changing this file."""

import atexit
import functools
import inspect
import shutil
import tempfile
import typing

import pytest
import torch

from conftest import make_tiny_cnn, make_tiny_vit
from seewhy.errors import UnsupportedModel
from seewhy.explainers.network import AHAExplainer
from seewhy.models.vit import ViT
from seewhy.registry import METHODS, resolve_method
from seewhy.runtime.options import fits

BASE = "grad_cam"  # the base of wrappers
NAMES = [f"{method.name}:{BASE}" if method.wraps else method.name for method in METHODS.all()]
CASES = [
    (name, kind)
    for name in NAMES
    for kind in ("vit", "cnn")
    if kind == "vit" or resolve_method(name).methods[0].needs is not ViT
]
pytestmark = pytest.mark.parametrize(("name", "kind"), CASES)

QUICK = {  # sampling methods with fewer samples; options that a method lacks are ignored
    "samples": 4, "steps": 4, "masks": 16, "blur": 7, "grid": 4,
    "relu": False,
}  # fmt: skip

GUARDS = {"allow_mismatch", "keep_better"}  # act only where an error, or a worse map than the base, would be returned


def model_of(kind):
    return make_tiny_vit() if kind == "vit" else make_tiny_cnn()


@functools.cache
def explainer_for(kind):
    """An untrained explainer, for methods that need one."""
    folder = tempfile.mkdtemp(prefix="seewhy-explainer-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    explainer = AHAExplainer(model_of(kind))
    torch.nn.init.normal_(explainer.decoder.head.last.weight, generator=torch.Generator().manual_seed(0))
    return str(explainer.save(folder))


def run(name, model, images, targets, **options):
    pipeline = resolve_method(name)
    quick = {key: value for key, value in QUICK.items() if key in pipeline.options}
    if "explainer" in pipeline.options:
        quick["explainer"] = explainer_for("vit" if isinstance(model, ViT) else "cnn")
    try:
        return pipeline(model, images, targets, **(quick | options)).maps
    except UnsupportedModel as error:
        pytest.skip(str(error))


def state_of(model):
    hooks = sum(
        len(module._forward_hooks) + len(module._forward_pre_hooks) + len(module._backward_hooks)
        for module in model.module.modules()
    )
    modes = [module.training for module in model.module.modules()]
    wants = [(parameter.requires_grad, parameter.grad is None) for parameter in model.module.parameters()]
    weights = {key: value.clone() for key, value in model.module.state_dict().items()}
    forwards = [type(module).forward for module in model.module.modules()]
    patched = [key for module in model.module.modules() for key in vars(module) if key == "forward"]
    return hooks, modes, wants, forwards, patched, weights


def assert_same_state(before, after):
    assert before[:-1] == after[:-1]
    torch.testing.assert_close(before[-1], after[-1], rtol=0, atol=0)


def test_shape_dtype_and_values(name, kind, images, targets):
    maps = run(name, model_of(kind), images, targets)
    assert maps.shape[:2] == targets.shape
    assert maps.ndim == 4
    assert maps.dtype == torch.float32
    assert maps.isfinite().all()
    assert not maps.requires_grad


def test_same_call_same_map(name, kind, images, targets):
    model = model_of(kind)
    torch.testing.assert_close(run(name, model, images, targets), run(name, model, images, targets), rtol=0, atol=0)


def test_a_batch_equals_its_single_images(name, kind, images, targets):
    model = model_of(kind)
    together = run(name, model, images, targets)
    alone = torch.cat([run(name, model, images[i : i + 1], targets[i : i + 1]) for i in range(len(images))])
    scale = float(together.abs().max())
    torch.testing.assert_close(together, alone, rtol=1e-3, atol=1e-4 * scale)


def test_another_target_another_map(name, kind, images, targets):
    raw = {"relu": False} if "relu" in resolve_method(name).options else {}  # a map may be negative everywhere
    maps = run(name, model_of(kind), images, targets, **raw)
    differ = not torch.equal(maps[:, 0], maps[:, 1])
    assert differ != resolve_method(name).methods[-1].class_agnostic


def test_classes_together_equal_classes_alone(name, kind, images, targets):
    if name.startswith("var:"):
        pytest.skip("contrasting classes is what this wrapper is for")
    model = model_of(kind)
    together = run(name, model, images, targets)
    alone = torch.cat([run(name, model, images, targets[:, k : k + 1]) for k in range(2)], dim=1)
    scale = float(together.abs().max())
    torch.testing.assert_close(together, alone, rtol=1e-3, atol=1e-4 * scale)


def test_leaves_model_and_inputs_as_they_were(name, kind, images, targets):
    model = model_of(kind)
    model.module.train()
    next(model.module.children()).eval()
    before, kept = state_of(model), (images.clone(), targets.clone())
    random = torch.get_rng_state()
    explainer_for(kind)  # built outside of inference mode
    with torch.inference_mode():
        run(name, model, images, targets)
    assert_same_state(before, state_of(model))
    assert torch.equal(kept[0], images)
    assert torch.equal(kept[1], targets)
    assert torch.equal(random, torch.get_rng_state()), "randomness comes from a seed, never the global generator"


def test_leaves_nothing_behind_after_an_exception(name, kind, images, targets):
    model = model_of(kind)
    last = list(model.module.modules())[-1]
    before = state_of(model)

    def fail(*_):
        raise RuntimeError("the model failed")

    handle = last.register_forward_hook(fail)
    try:
        run(name, model, images, targets)
    except RuntimeError:
        pass  # methods that do not run the last layer do not fail
    finally:
        handle.remove()
    assert_same_state(before, state_of(model))


def test_every_option_is_keyword_only_documented_by_type(name, kind):  # noqa: ARG001
    for option in resolve_method(name).options.values():
        assert option.default is not inspect.Parameter.empty, f"{name}: {option.name} needs a default"
        assert option.annotation is not inspect.Parameter.empty, f"{name}: {option.name} needs a type"
        assert fits(option.default, option.annotation), f"{name}: {option.name} has an invalid default"


def test_literal_options_are_accepted_and_matter(name, kind, images, targets):
    """On at least one of the tiny networks: `relu` has no effect on a map without negative values."""
    kinds = [other for case, other in CASES if case == name]
    for option in resolve_method(name).options.values():
        literal = typing.get_origin(option.annotation) is typing.Literal
        if kind != kinds[0] or not (literal or option.annotation is bool) or option.name in GUARDS:
            continue
        values = typing.get_args(option.annotation) if literal else (True, False)
        changes = [differs([outcome(name, other, images, targets, option.name, v) for v in values]) for other in kinds]
        assert any(changes), f"{name}: {option.name} changes nothing"


def outcome(name, kind, images, targets, option, value):
    try:
        return run(name, model_of(kind), images, targets, **{option: value})
    except pytest.skip.Exception:
        return None  # this network is refused for this value


def differs(results):
    first, *others = results
    if first is None:
        return any(other is not None for other in others)
    return any(other is None or other.shape != first.shape or not torch.equal(other, first) for other in others)
