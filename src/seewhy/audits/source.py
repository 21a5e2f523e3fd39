"""What is audited: any source of `explain_dataset`, folders named like classes, or the images of a map store."""

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any

import pyarrow.compute as pc

from seewhy.data.decode import images_below
from seewhy.data.items import Dataset, ImageItem, Item, Sample, Subset, take
from seewhy.data.tars import read_tars
from seewhy.data.whole import open_source
from seewhy.errors import InputError
from seewhy.models.classifier import Classifier
from seewhy.models.preprocess import Preprocess
from seewhy.store import MapStore
from seewhy.store.lookup import place_of
from seewhy.store.schema import as_text

KEPT = 256  # samples in memory


@dataclass
class SampleCache:
    """Reads images as the model sees them and keeps the last ones, since candidates of a class share most of theirs."""

    dataset: Dataset
    preprocess: Preprocess
    kept: OrderedDict[int, Sample] = field(default_factory=OrderedDict)

    def read(self, index: int) -> Sample:
        sample = self.kept.pop(index, None)
        if sample is None:
            sample = self.dataset[index].read(self.preprocess)
            sample = replace(sample, name=as_text(sample.name), original=None)
        self.kept[index] = sample
        if len(self.kept) > KEPT:
            self.kept.popitem(last=False)
        return sample

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "kept": OrderedDict()}


def open_images(source: Any, model: Classifier, *, limit: int | None = None, seed: int = 0) -> Dataset:
    """A source as a data set, with labels where folders are named like classes; `limit` keeps random images."""
    dataset = _open(source, model)
    return dataset if limit is None or limit >= len(dataset) else take(dataset, limit, seed=seed)


def open_store(source: Any, model: Classifier) -> MapStore | None:
    """The maps of a model's predictions if the source is a map store."""
    if not isinstance(source, MapStore) and not _is_store(source):
        return None
    store = source if isinstance(source, MapStore) else MapStore(source)
    return store.filter(pc.field("target") == pc.field("predicted"), model_key=model.fingerprint)


def source_of_other(source: Any, model: Classifier) -> Any:
    """What another model is audited on: the same source, but the images of a store that has no maps of that model."""
    store = open_store(source, model)
    return source if store is None or store.methods else open_images(source, model)


def _open(source: Any, model: Classifier) -> Dataset:
    if isinstance(source, MapStore) or _is_store(source):
        return _stored_images(source if isinstance(source, MapStore) else MapStore(source), model.class_names)
    if isinstance(source, (str, Path)) and Path(source).is_dir() and model.class_names is not None:
        return _class_folders(Path(source), model.class_names) or open_source(source)
    return open_source(source)


def _is_store(source: Any) -> bool:
    return (
        isinstance(source, (str, Path))
        and (Path(source) / "format.json").is_file()
        and (Path(source) / "shards").is_dir()
    )


def _class_folders(root: Path, names: Sequence[str]) -> Dataset | None:
    """The images of folders that are all named like classes, with labels; None if they are not."""
    known = _known_folders(names)
    folders = sorted(each for each in root.iterdir() if each.is_dir() and not each.name.startswith("."))
    if not folders or any(_plain(each.name) not in known for each in folders):
        return None
    items = [
        ImageItem(str(file.relative_to(root)), file, (known[_plain(folder.name)],))
        for folder in folders
        for file in images_below(folder)
    ]
    return Subset(items, tuple(range(len(items)))) if items else None


def _known_folders(names: Sequence[str]) -> dict[str, int]:
    """Classes by what a folder of theirs may be called: the name, or one of several separated by commas."""
    return {_plain(word): index for index, name in enumerate(names) for word in (name, *name.split(","))}


def _plain(name: str) -> str:
    """A class name without case and punctuation: `Striped_Fish` is `striped fish`."""
    return " ".join("".join(c if c.isalnum() else " " for c in name.lower()).split())


def _stored_images(store: MapStore, names: Sequence[str] | None) -> Dataset:
    """The files that a store was made of; where it knows no labels, those of folders named like classes."""
    columns = store.index.select(["image", "image_key", "source", "label"]).to_pylist()
    rows = {(row["image"], row["image_key"]): row for row in columns}
    known, members = _known_folders(names or ()), cache(_tar_members)
    items: list[Item] = []
    for (name, _), row in sorted(rows.items()):
        path, source = place_of(name, row["source"]), row["source"] or ""
        label = known.get(_plain(Path(source, name).parent.name)) if row["label"] is None else row["label"]
        labels = () if label is None else (label,)
        found = members(source).get(name) if path is None else ImageItem(name, path, labels)
        if found is None:
            where = Path(source, name)
            raise InputError(
                f"{store.folder}: the images of this store are not there ({where}). Pass the images, not the store."
            )
        items.append(found)
    if not items:
        raise InputError(f"{store.folder}: there is no map in this store")
    return Subset(items, tuple(range(len(items))))


def _tar_members(source: str) -> dict[str, Item]:
    """The images of a tar file by name; none if it is no tar file."""
    if not (source.endswith(".tar") and Path(source).is_file()):
        return {}
    members = read_tars(source)
    return {members[number].name: members[number] for number in range(len(members))}
