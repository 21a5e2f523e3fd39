"""Evidence: what metrics look at, each piece computed once, when first asked for, and handed over by name.

| name                             | what it is                                          | cost                        |
|----------------------------------|-----------------------------------------------------|-----------------------------|
| `curves`                         | deletion and insertion sweeps per reference         | the sweep                   |
| `masked`                         | scores of the image faded by the map                | 1 forward per reference     |
| `information`                    | performance-information curves (AIC, SIC)           | 15 forwards, triangulations |
| `random_curves`, `center_curves` | the sweeps of two maps that know nothing            | a sweep, once for all       |
| `randomization`                  | similarity to maps of the model with random weights | an explanation per stage    |
| `heatmaps`                       | maps at the size of the images, bilinear            | none                        |
| `ranked`                         | the same, with the sign that the protocol ranks by  | none                        |
| `overlaps`, `segmented`          | counts of selected pixels against the regions       | none                        |
| `judged`                         | the class that top-1 must hit                       | none                        |

`maps`, `regions`, `targets`, `images`, `model` and `explain` are as handed over.
"""

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from seewhy.errors import InputError, ShapeError
from seewhy.metrics._fills import Cases
from seewhy.metrics._information import Information, inform
from seewhy.metrics._randomization import Randomization, drift
from seewhy.metrics._selection import above_mean, select
from seewhy.metrics._stream import Cache
from seewhy.metrics._sweep import Curves, Masked, fade, sweep
from seewhy.metrics.protocols import Protocol, fields_for
from seewhy.models.classifier import Classifier
from seewhy.ops.localization import Counts, overlap
from seewhy.ops.references import center_bump
from seewhy.ops.resize import resize_maps
from seewhy.types import Images, Maps, Regions, Targets

Explain = Callable[[Classifier, Images, Targets], Any]  # gives maps, or something with `.maps`

FREE = ("maps", "heatmaps", "targets", "judged", "images", "model", "regions", "overlaps", "segmented")
NEEDS = {"randomization": "explain", "overlaps": "regions", "segmented": "regions"}  # what must be handed over for it


class Evidence:
    """All that can be known about some maps. `evidence["curves"]` computes at most once; failures are remembered."""

    def __init__(
        self,
        model: Classifier,
        images: Images,
        maps: Maps,
        targets: Targets,
        *,
        protocol: Protocol,
        regions: Regions | None = None,
        labels: Tensor | None = None,
        explain: Explain | None = None,
        cache: Cache | None = None,
    ) -> None:
        check_shapes(images, maps, targets, regions, labels)
        self.protocol, self.labels = protocol, labels
        self.model, self.images, self.targets = model, images, targets.to(images.device)
        self.finite = maps.isfinite().flatten(2).all(dim=-1)  # batch classes
        self.maps = maps.detach().where(self.finite[..., None, None], 0.0).to(images)
        self.regions, self.explain = None if regions is None else regions.to(images.device), explain
        self.cases = Cases(model, images, self.targets, cache if cache is not None else Cache())
        self._known: dict[str, Any] = {}

    def __getitem__(self, name: str) -> Any:
        if name not in self._known:
            self._known[name] = self._compute(name)
        if isinstance(self._known[name], Exception):
            raise self._known[name]
        return self._known[name]

    def available(self, name: str) -> bool:
        """Whether what was handed over suffices."""
        given = NEEDS.get(name, name)
        if given in ("regions", "explain"):
            return getattr(self, given) is not None
        return name != "judged" or self.protocol.judge == "target" or self.labels is not None

    def by_default(self, name: str) -> bool:
        """Whether it is used when no metric is asked for by name: what the protocol lists, and what costs nothing."""
        return self.available(name) and name in (*FREE, *self.protocol.evidence)

    def _compute(self, name: str) -> Any:
        if not self.available(name):
            missing = "labels" if name == "judged" else NEEDS.get(name, name)
            return InputError(f"this metric needs {missing}: hand over {missing}=…, or choose other metrics")
        if hasattr(self, name):
            return getattr(self, name)
        try:
            return getattr(self, f"_{name}")()
        except Exception as error:
            return error

    def _heatmaps(self) -> Maps:
        height, width = self.images.shape[-2:]
        return resize_maps(self.maps, (height, width))

    def _ranked(self) -> Maps:
        """Heatmaps with the sign that the protocol ranks by."""
        maps = self["heatmaps"]
        return {"signed": maps, "absolute": maps.abs(), "positive": maps.clamp(min=0)}[self.protocol.sign]

    def _curves(self) -> Curves:
        return sweep(self.cases, self["ranked"], self.protocol)

    def _masked(self) -> Masked:
        return fade(self.cases, self["heatmaps"], self.protocol)

    def _random_curves(self) -> Curves:
        noise = torch.rand(1, 1, 14, 14, generator=torch.Generator().manual_seed(self.protocol.seed))
        height, width = self.images.shape[-2:]
        noise = resize_maps(noise, (height, width))
        return sweep(self.cases, self._everywhere(noise[0, 0]), self.protocol)

    def _center_curves(self) -> Curves:
        return sweep(self.cases, self._everywhere(center_bump(*self.images.shape[-2:])), self.protocol)

    def _information(self) -> Information:
        return inform(self.cases, self["ranked"], self.protocol)

    def _randomization(self) -> Randomization:
        options = fields_for(self.protocol, ["depths", "repredict", "compare", "seed"])
        return drift(self.model, self.images, self.targets, self.maps, self["explain"], **options)

    def _overlaps(self) -> Counts:
        options = fields_for(self.protocol, ["selection", "select_from", "region_smoothing"])
        return self._count(select(self["heatmaps"], **options))

    def _segmented(self) -> Counts:
        return self._count(above_mean(self["heatmaps"]))

    def _count(self, selected: Tensor) -> Counts:
        return overlap(selected.flatten(2), self["regions"].flatten(2), dtype=self.images.dtype)

    def _everywhere(self, heatmap: Tensor) -> Maps:
        return heatmap.to(self.images).expand(*self.targets.shape, -1, -1)

    def _judged(self) -> Targets:
        if self.protocol.judge == "target" or self.labels is None:
            return self.targets
        return self.labels.view(-1, 1).to(self.targets).expand_as(self.targets)


def check_shapes(images: Tensor, maps: Tensor, targets: Tensor, regions: Tensor | None, labels: Tensor | None) -> None:
    """Raise if the pieces do not belong together."""
    if tuple(maps.shape[:2]) != tuple(targets.shape) or len(images) != len(maps):
        raise ShapeError(
            f"maps must be (batch, classes, rows, cols) for {len(images)} images and targets of shape "
            f"{tuple(targets.shape)}, got {tuple(maps.shape)}. One map per image and class."
        )
    expected = (*targets.shape, *images.shape[-2:])
    if regions is not None and tuple(regions.shape) != expected:
        raise ShapeError(
            f"regions must be (batch, classes, height, width) = {expected}, got {tuple(regions.shape)}. "
            "Cut and resize them as the image was."
        )
    if labels is not None and labels.shape != (len(images),):
        raise ShapeError(f"labels must be one class per image, ({len(images)},), got {tuple(labels.shape)}")
