"""Models by name, and modules with their settings."""

from collections.abc import Sequence
from dataclasses import replace
from operator import attrgetter
from pathlib import Path
from typing import Any

import torch
from torch import nn

from seewhy.errors import InputError, ModelError
from seewhy.models import timm as timm_models
from seewhy.models.adapters import adapt_module
from seewhy.models.classifier import Classifier
from seewhy.models.preprocess import Preprocess
from seewhy.models.weights import load_weights
from seewhy.types import Color

LIBRARIES = ("timm", "torchvision", "hf", "seewhy")


def load(library: str, name: str, *, weights: str | Path | None = None, **options: Any) -> Classifier:
    """A model of another library. `weights`: a file, None to download the library's own, or "random"."""
    if library == "timm":
        return _load_timm(name, weights, options)
    if library == "torchvision":
        return _load_torchvision(name, weights, options)
    from seewhy.models.huggingface import load_huggingface

    if weights is not None:
        raise InputError("hf/… models bring their weights: give a hub name or a folder made by save_pretrained()")
    return load_huggingface(name, **options)


def _load_timm(name: str, weights: str | Path | None, options: dict) -> Classifier:
    pretrained = weights is None
    module = downloading(f"timm/{name}", lambda: timm_models.build_timm(name, pretrained=pretrained, **options))
    if weights is not None and weights != "random":
        load_weights(module, weights)
    return wrap(module, name=f"timm/{name}")


def _load_torchvision(name: str, weights: str | Path | None, options: dict) -> Classifier:
    from seewhy.models import torchvision as tv

    own = {"weights": "DEFAULT"} if weights is None else {}
    module = downloading(f"torchvision/{name}", lambda: tv.build_torchvision(name, **own, **options))
    if weights is not None and weights != "random":
        load_weights(module, weights)
    preprocess, names = tv.torchvision_preprocess(name), tv.torchvision_class_names(name)
    return wrap(module, preprocess=preprocess, class_names=names, name=f"torchvision/{name}")


ADVICE = 'Pass weights="FILE" with weights you have, or weights="random" for an untrained network.'


def downloading(name: str, build: Any, *, advice: str = ADVICE) -> Any:
    """Call `build`, which may download weights; if that fails, raise with advice."""
    try:
        return build()
    except (OSError, RuntimeError) as error:
        reason = str(error).strip().partition("\n")[0]
        raise ModelError(
            f"the pretrained weights of {name} could not be downloaded ({type(error).__name__}: {reason}). {advice}"
        ) from error


def wrap(
    module: nn.Module,
    *,
    mean: Color | None = None,
    std: Color | None = None,
    image_size: int | tuple[int, int] | None = None,
    class_names: Sequence[str] | None = None,
    preprocess: Preprocess | None = None,
    name: str | None = None,
) -> Classifier:
    """A module as a classifier; settings default to the module's configuration, else to ImageNet's."""
    if not isinstance(module, nn.Module):
        raise InputError(f"wrap_model takes a torch.nn.Module, got {type(module).__name__}")
    name = name or type(module).__name__
    preprocess = preprocess or _own_preprocess(module)
    size = (image_size, image_size) if isinstance(image_size, int) else image_size
    preprocess = replace(
        preprocess, mean=mean or preprocess.mean, std=std or preprocess.std, size=size or preprocess.size
    )
    names = class_names if class_names is not None else _own_class_names(module)
    return adapt_module(module, preprocess, name=name, class_names=names)


def _own_preprocess(module: nn.Module) -> Preprocess:
    if hasattr(module, "pretrained_cfg"):
        return timm_models.timm_preprocess(module)
    return Preprocess(size=_own_size(module))


def _own_size(module: Any) -> tuple[int, int]:
    """Where transformers, torchvision and timm keep the size of their images; else 224 pixels."""
    for path in ("config.image_size", "config.vision_config.image_size", "image_size", "patch_embed.img_size"):
        try:
            size = attrgetter(path)(module)
        except AttributeError:
            continue
        if size:
            return (size, size) if isinstance(size, int) else (size[0], size[1])
    return 224, 224


def _own_class_names(module: nn.Module) -> list[str] | None:
    if hasattr(module, "pretrained_cfg"):
        return timm_models.timm_class_names(module)
    if hasattr(module, "config") and hasattr(module.config, "id2label"):
        from seewhy.models.huggingface import huggingface_class_names

        return huggingface_class_names(module.config)
    return None


def to_device(model: Classifier, device: str | torch.device | None) -> Classifier:
    if device is not None:
        model.module.to(device)
    return model
