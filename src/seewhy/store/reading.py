"""Reading images ahead, in threads or other processes, while the model works."""

import os
import pickle
import threading
import time
from collections.abc import Sequence
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context
from typing import Any, NamedTuple

import torch
from torch import Tensor

from seewhy.data.items import Dataset, Item, image_key
from seewhy.models.preprocess import Preprocess

Indices = tuple[int, ...]


class ReadImage(NamedTuple):
    """What the index says about an image; `error` if it cannot be read."""

    image: str
    source: str
    stamp: str
    image_key: str
    label: int | None
    error: str | None = None


class ReadBatch(NamedTuple):
    """Images of a data set: those without an error are stacked in `images`."""

    facts: list[ReadImage]
    images: Tensor


def read_batch(dataset: Dataset, indices: Sequence[int], preprocess: Preprocess) -> ReadBatch:
    """Read some items of a data set; one that cannot be read has an error instead of an image."""
    facts, images = [], []
    for index in indices:
        item = dataset[index]
        stamp = stamp_of(item)
        try:
            image, key, labels = _pixels(item, preprocess), image_key(item), item.labels
        except Exception as error:
            text = f"{type(error).__name__}: {' '.join(str(error).split())}"
            facts.append(ReadImage(item.name, source_of(item), stamp, "", None, text))
            continue
        images.append(image)
        facts.append(ReadImage(item.name, source_of(item), stamp, key, next(iter(labels), None)))
    size = preprocess.channels, *preprocess.size
    return ReadBatch(facts, torch.stack(images) if images else torch.empty(0, *size))


def _pixels(item: Any, preprocess: Preprocess) -> Tensor:
    image: Tensor = item.pixels(preprocess) if hasattr(item, "pixels") else item.read(preprocess).image
    return image


def stamp_of(item: Item) -> str:
    """What changes when the image may have changed, without reading it; empty if only reading tells."""
    return item.stamp() if hasattr(item, "stamp") else ""


def source_of(item: Item) -> str:
    """The folder or tar file that holds an image; empty if it is not a file."""
    source = getattr(item, "source", None)
    if not isinstance(source, (str, os.PathLike)):
        return ""
    path = os.path.abspath(source)
    return path.removesuffix(item.name).rstrip("/") if path.endswith(item.name) else path


class Reader:
    """Reads batches ahead; `processes` = 0 reads in a thread of this process."""

    def __init__(self, dataset: Dataset, preprocess: Preprocess, processes: int = 0) -> None:
        self._settings = dataset, preprocess
        self._processes = processes if processes and _can_pickle(self._settings) else 0
        self._pool = self._start()
        self._pending: dict[Indices, Future[ReadBatch]] = {}

    def read(self, indices: Indices, ahead: Sequence[Indices] = ()) -> ReadBatch:
        """A batch; those in `ahead` are begun meanwhile."""
        try:
            for each in (indices, *ahead):
                if each not in self._pending:
                    self._pending[each] = self._submit(each)
            return self._pending.pop(indices).result()
        except BrokenProcessPool:  # a reader was killed, perhaps out of memory: go on in this process
            self._pending, self._processes = {}, 0
            self._pool = self._start()
            return self.read(indices, ahead)

    def close(self) -> None:
        self._pool.shutdown(wait=False, cancel_futures=True)

    def _start(self) -> Executor:
        if not self._processes:
            return ThreadPoolExecutor(1)
        return ProcessPoolExecutor(
            self._processes,
            mp_context=get_context("spawn"),
            initializer=_begin,
            initargs=(os.getpid(), *self._settings),
        )

    def _submit(self, indices: Indices) -> "Future[ReadBatch]":
        if self._processes:
            return self._pool.submit(_read_here, indices)
        return self._pool.submit(read_batch, self._settings[0], indices, self._settings[1])


_HERE: list[Any] = []  # data set and preprocessing of a reader process


def _begin(parent: int, dataset: Dataset, preprocess: Preprocess) -> None:
    threading.Thread(target=_end_with, args=(parent,), daemon=True).start()
    torch.set_num_threads(1)
    _HERE[:] = [dataset, preprocess]


def _end_with(parent: int) -> None:
    """End this process when its parent has been killed: nothing else would tell it."""
    while os.getppid() == parent:
        time.sleep(1)
    os._exit(1)


def _read_here(indices: Indices) -> ReadBatch:
    return read_batch(_HERE[0], indices, _HERE[1])


def _can_pickle(value: Any) -> bool:
    try:
        pickle.dumps(value)
    except Exception:
        return False
    return True
