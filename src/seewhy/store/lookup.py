"""Maps of given images: found by the content of the image, so that neither its name nor its folder matters."""

import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow.compute as pc
from torch import Tensor

from seewhy.data.items import ImageItem
from seewhy.errors import InputError
from seewhy.explanation import Explanation
from seewhy.models.classifier import Classifier
from seewhy.store.schema import Recipe, Row, file_of
from seewhy.types import Cost

if TYPE_CHECKING:
    from seewhy.store.map_store import MapStore

COLUMNS = ("method", "options", "model_key", "image_key", "classes", "target")


class MapLookup:
    """Maps by content: for a benchmark, which asks for one image and method at a time."""

    def __init__(self, store: "MapStore") -> None:
        self.store = store
        rows = zip(*(store.index[name].to_pylist() for name in COLUMNS), strict=True)
        self._positions = {(*key, tuple(classes), target): at for at, (*key, classes, target) in enumerate(rows)}

    def find(self, recipe: Recipe, image_key: str, classes: Sequence[int]) -> tuple[Tensor, Cost] | None:
        """The maps of an image, `1 classes rows cols`, and their cost; None unless the store holds all of them."""
        keys = [(*recipe, image_key, tuple(classes), target) for target in classes]
        if not all(key in self._positions for key in keys):
            return None
        rows, maps = self.store.read([self._positions[key] for key in keys])
        return maps.unsqueeze(0), sum_costs(rows)


def sum_costs(rows: Sequence[Row]) -> Cost:
    return Cost(*(sum(row[name] for row in rows) for name in ("forwards", "backwards", "seconds")))


def explanations_of(store: "MapStore", files: Sequence[str | Path], model: Classifier) -> list[Explanation]:
    """The stored maps of these files by this model: one explanation per method and options that has all of them."""
    keys = [ImageItem(str(file), file).image_key() for file in files]
    own = store.filter(model_key=model.fingerprint, image_key=keys)
    found = []
    for method, options in sorted({(row["method"], row["options"]) for row in own}):
        part = _of_one_set(own.filter(method=method, options=options), keys)
        names = dict(zip(part.index["image_key"].to_pylist(), part.index["image"].to_pylist(), strict=True))
        if all(key in names for key in keys):
            explanation = part.explanation_of([(names[key], key) for key in keys])
            found.append(replace(explanation, names=tuple(map(str, files)), class_names=model.class_names))
    if not found:
        known = ", ".join(sorted(set(store.unique("model")))) or "none"
        raise InputError(
            f"{store.folder}: no method has maps of all {len(files)} images by {model.name} "
            f"({model.fingerprint}); the store holds maps by {known}. Explain them with --store first."
        )
    return found


def names_of(store: "MapStore", paths: Sequence[str]) -> list[str]:
    """The names that a store has for these paths of files; what it does not know stays as it is."""
    pairs = store.index.group_by(["image", "source"]).aggregate([]).to_pylist()
    names = {file_of(row["image"], row["source"]): row["image"] for row in pairs}
    files = [os.path.join(os.path.realpath(os.path.dirname(path)), os.path.basename(path)) for path in paths]
    return [names.get(file, path) for file, path in zip(files, paths, strict=True)]


def place_of(image: str, source: str | None) -> Path | None:
    """The file of an image, if it is still where the store found it; None for a member of a tar file."""
    candidates = [Path(source) / image, Path(source)] if source else []
    return next((path for path in candidates if path.is_file() and path.suffix != ".tar"), None)


def _of_one_set(part: "MapStore", keys: Sequence[str]) -> "MapStore":
    """The maps of the predicted class, where an image was explained for several sets of classes."""
    sets = {(row["image_key"], tuple(row["classes"])) for row in part}
    if len({key for key, _ in sets}) == len(sets):
        return part
    alone = pc.list_value_length(pc.field("classes")) == 1
    predicted = part.filter(alone & (pc.field("target") == pc.field("predicted")))
    return predicted if set(keys) <= set(predicted.unique("image_key")) else part


def with_images(explanation: Explanation, images: Tensor, model: Classifier) -> Explanation:
    """An explanation of a store with its images and the model, as `explain` gives it."""
    return replace(
        explanation,
        maps=explanation.maps.to(images.device),
        targets=explanation.targets.to(images.device),
        images=images,
        probabilities=model.probabilities(images),
        classifier=model,
    )
