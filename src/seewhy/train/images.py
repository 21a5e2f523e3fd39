"""Training images, read on demand from a folder, a list or a data set, some held out; and the classes to train on."""

import logging
import threading
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import torch
from jaxtyping import Float, Int
from torch import Tensor
from torch.nn.functional import interpolate

from seewhy.data.decode import images_below
from seewhy.data.items import Item
from seewhy.data.quad import CELLS, assemble
from seewhy.data.sets import KINDS
from seewhy.data.whole import open_source
from seewhy.errors import ImageError, InputError
from seewhy.models.preprocess import Preprocess
from seewhy.train.sources import (
    NO_LABEL,
    Indexed,
    classes_of_labels,
    digest,
    has_named_items,
    read_item,
    source_digest,
    unwrap_loader,
)
from seewhy.types import Images, Targets

FEW = 200  # images below which an explainer learns the images rather than the model

logger = logging.getLogger(__name__)


class Examples(NamedTuple):
    """Images, their labels (-1: none), and the errors of those that could not be read."""

    images: Images
    labels: Tensor
    problems: list[str]


class TrainingImages:
    """Images by index, split into `training` and `held_out`.

    The split is a hash of name and seed: adding images never moves a training image into the held-out set, as long as
    equally many are held out.
    """

    def __init__(
        self,
        items: Indexed,
        preprocess: Preprocess,
        *,
        held_out: int,
        seed: int,
        root: Path | None = None,
        classes: Sequence[int] | None = None,
        held_out_names: Collection[str] | None = None,
    ) -> None:
        """Names of files are relative to the folder `root`; `classes`: the model's class of each label (-1: none).

        `held_out_names` are held out instead of `held_out` images: files whose paths end in one of them.
        """
        if len(items) < 2:
            raise InputError(f"training needs at least two images, got {len(items)}")
        self.items, self.preprocess, self.seed, self.root, self.classes = items, preprocess, seed, root, classes
        self._lock = threading.Lock()  # a data set need not be thread-safe
        self._epoch: tuple[int, list[int]] = (-1, [])  # number and order of the current one
        order = sorted(range(len(items)), key=lambda index: digest(f"{seed} {self._name(index)}"))
        count = min(held_out, len(items) // 2)
        if count < held_out:
            logger.info("holding out %d of the %d images, not %d: half of them at most", count, len(items), held_out)
        self.held_out, self.training = order[:count], order[count:]
        if held_out_names is not None:
            self._hold_out(order, {Path(name).parts for name in held_out_names})
        if len(self.training) < FEW:
            logger.warning(
                "%d training images: enough to see that training runs, not for an explainer. It will have learned "
                "these images, and its scores on %d held-out ones say little; use at least %d, better thousands",
                len(self.training),
                len(self.held_out),
                FEW,
            )

    def __getstate__(self) -> dict[str, Any]:
        """Pickled for reader processes, each of which has its own lock."""
        return {name: value for name, value in self.__dict__.items() if name != "_lock"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state, _lock=threading.Lock())

    def _hold_out(self, order: list[int], names: set[tuple[str, ...]]) -> None:
        """Hold out the files of these names."""
        parts = {index: Path(self._name(index)).parts for index in order}
        found = {i for i, part in parts.items() if any(part[start:] in names for start in range(len(part)))}
        if not found or len(found) == len(order):
            raise InputError(f"{len(found)} of the {len(order)} images are among the {len(names)} to be held out")
        self.held_out, self.training = [i for i in order if i in found], [i for i in order if i not in found]

    def at_step(self, step: int, batch: int) -> list[int]:
        """Indices of the images of a step; every epoch is a new permutation of all training images."""
        indices = []
        for position in range(step * batch, (step + 1) * batch):
            epoch, within = divmod(position, len(self.training))
            indices.append(self.training[self._order(epoch)[within]])
        return indices

    def _order(self, epoch: int) -> list[int]:
        """The permutation of an epoch, cached: for a large folder it takes longer than reading an image."""
        if self._epoch[0] != epoch:
            generator = torch.Generator().manual_seed(self.seed + 1 + epoch)
            self._epoch = epoch, torch.randperm(len(self.training), generator=generator).tolist()
        return self._epoch[1]

    def names(self, indices: Sequence[int]) -> list[str]:
        """Paths relative to the folder, with slashes; paths as given for a list of files; else indices."""
        return [self._name(index) for index in indices]

    def digest(self) -> str:
        """Hash of all names in order or, where items have none, of the source."""
        names = self.names(range(len(self.items)))
        if all(name == str(index) for index, name in enumerate(names)):
            names.append(source_digest(self.items, self.preprocess))
        return digest("\n".join(names))

    def _name(self, index: int) -> str:
        if has_named_items(self.items):
            return self.items[index].name
        item = self.items[index] if isinstance(self.items, (list, tuple)) else None  # a data set would have to read it
        if not isinstance(item, (str, Path)):
            return str(index)
        path = Path(item)
        return (path.relative_to(self.root) if self.root else path).as_posix()

    def read(self, indices: Sequence[int]) -> Examples:
        """The images that can be read, possibly none."""
        images, labels, problems = [], [], []
        for index in indices:
            try:
                with self._lock:
                    image, label = self._read_item(self.items[index])
            except ImageError as error:
                problems.append(str(error))
                continue
            images.append(image)
            labels.append(label)
        height, width = self.preprocess.size
        stacked = torch.stack(images) if images else torch.empty(0, 3, height, width)
        return Examples(stacked, torch.tensor(labels, dtype=torch.long), problems)

    def _read_item(self, item: Any) -> tuple[Tensor, int]:
        image, label = read_item(item, self.preprocess)
        if self.classes is None:
            return image, label if isinstance(item, Item) else NO_LABEL
        return image, self.classes[label] if 0 <= label < len(self.classes) else NO_LABEL

    def split_held_out(self, evaluated: int, reported: int) -> tuple[list[int], list[int]]:
        """Held-out images that select an explainer, and others that it is reported on; half each if there are few."""
        count = min(evaluated, max(1, len(self.held_out) // 2)) if len(self.held_out) <= evaluated else evaluated
        return self.held_out[:count], self.held_out[count : count + reported]

    def read_held_out(self, indices: Sequence[int]) -> Examples:
        """Some held-out images; raises if none of them can be read."""
        examples = self.read(indices)
        if len(examples.images) == 0:
            raise InputError(
                f"none of the {len(examples.problems)} held-out images can be read (the first: "
                f"{examples.problems[0]}); hold out and evaluate more images (held_out, evaluated), or others (seed)"
            )
        return examples


def open_images(
    source: Any,
    preprocess: Preprocess,
    *,
    held_out: int,
    seed: int,
    class_names: Sequence[str] | None = None,
    labels: bool | None = None,
    held_out_names: Collection[str] | None = None,
) -> TrainingImages:
    """Open a folder (searched recursively), a list of images, or a data set (`sources.py` has a table).

    `imagenet:path=ILSVRC/train` is short for `open_dataset("imagenet", path="ILSVRC/train")`.

    Labels of `open_dataset(...)` are classes of the model. Those of another data set are if `labels` is true; by
    default, those whose class has the name, or the WNID, of a class of the model (`class_names`).
    """
    folder = None
    if isinstance(source, str) and source.partition(":")[0] in KINDS:
        source = open_source(source)
    if isinstance(source, (str, Path)):
        folder = Path(source).expanduser()
        if not folder.is_dir():
            raise InputError(f"{source} is not a folder of images")
        source = images_below(folder)
        if not source:
            raise InputError(f"{folder} holds no images. Expected files such as .jpg, .png or .webp in it.")
    source = unwrap_loader(source)
    if not isinstance(source, Indexed):
        raise InputError(f"training needs a folder of images, a list of images or a data set, got {source!r}")
    return TrainingImages(
        source,
        preprocess,
        held_out=held_out,
        seed=seed,
        root=folder,
        classes=classes_of_labels(source, class_names, labels),
        held_out_names=held_out_names,
    )


def choose_targets(probabilities: Tensor, labels: Tensor) -> Targets:
    """Two classes per image: the prediction, and the label if that is another class, else the runner-up."""
    first, second = probabilities.topk(2, dim=1).indices.unbind(dim=1)
    wrong = (labels >= 0) & (labels < probabilities.shape[1]) & (labels != first)
    return torch.stack([first, torch.where(wrong, labels, second)], dim=1)


def make_mosaics(
    images: Images, count: int, generator: torch.Generator
) -> tuple[Float[Tensor, "mosaics 3 height width"], Int[Tensor, "mosaics cells"]]:
    """2x2 mosaics of images at half size, and the indices of their cells; no image twice where there are four."""
    rows = torch.stack([torch.randperm(max(len(images), CELLS), generator=generator)[:CELLS] for _ in range(count)])
    cells = rows % len(images)
    height, width = images.shape[-2:]
    halves = interpolate(images, (-(-height // 2), -(-width // 2)), mode="area")
    return torch.stack([assemble(halves[row])[:, :height, :width] for row in cells]), cells
