"""The Python API: load or wrap a model, explain images, evaluate explanations, list methods, metrics and models."""

import warnings
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Literal

import torch
from torch import Tensor, nn

from seewhy.data import read_images
from seewhy.data.references import read_references
from seewhy.defaults import default_method
from seewhy.errors import InputError, ShapeError, UnknownName, add_context
from seewhy.explanation import Explanation
from seewhy.metrics import Evaluation, Options, PredictionCache, Protocol, list_protocols, score_maps
from seewhy.models import loading
from seewhy.models.classifier import Classifier
from seewhy.models.layers import layer_name
from seewhy.models.wrapping import as_classifier
from seewhy.papers import bibtex
from seewhy.registry import METHODS, METRICS, MODELS, Pipeline, fit_method, resolve_method
from seewhy.runtime.chunks import in_chunks
from seewhy.runtime.notes import keeping_notes
from seewhy.runtime.targets import choose_classes, parse_targets
from seewhy.types import Attribution, Color, Images, Regions, Targets

__all__ = [
    "cite",
    "evaluate",
    "explain",
    "list_methods",
    "list_metrics",
    "list_models",
    "list_protocols",
    "load_model",
    "wrap_model",
]

ROUNDING = 1.5 / 255  # largest color difference between an image and its saved copy
BATCH_SIZE = 16  # images explained at once; halved when memory runs out


def load_model(
    name: str,
    *,
    weights: str | Path | None = None,
    device: str | torch.device | None = None,
    class_names: Sequence[str] | None = None,
    outputs: str | None = None,
    output_key: str | int | None = None,
    **options: Any,
) -> Classifier:
    """Load a model by name: `timm/…`, `torchvision/…`, `hf/…`, `seewhy/…` (bundled), or `file.py:function` (your own).

    `weights` is a safetensors file or torch checkpoint, or "random" for an untrained network. Default: the library's
    pretrained weights, downloaded on first use. The number of classes is that of the head in the weights. Other options
    are passed to the library: `num_classes=10`, or for zero-shot models `classes=["a photo of a cat", "a photo of a
    dog"]`. `class_names`, `outputs` and `output_key`: see `wrap_model`.
    """
    wrapping: dict[str, Any] = {"class_names": class_names, "outputs": outputs, "output_key": output_key}
    if not isinstance(name, str):
        raise InputError(
            f"a model name must be a string such as 'timm/resnet50', got {type(name).__name__}; "
            "a network in memory: wrap_model(module)"
        )
    library, _, rest = name.partition("/")
    if loading.OWN_FILE.fullmatch(name):
        model = loading.load_file(name, weights=weights, wrapping=wrapping, **options)
    elif library not in loading.LIBRARIES or not rest:
        hint = ", without :FUNCTION" if name.endswith(".py") else ""
        hint += f". Did you mean 'seewhy/{name}'?" if name in MODELS else ""
        raise InputError(
            f"a model name must be LIBRARY/NAME, with LIBRARY one of {', '.join(loading.LIBRARIES)}, "
            f"or FILE.py:FUNCTION; got {name!r}{hint}"
        )
    elif library == "seewhy":
        model = loading.reconfigure(loading.build_bundled(MODELS.get(rest), weights, options), **wrapping)
    else:
        model = loading.load(library, rest, weights=weights, wrapping=wrapping, **options)
    model.module.eval()
    model.weights = "" if weights is None else str(weights)
    model.title = f"{model.name} (random weights)" if weights == "random" else model.name
    return loading.to_device(model, device)


