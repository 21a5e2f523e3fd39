"""A map store behind the data set: its images, its predictions and its maps."""

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from numpy import ndarray

from seewhy.data.items import ImageItem
from seewhy.errors import InputError
from seewhy.ops.resize import shrink_maps
from seewhy.store import MapStore
from seewhy.store.lookup import MapLookup, place_of
from seewhy.store.schema import Recipe, Row, as_text, options_text
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
        self.keys: dict[int, str] = {}  # hashes of the contents of the page's images, by number
        self.numbers: dict[str, list[int]] = {}  # and the other way round

    @property
    def folder(self) -> Path:
        return self.store.folder

    def items(self) -> list[ImageItem]:
        """The images that are still where the store found them."""
        columns = (self.store.index[name].to_pylist() for name in ("image", "image_key", "source", "label"))
        pairs, labels = {}, {}
        for name, key, source, label in zip(*columns, strict=True):
            pairs[name, key], labels[name, key] = source, () if label is None else (label,)
        shared = Counter(name for name, _ in pairs)
        places = {(name, key): place_of(name, source) for (name, key), source in sorted(pairs.items())}
        found = [
            ImageItem(name if shared[name] == 1 else str(path), path, labels[name, key])
            for (name, key), path in places.items()
            if path is not None
        ]
        if not found:
            (name, _), source = next(iter(sorted(pairs.items())), (("an image", ""), "a folder"))
            raise InputError(
                f"{self.folder}: none of its {len(pairs):,} images is where the store found it, for example {name} in "
                f"{source or 'no file'}. Give the folder of the images with --folder."
            )
        return found

    def match(self, items: Sequence[ImageItem]) -> None:
        """Take the maps of images of the same content, found by the longest end of the path that both have.

        A file whose whole path below the folder fits is known by its stamp, others by a hash.
        """
        names, stamps, keys = (self.store.index[name].to_pylist() for name in ("image", "stamp", "image_key"))
        known: dict[str, dict[str, str]] = {}
        for image, stamp, key in sorted(set(zip(names, stamps, keys, strict=True))):
            for end in path_ends(image):
                stamped = known.setdefault(end, {})
                stamped[stamp] = key if stamped.get(stamp, key) == key else ""  # of two images: their content decides
        whole = set(names)
        for number, item in enumerate(items):
            name = as_text(item.name)
            fitting = next((end for end in path_ends(name) if end in known), None)
            if fitting is not None:
                stamp = item.stamp() if fitting == name or fitting in whole else ""
                self.keys[number] = known[fitting].get(stamp) or item.image_key()
                self.numbers.setdefault(self.keys[number], []).append(number)

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
        if row["target"] != row["classes"][0]:
            return
        for number in self.numbers.get(row["image_key"], ()):
            findings.add_prediction(number, (row["predicted"], row["confidence"]))
            findings.add_map(method, number, values)
            findings.stored.setdefault(number, tuple(row["classes"]))

    def explain_mismatch(self, models: Sequence[str]) -> None:
        """Raise, because no map belongs to the page's models and images."""
        images, known = self.store.unique("image"), self.store.unique("model")
        if self.numbers.keys().isdisjoint(self.store.unique("image_key")):
            raise InputError(
                f"{self.folder}: none of its {len(images):,} images, for example {images[0]}, is one of this page. "
                "Give the folder of the images with --folder."
            )
        raise InputError(
            f"{self.folder}: it holds maps by {', '.join(known)}, but none by {' or '.join(models)} as loaded here. "
            "Name that model with --model, with the weights (--weights) and class names (--class-names) that it had."
        )

    def find(self, fingerprint: str, number: int, method: MethodChoice, targets: Sequence[int]) -> StoredMap | None:
        """The maps of an image for these classes; None if the store has not all of them."""
        if number not in self.keys or not targets:
            return None
        recipe = Recipe(method.name, options_text(method.options), fingerprint)
        found = self.lookup.find(recipe, self.keys[number], targets)
        return None if found is None else StoredMap(found[0][0].numpy(), tuple(targets), found[1])


def path_ends(path: str) -> list[str]:
    """A path without its first folders, the longest first.

    >>> path_ends("photos/mug/0.png")
    ['photos/mug/0.png', 'mug/0.png', '0.png']
    """
    parts = path.split("/")
    return ["/".join(parts[start:]) for start in range(len(parts))]
