"""Labels of a folder's images: from its index, or from subfolders that are named like classes."""

import re
from collections.abc import Sequence
from pathlib import PurePath

import numpy as np
from jaxtyping import Int
from numpy import ndarray

from seewhy.data.items import ImageItem


def folder_labels(items: Sequence[ImageItem], class_names: Sequence[str] | None) -> Int[ndarray, " images"]:
    """The class of each image, -1 where it is not known.

    A subfolder's name may be a class name or one of its synonyms, an index, or a WordNet id.
    """
    known = class_lookup(class_names)
    return np.array([_label(item, known) for item in items], dtype=np.int64)


def class_lookup(class_names: Sequence[str] | None) -> dict[str, int]:
    """Class indices by simplified name; ambiguous synonyms are left out.

    >>> class_lookup(["tabby, tabby cat", "Tiger cat"])["tiger cat"]
    1
    """
    found: dict[str, int] = {}
    ambiguous = set()
    for index, name in enumerate(class_names or ()):
        for part in {name, *name.split(",")}:
            if found.setdefault(simplify(part), index) != index:
                ambiguous.add(simplify(part))
    return {name: index for name, index in found.items() if name not in ambiguous}


def _label(item: ImageItem, known: dict[str, int]) -> int:
    if item.labels:
        return item.labels[0]
    parts = [simplify(part) for part in PurePath(item.name).parts[:-1]]
    for part in reversed(parts):
        if part in known:
            return known[part]
        if part.isdecimal() and part.isascii():
            return int(part)
    return -1


def simplify(name: str) -> str:
    """Letters and digits in lower case, words apart.

    >>> simplify("Tiger_Cat ")
    'tiger cat'
    """
    return " ".join(re.split(r"[\W_]+", name.lower())).strip()
