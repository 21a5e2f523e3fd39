"""The columns of the index, one row per map, and what identifies a map.

A map is identified by the model's fingerprint, the name and content of its image, the method with its options, and the
classes that were explained together, so that a folder may move. A map is replaced only when its file, source and name,
has another content: equal names of two folders or tar files stay apart. An image or a method that failed has one row
with an `error` and no map.
"""

import hashlib
import json
import os
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import pyarrow as pa

from seewhy.errors import OptionError

Row = dict[str, Any]

_WORD = pa.dictionary(pa.int32(), pa.string())
SCHEMA = pa.schema(
    [
        ("key", pa.string()),
        ("image", pa.string()),  # name: the path below the source
        ("image_key", pa.string()),  # hash of its content
        ("source", _WORD),  # folder or tar file
        ("stamp", pa.string()),  # size and time of the file: equal ones are not read again
        ("label", pa.int64()),
        ("target", pa.int64()),
        ("target_name", _WORD),
        ("probability", pa.float32()),
        ("predicted", pa.int64()),
        ("confidence", pa.float32()),  # probability of the predicted class
        ("classes", pa.list_(pa.int64())),  # explained together, in this order; of a failure: those that were asked for
        ("method", _WORD),
        ("options", _WORD),  # JSON
        ("model", _WORD),
        ("model_key", _WORD),  # fingerprint
        ("failed_checks", _WORD),  # separated by ", "; empty if all passed
        ("error", pa.string()),  # null if there is a map
        ("forwards", pa.float32()),
        ("backwards", pa.float32()),
        ("seconds", pa.float32()),
        ("rows", pa.int32()),
        ("cols", pa.int32()),
        ("scale", pa.float32()),  # of a float16 map: what its values were divided by
        ("shard", _WORD),
        ("position", pa.int32()),  # in the shard; null if there is no map
    ]
)


class Recipe(NamedTuple):
    """A method with its options; together with the model's fingerprint it says how a map is made."""

    method: str
    options: str  # JSON
    model_key: str


def options_text(options: Mapping[str, Any]) -> str:
    """Options as JSON, sorted; the same options give the same text.

    >>> options_text({"steps": 4, "relu": False})
    '{"relu": false, "steps": 4}'
    """
    try:
        return json.dumps(options, sort_keys=True)
    except TypeError as error:
        raise OptionError(f"options must be numbers, text or lists of them to be stored, got {options!r}") from error


def as_text(name: str) -> str:
    r"""A name of a file whose bytes are no UTF-8, as text that can be written.

    >>> as_text("cafe\u0301.jpg") == "cafe\u0301.jpg", as_text("caf\udce9.jpg")
    (True, 'caf\\udce9.jpg')
    """
    return name.encode(errors="backslashreplace").decode()


def file_of(image: str, source: str | None) -> str:
    """The file of an image, from its name and where it was found; empty if it is not known to be a file.

    >>> file_of("cats/1.jpg", "/photos"), file_of("image 3", "")
    ('/photos/cats/1.jpg', '')
    """
    path = os.path.join(source or "", image)
    return path if os.path.isabs(path) else ""


def map_key(recipe: Recipe, image: str, image_key: str, classes: Sequence[int], target: int) -> str:
    """The key of a map."""
    content = [*recipe, image, image_key, list(classes), target]
    return hashlib.blake2b(json.dumps(content).encode(), digest_size=12).hexdigest()
