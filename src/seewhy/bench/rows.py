"""The rows of a unit: scores, curves, failures."""

import math
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from seewhy.bench.map_cache import MapCache
from seewhy.bench.store import Record
from seewhy.bench.tasks import Task
from seewhy.data import Sample
from seewhy.metrics import Evidence, PredictionCache, score_metrics
from seewhy.metrics.evidence import Line
from seewhy.models.classifier import Classifier
from seewhy.registry import EvidenceFunction
from seewhy.types import Images, Regions, Targets


@dataclass(frozen=True)
class UnitContext:
    """Everything that all methods of a unit share."""

    model: Classifier
    sample: Sample
    images: Images
    targets: Targets
    probabilities: Tensor  # of all classes
    cases: dict[int, Record]  # columns of each case, by its class
    prediction_cache: PredictionCache
    map_cache: MapCache

    @property
    def regions(self) -> Regions | None:
        regions = self.sample.regions_of(self.targets[0].tolist())
        return None if regions is None else regions.unsqueeze(0).to(self.images.device)

    @property
    def labels(self) -> Any:
        first = self.sample.labels[:1]
        return torch.tensor(first, device=self.images.device) if first else None


def case_columns(model: Classifier, targets: Targets, probabilities: Tensor) -> dict[int, Record]:
    """Class, its name and its probability, by class."""
    names = model.class_names
    return {
        target: {
            "target": target,
            "target_name": names[target].partition(",")[0] if names else f"class {target}",
            "probability": float(probabilities[target]),
        }
        for target in targets[0].tolist()
    }


def failure_row(identity: Record, key: str, error: Exception, **columns: str) -> Record:
    """The row of a unit or method that failed: no metric, and the error."""
    text = " ".join(str(error).split())
    where = {"metric": "", "reference": "", "protocol": "", **columns}
    return {**identity, **where, "task": key, "score": math.nan, "error": f"{type(error).__name__}: {text}"}


def score_rows(identity: Record, context: UnitContext, tasks: list[Task], evidence: Evidence) -> list[Record]:
    """The rows of some tasks under one protocol."""
    columns = ("metric", "metric_key", "protocol", "reference", "score", "error")
    keys = {task.measurement.metric.name: task.key for task in tasks}
    return [
        {
            **identity,
            **context.cases[row["target"]],
            **{name: row[name] for name in columns},
            "task": keys[row["metric"]],
        }
        for row in score_metrics(evidence, [task.measurement.metric for task in tasks])
    ]


def curve_rows(identity: Record, context: UnitContext, tasks: list[Task], evidence: Evidence) -> list[Record]:
    """The curves behind the scores of some tasks under one protocol: one row per curve, class and reference."""
    drawn = {name: key for task in tasks for name, key in task.curve_keys.items()}
    functions = {name: function for task in tasks for name, function in task.measurement.metric.needed.items()}
    rows = []
    for name, key in drawn.items():
        fixed = {**identity, "task": key, "protocol": evidence.protocol.name}
        for line in _lines(functions[name], context, evidence):
            for k, columns in enumerate(context.cases.values()):
                curve = {"curve": line.curve, "at": line.at, "value": line.values[0, k].tolist()}
                rows.append({**fixed, **columns, "reference": line.reference, **curve})
    return rows


def _lines(function: EvidenceFunction, context: UnitContext, evidence: Evidence) -> list[Line]:
    """The lines of some evidence; none if it failed, which the rows of its metrics report."""
    pixels = context.images.shape[-1] * context.images.shape[-2]
    try:
        value = evidence[function.name]
    except Exception:
        return []
    return function.lines(value, pixels) if function.lines else []
