"""The rows of units that run together: scores, curves, failures."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from seewhy.bench.map_cache import MapCache
from seewhy.bench.tasks import Task
from seewhy.data import Sample
from seewhy.metrics import Evidence, PredictionCache, score_metrics
from seewhy.metrics.evidence import Line, Row, has_failed
from seewhy.models.classifier import Classifier
from seewhy.registry import EvidenceFunction
from seewhy.types import Images, Regions, Targets


class RunAlone(Exception):
    """Units cannot run together; each must run alone."""


@dataclass(frozen=True)
class UnitContext:
    """Everything that all methods of a unit, or of several that run together, share."""

    model: Classifier
    samples: tuple[Sample, ...]
    images: Images
    targets: Targets
    probabilities: Tensor  # of all classes, by image
    class_columns: list[dict[int, Row]]  # by image: columns of the rows about a class, by class
    prediction_cache: PredictionCache
    map_cache: MapCache

    @property
    def regions(self) -> Regions | None:
        found = [each.regions_of(row) for each, row in zip(self.samples, self.targets.tolist(), strict=True)]
        known = [regions for regions in found if regions is not None]
        return torch.stack(known).to(self.images.device) if known else None

    @property
    def labels(self) -> Tensor | None:
        known = [sample.labels[0] for sample in self.samples if sample.labels]
        return torch.tensor(known, device=self.images.device) if known else None

    def single(self, index: int) -> "UnitContext":
        """The context of one of the units."""
        rows = slice(index, index + 1)
        images = self.images[rows]
        return UnitContext(
            self.model,
            self.samples[rows],
            images,
            self.targets[rows],
            self.probabilities[rows],
            self.class_columns[rows],
            self.prediction_cache,
            MapCache(self.model, images),
        )


def class_columns(model: Classifier, targets: Targets, probabilities: Tensor) -> list[dict[int, Row]]:
    """By image: columns of the rows about each class (index, name and probability), by class."""
    names = model.class_names
    of_targets = probabilities.gather(1, targets).tolist()
    return [
        {
            target: {
                "target": target,
                "target_name": names[target].partition(",")[0] if names else f"class {target}",
                "probability": probability,
            }
            for target, probability in zip(classes, values, strict=True)
        }
        for classes, values in zip(targets.tolist(), of_targets, strict=True)
    ]


def failure_row(identity: Row, key: str, error: Exception, **columns: str) -> Row:
    """The row of a unit or method that failed: no metric, and the error."""
    text = " ".join(str(error).split())
    where = {"metric": "", "reference": "", "protocol": "", **columns}
    return {**identity, **where, "task": key, "score": math.nan, "error": f"{type(error).__name__}: {text}"}


def score_rows(
    identities: Sequence[Row], context: UnitContext, tasks: Sequence[list[Task]], evidence: Evidence
) -> list[list[Row]]:
    """The rows of some tasks under one protocol, by unit; units that run together have the same metrics."""
    columns = ("metric", "metric_key", "protocol", "reference", "score", "error")
    keys = [{task.measurement.metric.name: task.key for task in each} for each in tasks]
    rows: list[list[Row]] = [[] for _ in identities]
    for row in score_metrics(evidence, [task.measurement.metric for task in tasks[0]]):
        unit = row["image"]
        if len(identities) > 1 and has_failed(row):
            raise RunAlone("a metric failed, perhaps for one of them only")
        about, scored = context.class_columns[unit][row["target"]], {name: row[name] for name in columns}
        rows[unit].append({**identities[unit], **about, **scored, "task": keys[unit][row["metric"]]})
    return rows


def curve_rows(identity: Row, context: UnitContext, unit: int, tasks: list[Task], evidence: Evidence) -> list[Row]:
    """The curves behind the scores of a unit under one protocol: one row per curve, class and reference."""
    drawn = {name: key for task in tasks for name, key in task.curve_keys.items()}
    functions = {name: function for task in tasks for name, function in task.measurement.metric.needed.items()}
    rows = []
    for name, key in drawn.items():
        fixed = {**identity, "task": key, "protocol": evidence.protocol.name}
        for line in _lines(functions[name], context, evidence):
            for k, columns in enumerate(context.class_columns[unit].values()):
                curve = {"curve": line.curve, "at": line.at, "value": line.values[unit, k].tolist()}
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
