"""ResNet-50 as first published and as in Keras, for weights converted from Keras; none are bundled.

Differs from timm's resnet50: the stride of a stage is in its first 1x1 convolution, batch norm divides by
sqrt(variance + 1e-3), and pixels are only centered, not scaled (mean in [0, 255], std 1).
"""

from pathlib import Path
from typing import Any

from seewhy.errors import InputError
from seewhy.models.module import ModuleClassifier
from seewhy.models.preprocess import Preprocess
from seewhy.registry import register_model

MEAN = (123.68 / 255, 116.779 / 255, 103.939 / 255)
STD = (1 / 255, 1 / 255, 1 / 255)


@register_model("resnet50-keras")
def resnet50_keras(weights: str | Path | None = None) -> ModuleClassifier:
    """ResNet-50 (v1) for weights converted from Keras; ImageNet (1,000 classes)."""
    from torch import nn

    from seewhy.models.timm import build_timm, timm_class_names
    from seewhy.models.weights import load_weights

    if weights is None:
        raise InputError('seewhy/resnet50-keras has no bundled weights: pass weights="FILE", a safetensors file.')
    module: Any = build_timm("resnet50")
    for stage in (module.layer2, module.layer3, module.layer4):
        stage[0].conv1.stride, stage[0].conv2.stride = (2, 2), (1, 1)
    for layer in module.modules():
        if isinstance(layer, nn.BatchNorm2d):
            layer.eps = 1e-3
    load_weights(module, weights)
    names, preprocess = timm_class_names(module), Preprocess(size=(224, 224), mean=MEAN, std=STD)
    return ModuleClassifier(module.eval(), preprocess, name="seewhy/resnet50-keras", class_names=names)
