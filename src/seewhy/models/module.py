"""Any `nn.Module` that gives logits: CNNs of every library, and one's own network.

The target layer of CAM-type methods is detected by one pass over a black image: the last feature map
(`batch channels rows cols`, more than one position) that is not the output of a pooling layer.
"""

import itertools
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Literal

import torch
from jaxtyping import Float
from torch import Tensor, nn

from seewhy.errors import ModelError, UnsupportedModel
from seewhy.models.classifier import Classifier, Split
from seewhy.models.preprocess import Preprocess
from seewhy.types import FeatureMaps, Images, Logits

Placeholders = Literal["one", "tiny", "full"]  # one black image; or as many as there are rows, small or of full size
TINY = 32  # pixels of a side


class ModuleClassifier(Classifier):
    """`not_vit` says why a transformer could not be taken apart, for the error message of methods that need it."""

    def __init__(
        self,
        module: nn.Module,
        preprocess: Preprocess,
        *,
        name: str,
        class_names: Sequence[str] | None = None,
        not_vit: str = "",
    ) -> None:
        super().__init__(module, preprocess, name=name, class_names=class_names)
        self.not_vit = not_vit
        self._target: tuple[str, bool] | None = None
        self._placeholders: Placeholders | None = None  # input of the network in `head`, found at its first call

    def forward(self, normalized: Tensor) -> Any:
        return self.module(normalized)

    @property
    def target_layer(self) -> str:
        """Name of the submodule whose output is the last feature map."""
        return self._find_target()[0]

    def split(self, images: Images) -> Split:
        """One forward pass; the graph starts at the features. `head` repeats the pass for one placeholder image.

        Networks that shape later tensors by the number of input images get as many placeholders, tiny ones if the
        network takes them.
        """
        name, channels_last = self._find_target()
        layer = self.module.get_submodule(name)
        caught: list[FeatureMaps] = []

        def start_graph_here(output: Tensor) -> Tensor:
            features = _channels_first(output.detach(), channels_last).clone()
            caught.append(features.requires_grad_())
            return _as_output(features, channels_last)

        with torch.enable_grad(), replaced_output(layer, start_graph_here):
            logits = self._logits(images)

        def rest(features: FeatureMaps, placeholders: Tensor) -> Logits:
            calls = itertools.count(1)  # a module may be used several times: replace the output of its last call

            def replace(output: Tensor) -> Tensor:
                return _as_output(features, channels_last) if next(calls) == len(caught) else output

            with replaced_output(layer, replace):
                self.count(forwards=placeholders.numel() / images[0].numel())
                return self.as_logits(self.forward(self.normalize(placeholders)))

        def head(features: FeatureMaps) -> Logits:
            if self._placeholders is None:
                two = torch.stack([features[0], features[0].flip(-1)])
                self._placeholders = cheapest_placeholders(lambda kind: rest(two, placeholder_images(images, kind, 2)))
            if self._placeholders == "one":
                return rest(features, placeholder_images(images, "one", 1))
            parts = features.split(self.chunk)
            return torch.cat([rest(part, placeholder_images(images, self._placeholders, len(part))) for part in parts])

        return Split(caught[-1], logits, head)

    @contextmanager
    def last_features(self) -> Iterator[list[FeatureMaps]]:
        """Inside the context, the list holds the last feature map of the latest pass."""
        name, channels_last = self._find_target()
        caught: list[FeatureMaps] = []

        def keep(output: Tensor) -> Tensor:
            caught[:] = [_channels_first(output, channels_last)]
            return output

        with replaced_output(self.module.get_submodule(name), keep):
            yield caught

    def _find_target(self) -> tuple[str, bool]:
        if self._target is None:
            with torch.no_grad(), self.frozen_eval():
                black = torch.zeros(1, 3, *self.image_size, device=self.device)
                self._target = find_target(self.module, lambda: self.forward(self.normalize(black)), self.name)
        return self._target


def placeholder_images(like: Images, kind: Placeholders, rows: int) -> Float[Tensor, "placeholders 3 _ _"]:
    """Black images for the part of a network whose output is replaced."""
    side = (TINY, TINY) if kind == "tiny" else like.shape[-2:]
    return like.new_zeros(1, 3, *side).expand(1 if kind == "one" else rows, -1, -1, -1)


def cheapest_placeholders(run: Callable[[Placeholders], Logits]) -> Placeholders:
    """One image for all rows if `run` then still gives its two rows; else tiny ones if they change nothing."""
    if _logits_of(run, "one") is not None:
        return "one"
    tiny, full = _logits_of(run, "tiny"), _logits_of(run, "full")
    same = tiny is not None and full is not None and torch.allclose(tiny, full, rtol=1e-4, atol=1e-5)
    return "tiny" if same else "full"


def _logits_of(run: Callable[[Placeholders], Logits], kind: Placeholders) -> Logits | None:
    try:
        with torch.no_grad():
            logits = run(kind)
    except (RuntimeError, ModelError):
        return None
    return logits if len(logits) == 2 else None


@contextmanager
def replaced_output(layer: nn.Module, replace: Callable[[Tensor], Tensor]) -> Iterator[None]:
    """Inside the context, `layer` gives `replace(output)`; the hook is removed also after an exception."""
    handle = layer.register_forward_hook(lambda _layer, _inputs, output: replace(output))
    try:
        yield
    finally:
        handle.remove()


def find_target(module: nn.Module, run: Callable[[], Any], name: str) -> tuple[str, bool]:
    """Name of the layer with the last feature map, and whether its channels come last (`batch rows cols channels`)."""
    seen: list[tuple[str, nn.Module, Tensor]] = []

    def watch(path: str) -> Callable[..., None]:
        return lambda layer, _inputs, output: seen.append((path, layer, output))

    handles = [layer.register_forward_hook(watch(path)) for path, layer in module.named_modules() if path]
    try:
        run()
    finally:
        for handle in handles:
            handle.remove()
    pooled = [output for _, layer, output in seen if "Pool" in type(layer).__name__]
    for path, layer, output in reversed(seen):
        inside_attention = "attn" in path or "attention" in path
        if is_feature_map(output) and not inside_attention and not any(output is other for other in pooled):
            return path, is_channels_last(layer, output)
    raise UnsupportedModel(
        f"{name} has no layer whose output is a feature map (batch, channels, rows, cols), which CAM methods need. "
        "Use 'gradient' or 'input_x_gradient'."
    )


def is_feature_map(output: Any) -> bool:
    """Whether an output has channels, rows and columns, and more than one position."""
    if not isinstance(output, Tensor) or output.ndim != 4:
        return False
    sizes = sorted(output.shape[1:])
    return sizes[1] > 1


def is_channels_last(layer: nn.Module, output: Tensor) -> bool:
    """Layer norm over the last dimension, or a last dimension larger than the other two, as in Swin."""
    if isinstance(layer, nn.LayerNorm):
        return not type(layer).__name__.endswith("2d")
    _, first, second, third = output.shape
    return third > max(first, second)


def _channels_first(output: Tensor, channels_last: bool) -> Tensor:
    return output.permute(0, 3, 1, 2) if channels_last else output


def _as_output(features: FeatureMaps, channels_last: bool) -> Tensor:
    """A copy in the network's own layout, because later layers may write into it."""
    return (features.permute(0, 2, 3, 1) if channels_last else features).clone()
