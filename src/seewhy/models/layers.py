"""Feature layers: submodules with a spatial output, the feature maps of CAM methods.

The last one is found in two steps. A pass over one image records the shape of every output, and the share of operations
after it. Then, from the end, outputs that could be feature maps (`batch channels rows cols`, `batch rows cols
channels`, or tokens, possibly after class and register tokens) have to pass two tests on noise:

    local   each quadrant of the map reacts more to its own quadrant of the image than to the other three
    used    the score of a class has a gradient at its positions (not so for patch tokens after the last attention of
            a network that reads a class token)

Outputs inside attention modules and of pooling layers are not considered. If spatial outputs are unreadable over more
than a quarter of the network, `UnsupportedModel` is raised: the model is not explained by an early layer.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import torch
from torch import Tensor, nn
from torch.utils.flop_counter import FlopCounterMode

from seewhy.errors import OptionError, UnknownName, UnsupportedModel
from seewhy.models.layouts import Layout, find_layout, layouts_of, main_tensor, watching, with_main_tensor
from seewhy.types import Images, Logits

ATTENTION = re.compile(r"att(n|ention|_|\b)|mhsa|\bmsa\b|\bqkv\b", re.IGNORECASE)
TESTED_PER_PASS = 16  # outputs tested in one pass
UNREAD = 0.25  # largest fraction of the network whose outputs may be unreadable


@dataclass(frozen=True)
class FeatureLayer:
    """A submodule whose output holds feature maps."""

    name: str
    layout: Layout
    share: float  # fraction of the network's operations that come after it


class ObservedOutput(NamedTuple):
    """An output of a submodule in one pass."""

    name: str
    shape: tuple[int, ...]
    layouts: tuple[Layout, ...]  # ways to read it
    after: float  # fraction of the network's operations that come after it


class LayerTest(NamedTuple):
    layout: Layout | None = None  # None: no way to read it is local
    used: bool = False
    dead: bool = False  # the score does not depend on it at all


class Probe(NamedTuple):
    """A network, and the images that its outputs are tested with."""

    module: nn.Module
    name: str
    logits: Callable[[Images], Logits]
    images: Images  # see `quadrant_images`

    @property
    def size(self) -> tuple[int, int]:
        return self.images.shape[-2], self.images.shape[-1]


def find_last(probe: Probe) -> tuple[FeatureLayer, bool]:
    """The last layer that is local and used, and whether that is certain (a network may not use its features yet)."""
    seen = observe(probe)
    unread = _without_layout(seen)
    readable = [each for each in seen if each.layouts]
    while readable:
        window, readable = readable[-TESTED_PER_PASS:], readable[:-TESTED_PER_PASS]
        tests = run_tests(probe, window)
        certain = not all(test.dead for test in tests)
        for each, test in reversed(list(zip(window, tests, strict=True))):
            if test.layout is None:
                unread.append(each)
            elif test.used or not certain:
                _check_position(probe, each, unread)
                return FeatureLayer(each.name, test.layout, each.after), certain
    raise _refusal(probe.name, "has no layer with a spatial output")


def find_named(probe: Probe, name: str) -> FeatureLayer:
    """The layer of this name; raises if its outputs are no feature maps, or if the network does not use them."""
    seen = {each.name: each for each in observe(probe, everything=True)}
    if name not in seen:
        raise UnknownName("layer that runs", name, [each.name for each in seen.values() if each.layouts])
    found = seen[name]
    test = run_tests(probe, [found])[0] if found.layouts else LayerTest()
    if not found.layouts:
        raise UnsupportedModel(f"the output of {name} has shape {found.shape}: these are not feature maps")
    if not test.used and test.layout and not test.dead:
        raise UnsupportedModel(
            f"the class scores of {probe.name} do not depend on the positions of {name}: choose an earlier layer, or "
            "omit layer= for the last one that they depend on"
        )
    return FeatureLayer(name, test.layout or found.layouts[0], found.after)


def block_names(probe: Probe) -> list[str]:
    """The blocks with readable outputs, in the order in which they run: those that an index of `layer` refers to.

    A block is an innermost module of a sequence or list; where there are none, the convolutions.
    """
    ran = [each.name for each in observe(probe) if each.layouts]
    modules = dict(probe.module.named_modules())
    lists = (nn.Sequential, nn.ModuleList, nn.ModuleDict)
    blocks = [name for name in ran if isinstance(modules[name.rpartition(".")[0]], lists)]
    blocks = [name for name in blocks if not type(modules[name]).__module__.startswith("torch.nn")]
    outer = {name for name in blocks if any(other.startswith(f"{name}.") for other in blocks)}
    found = [name for name in blocks if name not in outer]
    return list(dict.fromkeys(found or [name for name in ran if isinstance(modules[name], nn.Conv2d)]))


def layer_name(module: nn.Module, layer: nn.Module) -> str:
    """The name of a submodule."""
    name = next((name for name, each in module.named_modules() if each is layer and name), None)
    if name is None:
        raise OptionError(f"layer= is a {type(layer).__name__} that is not part of the network")
    return name


def observe(probe: Probe, *, everything: bool = False) -> list[ObservedOutput]:
    """The outputs of a pass over one image, in order; those of pooling and attention only with `everything`."""
    seen: dict[str, tuple[tuple[int, ...], int]] = {}
    pooled: list[Tensor] = []
    inner = set() if everything else _inside_attention(probe.module)

    def watch(name: str, layer: nn.Module, output: Any) -> None:
        output = main_tensor(output)
        if not isinstance(output, Tensor) or output.shape[:1] != (1,):
            return
        if "Pool" in type(layer).__name__ and not everything:
            pooled.append(output)
        if name not in inner and not any(output is other for other in pooled):
            seen.pop(name, None)  # of a module that is used several times, the last use counts
            seen[name] = tuple(output.shape), operations.get_total_flops()

    with torch.no_grad(), FlopCounterMode(display=False) as operations, watching(probe.module, watch):
        probe.logits(probe.images[:1])
    total = max(operations.get_total_flops(), 1)
    return [
        ObservedOutput(name, shape, layouts_of(shape, probe.size), 1 - done / total)
        for name, (shape, done) in seen.items()
    ]


def _inside_attention(module: nn.Module) -> set[str]:
    """Names of attention modules and their submodules; a module with most of the parameters is not an attention."""
    most = sum(parameter.numel() for parameter in module.parameters()) / 2
    inner: set[str] = set()
    for name, layer in module.named_modules():
        parent, _, last = name.rpartition(".")
        small = sum(parameter.numel() for parameter in layer.parameters()) < most
        if parent in inner or (ATTENTION.search(last) and small):
            inner.add(name)
    return inner


def run_tests(probe: Probe, layers: list[ObservedOutput]) -> list[LayerTest]:
    """Which of these outputs are local and used, in one pass."""
    layouts = {each.name: each.layouts for each in layers}
    outputs: dict[str, tuple[Tensor, Layout | None]] = {}

    def watch(name: str, _layer: nn.Module, output: Any) -> Any:
        tensor = main_tensor(output)
        fitting = [layout for layout in layouts.get(name, ()) if layout.fits(tensor)]
        if not fitting or len(tensor) != len(probe.images):
            return None
        layout = find_layout(fitting, tensor.detach())
        if not tensor.requires_grad:
            tensor = tensor.detach().requires_grad_().clone()
        outputs[name] = tensor, layout
        return with_main_tensor(output, tensor)

    with torch.enable_grad(), watching(probe.module, watch):
        logits = probe.logits(probe.images)
        score = logits[:, logits[0].argmax()].sum()
    tensors = [tensor for tensor, _ in outputs.values()]
    gradients = torch.autograd.grad(score, tensors, allow_unused=True, materialize_grads=True)
    found = {
        name: LayerTest(layout, _used(layout, gradient), not gradient.any())
        for (name, (_, layout)), gradient in zip(outputs.items(), gradients, strict=True)
    }
    return [found.get(each.name, LayerTest()) for each in layers]


def _used(layout: Layout | None, gradient: Tensor) -> bool:
    """Whether some image has a nonzero gradient at a position; for tokens at several, as a head may read one token."""
    if layout is None:
        return False
    positions = (layout.to_maps(gradient) != 0).any(dim=1).flatten(1).sum(dim=1).max()
    return bool(positions > (1 if layout.order == "tokens" else 0))


def _without_layout(seen: list[ObservedOutput]) -> list[ObservedOutput]:
    """Spatial outputs (two dimensions besides the batch) without a known layout."""
    return [each for each in seen if not each.layouts and sum(length > 1 for length in each.shape[1:]) > 1]


def _check_position(probe: Probe, found: ObservedOutput, unread: list[ObservedOutput]) -> None:
    """Raise if unreadable spatial outputs continue for too large a part of the network after the layer."""
    last = min((each.after for each in unread), default=1.0)
    if found.after - last > UNREAD:
        raise _refusal(
            probe.name,
            f"has spatial outputs of an unknown layout: {found.name}, {1 - found.after:.0%} into the network, is the "
            "last layer that can be read",
        )


def _refusal(name: str, reason: str) -> UnsupportedModel:
    return UnsupportedModel(
        f"{name} {reason}. CAM methods need feature maps (batch, channels, rows, cols) or tokens (batch, tokens, "
        "channels) on a grid. Use 'gradient' or 'input_x_gradient', or choose a layer with layer=NAME."
    )
