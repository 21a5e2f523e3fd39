"""What a unit writes down: names of tasks, scores, curves, failures."""

import hashlib
import json
import math
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import torch
from jaxtyping import Float
from torch import Tensor
from torch.nn.functional import pad

from seewhy import __version__
from seewhy.bench.config import MethodConfig
from seewhy.bench.memo import Memo
from seewhy.bench.store import Record
from seewhy.data import Sample
from seewhy.errors import InputError
from seewhy.metrics import Cache, Evidence, choose_metrics
from seewhy.metrics._information import Information
from seewhy.metrics._randomization import Randomization
from seewhy.metrics._sweep import Curves
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
    """The name of a task: everything that decides its rows, and the picture's name, since copies have rows too."""
    content = [__version__, about["model_key"], about["data"], about["image"], about["image_key"], *parts]
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
    """The curves behind the scores, where a metric needed them: one row per curve, class and reference."""
    needed = {need for metric in choose_metrics(evidence, metrics) for need in metric.needs}
    pixels = case.images.shape[-1] * case.images.shape[-2]
    for kind in (kind for kind in CURVES if kind in needed):  # in the same order in every process
        for name, reference, at, values in CURVES[kind](evidence[kind], pixels):
            for k, target in enumerate(case.targets[0].tolist()):
                score = {"target": target, "reference": reference, "metric": "", "score": 0.0, "error": None}
                curve = {"curve": name, "at": at, "value": values[0, k].tolist()}
                yield {**score_row(case, about, score), **curve}


Curve = tuple[str, str, list[float], Float[Tensor, "batch classes points"]]  # metric, reference, places, values


def _swept(curves: Curves, pixels: int) -> Iterator[Curve]:
    """Probability over the share of pixels."""
    for r, reference in enumerate(curves.references):
        yield "deletion", reference, (curves.deleted / pixels).tolist(), curves.deletion[:, :, r]
        yield "insertion", reference, (curves.inserted / pixels).tolist(), curves.insertion[:, :, r]


def _informed(information: Information, _pixels: int) -> Iterator[Curve]:
    """What the model says over the share of information."""
    for name, values in (("aic", information.accuracy), ("sic", information.softmax)):
        yield name, "all", torch.linspace(0, 1, values.shape[-1]).tolist(), values


def _drifted(randomization: Randomization, _pixels: int) -> Iterator[Curve]:
    """Similarity over the share of stages that are random; it begins with the map itself."""
    for name in ("spearman", "pearson", "cosine", "ssim"):
        values = pad(getattr(randomization, name), (1, 0), value=1.0)
        yield f"randomization_{name}", "all", torch.linspace(0, 1, values.shape[-1]).tolist(), values


CURVES: dict[str, Callable[[Any, int], Iterator[Curve]]] = {
    "curves": _swept,
    "information": _informed,
    "randomization": _drifted,
}
