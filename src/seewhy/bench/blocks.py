"""Units that run together: their images are explained and scored as one batch; where that fails, each runs alone."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from typing import Any, NamedTuple

import torch
from torch import Tensor

from seewhy.bench.config import BenchConfig, MethodConfig
from seewhy.bench.explorers import CONTROLS, bundle_control, bundle_method
from seewhy.bench.map_cache import MapCache
from seewhy.bench.overlays import classes_key, image_key, overlay_key, save_classes, save_image, save_overlay
from seewhy.bench.rows import RunAlone, UnitContext, case_columns, curve_rows, failure_row, score_rows
from seewhy.bench.store import Record
from seewhy.bench.tasks import Task, Unit, UnitIdentity, options_text
from seewhy.data import Item, Sample, items
from seewhy.errors import TargetError
from seewhy.explorer.collect import watched_classes
from seewhy.metrics import Evidence, PredictionCache, Protocol
from seewhy.models.classifier import Classifier
from seewhy.registry import Pipeline, resolve_method
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

    def fail(self, identity: UnitIdentity, error: Exception) -> None:
        """Note that the unit has no scores at all."""
        key = identity.key(UNIT_FAILED)
        self.owners, self.rows = {key: (identity.image, -1)}, [failure_row(identity._asdict(), key, error)]


class Run(NamedTuple):
    """A unit with its pending tasks, while it runs."""

    outcome: Outcome
    identity: UnitIdentity
    tasks: list[Task]
    item: Item
    sample: Sample

    @property
    def kind(self) -> tuple[Any, ...]:
        """What units must have in common to run together."""
        wanted = tuple((task.method, *task.measurement.key) for task in self.tasks)
        return wanted, self.sample.regions is None, len(self.sample.labels)

    def of_method(self, index: int, protocol: str | None = None) -> list[Task]:
        own = [task for task in self.tasks if task.method == index]
        return [task for task in own if protocol in (None, task.measurement.protocol.name)]


class Explored(NamedTuple):
    """An explanation of one of the example images, and its scores."""

    row: Record
    scores: list[Record]
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
        """`methods` come with their options as text; `stored` are maps that are not computed."""
        self.config, self._methods, self.model, self._stored = config, methods, model, stored

    def run(self, runs: list[Run]) -> None:
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
            self._bundle_controls(context, runs[0])

    def _save_example(self, context: UnitContext, run: Run) -> None:
        if run.outcome.unit.item < self.config.examples:
            run.outcome.overlays[image_key(run.identity._asdict())] = save_image(context.samples[0])

    def _context(self, runs: list[Run]) -> UnitContext:
        samples, config, model = tuple(run.sample for run in runs), self.config, self.model
        images = torch.stack([sample.image for sample in samples]).to(model.device)
        probabilities = model.probabilities(images)
        pairs = zip(samples, probabilities, strict=True)
        targets = torch.cat([targets_by_rule(config.targets, *pair, config.min_confidence) for pair in pairs])
        explored = runs[0].outcome.unit.item < config.examples  # such a unit runs alone
        cache = PredictionCache(watched_classes(probabilities[0], targets[0]) if explored else ())
        cases = case_columns(model, targets, probabilities)
        return UnitContext(model, samples, images, targets, probabilities, cases, cache, MapCache(model, images))

    def _run_method(self, context: UnitContext, runs: list[Run], index: int) -> None:
        """Explain once and score under every protocol."""
        method, options = self._methods[index]
        columns = {"method": method.title, "name": method.name, "options": options}
        rows = [{**run.identity._asdict(), **columns} for run in runs]
        try:
            pipeline = resolve_method(method.name, **method.arguments)
            result, cost = self._stored_maps(context, runs, index) or explain_once(context, pipeline)
            rows = [row | asdict(cost * (1 / len(runs))) for row in rows]
            evidence = gather(context, result, pipeline, runs[0].of_method(index))
            scores = self._score(context, runs, index, rows, evidence)
        except Exception as error:
            context.map_cache.reset()
            if len(runs) > 1:
                for number, run in enumerate(runs):
                    self._run_method(context.single(number), [run], index)
                return
            key = runs[0].identity.key(method.name, options, FAILED)
            runs[0].outcome.owners |= {key: (runs[0].identity.image, index)}
            runs[0].outcome.rows += [failure_row(rows[0], key, error)]
            return
        if runs[0].outcome.unit.item < self.config.examples:
            self._explore(context, runs[0], index, Explored(rows[0], scores, pipeline, result, cost, evidence))

    def _score(
        self, context: UnitContext, runs: list[Run], index: int, rows: list[Record], evidence: Evidence
    ) -> list[Record]:
        """Score maps under every protocol; gives the scores of the first unit."""
        scores: list[list[Record]] = [[] for _ in runs]
        curves: list[list[Record]] = [[] for _ in runs]
        for protocol in dict.fromkeys(task.measurement.protocol.name for task in runs[0].of_method(index)):
            own = [run.of_method(index, protocol) for run in runs]
            view = evidence.under(own[0][0].measurement.protocol)
            for number, found in enumerate(score_rows(rows, context, own, view)):
                scores[number] += found
                curves[number] += curve_rows(rows[number], context, number, own[number], view)
        for run, found, lines in zip(runs, scores, curves, strict=True):
            run.outcome.rows += found
            run.outcome.curves += lines
        return scores[0]

    def _explore(self, context: UnitContext, run: Run, index: int, explored: Explored) -> None:
        """What report and explorer show about one of the example images."""
        run.outcome.overlays |= _overlays(context, explored.result, explored.row)
        swept = swept_protocol(run.of_method(index))
        if swept:
            with suppress(Exception):  # rows hold the error of curves that failed
                method, _ = self._methods[index]
                _, scores, pipeline, result, cost, evidence = explored
                bundle = bundle_method(context, method, pipeline, result, cost, evidence.under(swept), scores)
                run.outcome.bundles[overlay_key(explored.row, int(context.targets[0, 0]))] = bundle

    def _stored_maps(self, context: UnitContext, runs: list[Run], index: int) -> tuple[Attribution, Cost] | None:
        """The maps of a method from the map store of the configuration, if it has one that holds them."""
        if self._stored is None:
            return None
        method, options = self._methods[index]
        recipe, find = Recipe(method.name, options, runs[0].identity.model_key), self._stored.find
        pairs = zip(runs, context.targets.tolist(), strict=True)
        found = [find(recipe, items.image_key(run.item), targets) for run, targets in pairs]
        known = [each for each in found if each is not None]
        if len(known) < len(found):
            if known:
                raise RunAlone("the store has the maps of some of them")
            return None
        maps = torch.cat([maps for maps, _ in known]).to(context.images.device)
        return Attribution(maps), sum((cost for _, cost in known), Cost())

    def _bundle_controls(self, context: UnitContext, run: Run) -> None:
        """The controls of the explorer, where the benchmark does not score them."""
        protocol = swept_protocol(run.tasks)
        for method in CONTROLS:
            row = {**run.identity._asdict(), "name": method.name, "options": options_text(method)}
            key = overlay_key(row, int(context.targets[0, 0]))
            if protocol and key not in run.outcome.bundles:
                run.outcome.bundles[key] = bundle_control(context, method, protocol)


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
