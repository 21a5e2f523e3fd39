"""Where training images come from: items of every kind of source, and what identifies a source.

| source                                        | item                            | name         |
|-----------------------------------------------|---------------------------------|--------------|
| folder, list of files                         | path                            | path         |
| `open_dataset(...)`                           | `Item`                          | its name     |
| list of images, tensors, arrays               | image                           | index        |
| `ImageFolder`, `TensorDataset`                | (image, label)                  | index        |
| Hugging Face data set                         | {"image": …, "label": …}        | index        |
| `DataLoader`                                  | that of its data set            | index        |
| `Scenes`                                      | object with `image` and `label` | index        |
"""

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any, Protocol, runtime_checkable

from torch import Tensor
from torch.utils.data import DataLoader, IterableDataset

from seewhy.data.items import Item, Subset
from seewhy.data.quad import Quads
from seewhy.data.read import read_image
from seewhy.data.scenes import ScenesData
from seewhy.data.sets import WNID, class_indices
from seewhy.data.whole import unpack_example
from seewhy.errors import ImageError, InputError
from seewhy.models.preprocess import Preprocess

NO_LABEL = -1
ALL_LABELS = range(2**31)  # every label is the class of that index
IMAGENET_CLASSES = 1000
SAMPLED = 16  # items of a data set that are read to identify it


@runtime_checkable
class Indexed(Protocol):
    """A list or a data set: images by index."""

    def __len__(self) -> int: ...

    def __getitem__(self, index: int, /) -> Any: ...


def has_named_items(source: Indexed) -> bool:
    """Whether items have names that are known without reading them."""
    return isinstance(source, (Subset, ScenesData, Quads))


def read_item(item: Any, preprocess: Preprocess) -> tuple[Tensor, int]:
    """The image of an item as the model sees it, and its label (-1: none)."""
    if isinstance(item, Item):
        sample = item.read(preprocess)
        return sample.image, next(iter(sample.labels), NO_LABEL)
    image, label = unpack_example(item)
    return read_image(image, preprocess), NO_LABEL if label is None else int(label)


def unwrap_loader(source: Any) -> Any:
    """The data set of a `DataLoader`, in whose order it is not read: every epoch has its own."""
    if not isinstance(source, DataLoader):
        return source
    if isinstance(source.dataset, IterableDataset) or not isinstance(source.dataset, Indexed):
        raise InputError(
            f"training reads images by index, the {type(source.dataset).__name__} of this DataLoader has no indices. "
            "Pass a folder, a list or a data set with a length."
        )
    return source.dataset


def classes_of_labels(source: Any, class_names: Sequence[str] | None, labels: bool | None) -> Sequence[int] | None:
    """The model's class for each label of a data set (-1: none); None if only its items know.

    Labels are the classes (`labels` is true), are ignored (false), or are matched by name or WNID.
    """
    if labels is not None:
        return ALL_LABELS if labels else ()
    names = label_names(source)
    if names is None:
        return None
    if len(class_names or ()) == IMAGENET_CLASSES and all(map(WNID.match, names)):
        known = class_indices(names)
    else:
        known = {name: index for index, name in enumerate(class_names or ())}
    return [known.get(name, NO_LABEL) for name in names]


def label_names(source: Any) -> list[str] | None:
    """Names of a data set's labels (torchvision, Hugging Face, Scenes), also through `Subset` and `ConcatDataset`."""
    features = getattr(source, "features", None)  # Hugging Face
    column = features.get("label") if isinstance(features, Mapping) else source
    for name in ("class_names", "classes", "names"):
        found = getattr(column, name, None)
        if isinstance(found, (list, tuple)):
            return [str(each) for each in found]
    inner = getattr(source, "datasets", None) or [getattr(source, "dataset", None)]
    names = [label_names(each) for each in inner if each is not None]
    return names[0] if names and all(each == names[0] for each in names) else None


def digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def source_digest(source: Any, preprocess: Preprocess) -> str:
    """Hash of a source whose items have no names: its structure, and the pixels of some of its items."""
    count = min(SAMPLED, len(source))
    indices = [position * (len(source) - 1) // max(count - 1, 1) for position in range(count)]
    return digest("\n".join([_structure(source), *(_pixels(source[index], preprocess) for index in indices)]))


def _structure(source: Any) -> str:
    """Type and plain attributes of a data set, and of the data sets inside it; indices of a `Subset`."""
    parts = [type(source).__name__, str(len(source))]
    for name, value in sorted(getattr(source, "__dict__", {}).items()):
        if isinstance(value, (str, int, float)) or (isinstance(value, (list, tuple, range)) and _is_plain(value)):
            parts.append(f"{name}={digest(repr(value))}")
        elif isinstance(value, (list, tuple)) and all(hasattr(each, "__getitem__") for each in value):
            parts += [_structure(each) for each in value if not isinstance(each, Tensor)]
        elif isinstance(value, Indexed) and not isinstance(value, (Tensor, Mapping)):
            parts.append(_structure(value))
    return "\n".join(parts)


def _is_plain(values: Any) -> bool:
    return all(isinstance(value, (str, int, float)) for value in values)


def _pixels(item: Any, preprocess: Preprocess) -> str:
    try:
        image, label = read_item(item, preprocess)
    except ImageError as error:
        return str(error)
    return hashlib.sha256(image.contiguous().numpy().tobytes()).hexdigest() + str(label)
