"""The unit of work: one picture for one model, with all methods and protocols. Whatever fails becomes a row.

Clean and reference pictures are answered once per unit, for all methods. The same class works in this process, in
others, and on other machines.
"""

from collections.abc import Collection
from dataclasses import asdict, dataclass, field, replace
from typing import Any, NamedTuple

import torch
from torch import Tensor

from seewhy.api import load_model
from seewhy.bench.config import BenchConfig, MethodConfig, ModelConfig
from seewhy.bench.memo import Memo
from seewhy.bench.pictures import classes_key, photo_key, picture_key, save_classes, save_overlay, save_photo
from seewhy.bench.rows import Case, curve_rows, failure, nothing, options_text, score_row, task_key
from seewhy.bench.store import Record
from seewhy.data import Dataset, Item, Sample, open_dataset
from seewhy.errors import InputError, TargetError
from seewhy.metrics import Cache, gather_evidence, get_protocol, score_evidence
from seewhy.models.classifier import Classifier
from seewhy.models.vit import ViT
from seewhy.registry import resolve_method
from seewhy.types import Attribution, Cost, Targets

Tasks = dict[str, tuple[int, str]]  # method and protocol by key


class Unit(NamedTuple):
    """A picture for a model: positions in the configuration."""

    model: int
    data: int
    item: int


@dataclass
class Outcome:
    """What a unit gave. `tasks` are all it consists of, by key, with image and method; rows only those not yet done."""

    unit: Unit
    tasks: dict[str, tuple[str, int]] = field(default_factory=dict)
    rows: list[Record] = field(default_factory=list)
    curves: list[Record] = field(default_factory=list)
    pictures: dict[str, bytes] = field(default_factory=dict)
    cost: Cost = field(default_factory=Cost)  # of explaining and scoring together


class Worker:
    """Does units. Keeps one model at a time."""

    def __init__(self, config: BenchConfig, done: Collection[str] = ()) -> None:
        self.config, self.done = config, done
        self._model: tuple[int, Classifier] | None = None
        self._data: dict[int, Dataset] = {}

    def look(self, unit: Unit) -> tuple[Outcome, Tasks]:
        """What a unit consists of, and what of it is not done yet; nothing is run."""
        item = self.dataset(unit.data)[unit.item]
        about = self._about(unit, item)
        unreadable = task_key(about, "unreadable")
        if unreadable in self.done:
            return Outcome(unit, {unreadable: (item.name, -1)}), {}
        tasks = self._tasks(about)
        outcome = Outcome(unit, {key: (item.name, method) for key, (method, _) in tasks.items()})
        return outcome, {key: task for key, task in tasks.items() if key not in self.done}

    def work(self, unit: Unit) -> Outcome:
        outcome, missing = self.look(unit)
        if not missing:
            return outcome
        model, item = self.model(unit.model), self.dataset(unit.data)[unit.item]
        about = self._about(unit, item)
        with model.meter() as outcome.cost:
            try:
                case = self._case(model, item, about)
            except Exception as error:
                unreadable = task_key(about, "unreadable")
                outcome.tasks = {unreadable: (item.name, -1)}
                outcome.rows = [{**about, "task": unreadable, **failure(error)}]
                return outcome
            self._methods(case, missing, outcome)
        return outcome

    def model(self, index: int) -> Classifier:
        if self._model is None or self._model[0] != index:
            self._model = None  # free the old one first
            self._model = index, build_model(self.config.models[index])
        return self._model[1]

    def dataset(self, index: int) -> Dataset:
        if index not in self._data:
            entry = self.config.data[index]
            self._data[index] = open_dataset(
                entry.kind,
                limit=entry.limit,
                seed=entry.seed,
                quad=entry.quad,
                unseen_by=entry.unseen_by,
                **entry.options,
            )
        return self._data[index]

    # inside

    def _about(self, unit: Unit, item: Item) -> Record:
        return {
            "model": self.config.models[unit.model].title,
            "model_key": self.model(unit.model).fingerprint,
            "data": self.config.data[unit.data].title,
            "image": item.name,
            "image_key": item.key(),
            "label": item.labels[0] if item.labels else None,
            "pictured": unit.item < self.config.pictures,
        }

    def _tasks(self, about: Record) -> Tasks:
        wanted = list(self.config.metrics) if self.config.metrics is not None else None
        return {
            task_key(
                about,
                method.name,
                options_text(method),
                get_protocol(protocol).fingerprint,
                self.config.targets,
                wanted,
            ): (
                index,
                protocol,
            )
            for index, method in enumerate(self.config.methods)
            for protocol in self.config.protocols
        }

    def _case(self, model: Classifier, item: Item, about: Record) -> Case:
        sample = item.read(model.preprocess)
        images = sample.image.unsqueeze(0).to(model.device)
        probabilities = model.probabilities(images)[0]
        targets = _targets(self.config.targets, sample, probabilities)
        about = {**about, "probabilities": probabilities[targets[0]].tolist()}
        return Case(model, sample, images, targets, about, Cache(), Memo(model, images))

    def _methods(self, case: Case, missing: Tasks, outcome: Outcome) -> None:
        if case.about["pictured"]:
            outcome.pictures[photo_key(case.about)] = save_photo(case.sample)
        for index, method in enumerate(self.config.methods):
            protocols = {protocol: key for key, (which, protocol) in missing.items() if which == index}
            if protocols:
                self._method(case, method, protocols, outcome)

    def _method(self, case: Case, method: MethodConfig, protocols: dict[str, str], outcome: Outcome) -> None:
        """One map, scored under every protocol."""
        about = {**case.about, "method": method.title, "name": method.name, "options": options_text(method)}
        try:
            pipeline = resolve_method(method.name, **method.arguments)
            with case.model.meter() as cost:
                result = replace(pipeline, run_base=case.memo)(case.model, case.images, case.targets)
            about |= asdict(case.memo.spent(cost))
        except Exception as error:
            case.memo.spent(Cost())
            outcome.rows += [
                {**about, "task": key, "protocol": protocol, **failure(error)} for protocol, key in protocols.items()
            ]
            return
        if about["pictured"]:
            outcome.pictures |= _pictures(case, result, about)
        for protocol, key in protocols.items():
            self._score(case, result.maps, protocol, {**about, "task": key}, outcome, pipeline)

    def _score(self, case: Case, maps: Tensor, protocol: str, about: Record, outcome: Outcome, explain: Any) -> None:
        """Rows and curves of one map under one protocol."""
        about = {**about, "protocol": protocol, "protocol_key": get_protocol(protocol).fingerprint}
        labels, regions = case.sample.labels, case.sample.regions_of(case.targets[0].tolist())
        try:
            evidence = gather_evidence(
                case.model,
                case.images,
                maps,
                case.targets,
                protocol=protocol,
                regions=None if regions is None else regions.unsqueeze(0).to(case.images.device),
                labels=torch.tensor(labels[:1], device=case.images.device) if labels else None,
                explain=explain,
                cache=case.cache,
            )
            scores = score_evidence(evidence, self.config.metrics)
            rows = [score_row(case, about, score) for score in scores] or [nothing(about)]
            curves = list(curve_rows(case, about, evidence, self.config.metrics))
        except Exception as error:
            rows, curves = [{**about, **failure(error)}], []
        outcome.rows += rows
        outcome.curves += curves


