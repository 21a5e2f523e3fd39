"""The data of the explorer: one image with its explanations, as arrays and metadata in one safetensors file.

| tensor                              | dtype             | shape                                            |
|-------------------------------------|-------------------|--------------------------------------------------|
| image                               | uint8             | 3 height width                                   |
| references.NAME.DIRECTION           | uint8             | classes 3 height width; 3 1 1 for one color      |
| explanations.I.maps                 | float32           | classes rows cols                                |
| explanations.I.ranks                | uint16 or uint32  | classes height width                             |
| explanations.I.probabilities        | float32           | classes directions references points watched     |
| explanations.I.top1                 | int32             | classes directions references points             |
| explanations.I.top1_probabilities   | float32           | classes directions references points             |
| explanations.I.extras.NAME          | float32 or int32  | classes …                                        |

Where all classes share a reference, or a map because the method is class-agnostic, `classes` is 1. A reference that
is the same in both directions is stored for deletion. Everything else is JSON in the file's metadata.
"""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
from jaxtyping import UInt8
from numpy import ndarray
from safetensors import SafetensorError, deserialize
from safetensors.numpy import save

from seewhy.errors import InputError
from seewhy.explorer.ranks import rank_corrections, sort_maps
from seewhy.runtime.files import write_atomic

FORMAT = 2
EXACT = 4 * 224**2  # values of maps as fine as the image that a compact file holds unrounded, about 1 MB
DIRECTIONS = ("deletion", "insertion")
DTYPES = {"U8": np.uint8, "U16": np.uint16, "U32": np.uint32, "I16": np.int16, "I32": np.int32, "F32": np.float32}


@dataclass(frozen=True)
class BundledReference:
    """The image that replaces pixels, for each direction and class."""

    name: str
    deletion: UInt8[ndarray, "_ 3 _ _"]
    insertion: UInt8[ndarray, "_ 3 _ _"]


@dataclass(frozen=True)
class BundledScore:
    """One number about one map; `reference` is "all" for the mean over references."""

    metric: str
    reference: str
    target: int
    score: float | None
    higher_is_better: bool = True


@dataclass(frozen=True)
class BundledExplanation:
    """One explanation of the image."""

    method: str
    about: str
    options: dict[str, Any]
    class_agnostic: bool
    cost: dict[str, float]
    checks: dict[str, list[bool]]
    scores: list[BundledScore]
    citation: str
    code: str
    maps: ndarray
    ranks: ndarray
    probabilities: ndarray
    top1: ndarray
    top1_probabilities: ndarray
    extras: dict[str, ndarray] = field(default_factory=dict)
    label: str = ""  # what to call it. Default: the method
    notes: list[str] = field(default_factory=list)  # warnings and failed checks


@dataclass(frozen=True)
class Bundle:
    """One image and its explanations, ready for the explorer."""

    name: str
    model: str
    fingerprint: str
    image: UInt8[ndarray, "3 height width"]
    references: tuple[BundledReference, ...]
    targets: tuple[int, ...]
    watched: tuple[int, ...]
    probabilities: tuple[float, ...]  # of the watched classes on the image itself
    prediction: int
    class_names: dict[int, str]  # of the watched classes and of every class that was top-1 somewhere
    counts: dict[str, tuple[int, ...]]  # by direction
    entries: tuple[BundledExplanation, ...]

    def to_bytes(self, *, compact: bool = False, exact: bool | None = None) -> bytes:
        """The bundle as a safetensors file; `compact` stores maps and ranks as `seewhy.explorer.ranks` describes.

        `exact` keeps a compact file from rounding maps. Default: if their classes can be contrasted and they are few.
        """
        exact = self._contrasts_few() if exact is None else exact
        tensors = {"image": self.image}
        for reference in self.references:
            same = np.array_equal(reference.deletion, reference.insertion)
            for direction in DIRECTIONS[:1] if same else DIRECTIONS:
                tensors[f"references.{reference.name}.{direction}"] = getattr(reference, direction)
        for i, entry in enumerate(self.entries):
            arrays = {name: getattr(entry, name) for name in _ARRAYS}
            if compact:
                arrays |= _compact(arrays.pop("maps"), arrays.pop("ranks"), exact=exact)
            arrays |= {f"extras.{name}": value for name, value in entry.extras.items()}
            tensors |= {f"explanations.{i}.{name}": value for name, value in arrays.items()}
        metadata = {name: getattr(self, name) for name in _FIELDS} | {
            "format": FORMAT,
            "references": [reference.name for reference in self.references],
            "explanations": [_entry_metadata(entry) for entry in self.entries],
        }
        contiguous = {name: np.ascontiguousarray(value) for name, value in tensors.items()}
        return save(contiguous, {"seewhy": json.dumps(metadata, allow_nan=False)})

    def _contrasts_few(self) -> bool:
        """Whether there are several classes and few maps as fine as the image."""
        fine = [entry.maps.size for entry in self.entries if entry.maps.shape == entry.ranks.shape]
        return len(self.targets) > 1 and sum(fine) <= EXACT

    @classmethod
    def from_bytes(cls, content: bytes) -> "Bundle":
        """Read what `to_bytes` wrote."""
        metadata, tensors = _read(content)
        if metadata.pop("format") != FORMAT:
            raise InputError("this bundle was written by another version of seewhy; make it again")
        references = [
            _reference(name, *(tensors.get(f"references.{name}.{direction}") for direction in DIRECTIONS))
            for name in metadata.pop("references")
        ]
        entries = [
            _entry(entry, _below(tensors, f"explanations.{i}.")) for i, entry in enumerate(metadata.pop("explanations"))
        ]
        for name in ("targets", "watched", "probabilities"):
            metadata[name] = tuple(metadata[name])
        metadata["class_names"] = {int(index): name for index, name in metadata["class_names"].items()}
        metadata["counts"] = {direction: tuple(counts) for direction, counts in metadata["counts"].items()}
        return cls(**metadata, image=tensors["image"], references=tuple(references), entries=tuple(entries))

    def save(self, path: str | Path) -> Path:
        """Write the bundle to `path`, with the suffix .safetensors."""
        path = Path(path).with_suffix(".safetensors")
        write_atomic(path, self.to_bytes())
        return path


