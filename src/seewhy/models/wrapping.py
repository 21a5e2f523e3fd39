"""Wrapping any module as a classifier: preprocessing, kind of outputs and class names, checked by a forward pass."""

import warnings
from collections.abc import Callable, Sequence
from operator import attrgetter
from typing import Any, Literal

import torch
from torch import Tensor, nn
from torch.nn import UninitializedParameter

from seewhy.errors import InputError, ModelError, OptionError, SeewhyWarning, UnsupportedModel
from seewhy.models import timm as timm_models
from seewhy.models.adapters import adapt_module
from seewhy.models.arguments import apply_arguments, check_class_names, check_function
from seewhy.models.classifier import Classifier
from seewhy.models.huggingface_preprocess import huggingface_preprocess
from seewhy.models.outputs import (
    EXPECTED,
    WRAP,
    Outputs,
    as_table,
    check_head,
    check_probabilities,
    detect_kind,
    unwrap,
)
from seewhy.models.preprocess import Preprocess
from seewhy.runtime.options import check_value

PER_CHANNEL = "Pass image_size=, and mean= and std= with one value per channel."
NOISE = 2  # images that a network is tried on
UNREPEATABLE = 0.05  # of the largest output; half precision and quantization stay below
GRAY = " A single number is for gray images, (0.5, 0.5, 0.5) for color."


def wrap(
    module: Any,
    *,
    class_names: Sequence[str] | None = None,
    outputs: str | None = None,
    output_key: str | int | None = None,
    target: Any = None,
    processor: Any = None,
    preprocess: Preprocess | None = None,
    name: Any = None,
    **geometry: Any,
) -> Classifier:
    """Wrap a module as a classifier; settings default to the module's configuration, else to ImageNet's."""
    module, processor = unpack_pipeline(module, processor)
    module = inner_module(module)
    _check_weights(module)
    check_value("name", name, str | None)
    check_function("target", target, "turns the network's outputs into a score per image")
    name = name or type(module).__name__
    given = (processor, preprocess, geometry.get("mean"), geometry.get("transform"))
    assumed = all(each is None for each in given)
    processor = _own_processor(module) if assumed else processor
    if processor is not None:
        preprocess = huggingface_preprocess(_settings(processor))
    preprocess = apply_arguments(preprocess or _own_preprocess(module), **geometry)
    own = class_names is None
    names = _own_class_names(module) if own else check_class_names(class_names)
    model = adapt_module(module, preprocess, name=name, class_names=names)
    if assumed and processor is None and not hasattr(module, "pretrained_cfg"):
        _warn_assumed(model)
    if model.outputs == Outputs() or outputs or target:
        model.outputs = _outputs(model, outputs, output_key, target)
    return _checked_names(model, own=own)


def reconfigure(
    model: Classifier,
    *,
    class_names: Sequence[str] | None = None,
    outputs: str | None = None,
    output_key: str | int | None = None,
    target: Callable[[Any], Tensor] | None = None,
    detect: bool = False,
) -> Classifier:
    """Change the class names or the kind of outputs of a classifier, given or detected from a pass (`detect`)."""
    if detect or outputs or output_key is not None or target:
        model.outputs = _outputs(model, outputs, output_key, target)
    model.class_names = model.class_names if class_names is None else tuple(check_class_names(class_names))
    return _checked_names(model, own=class_names is None)


def unpack_pipeline(module: Any, processor: Any = None) -> tuple[Any, Any]:
    """The network and the image processor of a Hugging Face pipeline; anything else as it is."""
    if not type(module).__module__.startswith("transformers.pipelines"):
        return module, processor
    if module.task != "image-classification":
        raise UnsupportedModel(
            f"a pipeline for {module.task} has no fixed classes. Wrap one for image-classification, or load a "
            'zero-shot model with its prompts: load_model("hf/NAME", classes=["a photo of a cat", …])'
        )
    return module.model, processor or module.image_processor


def inner_module(module: Any) -> nn.Module:
    """The network inside `torch.compile` and DataParallel: the same weights, and layers that take hooks."""
    if not isinstance(module, nn.Module):
        raise InputError(f"wrap_model takes a torch.nn.Module, got {type(module).__name__}")
    if isinstance(module, torch.jit.ScriptModule):
        raise UnsupportedModel("a TorchScript module hides its layers: wrap the original network")
    inner = getattr(module, "_orig_mod", None)
    if inner is None and isinstance(module, (nn.DataParallel, nn.parallel.DistributedDataParallel)):
        inner = module.module
    return inner_module(inner) if isinstance(inner, nn.Module) else module


def _check_weights(module: nn.Module) -> None:
    """Raise if a parameter has no values: it is on the meta device, or of a lazy layer."""
    for name, parameter in module.named_parameters():
        if parameter.is_meta or isinstance(parameter, UninitializedParameter):
            raise InputError(
                f"{name} has no values yet: load the weights first (a network on the meta device), or run the network "
                "once (lazy layers)"
            )


