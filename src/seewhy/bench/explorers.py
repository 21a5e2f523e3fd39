"""Explorers of the report's example images: a bundle per method is stored with the run, the report merges them."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from seewhy.bench.config import MethodConfig
from seewhy.bench.rows import UnitContext
from seewhy.explanation import Explanation
from seewhy.explorer import Bundle, write_html
from seewhy.explorer.bundle import merge
from seewhy.explorer.collect import METRICS_SHOWN, bundle_evidence
from seewhy.explorer.view import BASELINES
from seewhy.metrics import Evidence, Protocol, choose_metrics, collect_evidence, score_metrics
from seewhy.metrics.evidence import Row
from seewhy.registry import Pipeline, resolve_method
from seewhy.types import Attribution, Cost

FOLDER = "explorer"  # beside the report
BASELINE_METHODS = [MethodConfig(name) for name in BASELINES]  # in every explorer


def bundle_method(
    context: UnitContext,
    method: MethodConfig,
    pipeline: Pipeline,
    result: Attribution,
    cost: Cost,
    evidence: Evidence,
    rows: Sequence[Row] = (),
) -> bytes:
    """The bundle of one method's maps; scores that are not among `rows` are computed."""
    explanation = Explanation(
        maps=result.maps.detach(),
        targets=context.targets,
        images=context.images,
        method=method.name,
        options=method.arguments,
        extras=result.extras,
        cost=cost,
        names=(context.samples[0].name,),
        class_agnostic=pipeline.methods[-1].class_agnostic,
    )
    known = [row for row in rows if row["metric"] in METRICS_SHOWN and row["protocol"] == evidence.protocol.name]
    missing = set(METRICS_SHOWN) - {row["metric"] for row in known}
    scores = [*known, *score_metrics(evidence, choose_metrics(evidence, sorted(missing)))]
    bundle = bundle_evidence([explanation], [evidence], [scores], context.probabilities[0])
    return replace(bundle, entries=tuple(replace(entry, label=method.title) for entry in bundle.entries)).to_bytes()


def bundle_baseline(context: UnitContext, method: MethodConfig, protocol: Protocol) -> bytes:
    """The bundle of a baseline that the benchmark does not score."""
    pipeline = resolve_method(method.name)
    with context.model.meter() as cost:
        result = pipeline(context.model, context.images, context.targets)
    evidence = collect_evidence(
        context.model, context.images, result.maps, context.targets, protocol=protocol, cache=context.prediction_cache
    )
    return bundle_method(context, method, pipeline, result, cost, evidence)


def write_explorer(examples: Path, keys: Sequence[str], path: Path) -> bool:
    """Write the explorer of one image from the stored bundles of its methods; False if there are none."""
    files = [examples / f"{key}.safetensors" for key in dict.fromkeys(keys)]
    bundles = [Bundle.from_bytes(file.read_bytes()) for file in files if file.is_file()]
    if bundles:
        write_html(merge(bundles), path, title=f"{bundles[0].name} · seewhy explorer")
    return bool(bundles)
