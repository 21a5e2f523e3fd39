"""Explain a whole data set into a store."""

import logging
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from torch import Tensor, nn

from seewhy.data.items import Dataset
from seewhy.data.references import read_references
from seewhy.data.whole import ForeignDataset, open_source
from seewhy.defaults import default_method
from seewhy.errors import InputError, OptionError, TargetError
from seewhy.models.classifier import Classifier
from seewhy.models.wrapping import as_classifier
from seewhy.registry import fit_method
from seewhy.runtime.locks import try_lock
from seewhy.runtime.options import at_least, check_value
from seewhy.runtime.pool import Finished, run_units
from seewhy.runtime.progress import track
from seewhy.runtime.targets import parse_targets
from seewhy.store.job import LABEL, PREDICTED, MapJob, Rule, Unit
from seewhy.store.map_store import MapStore
from seewhy.store.plan import Plan
from seewhy.store.reading import label_of
from seewhy.store.schema import Recipe, Row, options_text
from seewhy.store.upkeep import tidy_store
from seewhy.store.writer import MapWriter, Precision

Methods = str | Sequence[str | tuple[str, Mapping[str, Any]]] | Mapping[str, Mapping[str, Any]] | None
BATCH = {"cpu": 16, "cuda": 256}  # images explained at once; halved when memory runs out
logger = logging.getLogger(__name__)


def explain_dataset(
    model: Classifier | nn.Module,
    source: Any,
    methods: Methods = None,
    *,
    store: str | Path,
    targets: Any = None,
    precision: Precision = "float32",
    autocast: bool = False,
    batch_size: int | None = None,
    readers: int = 0,
    workers: int = 1,
    ray: str | None = None,
    retry: bool = False,
) -> MapStore:
    """Explain every image of a data set; the maps are written to the folder `store`, and what it holds is kept.

    `source`: a folder (also in ImageNet's layout), a CSV of file and label, tar files (`shards/*.tar`), a list of
    paths, a data set of `open_dataset`, Hugging Face or torch. `methods`: names, or a dict of their options; by default
    a cheap one that fits the model. `targets`: None for the predicted class, "label", or classes for every image. A run
    that was killed continues; several may write to one folder. `readers` processes decode images ahead; `workers`
    processes compute, or those of a Ray cluster (`ray` is its address or "local"), to which model and images are sent.
    `autocast` computes in bfloat16 where that is safe. Images that fail have a row with the error; `retry` tries them
    again.
    """
    check_value("precision", precision, Precision)
    check_value("readers", readers, Annotated[int, at_least(0)])
    check_value("batch_size", batch_size, Annotated[int, at_least(1)] | None)
    if isinstance(source, MapStore):
        raise InputError(f"{source.folder} is a map store: pass the images themselves")
    model = as_classifier(model)
    job = make_job(model, source, methods, targets, autocast=autocast, batch_size=batch_size, readers=readers)
    opened = MapStore(store, create=True)
    with try_lock(opened.folder / "lock", shared=True, wait=True):
        _warn_other_weights(opened, model)
        before = opened.index
        failed = _fill(opened.folder, job, precision, retry=retry, workers=workers, ray=ray)
        if len(_replaced(opened.refresh(), before)):  # perhaps by a changed file whose copy shared its map
            failed += _fill(opened.folder, job, precision, retry=False, workers=workers, ray=ray)
    tidy_store(opened.folder)
    _warn_replaced(opened.refresh(), before)
    _warn_failures(opened, failed)
    return opened


def make_job(
    model: Classifier,
    source: Any,
    methods: Methods,
    targets: Any,
    *,
    autocast: bool = False,
    batch_size: int | None = None,
    readers: int = 0,
) -> MapJob:
    """Check everything that can be checked before the work."""
    chosen = _with_options(methods or default_method(model))
    pipelines = [fit_method(model, name, **read_references(dict(options), model)) for name, options in chosen]
    key = f"{model.fingerprint}+bf16" if autocast else model.fingerprint
    recipes = [Recipe(name, options_text(options), key) for name, options in chosen]
    if len(set(recipes)) < len(recipes):
        raise OptionError("methods: one is listed twice with the same options")
    size = batch_size or BATCH.get(model.device.type, 16)
    rule = _rule(targets, model)
    dataset = open_source(source)
    if rule == LABEL:
        _check_labels(dataset)
    return MapJob(model, dataset, pipelines, recipes, rule, size, autocast, readers)


def _with_options(methods: Methods) -> list[tuple[str, Mapping[str, Any]]]:
    if isinstance(methods, str):
        return [(methods, {})]
    if isinstance(methods, Mapping):
        return list(methods.items())
    return [(each, {}) if isinstance(each, str) else (each[0], each[1]) for each in methods or ()]


