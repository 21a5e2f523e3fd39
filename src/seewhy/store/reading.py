"""Reading images ahead, in threads or other processes, while the model works."""

import os
import pickle
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context
from typing import Any, NamedTuple

import torch
from torch import Tensor

from seewhy.data.items import Dataset, Item, image_key
from seewhy.models.preprocess import Preprocess
from seewhy.store.schema import as_text

Indices = tuple[int, ...]


class ReadImage(NamedTuple):
    """What the index says about an image; `error` if it cannot be read."""

    image: str
    stamp: str
    image_key: str
    label: int | None
    error: str | None = None
    source: str = ""  # known to the driver


class ReadBatch(NamedTuple):
    """Images of a data set: those without an error are stacked in `images`."""

    facts: list[ReadImage]
    images: Tensor


def read_batch(dataset: Dataset, indices: Sequence[int], preprocess: Preprocess) -> ReadBatch:
    """Read some items of a data set; one that cannot be read has an error instead of an image."""
    facts, images = [], []
    for index in indices:
        item = dataset[index]
        found = ReadImage(name_of(item), stamp_of(item), "", label_of(item))
        try:
            pixels, content = _pixels(item, preprocess), image_key(item)
        except Exception as error:
            facts.append(found._replace(image_key=content_of(item), error=error_text(error)))
            continue
        if stamp_of(item) == found.stamp:
            images.append(pixels)
            facts.append(found._replace(image_key=content))
        else:  # without a content, so that the next run tries again
            facts.append(found._replace(error=f"{found.image}: the file changed while it was read. Rerun."))
    size = preprocess.channels, *preprocess.size
    return ReadBatch(facts, torch.stack(images) if images else torch.empty(0, *size))


def _pixels(item: Any, preprocess: Preprocess) -> Tensor:
    image: Tensor = item.pixels(preprocess) if hasattr(item, "pixels") else item.read(preprocess).image
    return image


def name_of(item: Item) -> str:
    """The name of an image, as the index has it."""
    return as_text(item.name)


def error_text(error: Exception) -> str:
    """An error as the index has it, in one line."""
    return as_text(f"{type(error).__name__}: {' '.join(str(error).split())}")


def stamp_of(item: Item) -> str:
    """What changes when the image may have changed, without reading it; empty if only reading tells."""
    return item.stamp() if hasattr(item, "stamp") else ""


def content_of(item: Item) -> str:
    """A hash of the image's content; empty if it cannot be read."""
    try:
        return image_key(item)
    except Exception:
        return ""


def label_of(item: Item) -> int | None:
    """The label of an image; None if it has none or cannot be read."""
    try:
        return next(iter(item.labels), None)
    except Exception:
        return None


def source_of(item: Item, real_path: Callable[[str], str] = os.path.realpath) -> str:
    """The folder or tar file that holds an image, without symbolic links; empty if it is not a file.

    Together with the name it says which file an image is, so that equal names of several folders stay apart.
    """
    source = getattr(item, "source", None)
    if not isinstance(source, (str, os.PathLike)):
        return ""
    path = os.path.abspath(source)
    folder = path.removesuffix(f"{os.sep}{item.name}")
    if folder != path:
        return as_text(real_path(folder or os.sep))
    folder, file = os.path.split(path)
    return as_text(folder if os.path.isabs(item.name) else os.path.join(real_path(folder), file))


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