def _outputs(model: Classifier, kind: Any, key: str | int | None, target: Callable[[Any], Tensor] | None) -> Outputs:
    """The kind of outputs: as given, else detected from a pass over two noise images."""
    check_value("outputs", kind, Literal["softmax", "sigmoid", "probabilities"] | None)
    if target is not None:
        if kind is not None or key is not None:
            raise OptionError("target receives the outputs as they are: omit outputs= and output_key=")
        return Outputs("score", target=target)
    with model.frozen_eval(), torch.enable_grad(), model.unmetered():
        if kind is not None:
            output = run_noise(model)
        else:
            output = check_head(model.module, lambda: run_noise(model), key, model.name)
            kind = detect_kind(model.module, output, key)
        values = unwrap(output, key)
        table = as_table(values, EXPECTED)
        if len(table) != NOISE:
            raise ModelError(f"{EXPECTED}, got {tuple(values.shape)} for {NOISE} images. {WRAP}")
        if kind == "probabilities":
            check_probabilities(table)
        alone = as_table(unwrap(run_noise(model, 1), key), EXPECTED, columns=table.shape[1])
        _warn_unrepeatable(model.name, alone[0].detach(), table[0].detach())
        return Outputs(kind, key, columns=table.shape[1])


def _warn_unrepeatable(name: str, alone: Tensor, in_batch: Tensor) -> None:
    """Warn if an image has other outputs alone than in a batch."""
    change = float((alone - in_batch).abs().max())
    if change > UNREPEATABLE * float(in_batch.abs().max()):
        warnings.warn(
            f"{name} gives one image different outputs from pass to pass (by {change:.2g}): even in evaluation mode it "
            "draws random numbers (dropout, noise) or normalizes over the batch. Maps and scores will change likewise.",
            SeewhyWarning,
            stacklevel=5,
        )


def run_noise(model: Classifier, images: int = NOISE) -> Any:
    """The network's own output for noise images; raises with advice if it does not run."""
    noise = torch.rand(NOISE, model.channels, *model.image_size, generator=torch.Generator().manual_seed(0))[:images]
    try:
        return model.forward(model.normalize(noise.to(model.device).requires_grad_()))
    except (RuntimeError, ValueError, TypeError, AssertionError, IndexError) as error:
        channels = "1 channel" if model.channels == 1 else f"{model.channels} channels"
        size = f"{channels} and {model.image_size[0]}x{model.image_size[1]} pixels"
        raise ModelError(
            f"{model.name} does not run on images of {size} ({type(error).__name__}: {str(error)[:200]}). "
            f"{PER_CHANNEL}{GRAY if model.channels == 1 else ''}"
        ) from error


def count_outputs(model: Classifier) -> int:
    """The number of classes that the model outputs."""
    with torch.no_grad(), model.frozen_eval(), model.unmetered():
        return model.as_logits(run_noise(model)).shape[1]


def _checked_names(model: Classifier, *, own: bool) -> Classifier:
    """Class names whose number does not match the outputs are dropped if they are the library's `own`, else raise."""
    if model.class_names is None or len(model.class_names) == (classes := count_outputs(model)):
        return model
    if not own:
        single = classes == 2 and model.outputs.columns == 1
        hint = " (the classes of a single output are: not, yes)" if single else ""
        raise InputError(f"{model.name} has {classes} classes{hint}, class_names has {len(model.class_names)}")
    model.class_names = None
    return model


def as_classifier(model: Any, target: Callable[[Any], Tensor] | None = None) -> Classifier:
    """The model as a classifier, of a `target` function if one is given; a module is wrapped."""
    if isinstance(model, Classifier):
        return model if target is None else model.with_target(target)
    if not isinstance(model, nn.Module):
        raise InputError(f"model must be a Classifier or a torch.nn.Module, got {type(model).__name__}")
    return wrap(model, target=target)


def _warn_assumed(model: Classifier) -> None:
    """Say which preprocessing is assumed for a module that holds none."""
    source = getattr(getattr(model.module, "config", None), "_name_or_path", "")
    missing = f" ({source} holds no image processor)" if source else ""
    warnings.warn(
        f"{model.name}: assumed {model.preprocess.description}, ImageNet's mean and std{missing}. "
        "To change that: seewhy.wrap_model(module, image_size=…, mean=…, std=…, crop=…) or processor=….",
        stacklevel=4,
    )


def _own_processor(module: nn.Module) -> Any:
    """The image processor saved beside a network of Hugging Face; None if there is none."""
    source = getattr(getattr(module, "config", None), "_name_or_path", "")
    if not source or not type(module).__module__.startswith("transformers."):
        return None
    from transformers import AutoImageProcessor

    try:
        return AutoImageProcessor.from_pretrained(source, local_files_only=True)
    except (OSError, ValueError, KeyError):
        return None


def _settings(processor: Any) -> dict[str, Any]:
    """The settings of an image processor of Hugging Face."""
    settings = processor.to_dict() if hasattr(processor, "to_dict") else processor
    if not isinstance(settings, dict):
        raise InputError(
            f"processor must be an image processor of Hugging Face, got {processor!r:.80}. Load it: "
            "AutoImageProcessor.from_pretrained(…)"
        )
    return settings


def _own_preprocess(module: nn.Module) -> Preprocess:
    if hasattr(module, "pretrained_cfg"):
        return timm_models.timm_preprocess(module)
    return Preprocess(size=_own_size(module))


def _own_size(module: Any) -> tuple[int, int]:
    """The image size in the configuration of transformers, torchvision or timm; else 224 pixels."""
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
