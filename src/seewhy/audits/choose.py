"""Which method makes the maps: a trained explainer, else the cheap method with the best insertion minus deletion."""

import logging
from dataclasses import dataclass
from typing import Any

from seewhy import api
from seewhy.audits.config import AuditConfig
from seewhy.data.items import Dataset, take
from seewhy.errors import InputError, SeewhyError
from seewhy.explainers.files import find_explainer
from seewhy.models.classifier import Classifier
from seewhy.models.vit import ViT
from seewhy.ops.curves import evenly_spaced
from seewhy.registry import fit_method
from seewhy.store import MapStore
from seewhy.store.reading import read_batch

CHEAP_VIT = ("libra_ixg_plus", "grad_cam_attention", "grad_cam")
CHEAP = ("grad_cam", "layer_cam", "input_x_gradient")
FALLBACK = ("occlusion",)
POINTS = 5  # of a curve of the trial
logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class Choice:
    """The method of the maps, a second one of another kind, and why."""

    method: str
    second: str | None
    reason: str
    scores: dict[str, float]  # insertion minus deletion of the trial
    forwards: float = 0.0  # of the trial


def choose_methods(model: Classifier, dataset: Dataset, config: AuditConfig) -> Choice:
    """The given method, or the bundled explainer, or the winner of a trial on `config.trial` images."""
    if config.method is not None:
        return Choice(config.method, _second(model, config.method, config), "as requested", {})
    if _has_explainer(model):
        return Choice("aha", _second(model, "aha", config), "a trained explainer of this model is bundled", {})
    names = [name for name in (CHEAP_VIT if isinstance(model, ViT) else CHEAP) if _fits(model, name)] or list(FALLBACK)
    if len(names) == 1:
        return Choice(names[0], _second(model, names[0], config), "the only cheap method that fits this model", {})
    scores, forwards, images = run_trial(model, dataset, names, config)
    best = max(scores, key=lambda name: scores[name])
    reason = f"best insertion minus deletion of {len(names)} cheap methods on {images} images"
    return Choice(best, _second(model, best, config), reason, scores, forwards)


def choose_stored(model: Classifier, store: MapStore, config: AuditConfig) -> Choice:
    """Methods whose maps of this model a store holds: the given one, an explainer's, a cheap one, any other."""
    stored = store.methods
    if not stored:
        raise InputError(f"{store.folder} holds no maps of {model.name} for its predicted classes. Audit the images.")
    if missing := [name for name in (config.method, config.second) if name and name not in stored]:
        raise InputError(f"{store.folder} holds no maps of {model.name} by {missing[0]}, only by {', '.join(stored)}.")
    wanted = (config.method, "aha", *CHEAP_VIT, *CHEAP, *stored)
    method = next(name for name in wanted if name in stored)
    second = config.second or next((name for name in wanted if name in stored and name != method), None)
    return Choice(method, second, "the maps of the store", {})


def run_trial(
    model: Classifier, dataset: Dataset, names: list[str], config: AuditConfig
) -> tuple[dict[str, float], float, int]:
    """Mean insertion minus deletion of each method, the forward passes it took, and the number of images."""
    some = take(dataset, config.trial, seed=config.seed)
    images = read_batch(some, range(len(some)), model.preprocess).images.to(model.device)
    options: dict[str, Any] = {"curves": {"references": ["blur"], "fractions": evenly_spaced(POINTS)}}
    scores = {}
    with model.meter() as cost:
        for name in names:
            explanation = api.explain(model, images, name)
            result = api.evaluate(model, explanation, ["ins_del"], options=options)
            scores[name] = result.mean(name, "ins_del")
            logger.info("trial: %s has insertion minus deletion %.3f", name, scores[name])
    return scores, cost.forwards, len(images)


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
