"""Target specifications (None, index, name, list, tensor) as class indices of shape `batch classes`."""

import operator
from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from jaxtyping import Float
from torch import Tensor

from seewhy.errors import TargetError, nearest, or_list
from seewhy.types import Targets

Names = Sequence[str] | None
MAX_LISTED = 20  # class names in a message


def resolve_targets(targets: Any, probabilities: Float[Tensor, "batch outputs"], names: Names) -> Targets:
    """Class indices. None: the predicted class; index, name or flat list: for every image; nested or 2-D: per image."""
    given = parse_targets(targets, len(probabilities), names)
    return choose_classes(given, probabilities)


def parse_targets(targets: Any, batch: int, names: Names) -> Targets | None:
    """Class indices of given targets; None, which depends on the prediction, stays None."""
    if targets is None:
        return None
    if isinstance(targets, np.ndarray):
        targets = torch.from_numpy(targets) if targets.ndim > 1 else targets.tolist()
    targets = list(targets) if isinstance(targets, range) else targets
    if isinstance(targets, (list, tuple)) and not targets:
        raise TargetError("targets is empty: give classes, or None for the predicted class of each image")
    if isinstance(targets, Tensor) and targets.ndim > 0:
        return _check_table(targets, batch).long()
    if isinstance(targets, (list, tuple)) and targets and isinstance(targets[0], (list, tuple)):
        return _nested(targets, batch, names)
    several = targets if isinstance(targets, (list, tuple)) else [targets]
    return torch.tensor([[class_index(target, names) for target in several]], dtype=torch.int64).expand(batch, -1)


def choose_classes(given: Targets | None, probabilities: Float[Tensor, "batch outputs"]) -> Targets:
    """The given classes, checked against the number of outputs, or the predicted class of each image."""
    if given is None:
        return probabilities.argmax(dim=1, keepdim=True)
    return _check_range(given.to(probabilities.device), probabilities.shape[1])


def class_index(target: Any, names: Names) -> int:
    """The index of a class that is given by index or name."""
    if isinstance(target, str):
        return find_class(target, names)
    try:
        if isinstance(target, bool):
            raise TypeError
        return operator.index(target)
    except TypeError:
        raise TargetError(f"a target must be a class index or name, got {target!r}") from None


def find_class(name: str, names: Names) -> int:
    """Index of the class with that name or synonym, ignoring case; underscores stand for spaces.

    >>> find_class("Tabby", ["tabby, tabby cat", "tiger cat"])
    0
    """
    names, wanted = names or (), _plain(name)
    synonyms = [[_plain(part) for part in entry.split(",")] for entry in names]
    hits = [index for index, entry in enumerate(synonyms) if wanted in entry or wanted == _plain(names[index])]
    if not hits and wanted.isdecimal():  # digits may be names, too, in another order
        return int(wanted)
    if not names:
        raise TargetError(f"the model has no class names to look up {name!r} in: give an index")
    hits = hits or [index for index, entry in enumerate(synonyms) if any(wanted in part.split() for part in entry)]
    hits = hits or [index for index, entry in enumerate(names) if wanted in _plain(entry)]
    if len(hits) == 1:
        return hits[0]
    if hits:
        raise TargetError(f"{name!r} is ambiguous: {or_list(f'{index}: {names[index]}' for index in hits[:5])}")
    flat = {part: index for index, entry in enumerate(synonyms) for part in entry}
    near = list(dict.fromkeys(f"{flat[part]}: {names[flat[part]]}" for part in nearest(name, flat)))
    known = (
        f"Give an index, or one of {', '.join(name.partition(',')[0] for name in names)}."
        if len(names) <= MAX_LISTED
        else "Give an index."
    )
    raise TargetError(f"there is no class called {name!r}. " + (f"Did you mean {or_list(near)}?" if near else known))


def _plain(name: str) -> str:
    return name.strip().lower().replace("_", " ")


def _nested(targets: Sequence[Sequence[Any]], batch: int, names: Names) -> Tensor:
    if len({len(row) for row in targets}) != 1:
        raise TargetError("every image must have the same number of targets")
    return _check_table(torch.tensor([[class_index(target, names) for target in row] for row in targets]), batch)


def _check_table(targets: Tensor, batch: int) -> Tensor:
    if targets.ndim != 2 or len(targets) != batch or targets.is_floating_point() or targets.dtype == torch.bool:
        raise TargetError(
            f"targets must be integers of shape (batch, classes) with batch={batch}, got {tuple(targets.shape)} "
            f"{targets.dtype}. One class per image: labels[:, None]; several for every image: a list."
        )
    return targets


def _check_range(targets: Targets, outputs: int) -> Targets:
    if targets.numel() == 0 or targets.min() < 0 or targets.max() >= outputs:
        raise TargetError(f"targets must be between 0 and {outputs - 1}, got {targets.unique().tolist()}")
    repeated = (targets.sort(dim=1).values.diff(dim=1) == 0).any(dim=1)
    if repeated.any():
        raise TargetError(
            f"the targets of an image must differ, got {targets[repeated][0].tolist()}: name each once. "
            "A list is for every image; for one class per image, nest it, as in [[0], [0]]."
        )
    return targets


def class_name(index: int, names: Names) -> str:
    """The first synonym of a class.

    >>> class_name(1, ["tabby, tabby cat", "tiger cat"]), class_name(7, None)
    ('tiger cat', 'class 7')
    """
    return names[index].partition(",")[0] if names else f"class {index}"
