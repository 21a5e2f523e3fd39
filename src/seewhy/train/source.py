"""What explainers are trained on: a folder of images, or Scenes, read when asked for; and for which classes."""

import hashlib
import logging
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple, Protocol, runtime_checkable

import torch
from torch import Tensor

from seewhy.data import read_images
from seewhy.data.decode import images_below
from seewhy.errors import ImageError, InputError
from seewhy.models.preprocess import Preprocess
from seewhy.types import Targets

NO_LABEL = -1

logger = logging.getLogger(__name__)


@runtime_checkable
class Numbered(Protocol):
    """A list, or a data set: pictures by number."""

    def __len__(self) -> int: ...

    def __getitem__(self, number: int, /) -> Any: ...


class Examples(NamedTuple):
    """Images, their labels (-1 where there are none), and what could not be read."""

    images: Tensor
    labels: Tensor
    problems: list[str]


class Source:
    """Pictures by number, some of them held back for evaluation.

    Each has a place of its own, by its name and the seed, and the first are held back. So none that was trained on is
    held back when there are more pictures later and as many are.
    """

    def __init__(
        self,
        items: Numbered,
        preprocess: Preprocess,
        *,
        held_out: int,
        seed: int,
        root: Path | None = None,
        labeled: bool = False,
    ) -> None:
        """`root` is the folder that the files' names begin from; `labeled`: the items' labels are the model's."""
        if len(items) < 2:
            raise InputError(f"training needs at least two images, got {len(items)}")
        self.items, self.preprocess, self.seed, self.root, self.labeled = items, preprocess, seed, root, labeled
        self._one_reader = threading.Lock()  # a data set of the user's need not bear several at once
        self._last: tuple[int, list[int]] = (-1, [])  # an epoch and its order
        order = sorted(range(len(items)), key=lambda number: digest(f"{seed} {self._name(number)}"))
        held = min(held_out, len(items) // 2)
        if held < held_out:
            logger.info("%d of the %d pictures are held out, not %d: half of them at most", held, len(items), held_out)
        self.held_out, self.training = order[:held], order[held:]

    def at_step(self, step: int, batch: int) -> list[int]:
        """The pictures of a step; every epoch has an order of its own and goes through all."""
        numbers = []
        for place in range(step * batch, (step + 1) * batch):
            epoch, within = divmod(place, len(self.training))
            numbers.append(self.training[self._order(epoch)[within]])
        return numbers

    def _order(self, epoch: int) -> list[int]:
        """Drawn once per epoch: of a large folder it takes longer than reading a picture."""
        if self._last[0] != epoch:
            generator = torch.Generator().manual_seed(self.seed + 1 + epoch)
            self._last = epoch, torch.randperm(len(self.training), generator=generator).tolist()
        return self._last[1]

    def names(self, numbers: Sequence[int]) -> list[str]:
        """Where files lie in the folder, with slashes; paths as given for a list of files; else numbers."""
        return [self._name(number) for number in numbers]

    def digest(self) -> str:
        """Of all names, in order: another folder has another one. Of a data set its settings count."""
        names = self.names(range(len(self.items)))
        if not self._is_list:
            settings = getattr(self.items, "__dict__", {}).items()
            plain = sorted((key, value) for key, value in settings if isinstance(value, (str, int, float)))
            names = [f"{type(self.items).__name__} {plain}", *names]
        return digest("\n".join(names))

    @property
    def _is_list(self) -> bool:
        """A data set draws or reads what it is asked for, so it is not asked for names."""
        return isinstance(self.items, (list, tuple))

    def _name(self, number: int) -> str:
        item = self.items[number] if self._is_list else None
        if not isinstance(item, (str, Path)):
            return str(number)
        path = Path(item)
        return (path.relative_to(self.root) if self.root else path).as_posix()

    def read(self, numbers: Sequence[int]) -> Examples:
        """The pictures that can be read; there may be none."""
        images, labels, problems = [], [], []
        for number in numbers:
            try:
                with self._one_reader:
                    image, label = self._one(self.items[number])
            except ImageError as error:
                problems.append(str(error))
                continue
            images.append(image)
            labels.append(label)
        height, width = self.preprocess.size
        stacked = torch.stack(images) if images else torch.empty(0, 3, height, width)
        return Examples(stacked, torch.tensor(labels, dtype=torch.long), problems)

    def _one(self, item: Any) -> tuple[Tensor, int]:
        picture = getattr(item, "image", item)  # of a scene
        label = int(item.label) if self.labeled else NO_LABEL
        return read_images(picture, self.preprocess).images[0], label


def digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def open_source(
    source: Any, preprocess: Preprocess, *, held_out: int, seed: int, class_names: Sequence[str] | None = None
) -> Source:
    """A folder (searched through all its folders), a list of pictures, or a data set such as `Scenes`.

    A data set's labels count if its classes are the model's.
    """
    folder = None
    if isinstance(source, (str, Path)):
        folder = Path(source).expanduser()
        if not folder.is_dir():
            raise InputError(f"{source} is not a folder of images")
        source = images_below(folder)
        if not source:
            raise InputError(f"{folder} holds no images. Expected files such as .jpg, .png or .webp in it.")
    if not isinstance(source, Numbered):
        raise InputError(f"training needs a folder of images, a list of them or a data set; got {source!r}")
    names = getattr(source, "class_names", None)
    labeled = names is not None and tuple(names) == class_names
    return Source(source, preprocess, held_out=held_out, seed=seed, root=folder, labeled=labeled)


def choose_targets(probabilities: Tensor, labels: Tensor) -> Targets:
    """The prediction, and beside it the label where that is another class, else the runner-up."""
    first, second = probabilities.topk(2, dim=1).indices.unbind(dim=1)
    wrong = (labels != NO_LABEL) & (labels != first)
    return torch.stack([first, torch.where(wrong, labels, second)], dim=1)
