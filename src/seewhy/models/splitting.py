"""Any network, cut at a feature layer by a hook on that layer: the network itself is not modified.

To run the rest of the network for other features, a forward pass replaces the output of the layer by them. The input of
that pass does not matter, so a gray placeholder serves; where the rest also depends on tensors that bypass the layer (a
residual connection, the class token), the input is the images themselves. Which of them reproduces the logits of the
first pass is tested once.
"""

import itertools
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, get_args

import torch
from jaxtyping import Int
from torch import Tensor, nn

from seewhy.errors import ModelError
from seewhy.models.layers import FeatureLayer
from seewhy.models.layouts import main_tensor, with_main_tensor
from seewhy.types import FeatureMaps, Images, Logits

if TYPE_CHECKING:
    from seewhy.models.classifier import Classifier

# One gray image for all rows, one per row (small, or of full size), or the images again.
Placeholders = Literal["one", "tiny", "full", "images"]
TINY = 32  # pixels of a side
OwnerIndex = Int[Tensor, " rows"]


class Split(NamedTuple):
    """A network cut at a feature layer, for CAM-type methods."""

    features: FeatureMaps  # a leaf that takes gradients
    logits: Logits  # computed from `features`
    head: Callable[[FeatureMaps], Logits]  # the rest of the network, for a multiple of the batch
    share: float  # fraction of the network after the cut, for the meter


def split_at(model: "Classifier", images: Images, layer: FeatureLayer) -> Split:
    """Cut the network at a layer, in one forward pass whose graph starts at the features."""
    layout, module = layer.layout, model.module.get_submodule(layer.name)
    caught: list[tuple[FeatureMaps, Tensor] | None] = []  # features and prefix tokens of every call

    def start_graph_here(output: Tensor) -> Tensor:
        caught.append(None)
        if not layout.fits(output):
            return output
        features = layout.to_maps(output.detach()).clone().requires_grad_()
        prefix = layout.prefix_of(output.detach()).clone()
        caught[-1] = features, prefix
        return layout.to_output(features, prefix)

    with torch.enable_grad(), replaced_output(module, start_graph_here):
        logits = model._logits(images)
    call, (features, prefix) = [(number, each) for number, each in enumerate(caught) if each is not None][-1]

    def rest(maps: FeatureMaps, owners: OwnerIndex, kind: Placeholders) -> Logits:
        calls = itertools.count()  # a module may be used several times

        def replace(output: Tensor) -> Tensor:
            return layout.to_output(maps, prefix[owners]) if next(calls) == call else output

        placeholders = placeholder_inputs(model, images, owners, kind)
        with replaced_output(module, replace):
            result = model.as_logits(model.forward(placeholders))
        before = placeholders.numel() / images[0].numel() * (1 - layer.share)
        model.count(forwards=before + len(maps) * layer.share)
        return result

    def head(maps: FeatureMaps) -> Logits:
        kind = _placeholders(model, layer, lambda kind: rest(features.detach()[pair], pair, kind), logits[pair])
        owners = torch.arange(len(images), device=maps.device).repeat_interleave(len(maps) // len(images))
        size = len(maps) if kind == "one" else model.chunk
        parts = zip(maps.split(size), owners.split(size), strict=True)
        return torch.cat([rest(part, rows, kind) for part, rows in parts])

    pair = torch.zeros(2, dtype=torch.int64, device=images.device)  # two copies of the first image
    return Split(features, logits, head, share=layer.share)


def _placeholders(
    model: "Classifier", layer: FeatureLayer, rest: Callable[[Placeholders], Logits], expected: Logits
) -> Placeholders:
    """The cheapest kind of placeholders with which the rest of the network reproduces the logits."""
    known: dict[str, Placeholders] = model.cache.setdefault("placeholders", {})
    if layer.name not in known:
        with torch.no_grad(), model.unmetered():
            kinds = (kind for kind in get_args(Placeholders) if _reproduces(rest, kind, expected.detach(), model.dtype))
            known[layer.name] = next(kinds, "images")
    return known[layer.name]


def _reproduces(
    rest: Callable[[Placeholders], Logits], kind: Placeholders, expected: Logits, dtype: torch.dtype
) -> bool:
    try:
        logits = rest(kind)
    except (RuntimeError, ModelError, AssertionError, ValueError, IndexError):  # a network of one size, for example
        return False
    allowed = max(1e-3, 10 * torch.finfo(dtype).eps) * expected.abs().max()
    return logits.shape == expected.shape and bool((logits - expected).abs().max() <= allowed)


def placeholder_inputs(model: "Classifier", images: Images, owners: OwnerIndex, kind: Placeholders) -> Tensor:
    """The input of a pass whose layer output is replaced; `owners` holds the index of the image of each row."""
    if kind == "images":
        return model.normalize(images[owners])
    side = (TINY, TINY) if kind == "tiny" else images.shape[-2:]
    gray = images.new_zeros(1, images.shape[1], *side, dtype=model.dtype)  # the mean color
    return gray.expand(1 if kind == "one" else len(owners), -1, -1, -1)


@contextmanager
def replaced_output(layer: nn.Module, replace: Callable[[Tensor], Tensor]) -> Iterator[None]:
    """Inside the context, `layer` outputs `replace(output)`; the hook is removed after an exception as well."""

    def hook(_layer: nn.Module, _inputs: Any, output: Any) -> Any:
        return with_main_tensor(output, replace(main_tensor(output)))

    handle = layer.register_forward_hook(hook)
    try:
        yield
    finally:
        handle.remove()
