"""Units that run together: their images are explained and scored as one batch. If that fails, each runs alone."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from typing import Any, NamedTuple

import torch
from torch import Tensor

from seewhy.bench.config import BenchConfig, MethodConfig
from seewhy.bench.explorers import BASELINE_METHODS, bundle_baseline, bundle_method
from seewhy.bench.map_cache import MapCache
from seewhy.bench.overlays import classes_key, example_key, overlay_key, save_classes, save_image, save_overlay
from seewhy.bench.rows import RunAlone, UnitContext, class_columns, curve_rows, failure_row, score_rows
from seewhy.bench.tasks import Task, Unit, UnitIdentity
from seewhy.data import Item, Sample, items
from seewhy.errors import TargetError
from seewhy.explorer.collect import watched_classes
from seewhy.metrics import Evidence, PredictionCache, Protocol
from seewhy.metrics.evidence import Row
from seewhy.models.classifier import Classifier
from seewhy.registry import Pipeline, resolve_method
from seewhy.store.lookup import MapLookup
from seewhy.store.schema import Recipe, options_text
from seewhy.types import Attribution, Cost, Targets

Owner = tuple[str, int | None]  # image, and index of the method
UNIT_FAILURE, METHOD_FAILURE = "unreadable", "failed"  # in the keys of units and methods that have no scores


@dataclass
class Outcome:
    """The result of a unit.

    `owners`: image and method (its index; None for all) of every key of the unit, also of those done by earlier runs.
    Rows are collected only if their key has an owner in the current run.
    """

    unit: Unit
    owners: dict[str, Owner] = field(default_factory=dict)
    rows: list[Row] = field(default_factory=list)
    curves: list[Row] = field(default_factory=list)
    overlays: dict[str, bytes] = field(default_factory=dict)
    bundles: dict[str, bytes] = field(default_factory=dict)  # for explorers
    cost: Cost = field(default_factory=Cost)  # of explaining and scoring together

    def fail(self, identity: UnitIdentity, error: Exception) -> None:
        """Replace everything by one row with the error: the unit has no scores at all."""
        key = identity.key(UNIT_FAILURE)
        self.owners, self.rows = {key: (identity.image, None)}, [failure_row(identity._asdict(), key, error)]


class UnitRun(NamedTuple):
    """A unit with its pending tasks, while it runs."""

    outcome: Outcome
    identity: UnitIdentity
    tasks: list[Task]
    item: Item
    sample: Sample

    @property
    def kind(self) -> tuple[Any, ...]:
        """Units of the same kind can run together: the same tasks, regions or none, as many labels."""
        wanted = tuple((task.method, *task.measurement.key) for task in self.tasks)
        return wanted, self.sample.regions is None, len(self.sample.labels)

    def tasks_of(self, index: int, protocol: str | None = None) -> list[Task]:
        own = [task for task in self.tasks if task.method == index]
        return [task for task in own if protocol in (None, task.measurement.protocol.name)]


class Explored(NamedTuple):
    """An explanation of one of the example images, and its scores."""

    row: Row
    scores: list[Row]
    pipeline: Pipeline
    result: Attribution
    cost: Cost
    evidence: Evidence


class BlockRunner:
    """Runs the pending tasks of some units of one model."""

    def __init__(
        self,
        config: BenchConfig,
        methods: Sequence[tuple[MethodConfig, str]],
        model: Classifier,
        stored: MapLookup | None,
    ) -> None:
        """`methods`: each with its options as JSON. `stored`: a map store, whose maps are not computed again."""
        self.config, self._methods, self.model, self._stored = config, methods, model, stored
        self._image_keys: dict[Unit, str] = {}  # by which the store knows an image; its file is hashed once

    def run(self, runs: list[UnitRun]) -> None:
        """Run all methods for units that have the same tasks."""
        with self.model.meter() as cost:
            try:
                context = self._context(runs)
            except Exception as error:
                for run in runs:  # alone, to find out which of them fails
                    self.run([run]) if len(runs) > 1 else run.outcome.fail(run.identity, error)
                return
            self._save_example(context, runs[0])
            for index in dict.fromkeys(task.method for task in runs[0].tasks):
                self._run_method(context, runs, index)
        for run in runs:
            run.outcome.cost = cost * (1 / len(runs))
        if runs[0].outcome.bundles:
            self._bundle_baselines(context, runs[0])

    def _save_example(self, context: UnitContext, run: UnitRun) -> None:
        if run.outcome.unit.item < self.config.examples:
            run.outcome.overlays[example_key(run.identity._asdict())] = save_image(context.samples[0])

    def _context(self, runs: list[UnitRun]) -> UnitContext:
        samples, config, model = tuple(run.sample for run in runs), self.config, self.model
        images = torch.stack([sample.image for sample in samples]).to(model.device)
        probabilities = model.probabilities(images)
        pairs = zip(samples, probabilities, strict=True)
        targets = torch.cat([targets_by_rule(config.targets, *pair, config.min_confidence) for pair in pairs])
        explored = runs[0].outcome.unit.item < config.examples  # such a unit runs alone
        cache = PredictionCache(watched_classes(probabilities[0], targets[0]) if explored else ())
        columns = class_columns(model, targets, probabilities)
        return UnitContext(model, samples, images, targets, probabilities, columns, cache, MapCache(model, images))

    def _run_method(self, context: UnitContext, runs: list[UnitRun], index: int) -> None:
        """Explain once and score under every protocol."""
        method, options = self._methods[index]
        columns = {"method": method.title, "name": method.name, "options": options}
        rows = [{**run.identity._asdict(), **columns} for run in runs]
        try:
            pipeline = resolve_method(method.name, **method.arguments)
            result, cost = self._stored_maps(context, runs, index) or explain_once(context, pipeline)
            rows = [row | asdict(cost * (1 / len(runs))) for row in rows]
            evidence = make_evidence(context, result, pipeline, runs[0].tasks_of(index))
            scores = self._score(context, runs, index, rows, evidence)
        except Exception as error:
            context.map_cache.reset()
            if len(runs) > 1:
                for number, run in enumerate(runs):
                    self._run_method(context.single(number), [run], index)
                return
            key = runs[0].identity.key(method.name, options, METHOD_FAILURE)
            runs[0].outcome.owners |= {key: (runs[0].identity.image, index)}
            runs[0].outcome.rows += [failure_row(rows[0], key, error)]
            return
        if runs[0].outcome.unit.item < self.config.examples:
            self._explore(context, runs[0], index, Explored(rows[0], scores, pipeline, result, cost, evidence))

    def _score(
        self, context: UnitContext, runs: list[UnitRun], index: int, rows: list[Row], evidence: Evidence
    ) -> list[Row]:
        """Score maps under every protocol; returns the scores of the first unit."""
        scores: list[list[Row]] = [[] for _ in runs]
        curves: list[list[Row]] = [[] for _ in runs]
        for protocol in dict.fromkeys(task.measurement.protocol.name for task in runs[0].tasks_of(index)):
            own = [run.tasks_of(index, protocol) for run in runs]
            under_protocol = evidence.under(own[0][0].measurement.protocol)
            for number, found in enumerate(score_rows(rows, context, own, under_protocol)):
                scores[number] += found
                curves[number] += curve_rows(rows[number], context, number, own[number], under_protocol)
        for run, found, lines in zip(runs, scores, curves, strict=True):
            run.outcome.rows += found
            run.outcome.curves += lines
        return scores[0]

    def _explore(self, context: UnitContext, run: UnitRun, index: int, explored: Explored) -> None:
        """Add overlays and explorer bundle of one of the example images."""
        run.outcome.overlays |= _overlays(context, explored.result, explored.row)
        swept = swept_protocol(run.tasks_of(index))
        if swept:
            with suppress(Exception):  # the rows already hold the error of curves that failed
                method, _ = self._methods[index]
                _, scores, pipeline, result, cost, evidence = explored
                bundle = bundle_method(context, method, pipeline, result, cost, evidence.under(swept), scores)
                run.outcome.bundles[overlay_key(explored.row, int(context.targets[0, 0]))] = bundle

    def _stored_maps(self, context: UnitContext, runs: list[UnitRun], index: int) -> tuple[Attribution, Cost] | None:
        """The maps of a method from the configured map store; None if it does not hold them."""
        if self._stored is None:
            return None
        method, options = self._methods[index]
        recipe, find = Recipe(method.name, options, runs[0].identity.model_key), self._stored.find
        pairs = zip(runs, context.targets.tolist(), strict=True)
        found = [find(recipe, self._image_key(run), targets) for run, targets in pairs]
        known = [each for each in found if each is not None]
        if len(known) < len(found):
            if known:
                raise RunAlone("the store has the maps of some of them")
            return None
        maps = torch.cat([maps for maps, _ in known]).to(context.images.device)
        return Attribution(maps), sum((cost for _, cost in known), Cost())

    def _image_key(self, run: UnitRun) -> str:
        unit = run.outcome.unit
        if unit not in self._image_keys:
            self._image_keys[unit] = items.image_key(run.item)
        return self._image_keys[unit]

    def _bundle_baselines(self, context: UnitContext, run: UnitRun) -> None:
        """Add the explorer's baselines where the benchmark does not score them."""
        protocol = swept_protocol(run.tasks)
        for method in BASELINE_METHODS:
            row = {**run.identity._asdict(), "name": method.name, "options": options_text(method.options)}
            key = overlay_key(row, int(context.targets[0, 0]))
            if protocol and key not in run.outcome.bundles:
                run.outcome.bundles[key] = bundle_baseline(context, method, protocol)


