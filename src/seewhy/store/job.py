"""The work of filling a store: images in, rows and maps out; in this process, in others, or on other machines."""

from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import torch
from torch import Tensor

from seewhy.api import run_pipeline
from seewhy.data.items import Dataset
from seewhy.errors import TargetError, UnsupportedModel
from seewhy.explanation import Explanation
from seewhy.models.classifier import Classifier
from seewhy.registry import Pipeline
from seewhy.runtime.targets import class_name
from seewhy.store.reading import Indices, Reader, ReadImage, content_of, error_text, label_of, name_of, stamp_of
from seewhy.store.schema import Recipe, Row, file_of, map_key
from seewhy.types import Cost, Images, Targets

PREDICTED, LABEL = "predicted", "label"  # explain the predicted class or the label of each image
Rule = str | tuple[int, ...]  # what decides the classes: one of these, or the classes themselves
NO_LABEL = -1


class Unit(NamedTuple):
    """Some images of a data set, by index, their folders or tar files, and the methods that are missing for them."""

    items: Indices
    sources: tuple[str, ...]  # as the driver sees them
    methods: tuple[int, ...]


class Explained(NamedTuple):
    """Rows with their maps, or rows of failures."""

    rows: list[Row]
    maps: Tensor | None


@dataclass
class MapJob:
    """Explains units of a data set with several methods."""

    model: Classifier
    dataset: Dataset
    pipelines: Sequence[Pipeline]
    recipes: Sequence[Recipe]
    rule: Rule = PREDICTED
    batch_size: int = 16
    autocast: bool = False
    readers: int = 0
    _reader: Reader | None = field(default=None, repr=False)

    def work(self, unit: Unit, ahead: Sequence[Unit] = ()) -> list[Explained]:
        """The maps of a unit by all its methods; the images of the units `ahead` are read meanwhile."""
        self._reader = self._reader or Reader(self.dataset, self.model.preprocess, self.readers)
        batch = self._reader.read(unit.items, [each.items for each in ahead])
        found = [facts._replace(source=source) for facts, source in zip(batch.facts, unit.sources, strict=True)]
        readable = [facts for facts in found if facts.error is None]
        unreadable = [facts for facts in found if facts.error is not None]
        images = batch.images.to(self.model.device, non_blocking=True)
        results = []
        for index in unit.methods:
            results += self._explain(index, readable, images) if readable else []
            if unreadable:
                results.append(Explained([self._failure(index, facts, facts.error) for facts in unreadable], None))
        return results

    def failed(self, unit: Unit, error: str) -> list[Explained]:
        """The rows of a unit whose worker died."""
        facts = self._facts(unit)
        return [Explained([self._failure(index, each, error) for each in facts], None) for index in unit.methods]

    def close(self) -> None:
        if self._reader is not None:
            self._reader.close()
            self._reader = None

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_reader": None}

    def _facts(self, unit: Unit) -> list[ReadImage]:
        items = [self.dataset[index] for index in unit.items]
        return [
            ReadImage(name_of(item), stamp_of(item), content_of(item), label_of(item), source=source)
            for item, source in zip(items, unit.sources, strict=True)
        ]

    def _explain(self, index: int, facts: Sequence[ReadImage], images: Images) -> list[Explained]:
        """The maps of some images; if the method fails, each image is tried alone."""
        try:
            return [self._run(index, facts, images)]
        except Exception as error:
            if isinstance(error, UnsupportedModel) or (isinstance(error, TargetError) and self.rule != LABEL):
                raise  # it would be the same for every image
            if len(facts) == 1:
                return [Explained([self._failure(index, facts[0], error_text(error))], None)]
        found = [self._explain(index, facts[i : i + 1], images[i : i + 1]) for i in range(len(facts))]
        return [each for several in found for each in several]

    def _run(self, index: int, facts: Sequence[ReadImage], images: Images) -> Explained:
        pipeline, model = self.pipelines[index], self.model
        given = self._given(facts)
        with model.meter() as cost, self._precision():
            attribution, targets, probabilities = run_pipeline(
                pipeline, model, images, given, batch_size=self.batch_size
            )
        maps, classes = attribution.maps.float().cpu(), targets.cpu()
        agnostic = pipeline.methods[-1].class_agnostic
        failed = _failed_checks(Explanation(maps, classes, class_agnostic=agnostic))
        confidence, predicted = (each.tolist() for each in probabilities.float().max(dim=1))
        chances = probabilities.float().gather(1, targets).tolist()
        share = cost * (1 / maps[:, :, 0, 0].numel())
        rows = []
        for i, several in enumerate(classes.tolist()):
            known = self._columns(index, facts[i]) | {"predicted": predicted[i], "confidence": confidence[i]}
            for k, target in enumerate(several):
                name = class_name(target, model.class_names)
                one = {"target": target, "target_name": name, "probability": chances[i][k], "classes": several}
                key = map_key(self.recipes[index], facts[i].image, facts[i].image_key, several, target)
                rows.append(known | one | {"key": key, "failed_checks": failed[i][k]} | _cost(share))
        return Explained(rows, maps.flatten(0, 1))

    def _given(self, facts: Sequence[ReadImage]) -> Targets | None:
        if self.rule == PREDICTED:
            return None
        classes = [classes_of(self.rule, each.label) for each in facts]
        if (NO_LABEL,) in classes:
            raise TargetError("the image has no label")
        return torch.tensor(classes)

    def _precision(self) -> AbstractContextManager[Any]:
        return torch.autocast(self.model.device.type, torch.bfloat16, enabled=self.autocast)

    def _columns(self, index: int, facts: ReadImage) -> Row:
        recipe = self.recipes[index]._asdict()
        return {**facts._asdict(), **recipe, "model": self.model.name}

    def _failure(self, index: int, facts: ReadImage, error: str | None) -> Row:
        classes = classes_of(self.rule, facts.label)
        name = file_of(facts.image, facts.source) or facts.image
        key = map_key(self.recipes[index], name, facts.image_key, classes, -1)
        return self._columns(index, facts) | {"key": key, "classes": classes, "error": error, "failed_checks": ""}


def classes_of(rule: Rule, label: int | None) -> tuple[int, ...]:
    """The classes that are asked for of an image with this label; none for the predicted one."""
    if rule == LABEL:
        return (NO_LABEL if label is None else label,)
    return () if isinstance(rule, str) else rule


def _cost(cost: Cost) -> Row:
    return {"forwards": cost.forwards, "backwards": cost.backwards, "seconds": cost.seconds}


def _failed_checks(explanation: Explanation) -> list[list[str]]:
    """The names of the failed checks of every map, `batch classes`."""
    checks = {name: passed.tolist() for name, passed in explanation.checks.items()}
    batch, classes = explanation.targets.shape
    return [
        [", ".join(name for name, passed in checks.items() if not passed[i][k]) for k in range(classes)]
        for i in range(batch)
    ]