def wrap_model(
    module: Any,
    *,
    mean: Color | float | None = None,
    std: Color | float | None = None,
    image_size: int | tuple[int, int] | None = None,
    class_names: Sequence[str] | None = None,
    outputs: str | None = None,
    output_key: str | int | None = None,
    target: Callable[[Any], Tensor] | None = None,
    crop: float | None = None,
    squash: bool | None = None,
    interpolation: str | None = None,
    transform: Callable[[Any], Tensor] | None = None,
    processor: Any = None,
    name: str | None = None,
) -> Classifier:
    """Wrap any module that returns logits; ViTs of known libraries become a `ViT`, everything else a `Classifier`.

    A Hugging Face `pipeline` for image classification is taken apart: network, preprocessing, names. Defaults come from
    the module's configuration; without one, ImageNet's mean and std and 224 pixels are assumed. Images are cropped to
    the fraction `crop` of the shorter side (with `squash` of both sides, and stretched), then resized with
    `interpolation`; `transform` (PIL image to normalized tensor) or a Hugging Face `processor` replaces that. An image
    of the model's size is left as it is.

    `outputs`: "softmax" for logits of mutually exclusive classes, "sigmoid" for independent labels,
    "probabilities" for a network that ends in one of the two. A single logit and probabilities are detected.
    `output_key`: the entry of a dict or tuple that holds them. `target`: a function of the network's outputs that gives
    a score per image, for regression, similarity or one detection.
    """
    geometry: dict[str, Any] = {"crop": crop, "squash": squash, "interpolation": interpolation, "transform": transform}
    return loading.wrap(
        module,
        mean=mean,
        std=std,
        image_size=image_size,
        class_names=class_names,
        outputs=outputs,
        output_key=output_key,
        target=target,
        processor=processor,
        name=name,
        **geometry,
    )


@torch.inference_mode(False)
def explain(
    model: Classifier | nn.Module,
    images: Any,
    method: str | None = None,
    targets: Any = None,
    *,
    on_error: Literal["raise", "skip"] = "raise",
    **options: Any,
) -> Explanation:
    """Explain the model's decisions: one map per image and target class.

    `images`: a path, a folder, a PIL image, a tensor in [0, 1], or a list of them. `method`: a name; by default a cheap
    one that fits the model (`default_method`). `targets`: None for the predicted class, a class index or name, a list
    of them (all explained for every image), a `batch x classes` tensor, or a function of the network's outputs that
    gives a score per image. `on_error="skip"` skips images that cannot be read and lists them in `skipped`. Other
    options are the method's.

    >>> import seewhy, torch
    >>> model = seewhy.load_model("timm/test_vit", weights="random")
    >>> seewhy.explain(model, torch.rand(2, 3, 160, 160), "grad_cam", targets=[3, 7]).maps.shape
    torch.Size([2, 2, 10, 10])
    """
    if callable(targets):
        model, targets = as_classifier(model, targets), None
    model = model if isinstance(model, Classifier) else as_classifier(model)
    if isinstance(options.get("layer"), nn.Module):
        options["layer"] = layer_name(model.module, options["layer"])
    method = default_method(model) if method is None else method
    pipeline = fit_method(model, method, **_read_images_in(options, model))
    batch = read_images(images, model.preprocess, on_error=on_error)
    inputs = batch.images.to(model.device)
    inputs = inputs.clone() if inputs.is_inference() else inputs  # those take no gradients
    given = parse_targets(targets, len(inputs), model.class_names)
    try:
        with model.meter() as cost, keeping_notes() as notes:
            (maps, extras), classes, probabilities = run_pipeline(pipeline, model, inputs, given)
    except Exception as error:
        raise add_context(error, method, model.name, batch.names)  # noqa: B904 - it chains
    explanation = Explanation(
        maps=maps,
        targets=classes,
        images=inputs,
        method=method,
        options=options,
        model=model.title,
        fingerprint=model.fingerprint,
        probabilities=probabilities,
        class_names=model.class_names,
        cost=cost,
        extras=extras,
        names=batch.names,
        originals=batch.originals,
        boxes=batch.boxes,
        skipped=tuple(str(problem) for problem in batch.problems),
        notes=tuple(notes),
        preprocessing=model.preprocess.description,
        layer=_layer_name(pipeline, model),
        target_function=model.outputs.target_name if model.outputs.target else "",
        class_agnostic=pipeline.methods[-1].class_agnostic,
        classifier=model,
    )
    explanation.warn()
    return explanation


