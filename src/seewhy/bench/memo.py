"""Maps that several methods of a benchmark need: `grad_cam`, `var:grad_cam` and its variants compute them once."""

from typing import Any

from torch import Tensor

from seewhy.models.classifier import Classifier
from seewhy.registry import Method
from seewhy.types import Attribution, Cost


class Memo:
    """Runs plain methods on one image, each once; what a repetition would have cost is still charged, by `spent`."""

    def __init__(self, model: Classifier, images: Tensor) -> None:
        self._model, self._images = model, images
        self._known: dict[str, tuple[Attribution, Cost]] = {}
        self._spared = Cost()

    def __call__(
        self, method: Method, model: Classifier, images: Tensor, targets: Tensor, **options: Any
    ) -> Attribution:
        if model is not self._model or images is not self._images:
            return method.run(model, images, targets, **options)
        key = f"{method.name} {targets.tolist()} {options}"
        if key in self._known:
            result, cost = self._known[key]
            self._spared += cost
            return result
        with model.meter() as cost:
            result = method.run(model, images, targets, **options)
        self._known[key] = result, cost
        return result

    def spent(self, cost: Cost) -> Cost:
        """What a method took since the last call of this, as if it had computed everything itself."""
        cost, self._spared = cost + self._spared, Cost()
        return cost