def _rule(targets: Any, model: Classifier) -> Rule:
    """What decides the classes: "predicted", "label", or the classes themselves."""
    if targets is None:
        return PREDICTED
    if isinstance(targets, str) and targets == LABEL:
        return LABEL
    given = parse_targets(targets, 1, model.class_names) if _is_flat(targets) else None
    if given is None:
        raise TargetError(
            'the targets of a data set are classes for every image, None for the predicted class, or "label" for the '
            f"label of each image; got {str(targets)[:60]}"
        )
    return tuple(given[0].tolist())


def _is_flat(targets: Any) -> bool:
    """Whether targets are the same for every image."""
    if isinstance(targets, (Tensor, np.ndarray)):
        return targets.ndim == 0
    several = targets if isinstance(targets, (list, tuple, range)) else [targets]
    return not any(isinstance(each, (list, tuple, Tensor, np.ndarray)) and np.ndim(each) for each in several)


def _check_labels(dataset: Dataset) -> None:
    """Raise unless some image has a label; of data sets of other libraries the first, as it must be read for that."""
    looked_at = range(1 if isinstance(dataset, ForeignDataset) else len(dataset))
    if all(label_of(dataset[index]) is None for index in looked_at):
        raise OptionError(
            f'targets="label", but the images have no labels (the first is {dataset[0].name}). docs/datasets.md says '
            "which sources have some."
        )


def _fill(folder: Path, job: MapJob, precision: Precision, *, retry: bool, workers: int, ray: str | None) -> list[Row]:
    """Compute what is missing; gives the first failure of this run, if there is one."""
    failed: list[Row] = []
    (folder / "claims").mkdir(exist_ok=True)
    writer = MapWriter(folder, precision)
    plan = Plan(folder, job.dataset, job.recipes, job.rule, retry=retry, largest=job.batch_size, writer=writer.name)
    try:
        finished = run_units(job, plan.units(), workers=workers, ray=ray, ahead=1 + job.readers)
        for unit, results, seconds, error in _track(finished, len(job.dataset), plan):
            if not error:
                plan.measured(unit, seconds)
            for explained in results or job.failed(unit, error):
                writer.add(explained.rows, explained.maps)
                failed = failed or [row for row in explained.rows if row.get("error")][:1]
    finally:
        writer.close()
        job.close()
    return failed


def _track(finished: Iterator[Finished[Unit]], total: int, plan: Plan) -> Iterator[Finished[Unit]]:
    """Progress in images."""

    def images() -> Iterator[Finished[Unit] | None]:
        before = 0
        for each in finished:
            yield from [None] * (plan.finished - before + len(each.unit.items) - 1)
            before = plan.finished
            yield each

    return (each for each in track(images(), "explaining", total=total) if each is not None)


def _warn_other_weights(store: MapStore, model: Classifier) -> None:
    """Say so if the store holds maps of a model of this name with other weights."""
    index = store.index
    same = index.filter(pc.equal(index["model"].cast(pa.string()), model.name))
    others = set(pc.unique(same["model_key"]).to_pylist()) - {model.fingerprint, f"{model.fingerprint}+bf16"}
    if others:
        logger.warning(
            "%s holds maps of %s with other weights (%s); these have the fingerprint %s. Maps of both are kept: "
            'read them with store.filter(model_key="%s")',
            store.folder,
            model.name,
            ", ".join(sorted(others)),
            model.fingerprint,
            model.fingerprint,
        )


def _warn_replaced(store: MapStore, before: pa.Table) -> None:
    """Say so if images have changed since their maps were made."""
    gone = _replaced(store, before)
    if len(gone):
        images = pc.unique(gone["image"])
        logger.warning(
            "%s: %s images have changed since an earlier run, the first is %s. Their new maps replace the old ones; to "
            "keep both, use another store.",
            store.folder,
            f"{len(images):,}",
            images[0],
        )


def _replaced(store: MapStore, before: pa.Table) -> pa.Table:
    """The maps that are not in the store any more."""
    return before.filter(pc.invert(pc.is_in(before["key"], store.index["key"])))


def _warn_failures(store: MapStore, failed: Sequence[Row]) -> None:
    """Say so if there are images without maps, or with maps of an earlier content (`failed`: now)."""
    failures = store.failures
    if failed and not failures:
        logger.warning(
            "%s: %s by %s failed now: %s. The maps of earlier runs are kept.",
            store.folder,
            failed[0]["image"],
            failed[0]["method"],
            failed[0]["error"].rstrip("."),
        )
    if failures:
        first = failures[0]
        logger.warning(
            "%s: %s maps failed, the first of %s by %s: %s. store.failures lists them; retry=True tries them again.",
            store.folder,
            f"{len(failures):,}",
            first["image"],
            first["method"],
            first["error"].rstrip("."),
        )
