"""A map store behind the data set: its images, its predictions and its maps."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from numpy import ndarray

from seewhy.data.items import ImageItem
from seewhy.errors import InputError
from seewhy.ops.resize import shrink_maps
from seewhy.store import MapStore
from seewhy.store.lookup import MapLookup
from seewhy.store.schema import Recipe, Row, options_text
from seewhy.types import Cost
from seewhy.ui.findings import Findings
from seewhy.ui.results import MethodChoice


@dataclass(frozen=True)
class StoredMap:
    """The maps of an image by one method, `classes rows cols`, their classes and what they cost."""

    maps: ndarray
    targets: tuple[int, ...]
    cost: Cost

    def first(self) -> "StoredMap":
        """The map of the first class alone."""
        return StoredMap(self.maps[:1], self.targets[:1], self.cost * (1 / len(self.targets)))


class PageStore:
    """The maps of `--store`, found by model, method, image and classes."""

    def __init__(self, folder: Path) -> None:
        self.store = MapStore(folder)
        self.lookup = MapLookup(self.store)
        self.numbers: dict[str, int] = {}  # of the page's images, by name
        self.keys: dict[int, str] = {}  # hashes of their contents

    @property
    def folder(self) -> Path:
        return self.store.folder

    def items(self) -> list[ImageItem]:
        """The images that are still where the store found them."""
        pairs = dict(zip(self.store.index["image"].to_pylist(), self.store.index["source"].to_pylist(), strict=True))
        places = {name: _place(name, source) for name, source in sorted(pairs.items())}
        found = [ImageItem(name, path) for name, path in places.items() if path is not None]
        if not found:
            name, source = next(iter(sorted(pairs.items())), ("an image", "a folder"))
            raise InputError(
                f"{self.folder}: none of its {len(pairs):,} images is where the store found it, for example {name} in "
                f"{source or 'no file'}. Give the folder of the images with --folder."
            )
        return found

    def match(self, items: Sequence[ImageItem]) -> None:
        """Take the maps of images of the same name and content, by the file's stamp or else by its hash."""
        columns = (self.store.index[name].to_pylist() for name in ("image", "stamp", "image_key"))
        known: dict[str, dict[str, str]] = {}
        for image, stamp, key in zip(*columns, strict=True):
            known.setdefault(image, {})[stamp] = key
        self.numbers = {item.name: number for number, item in enumerate(items) if item.name in known}
        for name, number in self.numbers.items():
            self.keys[number] = known[name].get(items[number].stamp()) or items[number].image_key()

    def read_into(self, findings: Findings) -> None:
        """Predictions and small maps of a model; maps of the first class that was explained."""
        own = self.store.filter(model_key=findings.facts["fingerprint"])
        for name, options in sorted({(row["method"], row["options"]) for row in own}):
            method = MethodChoice(name, json.loads(options))
            for rows, maps in own.filter(method=name, options=options).batches():
                small = shrink_maps(maps.unsqueeze(1), tuple(findings.facts["grid"])).flatten(1).numpy()
                for row, values in zip(rows, small, strict=True):
                    self._add_row(findings, method, row, values)

    def _add_row(self, findings: Findings, method: MethodChoice, row: Row, values: ndarray) -> None:
        number = self.numbers.get(row["image"], -1)
        if self.keys.get(number) == row["image_key"] and row["target"] == row["classes"][0]:
            findings.add_prediction(number, (row["predicted"], row["confidence"]))
            findings.add_map(method, number, values)
            findings.stored.setdefault(number, tuple(row["classes"]))

    def explain_mismatch(self, models: Sequence[str]) -> None:
        """Raise, because no map belongs to the page's models and images."""
        known = ", ".join(self.store.unique("model")) or "no model"
        raise InputError(
            f"{self.folder}: no map is of {' or '.join(models)} and of an image of this page; the store holds maps by "
            f"{known}. Name that model with --model (and --weights), and the folder of its images with --folder."
        )

    def find(self, fingerprint: str, number: int, method: MethodChoice, targets: Sequence[int]) -> StoredMap | None:
        """The maps of an image for these classes; None if the store has not all of them."""
        if number not in self.keys or not targets:
            return None
        recipe = Recipe(method.name, options_text(method.options), fingerprint)
        found = self.lookup.find(recipe, self.keys[number], targets)
        return None if found is None else StoredMap(found[0][0].numpy(), tuple(targets), found[1])


def _place(name: str, source: str | None) -> Path | None:
    """The file of an image, from its name and the folder it was found in."""
    candidates = [Path(source) / name, Path(source)] if source else []
    return next((path for path in candidates if path.is_file() and path.suffix != ".tar"), None)
