"""The job of a benchmark's workers: blocks of units (items for one model), with all methods and metrics.

The units of a block are explained and scored together if they have the same tasks; if that fails, each runs alone. A
failure becomes a row. Predictions for clean and reference images are shared by all methods. The same class runs in this
process, in others, and on other machines (`runtime/pool.py`).
"""

from collections.abc import Collection, Sequence
from itertools import groupby
from typing import Any

import torch

from seewhy.api import load_model
from seewhy.bench.blocks import METHOD_FAILURE, UNIT_FAILURE, BlockRunner, Outcome, Owner, UnitRun
from seewhy.bench.config import BenchConfig, DataConfig, ModelConfig
from seewhy.bench.tasks import Block, Task, Unit, UnitIdentity, measurements, method_tasks
from seewhy.data import Dataset, confident_items, open_dataset
from seewhy.errors import InputError
from seewhy.models.classifier import Classifier
from seewhy.models.vit import ViT
from seewhy.store import MapStore
from seewhy.store.lookup import MapLookup
from seewhy.store.schema import options_text


class BenchmarkJob:
    """Processes blocks of units, with one model in memory at a time. `done`: keys of tasks that have rows already."""

    def __init__(self, config: BenchConfig, done: Collection[str] = ()) -> None:
        self.config, self.done = config, done
        self.measurements = measurements(config)
        self._methods = [(method, options_text(method.options)) for method in config.methods]
        self._model: tuple[int, Classifier] | None = None
        self._fingerprints: dict[int, str] = {}
        self._data: dict[int, Dataset] = {}
        self._identities: dict[Unit, UnitIdentity] = {}
        self._stored: MapLookup | None = None
        self.sent_models: dict[int, Classifier] = {}  # pickled with this job, for other machines

    def __getstate__(self) -> dict[str, Any]:
        """Other processes load the models themselves, except `sent_models`."""
        return {**self.__dict__, "measurements": None, "_model": None, "_identities": {}, "_stored": None}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__ |= state | {"measurements": measurements(state["config"])}  # protocols cannot be pickled

    @property
    def tasks_per_unit(self) -> int:
        return len(self._methods) * len(self.measurements)

    def pending_tasks(self, unit: Unit) -> tuple[Outcome, list[Task]]:
        """An outcome with the owners of the unit's keys, and the tasks without rows; nothing is run."""
        identity, outcome, pending = self.identify(unit), Outcome(unit), []
        for index, (method, options) in enumerate(self._methods):
            owner: Owner = identity.image, index
            tasks = method_tasks(identity, index, method, self.measurements, options)
            outcome.owners |= {key: owner for task in tasks for key in (task.key, *task.curve_keys.values())}
            missing = [task for task in tasks if task.key not in self.done]
            failure = identity.key(method.name, options, METHOD_FAILURE)
            if missing and failure in self.done:
                outcome.owners[failure] = owner
            else:
                pending += missing
        failure = identity.key(UNIT_FAILURE)
        if pending and failure in self.done:
            outcome.owners[failure], pending = (identity.image, None), []
        return outcome, pending

    def work(self, block: Block, ahead: Sequence[Block] = ()) -> list[Outcome]:  # noqa: ARG002 - reading is cheap
        """Run the pending tasks of some units of one model."""
        outcomes, runs = [], []
        for unit in block:
            outcome, pending = self.pending_tasks(unit)
            if pending:
                item = self.dataset(unit.data)[unit.item]
                try:
                    sample = item.read(self.model(unit.model).preprocess)
                    runs.append(UnitRun(outcome, self.identify(unit), pending, item, sample))
                except Exception as error:
                    outcome.fail(self.identify(unit), error)
            outcomes.append(outcome)
        for _, together in groupby(runs, key=lambda run: run.kind):
            BlockRunner(self.config, self._methods, self.model(block[0].model), self._lookup()).run(list(together))
        return outcomes

    def _lookup(self) -> MapLookup | None:
        if self.config.maps and self._stored is None:
            self._stored = MapLookup(MapStore(self.config.maps))
        return self._stored

    def identify(self, unit: Unit) -> UnitIdentity:
        """Names and hashes of a unit; the file is hashed once per process."""
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
        outcome = Outcome(unit)
        outcome.fail(self.identify(unit), error)
        return outcome

    def model(self, index: int) -> Classifier:
        if index in self.sent_models:
            return self.sent_models[index]
        if self._model is None or self._model[0] != index:
            self._model = None  # free the old one first
            self._model = index, build_model(self.config.models[index])
        return self._model[1]

    def fingerprint(self, index: int) -> str:
        """Fingerprint of a model's weights, computed once per run."""
        if index not in self._fingerprints:
            self._fingerprints[index] = self.model(index).fingerprint
        return self._fingerprints[index]

    def dataset(self, index: int) -> Dataset:
        if index not in self._data:
            entry = self.config.data[index]
            dataset = open_dataset(
                entry.kind,
                limit=entry.limit if entry.confidence is None else None,
                seed=entry.seed,
                quad=entry.quad,
                unseen_by=entry.unseen_by,
                **entry.options,
            )
            self._data[index] = dataset if entry.confidence is None else self._select_confident(dataset, entry)
        return self._data[index]

    def _select_confident(self, dataset: Dataset, entry: DataConfig) -> Dataset:
        titles = [model.title for model in self.config.models]
        model = self.model(titles.index(entry.model) if entry.model else 0)
        assert entry.confidence is not None
        return confident_items(
            dataset, model, min_confidence=entry.confidence, per_class=entry.per_class, limit=entry.limit
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
