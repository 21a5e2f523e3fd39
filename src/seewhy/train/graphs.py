"""What `seewhy export` traces: an explainer alone, or together with its classifier.

The joint graph runs the network once for both: a ViT's tokens and a CNN's feature maps are those of the pass that gives
the logits. An encoder that is another network runs beside it.
"""

from typing import Any

import torch
from torch import Tensor, nn

from seewhy.explainers.features import Features, run_blocks
from seewhy.explainers.network import AHAExplainer
from seewhy.models.vit import ViT
from seewhy.types import Images, Logits, Targets


class MapGraph(nn.Module):
    """Encoder and decoder as one module: images and a class for each to maps."""

    outputs: tuple[str, ...] = ("maps",)

    def __init__(self, explainer: AHAExplainer) -> None:
        super().__init__()
        self.explainer, self.target = explainer.eval(), explainer.model.module

    def forward(self, images: Images, targets: Targets) -> tuple[Tensor, ...]:
        return (self.explainer(images, targets),)


class JointGraph(MapGraph):
    """Classifier and explainer as one module; a negative class stands for the predicted one."""

    outputs = ("logits", "maps")

    def forward(self, images: Images, targets: Targets) -> tuple[Tensor, ...]:
        features, logits = self.read(images)
        targets = torch.where(targets < 0, logits.argmax(dim=1, keepdim=True), targets)
        reading = self.explainer.read(images, targets, features=features)
        return logits, self.explainer(images, targets, reading)

    def read(self, images: Images) -> tuple[Features, Logits]:
        """The encoder's features and the classifier's logits, from one pass if they are the same network."""
        model = self.explainer.model
        if isinstance(model, ViT) and self.explainer.config.encoder == "model":
            tokens = run_blocks(model, images)
            return self.explainer.features(images, tokens), model.as_logits(model.read_out(tokens[-1]))
        outputs: list[Any] = []
        handle = model.module.register_forward_hook(lambda _module, _inputs, output: outputs.append(output))
        try:
            features = self.explainer.features(images)
        finally:
            handle.remove()
        return features, model.as_logits(outputs[0] if outputs else model.forward(model.normalize(images)))
