"""Score maps with some metrics under a protocol."""

from collections.abc import Sequence

from torch import Tensor

from seewhy.metrics.evidence import Evidence, Explain, Row, score_metrics
from seewhy.metrics.predictions import PredictionCache
from seewhy.metrics.protocols import Options, Protocol, get_protocol
from seewhy.models.classifier import Classifier
from seewhy.registry import METRICS, Metric
from seewhy.types import Images, Maps, Regions, Targets


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
