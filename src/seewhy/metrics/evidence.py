"""Evidence: the values that metrics are computed from, each computed once, when first needed, and passed by name.

Inputs are `model`, `images`, `targets`, `maps`, `regions`, `labels`, `explain` and `cache`. All other names are
functions registered with `@register_evidence("name")` in this package, which need inputs or other evidence in turn.
`score_metrics` runs metrics on it; a failing metric does not affect the others.
"""

import math
from collections.abc import Callable, Collection, Iterator, Sequence
from copy import copy
from typing import Any, NamedTuple

from jaxtyping import Float
from torch import Tensor

from seewhy.errors import InputError, ShapeError, UnknownName
from seewhy.metrics.cases import Referenced
from seewhy.metrics.predictions import PredictionCache
from seewhy.metrics.protocols import Protocol
from seewhy.models.classifier import Classifier
from seewhy.registry import EVIDENCE, EvidenceFunction, Metric
from seewhy.types import Images, Maps, Regions, Targets

Row = dict[str, Any]
UNAVAILABLE, UNDEFINED, NOT_FINITE = "unavailable: ", "undefined: ", "the map holds NaN or infinity"
Explain = Callable[[Classifier, Images, Targets], Any]  # returns maps, or an object with `.maps`


class MissingInput(InputError):
    """An input that a metric or its evidence needs was not given."""

    def __init__(self, name: str) -> None:
        super().__init__(f"this metric needs {name}: pass {name}=…, or choose other metrics")


class Line(NamedTuple):
    """A curve of a chart."""

    curve: str
    reference: str
    at: list[float]
    values: Float[Tensor, "batch classes points"]


class Evidence:
    """All evidence about some maps. `evidence["curves"]` is computed on first access; failures are cached too."""

    def __init__(
        self,
        model: Classifier,
        images: Images,
        maps: Maps,
        targets: Targets,
        *,
        protocol: Protocol,
        regions: Regions | None = None,
        labels: Tensor | None = None,
        explain: Explain | None = None,
        cache: PredictionCache | None = None,
    ) -> None:
        check_shapes(images, maps, targets, regions, labels)
        self.protocol, self.model, self.images, self.targets = protocol, model, images, targets.to(images.device)
        self.cache = PredictionCache() if cache is None else cache
        self.finite = maps.isfinite().flatten(2).all(dim=-1)  # batch classes
        self._inputs: dict[str, Any] = {
            "model": model,
            "images": images.detach(),
            "targets": self.targets,
            "maps": maps.detach().where(self.finite[..., None, None], 0.0).to(images),
            "regions": None if regions is None else regions.to(images.device),
            "labels": labels,
            "explain": explain,
            "cache": self.cache,
        }
        self._values: dict[str, Any] = {}  # by name, under this protocol; the exception of a function that failed
        self._computed: dict[str, Any] = {}  # the same by key: shared by all protocols under which it is equal

    def under(self, protocol: Protocol) -> "Evidence":
        """The same maps under another protocol; evidence whose settings are equal is shared."""
        other = copy(self)
        other.protocol, other._values = protocol, {}
        return other

    def __getitem__(self, name: str) -> Any:
        if name in self._inputs:
            return self._input(name)
        return self._cached(name) if name in self._values else self._value(EVIDENCE.get(name))

    def values(self, *names: str) -> list[Any]:
        """Several inputs or evidence at once."""
        return [self[name] for name in names]

    def arguments(self, function: EvidenceFunction) -> list[Any]:
        """The values of everything that a metric or evidence needs."""
        return [
            self._value(function.needed[need]) if need in function.needed else self._input(need, function.optional)
            for need in function.needs
        ]

    def _input(self, name: str, optional: Collection[str] = ()) -> Any:
        if name not in self._inputs:
            raise UnknownName("evidence", name, [*self._inputs, *EVIDENCE.names()])
        if self._inputs[name] is None and name not in optional:
            raise MissingInput(name)
        return self._inputs[name]

    def _value(self, function: EvidenceFunction) -> Any:
        if function.name not in self._values:
            key = self.protocol.keys[function.name]
            if key not in self._computed:
                self._computed[key] = self._compute(function)
            self._values[function.name] = self._computed[key]
        return self._cached(function.name)

    def _cached(self, name: str) -> Any:
        value = self._values[name]
        if isinstance(value, Exception):
            raise value
        return value

    def available(self, function: EvidenceFunction) -> bool:
        """Whether all inputs of a metric or evidence are given; nothing costly is computed."""
        inputs = [need for need in function.needs if need not in function.needed and need not in function.optional]
        if any(self._inputs.get(need) is None for need in inputs):
            return False
        if not all(map(self.available, function.needed.values())):
            return False
        return not function.optional or self._runs_without_optional(function)

    def _runs_without_optional(self, function: EvidenceFunction) -> bool:
        """Whether a function runs without its optional inputs; that depends on its options, so it is tried."""
        try:
            self._value(function)
        except MissingInput:
            return False
        except Exception:
            return True  # other errors are reported by the metric
        return True

    def _compute(self, function: EvidenceFunction) -> Any:
        try:
            return function.function(*self.arguments(function), **self.protocol.options.get(function.name, {}))
        except Exception as error:
            return error


