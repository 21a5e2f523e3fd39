"""A worker processes units: one item for one model, with all methods and metrics. A failure becomes a row.

Predictions for clean and reference images are shared by all methods of a unit. The same class runs in this process, in
others, and on other machines.
"""

from collections.abc import Collection, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from itertools import groupby
from typing import Any

import torch
from torch import Tensor

from seewhy.api import load_model
from seewhy.bench.config import BenchConfig, DataConfig, ModelConfig
from seewhy.bench.explorers import CONTROLS, bundle_control, bundle_method
from seewhy.bench.map_cache import MapCache
from seewhy.bench.overlays import classes_key, image_key, overlay_key, save_classes, save_image, save_overlay
from seewhy.bench.rows import UnitContext, case_columns, curve_rows, failure_row, score_rows
from seewhy.bench.store import Record
from seewhy.bench.tasks import Task, Unit, UnitIdentity, measurements, method_tasks, options_text
from seewhy.data import Dataset, Sample, confident_items, items, open_dataset
from seewhy.errors import InputError, TargetError
from seewhy.explorer.collect import watched_classes
from seewhy.metrics import Evidence, PredictionCache, Protocol
from seewhy.models.classifier import Classifier
from seewhy.models.vit import ViT
from seewhy.registry import Pipeline, resolve_method
from seewhy.store import MapStore
from seewhy.store.lookup import MapLookup
from seewhy.store.schema import Recipe
from seewhy.types import Attribution, Cost, Targets

UNIT_FAILED, FAILED = "unreadable", "failed"  # keys of a unit, and of a method for a unit, that has no scores


@dataclass
class Outcome:
    """The result of a unit. `owners`: image and method of every key that belongs to it, done or not."""

    unit: Unit
    owners: dict[str, tuple[str, int]] = field(default_factory=dict)
    rows: list[Record] = field(default_factory=list)
    curves: list[Record] = field(default_factory=list)
    overlays: dict[str, bytes] = field(default_factory=dict)
    bundles: dict[str, bytes] = field(default_factory=dict)  # for explorers
    cost: Cost = field(default_factory=Cost)  # of explaining and scoring together


