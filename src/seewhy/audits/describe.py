"""Describe every image: prediction, where the evidence lies, and what the model's features are there.

The features are those of the layer that CAM methods read, at the cells of its grid where the map is largest: of those
off the object, if its mask is known, since a shortcut is what is not the object. What is described is written in
parts; a rerun computes those that are missing. Features are read back for some images only, so memory does not grow
with the data set.
"""

import io
import logging
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor
from torch.nn.functional import adaptive_avg_pool2d

from seewhy.data.items import Dataset, Item, Sample, image_key
from seewhy.errors import InputError, ModelError
from seewhy.models.classifier import Classifier
from seewhy.runtime.files import write_atomic
from seewhy.runtime.pool import run_units
from seewhy.runtime.progress import track
from seewhy.store import MapStore
from seewhy.store.schema import as_text
from seewhy.types import Images

PART = 32  # images of a unit of work: about what is lost when killed
SHARE = 0.08  # of the cells whose features are kept, those with the largest evidence
MAPPED = 14  # rows and columns of the grid of networks without features
SMALL = ("index", "label", "predicted", "confidence", "border", "center", "spread", "off_object")
logger = logging.getLogger(__name__)

Arrays = dict[str, np.ndarray]


class Part(NamedTuple):
    """Some images of a data set, and their maps by each method, the main one first."""

    first: int  # index where the part begins
    indices: tuple[int, ...]  # of the images that have maps
    maps: tuple[Float[Tensor, "images rows cols"], ...]

    def __hash__(self) -> int:
        return hash(self.first)


@dataclass
class DescribeJob:
    """Describes parts of a data set, here or in other processes; the maps come with the part."""

    model: Classifier
    dataset: Dataset

    def work(self, part: Part, ahead: Sequence[Any] = ()) -> Arrays:  # noqa: ARG002 - the protocol of jobs
        if not part.indices:
            return {}
        samples = [self.dataset[index].read(self.model.preprocess) for index in part.indices]
        images = torch.stack([sample.image for sample in samples]).to(self.model.device)
        probabilities, features = model_features(self.model, images)
        grid = (features.shape[2], features.shape[3])
        evidence = [torch.stack([on_grid(each, grid) for each in maps]) for maps in part.maps]
        return {
            **describe_evidence(evidence, features, torch.stack([free_cells(each, grid) for each in samples])),
            "index": np.array(part.indices),
            "label": np.array([next(iter(sample.labels), -1) for sample in samples]),
            "predicted": probabilities.argmax(1).numpy(),
            "confidence": probabilities.amax(1).numpy(),
            "off_object": np.array([off_object(*each) for each in zip(samples, evidence[0], strict=True)]),
            "grid": np.array(grid),
        }


def model_features(
    model: Classifier, images: Images
) -> tuple[Float[Tensor, "batch outputs"], Float[Tensor, "batch channels rows cols"]]:
    """Probabilities and features of the layer that CAM methods read; colors where the model has no such layer."""
    with torch.no_grad(), model.frozen_eval():
        try:
            split = model.split(images)
        except ModelError:
            colors = adaptive_avg_pool2d(images, MAPPED)
            spread = (adaptive_avg_pool2d(images**2, MAPPED) - colors**2).clamp_min(0).sqrt()
            return model.probabilities(images).cpu(), torch.cat([colors, spread], dim=1).cpu()
        return model.to_probabilities(split.logits.detach()).float().cpu(), split.features.detach().float().cpu()


def on_grid(evidence: Float[Tensor, "rows cols"], grid: tuple[int, int]) -> Float[Tensor, "grid_rows grid_cols"]:
    """The positive part of a map on another grid, as shares of its sum."""
    resized = adaptive_avg_pool2d(evidence.float().nan_to_num().clamp_min(0)[None], grid)[0]
    return resized / resized.sum().clamp_min(1e-12)


def free_cells(sample: Sample, grid: tuple[int, int]) -> Bool[Tensor, "grid_rows grid_cols"]:
    """The cells of a grid that lie off the object for the most part; all without a mask."""
    if sample.regions is None:
        return torch.ones(grid, dtype=torch.bool)
    return adaptive_avg_pool2d(sample.regions.any(0, keepdim=True).float(), grid)[0] < 0.5


def describe_evidence(
    evidence: Sequence[Float[Tensor, "batch rows cols"]], features: Tensor, free: Bool[Tensor, "batch rows cols"]
) -> Arrays:
    """Where the first method's evidence lies, features under its largest free cells, and if the second agrees."""
    first = evidence[0]
    count = kept_cells(first[0].numel())
    shares, cells = (first * free).flatten(1).topk(count)
    second = (evidence[-1] * free).flatten(1).topk(count).indices
    agrees = (cells.unsqueeze(2) == second.unsqueeze(1)).any(2)
    picked = features.flatten(2).gather(2, cells.unsqueeze(1).expand(-1, features.shape[1], -1))
    rows, cols = (torch.linspace(0, 1, size) for size in first.shape[1:])
    edge = torch.ones(first.shape[1:], dtype=torch.bool)
    edge[1:-1, 1:-1] = False
    center = torch.stack([(first.sum(2) * rows).sum(1), (first.sum(1) * cols).sum(1)], 1)
    distance = (rows[None, :, None] - center[:, 0, None, None]) ** 2 + (
        cols[None, None] - center[:, 1, None, None]
    ) ** 2
    return {
        "evidence": (first * free).flatten(1).numpy().astype(np.float16),
        "cells": cells.numpy(),
        "shares": shares.numpy(),
        "agrees": agrees.numpy(),
        "features": picked.transpose(1, 2).numpy().astype(np.float16),
        "border": first[:, edge].sum(1).numpy(),
        "center": center.numpy(),
        "spread": (first * distance).sum((1, 2)).sqrt().numpy(),
    }


