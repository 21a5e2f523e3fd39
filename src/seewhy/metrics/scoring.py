"""Scoring maps: a metric gets the evidence its parameters name, and a failing metric does not affect the others."""

import math
from collections.abc import Iterator, Sequence
from typing import Any

from torch import Tensor

from seewhy.errors import ShapeError
from seewhy.metrics.cases import Referenced
from seewhy.metrics.evidence import Evidence, Explain, MissingInput
from seewhy.metrics.predictions import PredictionCache
from seewhy.metrics.protocols import Options, Protocol, get_protocol
from seewhy.models.classifier import Classifier
from seewhy.registry import METRICS, Metric
from seewhy.types import Images, Maps, Regions, Targets

Row = dict[str, Any]


def collect_evidence(
    model: Classifier,
    images: Images,
    maps: Maps,
    targets: Targets,
    *,
    protocol: str | Protocol = "aha",
    options: Options | None = None,
    regions: Regions | None = None,
    labels: Tensor | None = None,
    explain: Explain | None = None,
    cache: PredictionCache | None = None,
) -> Evidence:
    """Evidence about maps, computed on first access: `evidence["curves"]` has the curves behind the scores."""
    protocol = get_protocol(protocol, options)
    return Evidence(
        model, images, maps, targets, protocol=protocol, regions=regions, labels=labels, explain=explain, cache=cache
    )


def score_maps(
    model: Classifier,
    images: Images,
    maps: Maps,
    targets: Targets,
    *,
    metrics: Sequence[str] | str | None = None,
    protocol: str | Protocol = "aha",
    options: Options | None = None,
    regions: Regions | None = None,
    labels: Tensor | None = None,
    explain: Explain | None = None,
    cache: PredictionCache | None = None,
    strict: bool = False,
) -> list[Row]:
    """Score maps, one row per image, class, metric and reference.

    `metrics`: names, None for the protocol's default metrics, or "all". `options` change those of the protocol:
    `{"curves": {"fractions": (0, 0.5, 1)}}`. Pass the same `cache` for all methods of an image, and clean and
    reference images are run once. `labels` are the data set's classes, which some protocols need;
    `explain(model, images, targets)` computes maps again. `strict` raises where otherwise a row holds the error.
    """
    evidence = collect_evidence(
        model,
        images,
        maps,
        targets,
        protocol=protocol,
        options=options,
        regions=regions,
        labels=labels,
        explain=explain,
        cache=cache,
    )
    return score_metrics(evidence, choose_metrics(evidence, metrics), strict=strict)


def choose_metrics(evidence: Evidence, metrics: Sequence[str] | str | None = None) -> list[Metric]:
    """Metrics by name; None for the protocol's default metrics, "all" for every one whose inputs are given."""
    if metrics is not None and metrics != "all":
        return [METRICS.get(name) for name in ([metrics] if isinstance(metrics, str) else metrics)]
    wanted = METRICS.all() if metrics == "all" else evidence.protocol.default_metrics()
    return [metric for metric in wanted if evidence.available(metric)]


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


def _failure(error: Exception) -> str:
    return f"unavailable: {error}" if isinstance(error, MissingInput) else f"{type(error).__name__}: {error}"


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
            error = f"undefined: {metric.undefined}" if math.isnan(score) else None
            if not finite[image][k]:
                score, error = math.nan, "the map holds NaN or infinity"
            yield {"image": image, "target": targets[image][k], "reference": reference, "score": score, "error": error}
