"""Log the maps of fixed images while a network is trained: does it look where it should, and does that still move?

    logger = MapLogger(images, every=500, sinks=[TensorBoard("runs/maps")])
    for step, batch in enumerate(loader, start=1):
        ...
        logger.step(network, step)

Each entry has the overlays, the mean Ins - Del of the maps (how faithful they are) and their drift, one minus the rank
correlation with the maps of the last entry. Training is not affected: random number generators, modes and gradients
are as before. The cost is bounded: an entry that is due waits while logging has taken more than `budget` of the time.
"""

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Annotated, Any

import torch
from PIL import Image
from torch import nn

from seewhy.api import evaluate, explain, wrap_model
from seewhy.callbacks.sinks import Folder, Sink
from seewhy.data import read_images
from seewhy.explanation import Explanation
from seewhy.models.classifier import Classifier
from seewhy.ops.similarity import spearman
from seewhy.runtime.options import above, at_least, check_value
from seewhy.types import Cost, Maps

SCORES = ("ins_del", "insertion", "deletion")


@dataclass(frozen=True)
class LogEntry:
    """One entry: what a sink writes."""

    step: int
    scalars: dict[str, float]  # ins_del, insertion, deletion, drift (from the second entry on), forwards, seconds
    overlays: dict[str, Image.Image]  # by the name of the image
    explanation: Explanation


class MapLogger:
    """Logs maps of `images` every `every` steps to the `sinks`, by default a folder `seewhy-maps`.

    `images` are whatever `explain` takes; `targets` are their classes, by default the predicted ones. `method` and
    `options` are those of `explain`; `points` is the number of steps of the deletion and of the insertion curve, 0 for
    no scores. `budget` is the largest share of the training time. `network` picks the classifier out of the module
    that is trained, and `wrapping` are arguments of `wrap_model`.
    """

    def __init__(
        self,
        images: Any,
        *,
        every: int = 500,
        sinks: Iterable[Sink] | None = None,
        targets: Any = None,
        method: str | None = None,
        points: int = 8,
        budget: float = 0.05,
        network: Callable[[Any], nn.Module] | None = None,
        wrapping: dict[str, Any] | None = None,
        **options: Any,
    ) -> None:
        check_value("every", every, Annotated[int, at_least(1)])
        check_value("points", points, Annotated[int, at_least(0)])
        check_value("budget", budget, Annotated[float, above(0)])
        self.images, self.targets, self.method, self.options = images, targets, method, options
        self.every, self.points, self.budget = every, points, budget
        self.network, self.wrapping = network, wrapping or {}
        self.sinks: list[Sink] = [Folder("seewhy-maps")] if sinks is None else list(sinks)
        self.spent = 0.0  # seconds
        self._start: float | None = None
        self._due = False
        self._logged = 0  # step of the last entry
        self._last: Maps | None = None
        self._model: Classifier | None = None

    def step(self, module: Any, step: int) -> LogEntry | None:
        """Call after every training step; logs if an entry is due and the budget allows it."""
        if self._start is None:
            self._start = time.perf_counter()
        self._due = self._due or (step % self.every == 0 and step != self._logged)
        elapsed = time.perf_counter() - self._start
        if not self._due or (self.spent and self.spent > self.budget * elapsed):
            return None
        return self.log(module, step)

    def log(self, module: Any, step: int) -> LogEntry:
        """Log now."""
        start = time.perf_counter()
        with torch.random.fork_rng():
            entry = self._make_entry(module, step)
        for sink in self.sinks:
            sink.write(entry)
        self.spent += time.perf_counter() - start
        self._due, self._logged = False, step
        return entry

    def close(self) -> None:
        """Flush and close the sinks."""
        for sink in self.sinks:
            sink.close()

    def lightning(self) -> Any:
        """A callback of Lightning."""
        from seewhy.callbacks.lightning import make_callback

        return make_callback(self)

    def transformers(self) -> Any:
        """A callback of the Hugging Face Trainer."""
        from seewhy.callbacks.trainer import make_callback

        return make_callback(self)

    def _make_entry(self, module: Any, step: int) -> LogEntry:
        model = self._classifier(module)
        with model.meter() as cost:
            explanation = explain(model, self._tensor(model), self.method, self.targets, **self.options)
            scores = self._scores(model, explanation)
        scalars = scores | self._drift(explanation.maps) | _costs(cost)
        self._last = explanation.maps
        names = [f"{index}-{explanation.label(index)}" for index in range(len(explanation))]
        overlays = {name: explanation.overlay(index) for index, name in enumerate(names)}
        return LogEntry(step, scalars, overlays, explanation)

    def _classifier(self, module: Any) -> Classifier:
        """The network as a classifier; what methods have cached is dropped, since its weights have changed."""
        if self._model is None:
            module = self.network(module) if self.network else module
            self._model = wrap_model(module, **self.wrapping)
        self._model.cache.clear()
        return self._model

    def _tensor(self, model: Classifier) -> torch.Tensor:
        if not isinstance(self.images, torch.Tensor):
            self.images = read_images(self.images, model.preprocess).images
        return self.images

    def _scores(self, model: Classifier, explanation: Explanation) -> dict[str, float]:
        if not self.points:
            return {}
        curves = {"curves": {"fractions": [point / self.points for point in range(self.points + 1)]}}
        rows = evaluate(model, explanation, list(SCORES), protocol="rise", options=curves)
        found = {name: [row["score"] for row in rows if row["metric"] == name] for name in SCORES}
        return {name: sum(values) / len(values) for name, values in found.items()}

    def _drift(self, maps: Maps) -> dict[str, float]:
        if self._last is None or self._last.shape != maps.shape:
            return {}
        return {"drift": float(1 - spearman(maps.flatten(2), self._last.flatten(2)).mean())}


def _costs(cost: Cost) -> dict[str, float]:
    return {"forwards": cost.forwards, "backwards": cost.backwards, "seconds": cost.seconds}
