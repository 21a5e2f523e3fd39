"""The data set: the images of a folder with their labels, predictions and scores; listed, sorted and filtered."""

import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from jaxtyping import Bool, Float, Int
from numpy import ndarray

from seewhy.data.items import ImageItem
from seewhy.data.whole import open_source
from seewhy.ui.disagreement import disagreement
from seewhy.ui.errors import invalid
from seewhy.ui.labels import folder_labels
from seewhy.ui.lane import Source
from seewhy.ui.link import Failed, WorkerGone
from seewhy.ui.stored import stored_maps
from seewhy.ui.worker import JOB

if TYPE_CHECKING:
    from seewhy.ui.page import Page

BATCH = 16  # images predicted at once, between two looks at the queue
FIELDS = ("name", "label", "prediction", "confidence", "wrong", "ins_del", "disagreement")


class DataFolder:
    """The images of `--folder`: columns by number of the image; -1 and NaN where something is not known."""

    def __init__(self, page: "Page") -> None:
        self.page, self.root = page, Path(str(page.settings.folder))
        self.facts = page.link.models[0]
        items = read_items(self.root)
        self.names = [item.name for item in items]
        self.ids = [image_id(item) for item in items]
        self.numbers = {id: number for number, id in enumerate(self.ids)}
        self.sources = [Source(id, item.name, Path(str(item.source))) for id, item in zip(self.ids, items, strict=True)]
        page.images.files = {source.id: source.path for source in self.sources}
        page.images.names = {source.id: source.name for source in self.sources}
        self.label: Int[ndarray, " images"] = folder_labels(items, self.facts["class_names"])
        self.prediction: Int[ndarray, " images"] = np.full(len(items), -1)
        self.confidence: Float[ndarray, " images"] = np.full(len(items), np.nan)
        self.unreadable: Bool[ndarray, " images"] = np.zeros(len(items), dtype=bool)
        self.scores: dict[str, Float[ndarray, " images"]] = {}  # insertion minus deletion, by method
        self.maps: dict[str, dict[int, ndarray]] = {}  # small maps by method and image
        self.disagreement: Float[ndarray, " images"] = np.full(len(items), np.nan)

    def counts(self) -> dict[str, int]:
        seen = (self.prediction >= 0) | self.unreadable
        return {"images": len(self.ids), "predicted": int(seen.sum())}

    def to_json(self) -> dict[str, Any]:
        facts = {"name": self.root.resolve().name, "labeled": int((self.label >= 0).sum()), "model": self.facts["id"]}
        return {**facts, **self.counts(), "methods": list(self.maps), "fields": FIELDS}

    # what is found out

    async def predict_some(self) -> bool:
        """Predict the next images; whether there were any. Called while no job waits."""
        numbers = np.flatnonzero((self.prediction < 0) & ~self.unreadable)[:BATCH].tolist()
        if not numbers:
            return False
        images = [self.sources[number] for number in numbers]
        try:
            found = await self.page.link.call("predict_many", JOB, model=self.facts["id"], images=images)
        except WorkerGone:
            return True  # again, once there is another worker
        except Failed:
            found = [None] * len(numbers)
        for number, prediction in zip(numbers, found, strict=True):
            self.unreadable[number] = prediction is None
            if prediction is not None:
                self.prediction[number], self.confidence[number] = prediction
        self.page.events.send("dataset", self.counts())
        return True

    def add_score(self, method: str, number: int, found: Mapping[str, Any]) -> None:
        """What a job found out about an image."""
        if "error" not in found:
            self.scores.setdefault(method, np.full(len(self.ids), np.nan))[number] = found["ins_del"]
            self.add_map(method, number, found["map"])

    def add_map(self, method: str, number: int, map: Float[ndarray, " patches"]) -> None:
        self.maps.setdefault(method, {})[number] = map
        maps = [maps[number] for maps in self.maps.values() if number in maps]
        self.disagreement[number] = disagreement(maps)

    def add_stored(self, store: Path) -> None:
        """Take the maps of a map store; what methods disagree on is known from the beginning."""
        numbers = {name: number for number, name in enumerate(self.names)}
        for method, number, map in stored_maps(store, self.facts["fingerprint"], numbers, tuple(self.facts["grid"])):
            self.add_map(method, number, map)

    # what is listed

    @property
    def wrong(self) -> Bool[ndarray, " images"]:
        return (self.label >= 0) & (self.prediction >= 0) & (self.label != self.prediction)

    def ins_del(self, method: str) -> Float[ndarray, " images"]:
        """The scores of a method; of the first that was run by default."""
        chosen = method or next(iter(self.scores), "")
        return self.scores.get(chosen, np.full(len(self.ids), np.nan))

    def find(self, filters: Mapping[str, Any]) -> Int[ndarray, " found"]:
        """Numbers of the images that match."""
        keep = np.ones(len(self.ids), dtype=bool)
        for name in ("label", "prediction"):
            if filters.get(name) is not None:
                keep &= getattr(self, name) == filters[name]
        if filters.get("wrong") is not None:
            keep &= (self.wrong if filters["wrong"] else ~self.wrong) & (self.prediction >= 0)
        low, high = filters.get("min_confidence"), filters.get("max_confidence")
        if low is not None:
            keep &= self.confidence >= low
        if high is not None:
            keep &= self.confidence <= high
        if filters.get("q"):
            words = str(filters["q"]).lower().split()
            keep &= np.array([all(word in name.lower() for word in words) for name in self.names])
        return np.flatnonzero(keep)

    def sort(self, numbers: Int[ndarray, " found"], field: str, method: str) -> Int[ndarray, " found"]:
        """By a field, descending with a minus in front; images without a value come last."""
        name = field.removeprefix("-")
        if name not in FIELDS:
            raise invalid("sort", f"sort must be one of {', '.join(FIELDS)}, with a minus in front for descending")
        if name == "name":
            return numbers[::-1] if field.startswith("-") else numbers
        values = self.column(name, method)[numbers]
        keys = -values if field.startswith("-") else values
        return numbers[np.argsort(keys, kind="stable")]  # NaN comes last

    def column(self, name: str, method: str) -> Float[ndarray, " images"]:
        """A field as numbers; NaN where it is not known."""
        if name == "ins_del":
            return self.ins_del(method)
        if name == "wrong":
            return np.where((self.label >= 0) & (self.prediction >= 0), self.wrong.astype(float), np.nan)
        values = getattr(self, name).astype(float)
        return np.where(values < 0, np.nan, values) if name in ("label", "prediction") else values

    def item(self, number: int, method: str) -> dict[str, Any]:
        label, prediction = int(self.label[number]), int(self.prediction[number])
        return {
            "id": self.ids[number],
            "name": self.names[number],
            "label": None if label < 0 else label,
            "prediction": None if prediction < 0 else prediction,
            "confidence": _known(self.confidence[number]),
            "wrong": None if label < 0 or prediction < 0 else label != prediction,
            "ins_del": _known(self.ins_del(method)[number]),
            "disagreement": _known(self.disagreement[number]),
        }

    def confusion(self) -> dict[str, Any]:
        """Counts of label and prediction, and the classes that occur."""
        known = self.prediction >= 0
        labeled = known & (self.label >= 0)
        pairs, counts = np.unique(np.stack([self.label[labeled], self.prediction[labeled]]), axis=1, return_counts=True)
        cells = [
            {"label": int(label), "prediction": int(prediction), "count": int(count)}
            for (label, prediction), count in zip(pairs.T, counts, strict=True)
        ]
        occur = np.union1d(self.label[self.label >= 0], self.prediction[known])
        return {"classes": [int(index) for index in occur], "cells": cells}


def read_items(root: Path) -> list[ImageItem]:
    """The images of a folder that are files."""
    dataset = open_source(root)
    items = [dataset[number] for number in range(len(dataset))]
    return [item for item in items if isinstance(item, ImageItem) and isinstance(item.source, (str, Path))]


def image_id(item: ImageItem) -> str:
    """A hash of a file's name, size and time: its content would take minutes to read for thousands of files."""
    return hashlib.sha256(f"{item.name}\0{item.stamp()}".encode(errors="surrogateescape")).hexdigest()[:32]


def _known(value: float) -> float | None:
    return None if np.isnan(value) else round(float(value), 7)
