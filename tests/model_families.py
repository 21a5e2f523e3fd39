"""The kinds of models people explain, each small, random and built without a download; and what each method says.

`docs/generator/tables.py` writes the table of docs/methods.md from here, `test_families.py` checks it.
"""

import functools
import re
import tempfile
from collections.abc import Callable
from dataclasses import replace

import torch
from torch import Tensor

from conftest import TINY, make_tiny_vit, shake
from seewhy.errors import UnsupportedModel
from seewhy.explainers.network import AHAExplainer
from seewhy.models.classifier import Classifier
from seewhy.models.huggingface import HuggingFaceViT, import_transformers
from seewhy.models.loading import wrap
from seewhy.models.module import ModuleClassifier
from seewhy.models.timm import import_timm
from seewhy.registry import METHODS, MODELS, resolve_method
from vit_families import make_dinov2, make_distilled, make_zero_shot

BASE = "grad_cam"  # what wrappers are tried on
NAMES = [f"{method.name}:{BASE}" if method.wraps else method.name for method in METHODS.all()]
QUICK = {  # as few samples as make a map; an option that a method lacks is left out
    "samples": 16, "steps": 3, "masks": 16, "blur": 7, "grid": 4,
    "relu": False, "points": 2, "lattice": 7, "grids": (7,), "fast": True,
}  # fmt: skip
OWN = {
    "score_cam": {"max_channels": 16},
    f"refine:{BASE}": {"steps": 1, "points": 1},
}
SHORT = {
    "FullGrad": "CNN only",  # what a refusal says, in a table
    "needs a ViT": "ViT only",
    "needs ReLU": "needs ReLU",
    "needs a class token": "needs a class token",
    "no rule for 'layer_norm'": "no layer norm",
}


def make_huggingface() -> Classifier:
    transformers = import_transformers()
    sizes = {"image_size": 32, "patch_size": 8, "hidden_size": 16, "num_hidden_layers": 3, "num_attention_heads": 2}
    config = transformers.ViTConfig(**sizes, intermediate_size=24, num_labels=5)
    return HuggingFaceViT(_seeded(lambda: transformers.ViTForImageClassification(config)), TINY, name="tiny-hf-vit")


def make_resnet() -> Classifier:
    import_timm()
    from timm.models.resnet import Bottleneck, ResNet

    return _wrapped(lambda: ResNet(Bottleneck, layers=(1, 2, 2, 1), channels=(8, 8, 16, 16), num_classes=5))


def make_convnext() -> Classifier:
    import_timm()
    from timm.models.convnext import ConvNeXt

    return _wrapped(lambda: ConvNeXt(depths=(1, 1, 2, 1), dims=(8, 12, 16, 16), num_classes=5))


def make_swin() -> Classifier:
    import_timm()
    from timm.models.swin_transformer import SwinTransformer

    sizes = {"img_size": 64, "patch_size": 4, "embed_dim": 8, "depths": (2, 4), "num_heads": (2, 2), "window_size": 4}
    return _wrapped(lambda: SwinTransformer(**sizes, num_classes=5))


def make_efficientnet() -> Classifier:
    """The real one, whose weights are in a package; smaller pictures save time."""
    real = MODELS.get("efficientnet-lite0").build()
    small = replace(real.preprocess, size=(64, 64))
    return ModuleClassifier(real.module, small, name=real.name, class_names=real.class_names)


def _wrapped(build: Callable) -> Classifier:
    return wrap(_seeded(build, scale=0.1), mean=TINY.mean, std=TINY.std, image_size=64, class_names=None, name=None)


def _seeded(build: Callable, *, scale: float = 0.3) -> torch.nn.Module:
    with torch.random.fork_rng():
        torch.manual_seed(0)
        return shake(build(), scale=scale)


FAMILIES = {  # heading of the column: how to build one
    "timm ViT": lambda: make_tiny_vit(embed_dim=32),
    "DeiT distilled": make_distilled,
    "DINOv2 with registers": make_dinov2,
    "CLIP zero-shot": lambda: make_zero_shot("CLIP"),
    "SigLIP zero-shot": lambda: make_zero_shot("Siglip"),
    "Hugging Face ViT": make_huggingface,
    "Swin": make_swin,
    "ResNet": make_resnet,
    "ConvNeXt": make_convnext,
    "EfficientNet-Lite0": make_efficientnet,
}


def explain(name: str, model: Classifier, *, explainer: str) -> Tensor:
    pipeline = resolve_method(name)
    given = QUICK | OWN.get(name, {}) | {"explainer": explainer}
    options = {key: value for key, value in given.items() if key in pipeline.options}
    images = torch.rand(1, 3, *model.image_size, generator=torch.Generator().manual_seed(1))
    return pipeline(model, images, model.probabilities(images).topk(2).indices, **options).maps


@functools.cache
def outcomes(family: str) -> dict[str, Tensor | UnsupportedModel]:
    """What each method makes of a model of this family: maps, or a refusal."""
    model = FAMILIES[family]()
    found: dict[str, Tensor | UnsupportedModel] = {}
    with tempfile.TemporaryDirectory(prefix="seewhy-explainer-") as folder:
        untrained = AHAExplainer(model)
        torch.nn.init.normal_(untrained.decoder.head.last.weight, generator=torch.Generator().manual_seed(0))
        untrained.save(folder)
        for name in NAMES:
            try:
                found[name] = explain(name, model, explainer=folder)
            except UnsupportedModel as error:
                found[name] = error
    return found


def cell(outcome: Tensor | UnsupportedModel) -> str:
    """One cell of the table; a refusal of an unknown kind is a KeyError."""
    if not isinstance(outcome, UnsupportedModel):
        return "yes"
    known = [short for words, short in SHORT.items() if words in str(outcome)]
    if not known:
        raise KeyError(f"give this refusal a short form: {outcome}")
    return known[0]


def advised(name: str, refusal: UnsupportedModel) -> set[str]:
    """The other methods that a refusal names."""
    return set(re.findall(r"\w+", str(refusal))) & set(METHODS.names()) - {name}
