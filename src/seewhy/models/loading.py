"""Loading models by name: from timm, torchvision, Hugging Face, or a Python file."""

import os
import re
from collections.abc import Callable, Mapping
from inspect import signature
from pathlib import Path
from typing import Any

import torch
from torch import nn

from seewhy.errors import InputError, ModelError, OptionError, SeewhyError, UnknownName
from seewhy.models import timm as timm_models
from seewhy.models.arguments import apply_arguments
from seewhy.models.classifier import Classifier
from seewhy.models.own_files import OwnFile, execute_file
from seewhy.models.weights import classes_in, load_weights, read_weights
from seewhy.models.wrapping import count_outputs, inner_module, reconfigure, unpack_pipeline, wrap
from seewhy.registry import Model, keyword_only
from seewhy.runtime.options import check_names, unknown_name

Wrapping = Mapping[str, Any]  # class_names, outputs, output_key, target: see `wrap`
LIBRARIES = ("timm", "torchvision", "hf", "onnx", "seewhy")
OWN_FILE = re.compile(r"(?P<file>.+\.py):(?P<function>\w+)")  # a custom network: FILE.py:FUNCTION


def load(
    library: str, name: str, *, weights: str | Path | None = None, wrapping: Wrapping, **options: Any
) -> Classifier:
    """Load a model of another library. `weights`: a file, "random", or None for the library's pretrained weights."""
    if library == "timm":
        return _load_timm(name, weights, options, wrapping)
    if library == "torchvision":
        return _load_torchvision(name, weights, options, wrapping)
    if library == "onnx":
        return _load_onnx(name, weights, options, wrapping)
    from seewhy.models.huggingface import load_huggingface

    if weights is not None:
        raise InputError("hf/… models include their weights: pass a hub name or a folder made by save_pretrained()")
    return reconfigure(load_huggingface(name, **options), **wrapping)


def _load_timm(name: str, weights: str | Path | None, options: dict, wrapping: Wrapping) -> Classifier:
    def build(**given: Any) -> nn.Module:
        return timm_models.build_timm(name, pretrained=weights is None, **given)

    module = downloading(f"timm/{name}", lambda: _with_weights(build, weights, options))
    return wrap(module, name=f"timm/{name}", **wrapping)


def _load_torchvision(name: str, weights: str | Path | None, options: dict, wrapping: Wrapping) -> Classifier:
    from seewhy.models import torchvision as tv

    def build(**given: Any) -> nn.Module:
        return tv.build_torchvision(name, **({"weights": "DEFAULT"} if weights is None else {}), **given)

    module = downloading(f"torchvision/{name}", lambda: _with_weights(build, weights, options))
    model = wrap(module, preprocess=tv.torchvision_preprocess(name), name=f"torchvision/{name}", **wrapping)
    names = tv.torchvision_class_names(name)
    if model.class_names is None and count_outputs(model) == len(names):
        model.class_names = tuple(names)
    return model


def _load_onnx(name: str, weights: str | Path | None, options: dict, wrapping: Wrapping) -> Classifier:
    from seewhy.models.onnx_file import load_onnx

    if weights is not None:
        raise InputError("an ONNX file includes its weights: omit weights=")
    model = load_onnx(name)
    check_names(options, keyword_only(apply_arguments), f"onnx/{name}", "option")
    model.preprocess = apply_arguments(model.preprocess, **options)
    model.mean, model.std = model.preprocess.mean, model.preprocess.std
    return reconfigure(model, detect=True, **wrapping)


def _with_weights(build: Callable[..., nn.Module], weights: str | Path | None, options: dict) -> nn.Module:
    """A network with its weights; `num_classes` defaults to that of the head in the weights."""
    module = build(**options)
    if weights is None or weights == "random":
        return module
    state = read_weights(weights)
    classes = classes_in(state, module) if "num_classes" not in options else None
    if classes is not None:
        module = build(**options, num_classes=classes)
    return load_weights(module, state, source=str(weights))


