"""The plan of an audit: forward passes, time, disk and memory, estimated from a few images."""

import sys
import time
from dataclasses import dataclass

import torch

from seewhy import api
from seewhy.audits.choose import POINTS, competing_methods, known_method
from seewhy.audits.config import AuditConfig
from seewhy.audits.describe import kept_cells, model_features
from seewhy.audits.screen import FEW, MANY
from seewhy.data.items import Dataset, take
from seewhy.defaults import default_method
from seewhy.models.classifier import Classifier
from seewhy.models.vit import ViT
from seewhy.store.reading import read_batch

SAMPLE = 8  # images that are explained for the estimate
TESTS = 7, 3  # passes per donor (six covered, one whole) and per recipient (whole, cue, control)
DISTANCES = 8  # bytes per pair of clustered cells: their distance, once, and a copy
TRANSPLANTS = 2 * (1 + 2 / 3)  # more passes per recipient on a ViT


@dataclass(frozen=True)
class Plan:
    """What an audit is going to take."""

    images: int
    candidates: int  # at most
    method: str  # of which the maps were timed
    forwards: dict[str, float]
    seconds: float  # on one process like this one
    disk_megabytes: float  # maps and features
    memory_megabytes: float | None  # of one process; None where the system does not tell

    def __str__(self) -> str:
        parts = ", ".join(f"{name} {count:,.0f}" for name, count in self.forwards.items())
        total = sum(self.forwards.values())
        memory = "" if self.memory_megabytes is None else f", {self.memory_megabytes:,.0f} MB of memory"
        return (
            f"{self.images:,} images, up to {self.candidates:,} candidates: {total:,.0f} forward passes ({parts}), "
            f"{total / max(self.images, 1):.0f} per image; about {self.seconds / 60:.1f} min on one process, "
            f"{self.disk_megabytes:,.0f} MB on disk{memory}. Maps timed with {self.method}."
        )


def plan_audit(model: Classifier, dataset: Dataset, config: AuditConfig, classes: int | None = None) -> Plan:
    """Explain a few images and extrapolate; backward passes count as two forward passes."""
    some = take(dataset, SAMPLE, seed=config.seed)
    images = read_batch(some, range(len(some)), model.preprocess).images.to(model.device)
    known = known_method(model, config)
    method = known[0] if known else default_method(model)
    start = time.perf_counter()
    with model.meter() as cost, torch.no_grad():
        explanation = api.explain(model, images, method, **config.options(method))
    seconds = time.perf_counter() - start
    per_map = (cost.forwards + 2 * cost.backwards) / len(images)
    outputs = classes or explanation.probabilities.shape[1]  # type: ignore[union-attr]
    searched = min(outputs, len(dataset) // config.min_images)
    candidates = config.per_class * searched
    trial = 0 if known else min(config.trial, len(dataset)) * (2 * POINTS + 4) * len(competing_methods(model))
    recipients = TESTS[1] + (TRANSPLANTS if isinstance(model, ViT) else 0)
    forwards = {
        "trial": float(trial),
        "maps": (per_map + 2) * len(dataset),
        "features": float(len(dataset)),
        "screening": float(searched * (config.screened * FEW + config.per_class * MANY)),
        "tests": candidates * (TESTS[0] * config.donors + recipients * config.recipients),
    }
    pass_seconds = seconds / (per_map * len(images))
    _, channels, rows, cols = model_features(model, images)[1].shape
    cells = kept_cells(rows * cols)
    stored = 2 * explanation.maps[0].numel() * 4 + cells * channels * 2
    peak, clustered = peak_megabytes(), min(config.max_images, len(dataset)) * cells
    return Plan(
        len(dataset),
        candidates,
        method,
        forwards,
        pass_seconds * sum(forwards.values()),
        len(dataset) * stored / 1e6,
        None if peak is None else peak + DISTANCES * clustered**2 / 1e6,
    )


def peak_megabytes() -> float | None:
    """The largest memory of this process so far; None where the system does not tell."""
    try:
        import resource
    except ModuleNotFoundError:
        return None
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (1e6 if sys.platform == "darwin" else 1024)
