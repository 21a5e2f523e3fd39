"""What a unit writes down: names of tasks, scores, curves, failures."""

import hashlib
import json
import math
from collections.abc import Iterator
from typing import Any, NamedTuple

from seewhy import __version__
from seewhy.bench.config import MethodConfig
from seewhy.bench.memo import Memo
from seewhy.bench.store import Record
from seewhy.data import Sample
from seewhy.errors import InputError
from seewhy.metrics import Cache, Evidence, choose_metrics
from seewhy.models.classifier import Classifier
from seewhy.types import Images, Targets


class Case(NamedTuple):
    """What all methods of a unit share."""

    model: Classifier
    sample: Sample
    images: Images
    targets: Targets
    about: Record
    cache: Cache
    memo: Memo


def options_text(method: MethodConfig) -> str:
    return json.dumps(method.options, sort_keys=True)


def task_key(about: Record, *parts: Any) -> str:
    """The name of a task: everything that decides its rows."""
    content = [__version__, about["model_key"], about["data"], about["image_key"], *parts]
    return hashlib.blake2b(json.dumps(content).encode(), digest_size=10).hexdigest()


def failure(error: Exception) -> Record:
    text = " ".join(str(error).split())
    return {"metric": "", "reference": "", "score": math.nan, "error": f"{type(error).__name__}: {text}"}


def nothing(about: Record) -> Record:
    return {**about, **failure(InputError("no metric of this protocol can be had from this data set"))}


def score_row(case: Case, about: Record, score: Record) -> Record:
    names, target = case.model.class_names, score["target"]
    place = case.targets[0].tolist().index(target)
    kept = {name: score[name] for name in ("metric", "reference", "score", "error")}
    return {
        **about,
        **kept,
        "target": target,
        "target_name": names[target].partition(",")[0] if names else f"class {target}",
        "probability": about["probabilities"][place],
    }


def curve_rows(case: Case, about: Record, evidence: Evidence, metrics: Any) -> Iterator[Record]:
    """Both curves per class and reference, where a metric needed them."""
    if not any("curves" in metric.needs for metric in choose_metrics(evidence, metrics)):
        return
    curves = evidence["curves"]
    pixels = case.images.shape[-1] * case.images.shape[-2]
    deleted, inserted = ((points / pixels).tolist() for points in (curves.deleted, curves.inserted))
    for k, target in enumerate(case.targets[0].tolist()):
        for r, reference in enumerate(curves.references):
            score = {"target": target, "reference": reference, "metric": "", "score": 0.0, "error": None}
            yield {
                **score_row(case, about, score),
                "deleted": deleted,
                "inserted": inserted,
                "deletion": curves.deletion[0, k, r].tolist(),
                "insertion": curves.insertion[0, k, r].tolist(),
            }