def explain_once(context: UnitContext, pipeline: Pipeline) -> tuple[Attribution, Cost]:
    """The maps of a method, and their cost as if no map had come from the cache."""
    with context.model.meter() as cost:
        result = replace(pipeline, run_base=context.map_cache)(context.model, context.images, context.targets)
    return result, context.map_cache.full_cost(cost)


def swept_protocol(tasks: list[Task]) -> Protocol | None:
    """The protocol of the first task that needs deletion and insertion curves."""
    return next((task.measurement.protocol for task in tasks if "curves" in task.measurement.metric.needed), None)


def make_evidence(context: UnitContext, result: Attribution, explain: Pipeline, tasks: list[Task]) -> Evidence:
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


def targets_by_rule(rule: str, sample: Sample, probabilities: Tensor, min_confidence: float = 0.0) -> Targets:
    """The classes to explain: the prediction, or the first or all labels that have `min_confidence`."""
    if rule == "predicted":
        return probabilities.argmax().view(1, 1)
    if not sample.labels:
        raise TargetError(f'{sample.name}: targets = "{rule}" needs a label, but the data set has none')
    if max(sample.labels) >= len(probabilities):
        raise TargetError(
            f"{sample.name}: the label is {max(sample.labels)}, but the model has only {len(probabilities)} classes"
        )
    confident = [label for label in sample.labels if probabilities[label] >= min_confidence]
    if not confident:
        raise TargetError(f"{sample.name}: no label is predicted with a confidence of {min_confidence:g}")
    chosen = confident[:1] if rule == "label" else confident
    return torch.tensor([chosen], device=probabilities.device)


def _overlays(context: UnitContext, result: Attribution, row: Row) -> dict[str, bytes]:
    """The map of the first class, and the winning class per position if several compete."""
    overlay = save_overlay(result.maps, context.images, context.targets)
    classes = save_classes(result, context.images, context.targets, context.model.class_names)
    overlays = {overlay_key(row, int(context.targets[0, 0])): overlay}
    return overlays | ({classes_key(row): classes} if classes else {})