def check_shapes(images: Tensor, maps: Tensor, targets: Tensor, regions: Tensor | None, labels: Tensor | None) -> None:
    """Raise unless the tensors fit together."""
    if tuple(maps.shape[:2]) != tuple(targets.shape) or len(images) != len(maps):
        raise ShapeError(
            f"maps must be (batch, classes, rows, cols) for {len(images)} images and targets of shape "
            f"{tuple(targets.shape)}, got {tuple(maps.shape)}. One map per image and class."
        )
    expected = (*targets.shape, *images.shape[-2:])
    if regions is not None and tuple(regions.shape) != expected:
        raise ShapeError(
            f"regions must be (batch, classes, height, width) = {expected}, got {tuple(regions.shape)}. "
            "Crop and resize them as the image was."
        )
    if labels is not None and labels.shape != (len(images),):
        raise ShapeError(f"labels must be one class per image, ({len(images)},), got {tuple(labels.shape)}")


def score_metrics(evidence: Evidence, metrics: Sequence[Metric], *, strict: bool = False) -> list[Row]:
    """Rows of some metrics: per reference and for their mean, "all"."""
    return [row for metric in metrics for row in _score_metric(evidence, metric, strict)]


def _score_metric(evidence: Evidence, metric: Metric, strict: bool) -> list[Row]:
    failure = None
    try:
        columns = run_metric(evidence, metric)
    except Exception as error:
        if strict:
            raise
        columns, failure = {"all": evidence.finite * math.nan}, _failure(error)
    name, protocol = metric.name, evidence.protocol
    fixed = {"metric": name, "protocol": protocol.name, "metric_key": protocol.keys[name]}
    return [
        {**row, **fixed, "error": failure or row["error"]}
        for reference, scores in columns.items()
        for row in _rows(evidence, metric, reference, scores)
    ]


def has_failed(row: Row) -> bool:
    """Whether the metric raised an error, other than for a missing input."""
    return row["error"] is not None and not row["error"].startswith((UNAVAILABLE, UNDEFINED, NOT_FINITE))


def _failure(error: Exception) -> str:
    return f"{UNAVAILABLE}{error}" if isinstance(error, MissingInput) else f"{type(error).__name__}: {error}"


def run_metric(evidence: Evidence, metric: Metric) -> dict[str, Tensor]:
    """Scores (`batch classes`) by reference: their mean as "all" and, where there are several, each of them."""
    arguments = evidence.arguments(metric)
    scores = metric.function(*arguments, **evidence.protocol.options.get(metric.name, {}))
    if scores.shape == evidence.finite.shape:
        return {"all": scores}
    names: tuple[str, ...] = next((value.references for value in arguments if isinstance(value, Referenced)), ())
    if tuple(scores.shape) != (*evidence.finite.shape, len(names)):
        raise ShapeError(
            f"the metric {metric.name!r} must return (batch, classes) = {tuple(evidence.finite.shape)}, or one score "
            f"per reference in a third dimension, got {tuple(scores.shape)}"
        )
    each = dict(zip(names, scores.unbind(dim=-1), strict=True))
    return {"all": scores.mean(dim=-1), **(each if len(each) > 1 else {})}


def _rows(evidence: Evidence, metric: Metric, reference: str, scores: Tensor) -> Iterator[Row]:
    targets, finite = evidence.targets.tolist(), evidence.finite.tolist()
    for image, values in enumerate(scores.tolist()):
        for k, score in enumerate(values):
            error = f"{UNDEFINED}{metric.undefined}" if math.isnan(score) else None
            if not finite[image][k]:
                score, error = math.nan, NOT_FINITE
            yield {"image": image, "target": targets[image][k], "reference": reference, "score": score, "error": error}
