"""What one model makes of the images of the data set: columns that are sorted and filtered."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from jaxtyping import Bool, Float, Int
from numpy import ndarray

from seewhy.data.items import ImageItem
from seewhy.ui.disagreement import disagreement
from seewhy.ui.errors import invalid
from seewhy.ui.labels import folder_labels
from seewhy.ui.results import MethodChoice

FIELDS = ("name", "label", "prediction", "confidence", "wrong", "ins_del", "disagreement")
RANGES = ("confidence", "ins_del", "disagreement")  # fields that are filtered by their least and largest value


class Findings:
    """Columns by number of the image; -1 and NaN where something is not known."""

    def __init__(self, facts: dict[str, Any], items: Sequence[ImageItem]) -> None:
        self.facts, count = facts, len(items)
        self.names = [item.name for item in items]
        self.label: Int[ndarray, " images"] = folder_labels(items, facts["class_names"])
        self.prediction: Int[ndarray, " images"] = np.full(count, -1)
        self.confidence: Float[ndarray, " images"] = np.full(count, np.nan)
        self.unreadable: Bool[ndarray, " images"] = np.zeros(count, dtype=bool)
        self.methods: dict[str, MethodChoice] = {}  # by label
        self.scores: dict[str, Float[ndarray, " images"]] = {}  # insertion minus deletion, by label of the method
        self.maps: dict[str, dict[int, ndarray]] = {}  # small maps by label of the method and image
        self.disagreement: Float[ndarray, " images"] = np.full(count, np.nan)
        self.stored: dict[int, tuple[int, ...]] = {}  # classes that the map store explains, by image

    @property
    def pending(self) -> Int[ndarray, " pending"]:
        """Numbers of the images that the model has not seen."""
        return np.flatnonzero((self.prediction < 0) & ~self.unreadable)

    def counts(self) -> dict[str, Any]:
        return {"model": self.facts["id"], "images": len(self.names), "predicted": len(self.names) - len(self.pending)}

    def to_json(self) -> dict[str, Any]:
        methods = [
            {"label": label, "name": each.name, "options": each.options, "scored": label in self.scores}
            for label, each in self.methods.items()
        ]
        return {**self.counts(), "labeled": int((self.label >= 0).sum()), "methods": methods, "fields": FIELDS}

    # what is found out

    def add_prediction(self, number: int, prediction: tuple[int, float] | None) -> None:
        """Class and confidence; None for an image that cannot be read."""
        self.unreadable[number] = prediction is None
        if prediction is not None:
            self.prediction[number], self.confidence[number] = prediction

    def add_score(self, method: MethodChoice, number: int, found: Mapping[str, Any]) -> None:
        """What a job found out about an image."""
        if "error" not in found:
            self.scores.setdefault(method.label, np.full(len(self.names), np.nan))[number] = found["ins_del"]
            self.add_map(method, number, found["map"])

    def add_map(self, method: MethodChoice, number: int, map: Float[ndarray, " patches"]) -> None:
        self.methods.setdefault(method.label, method)
        self.maps.setdefault(method.label, {})[number] = map
        self.disagreement[number] = disagreement([maps[number] for maps in self.maps.values() if number in maps])

    # what is listed

    @property
    def wrong(self) -> Bool[ndarray, " images"]:
        return (self.label >= 0) & (self.prediction >= 0) & (self.label != self.prediction)

    def ins_del(self, method: str) -> Float[ndarray, " images"]:
        """The scores of a method; of the first that was run by default."""
        chosen = method or next(iter(self.scores), "")
        return self.scores.get(chosen, np.full(len(self.names), np.nan))

    def find(self, filters: Mapping[str, Any], method: str = "") -> Int[ndarray, " found"]:
        """Numbers of the images that match, with the scores of a method."""
        keep = np.ones(len(self.names), dtype=bool)
        for name in ("label", "prediction"):
            if filters.get(name) is not None:
                keep &= getattr(self, name) == filters[name]
        if filters.get("wrong") is not None:
            keep &= (self.wrong if filters["wrong"] else ~self.wrong) & (self.prediction >= 0)
        for name in RANGES:
            if filters.get(f"min_{name}") is not None:
                keep &= self.column(name, method) >= filters[f"min_{name}"]
            if filters.get(f"max_{name}") is not None:
                keep &= self.column(name, method) <= filters[f"max_{name}"]
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
            "name": self.names[number],
            "label": None if label < 0 else label,
            "prediction": None if prediction < 0 else prediction,
            "confidence": _known(self.confidence[number]),
            "unreadable": bool(self.unreadable[number]),
            "wrong": None if label < 0 or prediction < 0 else label != prediction,
            "ins_del": _known(self.ins_del(method)[number]),
            "disagreement": _known(self.disagreement[number]),
            "stored_targets": self.stored.get(number),
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


def _known(value: float) -> float | None:
    return None if np.isnan(value) else round(float(value), 7)