def build_bundled(model: Model, weights: str | Path | None, options: dict[str, Any]) -> Classifier:
    """A bundled model; most of them include their weights."""
    known = signature(model.build).parameters
    if weights is not None and "weights" not in known:
        raise InputError(f"seewhy/{model.name} includes its weights: omit weights=")
    given = options | ({"weights": weights} if weights is not None else {})
    for name in given:
        if name not in known:
            raise OptionError(f"{unknown_name(name, known, f'seewhy/{model.name}')} {PROMPTS}")
    return model.build(**given)


def load_file(name: str, *, weights: str | Path | None = None, wrapping: Wrapping, **options: Any) -> Classifier:
    """Load a network built by a function in a Python file, which is executed."""
    match = OWN_FILE.fullmatch(name)
    path = Path(match["file"]).expanduser() if match else Path(name)
    if match is None or not path.is_file():
        raise InputError(f"{path}: there is no such file; a custom network is FILE.py:FUNCTION")
    try:
        built = _call_in(path, match["function"], options)
    except SeewhyError:
        raise
    except Exception as error:
        hint = f". {PROMPTS}" if UNEXPECTED in str(error) and "classes" in options else ""
        raise ModelError(f"{name} raised {type(error).__name__}: {error}{hint}") from error
    network = built.module if isinstance(built, Classifier) else unpack_pipeline(built)[0]
    if not isinstance(network, nn.Module):
        raise InputError(f"{name} must return a torch.nn.Module or seewhy.wrap_model(…), got {type(built).__name__}")
    if weights is not None and weights != "random":
        load_weights(inner_module(network), weights)
    return reconfigure(built, **wrapping) if isinstance(built, Classifier) else wrap(built, name=name, **wrapping)


def _call_in(path: Path, function: str, options: dict[str, Any]) -> Any:
    """The result of a function of a Python file."""
    source = execute_file(OwnFile(str(path.absolute()), path.read_text()))
    if not callable(getattr(source, function, None)):
        raise UnknownName(f"function in {path}", function, [n for n, v in vars(source).items() if callable(v)])
    return getattr(source, function)(**options)


UNEXPECTED = "unexpected keyword argument"
PROMPTS = "To name classes: class_names=[…]; prompts (classes=) are for zero-shot models, as hf/openai/clip-…"
ADVICE = 'Pass weights="FILE" with a local file, or weights="random" for an untrained network.'


def downloading(name: str, build: Any, *, advice: str = ADVICE) -> Any:
    """Call `build`, which may download weights; if that fails, raise with advice."""
    try:
        return build()
    except TypeError as error:
        if UNEXPECTED not in str(error):
            raise
        raise OptionError(f"{name}: {error}. {PROMPTS}") from error
    except (OSError, RuntimeError) as error:
        reason = str(error).strip().partition("\n")[0]
        raise ModelError(
            f"the pretrained weights of {name} could not be downloaded ({type(error).__name__}: {reason}). {advice}"
        ) from error


def pick_device(device: str | torch.device | None = None) -> torch.device:
    """The given device. Default: the GPU if there is one (that of this process in distributed training)."""
    if device is None:
        rank = os.environ.get("LOCAL_RANK", "0")
        return torch.device(f"cuda:{rank}" if torch.cuda.is_available() else "cpu")
    try:
        return torch.empty(0, device=device).device
    except (RuntimeError, AssertionError, NotImplementedError) as error:
        reason = str(error).partition("\n")[0]
        raise OptionError(f"device {device} cannot be used: {reason}") from error


def device_for(model: Classifier, device: str | torch.device | None) -> torch.device:
    """The given device. Default: the GPU that the model is on, else any GPU, else the CPU."""
    return model.device if device is None and model.device.type != "cpu" else pick_device(device)


def to_device(model: Classifier, device: str | torch.device | None) -> Classifier:
    if device is not None:
        model.module.to(pick_device(device))
    return model