def _read_images_in(options: dict[str, Any], model: Classifier) -> dict[str, Any]:
    """Options of a method; a reference that is an image file is read."""
    return read_references(options, model) if options else {}


def _layer_name(pipeline: Pipeline, model: Classifier) -> str:
    """The layer that a CAM method reads; empty for other methods."""
    reads_features = pipeline.methods[-1].features
    return model.feature_layer_at(pipeline.values[-1].get("layer")).name if reads_features else ""


PipelineResult = tuple[Attribution, Targets, Tensor]  # the last: probabilities of all classes


def run_pipeline(
    pipeline: Pipeline, model: Classifier, images: Images, given: Targets | None, *, batch_size: int = BATCH_SIZE
) -> PipelineResult:
    """Run the pipeline on chunks of the batch, smaller ones where memory runs out."""

    def run(rows: Tensor) -> PipelineResult:
        part = images[rows[0] : rows[-1] + 1] if len(rows) else images
        return run_part(pipeline, model, part, None if given is None else given[rows])

    run_part = _predict_while_explaining if pipeline.methods[0].forward_first else _predict_then_explain
    parts, _ = in_chunks(run, torch.arange(len(images)), batch_size)
    attributions, targets, probabilities = zip(*parts, strict=True)
    extras = {name: torch.cat([each.extras[name] for each in attributions]) for name in attributions[0].extras}
    maps = torch.cat([each.maps for each in attributions])
    return Attribution(maps, extras), torch.cat(targets), torch.cat(probabilities)


def _predict_then_explain(
    pipeline: Pipeline, model: Classifier, images: Images, given: Targets | None
) -> PipelineResult:
    """A forward pass for the prediction, not counted as the method's cost, then the method."""
    with model.unmetered():
        probabilities = model.probabilities(images)
    targets = choose_classes(given, probabilities)
    return pipeline(model, images, targets), targets, probabilities


def _predict_while_explaining(
    pipeline: Pipeline, model: Classifier, images: Images, given: Targets | None
) -> PipelineResult:
    """The method's own first forward pass gives the prediction, from which the targets are filled in place."""
    targets = torch.full((len(images), 1 if given is None else given.shape[1]), -1, device=images.device)
    seen: list[Tensor] = []

    def on_probabilities(probabilities: Tensor) -> None:
        seen.append(probabilities)
        targets.copy_(choose_classes(given, probabilities))

    with model.on_first_pass(images, on_probabilities):
        attribution = pipeline(model, images, targets)
    return attribution, targets, seen[0]


def evaluate(
    model: Classifier | nn.Module,
    explanation: Explanation | Sequence[Explanation],
    metrics: Sequence[str] | str | None = None,
    *,
    images: Any = None,
    protocol: str | Protocol = "aha",
    options: Options | None = None,
    regions: Regions | None = None,
    labels: Tensor | None = None,
    control: bool = False,
) -> Evaluation:
    """Score explanations: a list of rows (image, class, method, metric, reference) that prints as a table of means.

    `metrics` defaults to those of the protocol; "all" computes every metric that applies. `images` are needed only if
    the explanation holds none. `options` change settings of the protocol, by metric or evidence:
    `{"deletion": {"rule": "mean"}}`. `regions` (`batch classes height width`) are the ground truth for localization
    metrics, `labels` the true classes, which some protocols need. `control` adds the scores of a random map.
    """
    explanations = [explanation] if isinstance(explanation, Explanation) else list(explanation)
    if not explanations or not all(isinstance(each, Explanation) for each in explanations):
        given = type(explanations[0]).__name__ if explanations else "none"
        raise InputError(f"evaluate takes explanations, got {given}; maps made elsewhere: Explanation.from_maps(…)")
    model = model if isinstance(model, Classifier) else as_classifier(model)
    model = explanations[0].scored_by(model) if explanations[0].target_function else model
    if control:
        first = explanations[0]
        explanations.append(explain(model, _images(model, first, images), "random", first.targets))
    cache = PredictionCache()
    rows = Evaluation()
    for title, each in zip(_titles(explanations), explanations, strict=True):
        inputs = _images(model, each, images)
        _warn_other_model(model, each)
        scores = score_maps(
            model,
            inputs,
            each.maps,
            each.targets,
            metrics=metrics,
            protocol=protocol,
            options=options,
            regions=regions,
            labels=labels,
            explain=_reproduce(model, each),
            cache=cache,
        )
        rows += [{"method": title, **row} for row in scores]
    return rows


