"""A cache of maps that methods of a benchmark share: `grad_cam` and `var:grad_cam` compute them once."""

from typing import Any

from torch import Tensor

from seewhy.models.classifier import Classifier
from seewhy.registry import Method
from seewhy.types import Attribution, Cost


class MapCache:
    """Runs base methods on one image, each once; `full_cost` charges every use, cached or not."""

    def __init__(self, model: Classifier, images: Tensor) -> None:
        self._model, self._images = model, images
        self._known: dict[str, tuple[Attribution, Cost]] = {}
        self._cached_cost = Cost()

    def __call__(
        self, method: Method, model: Classifier, images: Tensor, targets: Tensor, **options: Any
    ) -> Attribution:
        if model is not self._model or images is not self._images:
            return method.run(model, images, targets, **options)
        key = f"{method.name} {targets.tolist()} {options}"
        if key in self._known:
            result, cost = self._known[key]
            self._cached_cost += cost
            return result
        with model.meter() as cost:
            result = method.run(model, images, targets, **options)
        self._known[key] = result, cost
        return result

    def full_cost(self, cost: Cost) -> Cost:
        """The cost of a method, with that of the cached maps it used since the last call."""
        cost, self._cached_cost = cost + self._cached_cost, Cost()
        return cost

    def reset(self) -> None:
        """Forget the costs of a method that failed."""
        self._cached_cost = Cost()