def merge(bundles: Sequence[Bundle]) -> Bundle:
    """Bundles of one image and the same classes, each with other explanations, as one."""
    names = {index: name for bundle in bundles for index, name in bundle.class_names.items()}
    entries = tuple(entry for bundle in bundles for entry in bundle.entries)
    return replace(bundles[0], class_names=names, entries=entries)


_ARRAYS = ("maps", "ranks", "probabilities", "top1", "top1_probabilities")
_FIELDS = ("name", "model", "fingerprint", "targets", "watched", "probabilities", "prediction", "class_names", "counts")


def _compact(maps: ndarray, ranks: ndarray, *, exact: bool) -> dict[str, ndarray]:
    """Maps and ranks in few bytes: sorted and rounded if a map is as fine as the image and orders its pixels."""
    corrections = rank_corrections(maps, ranks)
    if not exact and maps.shape == ranks.shape and np.isfinite(maps).all() and not corrections.any():
        return sort_maps(maps, ranks)._asdict()
    return {"maps": maps, "corrections": corrections}


def _reference(name: str, deletion: ndarray | None, insertion: ndarray | None) -> BundledReference:
    """A reference; the image of insertion is stored only if it is another one."""
    if deletion is None:
        raise InputError(f"not a bundle of the explorer: it holds no reference {name!r}")
    return BundledReference(name, deletion, deletion if insertion is None else insertion)


def _entry_metadata(entry: BundledExplanation) -> dict[str, Any]:
    arrays = {*_ARRAYS, "extras", "scores"}
    metadata = {name: getattr(entry, name) for name in BundledExplanation.__dataclass_fields__ if name not in arrays}
    return metadata | {"scores": [asdict(score) for score in entry.scores]}


def _entry(metadata: dict[str, Any], tensors: dict[str, ndarray]) -> BundledExplanation:
    scores = [BundledScore(**score) for score in metadata.pop("scores")]
    arrays: dict[str, Any] = {name: tensors[name] for name in _ARRAYS}
    return BundledExplanation(**metadata, **arrays, scores=scores, extras=_below(tensors, "extras."))


def _below(tensors: dict[str, ndarray], prefix: str) -> dict[str, ndarray]:
    return {name.removeprefix(prefix): value for name, value in tensors.items() if name.startswith(prefix)}


def _read(content: bytes) -> tuple[dict[str, Any], dict[str, ndarray]]:
    """Metadata and tensors of a safetensors file; its numpy reader returns no metadata."""
    try:
        parts = dict(deserialize(content))
        header = json.loads(content[8 : 8 + int.from_bytes(content[:8], "little")])
        metadata = json.loads(header["__metadata__"]["seewhy"])
    except (SafetensorError, KeyError, ValueError) as error:
        raise InputError(f"not a bundle of the explorer: {error}") from error
    arrays = {
        name: np.frombuffer(part["data"], DTYPES[part["dtype"]]).reshape(part["shape"]) for name, part in parts.items()
    }
    return metadata, arrays