class Worker:
    """Processes units; keeps one model in memory at a time. `done` are the keys that have rows already."""

    def __init__(self, config: BenchConfig, done: Collection[str] = ()) -> None:
        self.config, self.done = config, done
        self.measurements = measurements(config)
        self._methods = [(method, options_text(method)) for method in config.methods]
        self._model: tuple[int, Classifier] | None = None
        self._fingerprints: dict[int, str] = {}
        self._data: dict[int, Dataset] = {}
        self._identities: dict[Unit, UnitIdentity] = {}
        self._stored: MapLookup | None = None
        self.sent: dict[int, Classifier] = {}  # models that travel with this worker to other machines

    def __getstate__(self) -> dict[str, Any]:
        """Other processes load the models themselves, unless they are sent along."""
        return {**self.__dict__, "measurements": None, "_model": None, "_identities": {}, "_stored": None}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__ |= state | {"measurements": measurements(state["config"])}  # protocols cannot be pickled

    @property
    def tasks_per_unit(self) -> int:
        return len(self._methods) * len(self.measurements)

    def pending_tasks(self, unit: Unit) -> tuple[Outcome, list[Task]]:
        """The owners of a unit's keys, and its tasks without rows; nothing is run."""
        identity, outcome, pending = self.identify(unit), Outcome(unit), []
        for index, (method, options) in enumerate(self._methods):
            label = identity.image, index
            tasks = method_tasks(identity, index, method, self.measurements, options)
            outcome.owners |= {key: label for task in tasks for key in (task.key, *task.curve_keys.values())}
            missing = [task for task in tasks if task.key not in self.done]
            failed = identity.key(method.name, options, FAILED)
            if missing and failed in self.done:
                outcome.owners[failed] = label
            else:
                pending += missing
        unreadable = identity.key(UNIT_FAILED)
        if pending and unreadable in self.done:
            outcome.owners[unreadable], pending = (identity.image, -1), []
        return outcome, pending

    def work(self, unit: Unit, ahead: Sequence[Unit] = ()) -> Outcome:  # noqa: ARG002 - reading is a small part
        """Run the pending tasks of a unit."""
        outcome, pending = self.pending_tasks(unit)
        if not pending:
            return outcome
        model, identity = self.model(unit.model), self.identify(unit)
        with model.meter() as outcome.cost:
            try:
                context = self._read(unit, model)
            except Exception as error:
                return self.failed_unit(unit, error)
            if unit.item < self.config.examples:
                outcome.overlays[image_key(identity._asdict())] = save_image(context.sample)
            for index, tasks in groupby(pending, key=lambda task: task.method):
                self._run_method(context, identity, index, list(tasks), outcome)
        if outcome.bundles:
            self._bundle_controls(context, identity, pending, outcome)
        return outcome

    def identify(self, unit: Unit) -> UnitIdentity:
        """Names and hashes of a unit; the file is hashed once."""
        if unit not in self._identities:
            item = self.dataset(unit.data)[unit.item]
            self._identities[unit] = UnitIdentity(
                self.config.models[unit.model].title,
                self.fingerprint(unit.model),
                self.config.data[unit.data].title,
                item.name,
                item.key(),
                item.labels[0] if item.labels else None,
                self.config.target_rule,
            )
        return self._identities[unit]

    def failed_unit(self, unit: Unit, error: Exception) -> Outcome:
        """The outcome of a unit that has no scores at all."""
        identity = self.identify(unit)
        key = identity.key(UNIT_FAILED)
        return Outcome(unit, {key: (identity.image, -1)}, [failure_row(identity._asdict(), key, error)])

    def model(self, index: int) -> Classifier:
        if index in self.sent:
            return self.sent[index]
        if self._model is None or self._model[0] != index:
            self._model = None  # free the old one first
            self._model = index, build_model(self.config.models[index])
        return self._model[1]

    def fingerprint(self, index: int) -> str:
        """Of a model's weights; computed once per run."""
        if index not in self._fingerprints:
            self._fingerprints[index] = self.model(index).fingerprint
        return self._fingerprints[index]

    def dataset(self, index: int) -> Dataset:
        if index not in self._data:
            entry = self.config.data[index]
            everything = open_dataset(
                entry.kind,
                limit=entry.limit if entry.confidence is None else None,
                seed=entry.seed,
                quad=entry.quad,
                unseen_by=entry.unseen_by,
                **entry.options,
            )
            self._data[index] = everything if entry.confidence is None else self._confident(everything, entry)
        return self._data[index]

    def _confident(self, dataset: Dataset, entry: DataConfig) -> Dataset:
        titles = [model.title for model in self.config.models]
        model = self.model(titles.index(entry.model) if entry.model else 0)
        assert entry.confidence is not None
        return confident_items(
            dataset, model, min_confidence=entry.confidence, per_class=entry.per_class, limit=entry.limit
        )

    def _read(self, unit: Unit, model: Classifier) -> UnitContext:
        sample = self.dataset(unit.data)[unit.item].read(model.preprocess)
        images = sample.image.unsqueeze(0).to(model.device)
        probabilities = model.probabilities(images)[0]
        targets = targets_by_rule(self.config.targets, sample, probabilities, self.config.min_confidence)
        cases = case_columns(model, targets, probabilities)
        explored = unit.item < self.config.examples
        cache = PredictionCache(watched_classes(probabilities, targets[0]) if explored else ())
        return UnitContext(model, sample, images, targets, probabilities, cases, cache, MapCache(model, images))

    def _run_method(
        self, context: UnitContext, identity: UnitIdentity, index: int, tasks: list[Task], outcome: Outcome
    ) -> None:
        """Explain once and score under every protocol."""
        method, options = self._methods[index]
        row = {**identity._asdict(), "method": method.title, "name": method.name, "options": options}
        try:
            pipeline = resolve_method(method.name, **method.arguments)
            result, cost = self._stored_maps(context, outcome.unit, index) or explain_once(context, pipeline)
            row |= asdict(cost)
            evidence = gather(context, result, pipeline, tasks)
        except Exception as error:
            context.map_cache.reset()
            key = identity.key(method.name, options, FAILED)
            outcome.owners |= {key: (identity.image, index)}
            outcome.rows += [failure_row(row, key, error)]
            return
        if outcome.unit.item < self.config.examples:
            outcome.overlays |= _overlays(context, result, row)
        rows: list[Record] = []
        for _, group in groupby(tasks, key=lambda task: task.measurement.protocol.name):
            scored = list(group)
            view = evidence.under(scored[0].measurement.protocol)
            rows += score_rows(row, context, scored, view)
            outcome.curves += curve_rows(row, context, scored, view)
        outcome.rows += rows
        swept = swept_protocol(tasks)
        if outcome.unit.item < self.config.examples and swept:
            with suppress(Exception):  # rows hold the error of curves that failed
                bundle = bundle_method(context, method, pipeline, result, cost, evidence.under(swept), rows)
                outcome.bundles[overlay_key(row, int(context.targets[0, 0]))] = bundle

    def _stored_maps(self, context: UnitContext, unit: Unit, index: int) -> tuple[Attribution, Cost] | None:
        """The maps of a method from the map store of the configuration, if it has one that holds them."""
        if not self.config.maps:
            return None
        self._stored = self._stored or MapLookup(MapStore(self.config.maps))
        method, options = self._methods[index]
        recipe = Recipe(method.name, options, self.fingerprint(unit.model))
        item = self.dataset(unit.data)[unit.item]
        found = self._stored.find(recipe, items.image_key(item), context.targets[0].tolist())
        return None if found is None else (Attribution(found[0].to(context.images.device)), found[1])

    def _bundle_controls(
        self, context: UnitContext, identity: UnitIdentity, tasks: list[Task], outcome: Outcome
    ) -> None:
        """The controls of the explorer, where the benchmark does not score them."""
        protocol = swept_protocol(tasks)
        for method in CONTROLS:
            row = {**identity._asdict(), "name": method.name, "options": options_text(method)}
            key = overlay_key(row, int(context.targets[0, 0]))
            if protocol and key not in outcome.bundles:
                outcome.bundles[key] = bundle_control(context, method, protocol)


