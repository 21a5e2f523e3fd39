"""What people call. Everything here is a few lines over the parts below it."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Literal

import torch
from torch import Tensor, nn

from seewhy.data import Batch, read_images
from seewhy.errors import InputError, UnknownName, error_context
from seewhy.explanation import Explanation
from seewhy.metrics import Cache, list_protocols, score_maps
from seewhy.models import loading
from seewhy.models.classifier import Classifier
from seewhy.papers import bibtex
from seewhy.registry import METHODS, METRICS, MODELS, Pipeline, resolve_method
from seewhy.runtime.chunks import in_chunks
from seewhy.runtime.targets import resolve_targets
from seewhy.types import Attribution, Color, Regions, Targets

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

BATCH = 16  # images explained at once; halved when memory runs out


def load_model(
    name: str,
    *,
    weights: str | Path | None = None,
    device: str | torch.device | None = None,
    **options: Any,
) -> Classifier:
    """A model by name: `timm/…`, `torchvision/…`, `hf/…` or, bundled, `seewhy/…`.

    `weights` is a safetensors file or torch checkpoint; left out, the library's own pretrained weights are fetched;
    "random" builds an untrained network. Further options go to the library: `num_classes=10`, or for zero-shot
    models `classes=["a photo of a cat", "a photo of a dog"]`.
    """
    library, _, rest = name.partition("/")
    if library not in loading.LIBRARIES or not rest:
        raise InputError(
            f"a model is called LIBRARY/NAME with LIBRARY one of {', '.join(loading.LIBRARIES)}; got {name!r}"
        )
    if library == "seewhy":
        given = {"weights": weights} if weights is not None else {}
        model = MODELS.get(rest).build(**given, **options)
    else:
        model = loading.load(library, rest, weights=weights, **options)
    return loading.to_device(model, device)


def wrap_model(
    module: nn.Module,
    *,
    mean: Color | None = None,
    std: Color | None = None,
    image_size: int | tuple[int, int] | None = None,
    class_names: Sequence[str] | None = None,
    name: str | None = None,
) -> Classifier:
    """Any network that gives logits. A timm, Hugging Face or torchvision ViT stays a ViT.

    What is not given is read from the network's configuration; where it has none, ImageNet's mean and std and
    224 pixels are assumed.
    """
    return loading.wrap(module, mean=mean, std=std, image_size=image_size, class_names=class_names, name=name)


def explain(
    model: Classifier,
    images: Any,
    method: str = "caap",
    targets: Any = None,
    *,
    on_error: Literal["raise", "skip"] = "raise",
    **options: Any,
) -> Explanation:
    """Why the model says what it says about these images.

    `images`: a path, a folder, a PIL image, a tensor in [0, 1], or a list of them. `targets`: None for the predicted
    class, a class index or name, a list of them (all explained for every image), or a `batch x classes` tensor.
    `on_error="skip"` leaves out pictures that cannot be read and notes why. Options are the method's own.

    >>> import seewhy, torch
    >>> model = seewhy.load_model("timm/test_vit", weights="random")
    >>> seewhy.explain(model, torch.rand(2, 3, 160, 160), "grad_cam", targets=[3, 7]).maps.shape
    torch.Size([2, 2, 10, 10])
    """
    pipeline = resolve_method(method, **options)
    pipeline.check_model(model)
    batch = read_images(images, model.preprocess, on_error=on_error)
    pictures = batch.images.to(model.device)
    probabilities = model.probabilities(pictures)
    chosen = resolve_targets(targets, probabilities, model.class_names)
    with model.meter() as cost, error_context(method, model.name, batch.names):
        maps, extras = _run(pipeline, model, pictures, chosen)
    return Explanation(
        maps=maps,
        targets=chosen,
        images=pictures,
        method=method,
        options=options,
        model=model.name,
        fingerprint=model.fingerprint,
        probabilities=probabilities,
        class_names=model.class_names,
        cost=cost,
        extras=extras,
        class_agnostic=pipeline.class_agnostic,
        **_origin(batch),
    )


def _run(pipeline: Pipeline, model: Classifier, images: Tensor, targets: Targets) -> Attribution:
    """The method over the batch, a few images at a time."""

    def part(indices: Tensor) -> Attribution:
        return pipeline(model, images[indices], targets[indices])

    parts, _ = in_chunks(part, torch.arange(len(images), device=images.device), BATCH)
    extras = {name: torch.cat([each.extras[name] for each in parts]) for name in parts[0].extras}
    return Attribution(torch.cat([each.maps for each in parts]), extras)


def _origin(batch: Batch) -> dict[str, Any]:
    skipped = tuple(str(problem) for problem in batch.problems)
    return {"names": batch.names, "originals": batch.originals, "boxes": batch.boxes, "skipped": skipped}


def evaluate(
    model: Classifier,
    explanation: Explanation | Sequence[Explanation],
    metrics: Sequence[str] | str | None = None,
    *,
    images: Any = None,
    protocol: str = "aha",
    regions: Regions | None = None,
    labels: Tensor | None = None,
) -> list[dict[str, Any]]:
    """How good maps are: one dict per image, class, method, metric and reference ("all" is their mean).

    `images` are needed only where the explanation holds none. `metrics=None` takes the protocol's own, "all" every
    available one. `regions` (`batch classes height width`) are the ground truth for localization metrics.
    """
    explanations = [explanation] if isinstance(explanation, Explanation) else list(explanation)
    cache = Cache()
    rows = []
    for each in explanations:
        pictures = _pictures(model, images, each)
        scored = score_maps(
            model,
            pictures,
            each.maps.to(model.device),
            each.targets.to(model.device),
            metrics=metrics,
            protocol=protocol,
            regions=regions,
            labels=labels,
            explain=_again(each),
            cache=cache,
        )
        rows += [{"method": each.method, **row} for row in scored]
    return rows


def _pictures(model: Classifier, images: Any, explanation: Explanation) -> Tensor:
    if images is not None:
        return read_images(images, model.preprocess).images.to(model.device)
    if explanation.images is None:
        raise InputError("evaluate needs images: this explanation holds none")
    return explanation.images.to(model.device)


def _again(explanation: Explanation) -> Callable | None:
    """How to make the maps again, for metrics that ask for it; None for maps made elsewhere."""
    try:
        return resolve_method(explanation.method, **explanation.options)
    except UnknownName:
        return None


def list_metrics() -> list[str]:
    """Names of all metrics."""
    return METRICS.names()


def list_methods() -> list[str]:
    """Names of all methods; wrappers end in a colon, as in `var:`."""
    return [f"{method.name}:" if method.wraps else method.name for method in METHODS.all()]


def list_models() -> list[str]:
    """Names of the bundled models. Those of timm, torchvision and Hugging Face come on top."""
    return [f"seewhy/{name}" for name in MODELS.names()]


def cite(method: str) -> str:
    """BibTeX of the papers behind a method: `cite("var:caap")` gives both, `cite("var")` the wrapper's."""
    papers = [layer.paper for layer in map(METHODS.get, method.removesuffix(":").split(":")) if layer.paper]
    if not papers:
        raise InputError(f"{method!r} is a control and has no paper")
    return "\n\n".join(bibtex(key) for key in dict.fromkeys(papers))