def _warn_other_model(model: Classifier, explanation: Explanation) -> None:
    """Warn if the maps are of another model than the one that scores them."""
    if explanation.classifier is not model and explanation.fingerprint not in ("", model.fingerprint):
        warnings.warn(
            f"{explanation.method}: these maps are of another model or other weights "
            f"({explanation.model or 'unknown'}), the scores are of {model.title}. "
            "To score them by their own: evaluate(explanation.classifier, …)",
            stacklevel=3,
        )


def _titles(explanations: Sequence[Explanation]) -> list[str]:
    """Names of the methods, with options where a method occurs several times."""
    names = [each.method for each in explanations]
    options = [", ".join(f"{name}={value!r}" for name, value in each.options.items()) for each in explanations]
    return [f"{name}({text})" if names.count(name) > 1 else name for name, text in zip(names, options, strict=True)]


def _images(model: Classifier, explanation: Explanation, images: Any) -> Images:
    """The given images or, by default, those of the explanation."""
    if images is not None:
        given = read_images(images, model.preprocess).images.to(model.device)
        check_same_images(explanation, given)
        return given
    if explanation.images is None:
        raise InputError("this explanation holds no images: pass images= to evaluate")
    if explanation.images.shape[-2:] != model.image_size:
        height, width = explanation.images.shape[-2:]
        raise ShapeError(
            f"{model.name} takes images of {model.image_size[0]}x{model.image_size[1]} pixels, the maps were made for "
            f"{height}x{width}: evaluate with the model that was explained, or pass images="
        )
    return explanation.images.to(model.device)


def check_same_images(explanation: Explanation, images: Images) -> None:
    """Raise if the maps were made for other images; saved images are rounded to 8 bits."""
    if len(images) != len(explanation):
        raise ShapeError(f"there are maps of {len(explanation)} images, but {len(images)} images were given")
    held = explanation.images
    if held is None or held.shape != images.shape:
        return
    other = (held.to(images) - images).abs().flatten(1).amax(dim=1) > ROUNDING
    if bool(other.any()):
        raise InputError(
            f"the maps were made for other images than those given (image {int(other.nonzero()[0])} differs). Give the "
            "images that were explained, or explain these."
        )


def _reproduce(model: Classifier, explanation: Explanation) -> Pipeline | None:
    """The pipeline that made the maps, for metrics that recompute maps; None for maps made elsewhere."""
    try:
        return resolve_method(explanation.method, **_read_images_in(explanation.options, model))
    except UnknownName:
        return None


def list_metrics() -> list[str]:
    """Names of all metrics."""
    return METRICS.names()


def list_methods() -> list[str]:
    """Names of all methods; wrappers end with a colon, as in `var:`."""
    return [f"{method.name}:" if method.wraps else method.name for method in METHODS.all()]


def list_models() -> list[str]:
    """Names of the bundled models. `load_model` also loads those of timm, torchvision and Hugging Face."""
    return [f"seewhy/{name}" for name in MODELS.names()]


def cite(method: str) -> str:
    """BibTeX entries to cite for a method: of both papers for "var:caap", of the wrapper's for "var"."""
    methods = [METHODS.get(name) for name in method.removesuffix(":").split(":")]
    keys = dict.fromkeys(each.paper for each in methods if each.paper)
    if not keys:
        raise InputError(f"there is no paper to cite for {method!r}")
    return "\n\n".join(map(bibtex, keys))
