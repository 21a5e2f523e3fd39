"""Any `nn.Module` that outputs logits: CNNs of every library, other transformers, custom networks."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from torch import Tensor, nn

from seewhy.models.classifier import Classifier
from seewhy.models.preprocess import Preprocess
from seewhy.models.splitting import Split, replaced_output, split_at
from seewhy.types import FeatureMaps, Images


class ModuleClassifier(Classifier):
    """`not_vit` is the reason why the network is not a `ViT`, for the errors of methods that need one."""

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

    def forward(self, normalized: Tensor) -> Any:
        return self.module(normalized)

    def split(self, images: Images) -> Split:
        return split_at(self, images, self.feature_layer)

    @contextmanager
    def last_features(self) -> Iterator[list[FeatureMaps]]:
        """Inside the context, the list holds the last feature map of the latest pass."""
        layer = self.feature_layer
        caught: list[FeatureMaps] = []

        def keep(output: Tensor) -> Tensor:
            caught[:] = [layer.layout.to_maps(output)]
            return output

        with replaced_output(self.module.get_submodule(layer.name), keep):
            yield caught


def is_feature_map(output: Any) -> bool:
    """Whether an output has channels, rows and columns, with more than one position."""
    if not isinstance(output, Tensor) or output.ndim != 4:
        return False
    sizes = sorted(output.shape[1:])
    return sizes[1] > 1


def is_channels_last(layer: nn.Module, output: Tensor) -> bool:
    """Whether the layer is a layer norm over the last dimension, or the last dimension is the largest, as in Swin."""
    if isinstance(layer, nn.LayerNorm):
        return not type(layer).__name__.endswith("2d")
    _, first, second, third = output.shape
    return third > max(first, second)
