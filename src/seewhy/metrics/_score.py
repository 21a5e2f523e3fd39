"""Maps in, rows out: a metric gets the evidence its parameters name, and one that fails costs only its own rows."""

import math
from collections.abc import Iterator, Sequence
from typing import Any

from torch import Tensor

from seewhy.metrics._evidence import Evidence, Explain
from seewhy.metrics._stream import Cache
from seewhy.metrics.protocols import Protocol, fields_for, get_protocol
from seewhy.models.classifier import Classifier
from seewhy.registry import METRICS, Metric
from seewhy.types import Images, Maps, Regions, Targets

Row = dict[str, Any]


def gather_evidence(
    model: Classifier,
    images: Images,
    maps: Maps,
    targets: Targets,
    *,
    protocol: str | Protocol = "aha",
    regions: Regions | None = None,
    labels: Tensor | None = None,
    explain: Explain | None = None,
    cache: Cache | None = None,
) -> Evidence:
    """Evidence about maps; nothing is computed yet. `evidence["curves"]` has the curves behind the scores."""
    protocol = get_protocol(protocol)
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
    regions: Regions | None = None,
    labels: Tensor | None = None,
    explain: Explain | None = None,
    cache: Cache | None = None,
    strict: bool = False,
) -> list[Row]:
    """Score maps, one row per image, class, metric and reference.

    `metrics=None` takes all that the protocol's own evidence permits; "all" also what needs a sweep of its own or
    explain again. Pass the same `cache` for all methods of an image and the clean and reference images are
    run once. `labels` are the data set's classes, where a protocol judges by them; `explain(model, images, targets)`
    makes maps again. `strict` raises where otherwise a row says what went wrong.
    """
    evidence = gather_evidence(
        model, images, maps, targets, protocol=protocol, regions=regions, labels=labels, explain=explain, cache=cache
    )
    return score_evidence(evidence, metrics, strict=strict)


def score_evidence(
    evidence: Evidence, metrics: Sequence[str] | str | None = None, *, strict: bool = False
) -> list[Row]:
    """The rows of `score_maps`, from evidence that the caller keeps."""
    rows: list[Row] = []
    for metric in choose_metrics(evidence, metrics):
        try:
            scores = run_metric(metric, evidence)
        except Exception as error:
            if strict:
                raise
            rows += _failed_rows(metric, evidence, f"{type(error).__name__}: {error}")
        else:
            rows += _rows(metric, evidence, scores)
    return rows


def choose_metrics(evidence: Evidence, metrics: Sequence[str] | str | None = None) -> list[Metric]:
    """Metrics by name; None for the protocol's own, "all" for every one whose evidence can be had."""
    if metrics is None:
        return [metric for metric in METRICS.all() if all(evidence.by_default(need) for need in metric.needs)]
    if metrics == "all":
        return [metric for metric in METRICS.all() if all(evidence.available(need) for need in metric.needs)]
    return [METRICS.get(name) for name in ([metrics] if isinstance(metrics, str) else metrics)]


def run_metric(metric: Metric, evidence: Evidence) -> Tensor:
    """`batch classes` or `batch classes references`; options come from the protocol."""
    options = fields_for(evidence.protocol, list(metric.options))
    return metric.function(*(evidence[name] for name in metric.needs), **options)


def _rows(metric: Metric, evidence: Evidence, scores: Tensor) -> Iterator[Row]:
    """One row per reference and one for their mean, "all"."""
    names = [pair.name for pair in evidence.protocol.references] if scores.ndim == 3 else []
    columns = [("all", scores.mean(dim=-1) if scores.ndim == 3 else scores)]
    columns += [(name, scores[..., i]) for i, name in enumerate(names)] if len(names) > 1 else []
    finite = evidence.finite.tolist()
    for reference, values in columns:
        for image, row in enumerate(values.tolist()):
            for k, score in enumerate(row):
                error = None if not math.isnan(score) else f"undefined: {metric.undefined}"
                if not finite[image][k]:
                    score, error = math.nan, "the map holds NaN or infinity"
                yield _row(metric, evidence, image, k, reference, float(score), error)


def _failed_rows(metric: Metric, evidence: Evidence, error: str) -> list[Row]:
    batch, classes = evidence.targets.shape
    return [_row(metric, evidence, i, k, "all", math.nan, error) for i in range(batch) for k in range(classes)]


def _row(
    metric: Metric, evidence: Evidence, image: int, k: int, reference: str, score: float, error: str | None
) -> Row:
    return {
        "image": image,
        "target": int(evidence.targets[image, k]),
        "metric": metric.name,
        "reference": reference,
        "protocol": evidence.protocol.name,
        "fingerprint": evidence.protocol.fingerprint,
        "score": score,
        "error": error,
    }
