"""The plan of an audit: forward passes, time and memory, estimated from a few images."""

import time
from dataclasses import dataclass

import torch

from seewhy import api
from seewhy.audits.choose import CHEAP, CHEAP_VIT, POINTS
from seewhy.audits.config import AuditConfig
from seewhy.data.items import Dataset, take
from seewhy.defaults import default_method
from seewhy.models.classifier import Classifier
from seewhy.models.vit import ViT
from seewhy.store.reading import read_batch

SAMPLE = 8  # images that are explained for the estimate
TESTS = 7, 3  # passes per donor (six covered, one whole) and per recipient (whole, cue, control)
TRANSPLANTS = 2 * (1 + 2 / 3)  # more passes per recipient on a ViT


@dataclass(frozen=True)
class Plan:
    """What an audit is going to take."""

    images: int
    candidates: int  # at most
    method: str  # of which the maps were timed
    forwards: dict[str, float]
    seconds: float  # on one process like this one
    megabytes: float  # on disk: maps and features

    def __str__(self) -> str:
        parts = ", ".join(f"{name} {count:,.0f}" for name, count in self.forwards.items())
        total = sum(self.forwards.values())
        return (
            f"{self.images:,} images, up to {self.candidates:,} candidates: {total:,.0f} forward passes ({parts}), "
            f"{total / max(self.images, 1):.0f} per image; about {self.seconds / 60:.1f} min on one process, "
            f"{self.megabytes:,.0f} MB on disk. Maps timed with {self.method}."
        )


def plan_audit(model: Classifier, dataset: Dataset, config: AuditConfig, classes: int | None = None) -> Plan:
    """Explain a few images and extrapolate; backward passes count as two forward passes."""
    some = take(dataset, SAMPLE, seed=config.seed)
    images = read_batch(some, range(len(some)), model.preprocess).images.to(model.device)
    method = config.method or default_method(model)
    start = time.perf_counter()
    with model.meter() as cost, torch.no_grad():
        explanation = api.explain(model, images, method)
    seconds = time.perf_counter() - start
    per_map = (cost.forwards + 2 * cost.backwards) / len(images)
    outputs = classes or explanation.probabilities.shape[1]  # type: ignore[union-attr]
    candidates = config.per_class * min(outputs, len(dataset) // config.min_images)
    trial = 0 if config.method else min(config.trial, len(dataset)) * (2 * POINTS + 4) * len(_competing(model))
    recipients = TESTS[1] + (TRANSPLANTS if isinstance(model, ViT) else 0)
    forwards = {
        "trial": float(trial),
        "maps": (per_map + 2) * len(dataset),
        "features": float(len(dataset)),
        "tests": candidates * (TESTS[0] * config.donors + recipients * config.recipients),
    }
    pass_seconds = seconds / (per_map * len(images))
    megabytes = len(dataset) * (2 * explanation.maps[0].numel() * 4 + 16 * 256 * 2) / 1e6
    return Plan(len(dataset), candidates, method, forwards, pass_seconds * sum(forwards.values()), megabytes)


def _competing(model: Classifier) -> tuple[str, ...]:
    return CHEAP_VIT if isinstance(model, ViT) else CHEAP