def kept_cells(cells: int) -> int:
    """How many cells of a grid keep their features."""
    return max(4, round(SHARE * cells))


def off_object(sample: Sample, evidence: Float[Tensor, "rows cols"]) -> float:
    """The share of the evidence outside the object, NaN without a mask."""
    if sample.regions is None:
        return float("nan")
    inside = adaptive_avg_pool2d(sample.regions.any(0, keepdim=True).float(), (evidence.shape[0], evidence.shape[1]))[0]
    return float((evidence * (1 - inside)).sum())


@dataclass(frozen=True)
class Description:
    """What is known about all images: small facts in memory, features and probabilities in the parts on disk."""

    parts: list[Path]
    facts: Arrays  # those of SMALL, for all described images in order
    at: Int[np.ndarray, " images"]  # part of each image
    row: Int[np.ndarray, " images"]  # its row there
    grid: tuple[int, int]

    def __len__(self) -> int:
        return len(self.at)

    def load(self, wanted: Int[np.ndarray, " wanted"], names: Sequence[str]) -> Arrays:
        """Arrays of some images, each part opened once."""
        found: dict[str, list[Any]] = {name: [None] * len(wanted) for name in names}
        for part in np.unique(self.at[wanted]):
            arrays = np.load(self.parts[part])
            places = np.flatnonzero(self.at[wanted] == part)
            for name in names:
                values = arrays[name]
                for place in places:
                    found[name][place] = values[self.row[wanted[place]]]
        return {name: np.stack(values) for name, values in found.items()}

    def of_class(self, label: int) -> Int[np.ndarray, " images"]:
        """Images that are predicted as a class."""
        return np.flatnonzero(self.facts["predicted"] == label)

    @property
    def labeled(self) -> Bool[np.ndarray, " images"]:
        return np.asarray(self.facts["label"] >= 0)


def describe_images(
    job: DescribeJob,
    store: MapStore,
    methods: Sequence[str],
    folder: Path,
    *,
    workers: int = 1,
    ray: str | None = None,
) -> Description:
    """Describe the images whose part is missing, then open all parts; `methods`: of the maps, the main one first."""
    folder.mkdir(parents=True, exist_ok=True)
    firsts = range(0, len(job.dataset), PART)
    paths = {first: folder / f"{first:07d}.npz" for first in firsts}
    missing = [first for first in firsts if not paths[first].is_file()]
    parts = read_parts(job.dataset, store.filter(model_key=job.model.fingerprint), methods, missing)
    finished = run_units(job, parts, workers=workers, ray=ray) if missing else iter(())
    for part, arrays, _, error in track(finished, "describing", total=len(missing)):
        if error:
            raise InputError(f"images from {part.first} on could not be described: {error}")
        buffer = io.BytesIO()
        np.savez(buffer, **arrays)
        write_atomic(paths[part.first], buffer.getvalue(), resumes=True)
    return open_description(list(paths.values()))


def read_parts(dataset: Dataset, store: MapStore, methods: Sequence[str], firsts: Sequence[int]) -> Iterator[Part]:
    """The parts that begin at `firsts`, read as they are needed; images that lack a map are left out."""
    columns = (store.index[name].to_pylist() for name in ("method", "image", "image_key"))
    positions: dict[tuple[str, str], dict[str, int]] = {}  # by content
    for at, (method, name, content) in enumerate(zip(*columns, strict=True)):
        positions.setdefault((method, name), {})[content] = at
    for first in firsts:
        items = {index: dataset[index] for index in range(first, min(first + PART, len(dataset)))}
        found = {
            i: [_position(positions.get((method, as_text(item.name)), {}), item) for method in methods]
            for i, item in items.items()
        }
        kept = {index: [at for at in each if at is not None] for index, each in found.items() if None not in each}
        wanted = [[each[k] for each in kept.values()] for k in range(len(methods))]
        yield Part(first, tuple(kept), tuple(store.read(each).maps for each in wanted))


def _position(contents: Mapping[str, int], item: Item) -> int | None:
    """The map of an item among those of its name; its content decides if there are several."""
    return next(iter(contents.values()), None) if len(contents) < 2 else contents.get(image_key(item))


def open_description(parts: list[Path]) -> Description:
    """Read the small facts of all parts."""
    parts = [part for part in parts if "index" in np.load(part)]
    if not parts:
        raise InputError("no image could be explained: see the failures in the map store")
    opened = [{name: arrays[name] for name in (*SMALL, "grid")} for arrays in map(np.load, parts)]
    facts = {name: np.concatenate([each[name] for each in opened]) for name in SMALL}
    sizes = [len(each["index"]) for each in opened]
    at = np.repeat(np.arange(len(parts)), sizes)
    row = np.concatenate([np.arange(size) for size in sizes])
    rows, cols = opened[0]["grid"].tolist()
    return Description(parts, facts, at, row, (rows, cols))