def build_model(entry: ModelConfig) -> Classifier:
    """Untrained networks get the same weights every time: a run that continues has to find its model again."""
    with torch.random.fork_rng():
        torch.manual_seed(0)
        model = load_model(entry.name, weights=entry.weights, device=entry.device, **entry.options)
    if entry.image_size is not None:
        if isinstance(model, ViT):
            raise InputError(
                f"{entry.name} takes {model.image_size} pixels only; image_size is for networks without tokens"
            )
        return model.with_size((entry.image_size, entry.image_size))
    return model


def _targets(rule: str, sample: Sample, probabilities: Tensor) -> Targets:
    if rule == "predicted":
        return probabilities.argmax().view(1, 1)
    if not sample.labels:
        raise TargetError(f'{sample.name}: targets = "{rule}" needs a label, the data set gives none')
    chosen = sample.labels[:1] if rule == "label" else sample.labels
    if max(chosen) >= len(probabilities):
        raise TargetError(f"{sample.name}: the label is {max(chosen)}, the model has {len(probabilities)} classes")
    return torch.tensor([chosen], device=probabilities.device)


def _pictures(case: Case, result: Attribution, about: Record) -> dict[str, bytes]:
    """The map of the first class, and who wins where if several compete."""
    overlay = save_overlay(result.maps, case.images, case.targets)
    classes = save_classes(result, case.images, case.targets, case.model.class_names)
    pictures = {picture_key(about, int(case.targets[0, 0])): overlay}
    return pictures | ({classes_key(about): classes} if classes else {})


def lost(config: BenchConfig, unit: Unit, reason: str) -> Outcome:
    """The row of a unit whose worker did not come back."""
    worker = Worker(config)
    item = worker.dataset(unit.data)[unit.item]
    about = worker._about(unit, item)
    key = task_key(about, "unreadable")
    return Outcome(unit, {key: (item.name, -1)}, [{**about, "task": key, **failure(RuntimeError(reason))}])
