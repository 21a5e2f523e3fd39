"""Which method makes the maps: a trained explainer, else the cheap method with the best insertion minus deletion."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from seewhy import api
from seewhy.audits.config import EXPLAINED, AuditConfig
from seewhy.data.items import Dataset, take
from seewhy.errors import InputError, SeewhyError, or_list
from seewhy.explainers.files import find_explainer
from seewhy.models.classifier import Classifier
from seewhy.models.vit import ViT
from seewhy.ops.curves import evenly_spaced
from seewhy.registry import fit_method
from seewhy.runtime.pool import run_units
from seewhy.runtime.progress import track
from seewhy.store import MapStore
from seewhy.store.reading import read_batch

CHEAP_VIT = ("libra_ixg_plus", "grad_cam_attention", "grad_cam")
CHEAP = ("grad_cam", "layer_cam", "input_x_gradient")
FALLBACK = ("occlusion",)
POINTS = 5  # of a curve of the trial
PART = 16  # images of a unit of the trial


@dataclass(frozen=True)
class Choice:
    """The method of the maps, a second one of another kind, and why."""

    method: str
    second: str | None
    reason: str
    scores: dict[str, float]  # insertion minus deletion of the trial
    forwards: float = 0.0  # of the trial


def choose_methods(
    model: Classifier, dataset: Dataset, config: AuditConfig, *, workers: int = 1, ray: str | None = None
) -> Choice:
    """The given explainer or method, or the bundled explainer, or the winner of a trial on `config.trial` images."""
    if known := known_method(model, config):
        method, reason = known
        return Choice(method, _second(model, method, config), reason, {})
    names = competing_methods(model)
    if len(names) == 1:
        return Choice(names[0], _second(model, names[0], config), "the only cheap method that fits this model", {})
    scores, forwards, images = run_trial(model, dataset, names, config, workers=workers, ray=ray)
    best = max(scores, key=lambda name: scores[name])
    reason = f"best insertion minus deletion of {len(names)} cheap methods on {images} images"
    return Choice(best, _second(model, best, config), reason, scores, forwards)


def known_method(model: Classifier, config: AuditConfig) -> tuple[str, str] | None:
    """The method of the maps and why, if that needs no trial."""
    if config.explainer is not None:
        return EXPLAINED, "the explainer that was given"
    if config.method is not None:
        return config.method, "as requested"
    return (EXPLAINED, "a trained explainer of this model is bundled") if _has_explainer(model) else None


def competing_methods(model: Classifier) -> list[str]:
    """The cheap methods that fit a model."""
    return [name for name in (CHEAP_VIT if isinstance(model, ViT) else CHEAP) if _fits(model, name)] or list(FALLBACK)


def choose_stored(model: Classifier, store: MapStore, config: AuditConfig) -> Choice:
    """Methods whose maps of this model a store holds: the given one, an explainer's, a cheap one, any other."""
    stored = store.methods
    if not stored:
        raise InputError(f"{store.folder} holds no maps of {model.name} for its predicted classes. Audit the images.")
    if missing := [name for name in (config.method, config.second) if name and name not in stored]:
        raise InputError(f"{store.folder} holds no maps of {model.name} by {missing[0]}, only by {', '.join(stored)}.")
    wanted = (config.method, EXPLAINED, *CHEAP_VIT, *CHEAP, *stored)
    method = next(name for name in wanted if name in stored)
    second = config.second or next((name for name in wanted if name in stored and name != method), None)
    for name in filter(None, (method, second)):
        if len(found := store.filter(method=name).unique("options")) > 1:
            raise InputError(
                f"{store.folder} holds maps by {name} with several options. Audit the images, or in Python "
                f"MapStore(…).filter(options=…) with one of {or_list(sorted(found))}."
            )
    return Choice(method, second, "the maps of the store", {})


@dataclass
class TrialJob:
    """Scores the methods on some images, here or in other processes."""

    model: Classifier
    dataset: Dataset
    names: list[str]

    def work(self, unit: tuple[int, ...], ahead: Sequence[Any] = ()) -> tuple[list[float], float]:  # noqa: ARG002
        """The sum of insertion minus deletion of each method over the images, and the forward passes."""
        images = read_batch(self.dataset, unit, self.model.preprocess).images.to(self.model.device)
        options: dict[str, Any] = {"curves": {"references": ["blur"], "fractions": evenly_spaced(POINTS)}}
        sums = []
        with self.model.meter() as cost:
            for name in self.names:
                explanation = api.explain(self.model, images, name)
                scores = api.evaluate(self.model, explanation, ["ins_del"], options=options)
                sums.append(len(images) * scores.mean(name, "ins_del"))
        return sums, cost.forwards


def run_trial(
    model: Classifier, dataset: Dataset, names: list[str], config: AuditConfig, *, workers: int, ray: str | None
) -> tuple[dict[str, float], float, int]:
    """Mean insertion minus deletion of each method, the forward passes it took, and the number of images."""
    some = take(dataset, config.trial, seed=config.seed)
    units = [tuple(range(start, min(start + PART, len(some)))) for start in range(0, len(some), PART)]
    finished = run_units(TrialJob(model, some, names), units, workers=workers, ray=ray)
    totals, forwards = np.zeros(len(names)), 0.0
    for _, result, _, error in track(finished, "choosing a method", total=len(units)):
        if error:
            raise InputError(f"the trial of methods failed: {error}")
        totals += result[0]
        forwards += result[1]
    return dict(zip(names, (totals / len(some)).tolist(), strict=True)), forwards, len(some)


def _has_explainer(model: Classifier) -> bool:
    try:
        find_explainer(model)
    except SeewhyError:
        return False
    return True


def _second(model: Classifier, first: str, config: AuditConfig) -> str | None:
    """A method of another kind: gradient against class activation."""
    if config.second is not None:
        return config.second
    others = ("grad_cam", "libra_ixg_plus", "gradient") if isinstance(model, ViT) else ("gradient", "grad_cam")
    return next((name for name in others if name != first and _fits(model, name)), None)


def _fits(model: Classifier, name: str) -> bool:
    try:
        fit_method(model, name)
        if "cam" in name:
            model.feature_layer  # noqa: B018 - raises if there is none
    except SeewhyError:
        return False
    return True