def explain_once(context: UnitContext, pipeline: Pipeline) -> tuple[Attribution, Cost]:
    """The maps of a method and their cost, as if it shared nothing with other methods."""
    with context.model.meter() as cost:
        result = replace(pipeline, run_base=context.map_cache)(context.model, context.images, context.targets)
    return result, context.map_cache.full_cost(cost)


def swept_protocol(tasks: list[Task]) -> Protocol | None:
    """The protocol of the first task that needs deletion and insertion curves."""
    return next((task.measurement.protocol for task in tasks if "curves" in task.measurement.metric.needed), None)


def gather(context: UnitContext, result: Attribution, explain: Pipeline, tasks: list[Task]) -> Evidence:
    """Evidence about the maps of one method, for all protocols."""
    return Evidence(
        context.model,
        context.images,
        result.maps,
        context.targets,
        protocol=tasks[0].measurement.protocol,
        regions=context.regions,
        labels=context.labels,
        explain=explain,
        cache=context.prediction_cache,
    )


def build_model(entry: ModelConfig) -> Classifier:
    """The model of a configuration; untrained networks get the same weights every time, so that a run can resume."""
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


def targets_by_rule(rule: str, sample: Sample, probabilities: Tensor, min_confidence: float = 0.0) -> Targets:
    """The classes to explain: the prediction, or the first or all labels that have `min_confidence`."""
    if rule == "predicted":
        return probabilities.argmax().view(1, 1)
    if not sample.labels:
        raise TargetError(f'{sample.name}: targets = "{rule}" needs a label, the data set gives none')
    if max(sample.labels) >= len(probabilities):
        raise TargetError(
            f"{sample.name}: the label is {max(sample.labels)}, the model has {len(probabilities)} classes"
        )
    sure = [label for label in sample.labels if probabilities[label] >= min_confidence]
    if not sure:
        raise TargetError(f"{sample.name}: the model gives no label a confidence of {min_confidence:g}")
    chosen = sure[:1] if rule == "label" else sure
    return torch.tensor([chosen], device=probabilities.device)


def _overlays(context: UnitContext, result: Attribution, row: Record) -> dict[str, bytes]:
    """The map of the first class, and the winning class per position if several compete."""
    overlay = save_overlay(result.maps, context.images, context.targets)
    classes = save_classes(result, context.images, context.targets, context.model.class_names)
    overlays = {overlay_key(row, int(context.targets[0, 0])): overlay}
    return overlays | ({classes_key(row): classes} if classes else {})
