"""The data of the explorer: one image with its explanations, as plain arrays and facts in one safetensors file.

| tensor                              | dtype             | shape                                            |
|-------------------------------------|-------------------|--------------------------------------------------|
| image                               | uint8             | 3 height width                                   |
| references.NAME.DIRECTION           | uint8             | 3 height width, or 3 1 1 for one color           |
| explanations.I.maps                 | float32           | classes rows cols                                |
| explanations.I.ranks                | uint16 or uint32  | classes height width                             |
| explanations.I.probabilities        | float32           | classes directions references points watched     |
| explanations.I.top1                 | int32             | classes directions references points             |
| explanations.I.extras.NAME          | float32 or int32  | classes …                                        |

`classes` is 1 for a class-agnostic method. Everything else is JSON in the file's metadata.
"""

import json
import math
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import torch
from jaxtyping import UInt8
from numpy import ndarray
from safetensors import SafetensorError, deserialize
from safetensors.numpy import save
from torch import Tensor

from seewhy.errors import InputError, UnknownName
from seewhy.explanation import Explanation
from seewhy.explorer.curves import MeasuredCurves, Sweep, measure_curves
from seewhy.metrics import sweep as metric_sweep
from seewhy.metrics.protocols import Protocol, get_protocol
from seewhy.metrics.references import AdaptiveBlur, find_references
from seewhy.models.classifier import Classifier
from seewhy.ops.curves import area, pixel_order, pixel_ranks
from seewhy.ops.resize import resize_maps
from seewhy.papers import bibtex
from seewhy.registry import METHODS, METRICS
from seewhy.runtime.files import write_atomic

FORMAT = 1
WATCHED = 8  # classes whose probabilities are kept along the curves, besides the explained ones
EXTRAS = ("order", "sparse", "steps", "objective")  # of MDA (density), of AHA and refine: (film)
DIRECTIONS = ("deletion", "insertion")
DTYPES = {"U8": np.uint8, "U16": np.uint16, "U32": np.uint32, "I32": np.int32, "F32": np.float32}


@dataclass(frozen=True)
class Reference:
    """The image that replaces pixels, for each direction."""

    name: str
    deletion: UInt8[ndarray, "3 rows cols"]
    insertion: UInt8[ndarray, "3 rows cols"]


@dataclass(frozen=True)
class Score:
    """One number about one map; `reference` is "all" for the mean over references."""

    metric: str
    reference: str
    target: int
    score: float | None
    higher_is_better: bool = True


@dataclass(frozen=True)
class Entry:
    """One explanation of the image."""

    method: str
    about: str
    options: dict[str, Any]
    class_agnostic: bool
    cost: dict[str, float]
    checks: dict[str, list[bool]]
    scores: list[Score]
    citation: str
    code: str
    maps: ndarray
    ranks: ndarray
    probabilities: ndarray
    top1: ndarray
    extras: dict[str, ndarray] = field(default_factory=dict)


@dataclass(frozen=True)
class Bundle:
    """One image and its explanations, ready for the explorer."""

    name: str
    model: str
    fingerprint: str
    image: UInt8[ndarray, "3 height width"]
    references: tuple[Reference, ...]
    targets: tuple[int, ...]
    watched: tuple[int, ...]
    probabilities: tuple[float, ...]  # of the watched classes on the image itself
    prediction: int
    class_names: dict[int, str]  # of the watched classes and of every class that was top-1 somewhere
    counts: dict[str, tuple[int, ...]]  # by direction
    entries: tuple[Entry, ...]

    def to_bytes(self, *, compact: bool = False) -> bytes:
        """The bundle as a safetensors file; `compact` leaves out ranks that are the order of the map's own values."""
        tensors = {"image": self.image}
        for reference in self.references:
            tensors |= {f"references.{reference.name}.{way}": getattr(reference, way) for way in DIRECTIONS}
        for i, entry in enumerate(self.entries):
            left_out = {"ranks"} if compact and self._at_image_size(entry) else set()
            arrays = {name: getattr(entry, name) for name in _ARRAYS if name not in left_out}
            arrays |= {f"extras.{name}": value for name, value in entry.extras.items()}
            tensors |= {f"explanations.{i}.{name}": value for name, value in arrays.items()}
        facts = {name: getattr(self, name) for name in _FACTS} | {
            "format": FORMAT,
            "references": [reference.name for reference in self.references],
            "explanations": [_entry_facts(entry) for entry in self.entries],
        }
        contiguous = {name: np.ascontiguousarray(value) for name, value in tensors.items()}
        return save(contiguous, {"seewhy": json.dumps(facts, allow_nan=False)})

    def _at_image_size(self, entry: Entry) -> bool:
        return entry.maps.shape[1:] == self.image.shape[1:] and bool(np.isfinite(entry.maps).all())

    @classmethod
    def from_bytes(cls, content: bytes) -> "Bundle":
        """Read what `to_bytes` wrote."""
        facts, tensors = _read(content)
        if facts.pop("format") != FORMAT:
            raise InputError("this bundle was written by another version of seewhy; make it again")
        references = [
            Reference(name, *(tensors[f"references.{name}.{way}"] for way in DIRECTIONS))
            for name in facts.pop("references")
        ]
        entries = [
            _entry(entry, _below(tensors, f"explanations.{i}.")) for i, entry in enumerate(facts.pop("explanations"))
        ]
        for name in ("targets", "watched", "probabilities"):
            facts[name] = tuple(facts[name])
        facts["class_names"] = {int(index): name for index, name in facts["class_names"].items()}
        facts["counts"] = {way: tuple(counts) for way, counts in facts["counts"].items()}
        return cls(**facts, image=tensors["image"], references=tuple(references), entries=tuple(entries))

    def save(self, path: str | Path) -> Path:
        """Write the bundle to `path`, with the suffix .safetensors."""
        path = Path(path).with_suffix(".safetensors")
        write_atomic(path, self.to_bytes())
        return path


_ARRAYS = ("maps", "ranks", "probabilities", "top1")
_FACTS = ("name", "model", "fingerprint", "targets", "watched", "probabilities", "prediction", "class_names", "counts")


def make_bundle(
    model: Classifier,
    explanations: Explanation | Sequence[Explanation],
    image: int = 0,
    *,
    references: Sequence[str] | None = None,
    watched: Sequence[int] | None = None,
    protocol: str | Protocol = "aha",
    scores: Iterable[dict[str, Any]] = (),
) -> Bundle:
    """Measure the curves of one image's explanations and collect everything that the explorer shows.

    `references` are names of the protocol's references. Default: all of them. `watched` are classes whose
    probabilities are kept along the curves. Default: the likeliest. `scores` are rows of `seewhy.evaluate`; deletion,
    insertion and their difference come from the curves and need not be among them.
    """
    given = [explanations] if isinstance(explanations, Explanation) else list(explanations)
    _check_same_image(given, image)
    first, sweep = given[0], _sweep(get_protocol(protocol), references)
    pixels = first.images[image : image + 1].to(model.device)  # type: ignore[index]
    clean = model.probabilities(pixels)[0].cpu()
    targets = tuple(first.targets[image].tolist())
    classes = _watched(clean, targets, watched)
    fills, sweeps = _references(model, pixels, sweep)
    rows = list(scores)
    entries = [_explained(model, each, image, pixels, sweeps, classes, fills, rows) for each in given]
    shown = {*classes, int(clean.argmax()), *(int(top) for entry in entries for top in np.unique(entry.top1))}
    return Bundle(
        name=first.names[image] if first.names else f"image {image}",
        model=model.name,
        fingerprint=model.fingerprint,
        image=_to_bytes(pixels[0]),
        references=tuple(fills),
        targets=targets,
        watched=classes,
        probabilities=tuple(clean[list(classes)].tolist()),
        prediction=int(clean.argmax()),
        class_names={index: _class_name(model, index) for index in sorted(shown)},
        counts={each.direction: each.counts for each in sweeps},
        entries=tuple(entries),
    )


def _check_same_image(explanations: list[Explanation], image: int) -> None:
    """All explanations must hold the same image and explain the same classes."""
    if not explanations:
        raise InputError("the explorer needs at least one explanation, got none")
    first = explanations[0]
    for each in explanations:
        if each.images is None:
            raise InputError(f"the explorer needs the image: the explanation by {each.method!r} holds none")
        if not 0 <= image < len(each):
            raise InputError(f"image must be between 0 and {len(each) - 1}, got {image}")
        if not torch.equal(each.images[image], first.images[image]):  # type: ignore[index]
            raise InputError(f"explanations of one image are needed; {each.method!r} explains another one")
        if each.targets[image].tolist() != first.targets[image].tolist():
            raise InputError(
                f"{each.method!r} explains the classes {each.targets[image].tolist()}, {first.method!r} "
                f"{first.targets[image].tolist()}. Explain the same targets with every method"
            )


def _sweep(protocol: Protocol, names: Sequence[str] | None) -> metric_sweep.Sweep:
    """The points and references of the protocol's curves, or only the named references."""
    options = dict(protocol.options.get("curves", {}))
    pairs = find_references(options.pop("references", metric_sweep.DEFAULT_REFERENCES))
    known = {pair.name: pair for pair in pairs}
    for name in names or ():
        if name not in known:
            raise UnknownName("reference", name, known)
    return metric_sweep.Sweep(tuple(known[name] for name in names or known), **options)


def _watched(clean: Tensor, targets: tuple[int, ...], watched: Sequence[int] | None) -> tuple[int, ...]:
    """The explained classes, then the watched ones, each once."""
    likeliest = clean.argsort(descending=True, stable=True)[:WATCHED].tolist()
    chosen = likeliest if watched is None else list(watched)[:WATCHED]
    return tuple(dict.fromkeys([*targets, *chosen]))


def _references(model: Classifier, image: Tensor, sweep: metric_sweep.Sweep) -> tuple[list[Reference], list[Sweep]]:
    """Reference images as bytes for the eye, and as the model gets them for the curves."""
    if any(isinstance(getattr(pair, way), AdaptiveBlur) for pair in sweep.pairs for way in DIRECTIONS):
        raise InputError(
            "references that depend on the class cannot be shown: choose a protocol with fixed references, such as "
            "'aha' or 'rise'"
        )
    pixels = image.shape[-2] * image.shape[-1]
    made = {
        way: torch.cat([getattr(pair, way).make(image, model.mean, model.std) for pair in sweep.pairs])
        for way in DIRECTIONS
    }
    counts = dict(zip(DIRECTIONS, sweep.counts(pixels), strict=True))
    fills = [
        Reference(pair.name, *(_shrink(_to_bytes(made[way][i])) for way in DIRECTIONS))
        for i, pair in enumerate(sweep.pairs)
    ]
    return fills, [Sweep(way, tuple(counts[way]), made[way]) for way in DIRECTIONS]


def _explained(
    model: Classifier,
    explanation: Explanation,
    image: int,
    pixels: Tensor,
    sweeps: list[Sweep],
    watched: tuple[int, ...],
    references: list[Reference],
    rows: list[dict[str, Any]],
) -> Entry:
    """One explanation with its ranks, curves, scores and facts."""
    rows_kept = 1 if explanation.class_agnostic else explanation.targets.shape[1]
    maps = explanation.maps[image : image + 1, :rows_kept]
    heatmaps = resize_maps(maps.to(pixels), (pixels.shape[-2], pixels.shape[-1]))[0]
    ranks = pixel_ranks(pixel_order(heatmaps)).view_as(heatmaps)
    curves = measure_curves(model, pixels, ranks, sweeps, watched)
    targets = explanation.targets[image].tolist()
    names = [reference.name for reference in references]
    return Entry(
        method=explanation.method,
        about=_about(explanation.method),
        options={name: value if _is_json(value) else repr(value) for name, value in explanation.options.items()},
        class_agnostic=explanation.class_agnostic,
        cost=asdict(explanation.cost),
        checks={name: passed[image].tolist() for name, passed in explanation.checks.items()},
        scores=[*_curve_scores(curves, watched, targets, names), *_given_scores(rows, explanation.method, image)],
        citation=_citation(explanation.method),
        code=_code(model, explanation, image),
        maps=maps[0].detach().float().cpu().numpy(),
        ranks=ranks.cpu().numpy().astype(np.uint16 if heatmaps[0].numel() <= 2**16 else np.uint32),
        probabilities=curves.probabilities.float().numpy(),
        top1=curves.top1.int().numpy(),
        extras={name: _extra(value[image]) for name, value in explanation.extras.items() if name in EXTRAS},
    )


def _curve_scores(
    curves: MeasuredCurves, watched: tuple[int, ...], targets: list[int], references: list[str]
) -> list[Score]:
    """Deletion, insertion and their difference, per reference and as their mean."""
    scores = []
    for k, target in enumerate(targets):
        row = curves.probabilities[min(k, len(curves.probabilities) - 1), ..., watched.index(target)]
        deletion, insertion = area(row)  # each per reference
        for metric, values in (("insertion", insertion), ("deletion", deletion), ("ins_del", insertion - deletion)):
            better = METRICS.get(metric).higher_is_better
            columns = [("all", values.mean()), *zip(references, values, strict=True)]
            scores += [Score(metric, name, target, float(value), better) for name, value in columns]
    return scores


def _given_scores(rows: list[dict[str, Any]], method: str, image: int) -> list[Score]:
    """Rows of `seewhy.evaluate` about this map that the curves do not give."""
    measured = {"deletion", "insertion", "ins_del"}
    chosen = [row for row in rows if (row["method"], row["image"]) == (method, image) and row["metric"] not in measured]
    return [
        Score(
            row["metric"],
            row["reference"],
            row["target"],
            row["score"] if math.isfinite(row["score"]) else None,
            METRICS.get(row["metric"]).higher_is_better,
        )
        for row in chosen
    ]


def _about(method: str) -> str:
    """First sentence about a method; empty for maps made elsewhere."""
    try:
        return METHODS.get(method.split(":")[0]).summary
    except UnknownName:
        return ""


def _citation(method: str) -> str:
    try:
        papers = [METHODS.get(part).paper for part in method.split(":")]
    except UnknownName:
        return ""
    return "\n\n".join(bibtex(key) for key in dict.fromkeys(papers) if key)


def _code(model: Classifier, explanation: Explanation, image: int) -> str:
    """Python that makes the explanation again."""
    targets = [_class_name(model, index).partition(",")[0] for index in explanation.targets[image].tolist()]
    named = targets if model.class_names else explanation.targets[image].tolist()
    options = "".join(f", {name}={value!r}" for name, value in explanation.options.items())
    file = explanation.names[image] if explanation.names else "image.png"
    return (
        "import seewhy\n\n"
        f"model = seewhy.load_model({model.name!r})\n"
        f"explanation = seewhy.explain(model, {file!r}, {explanation.method!r}, targets={named!r}{options})\n"
        "scores = seewhy.evaluate(model, explanation)\n"
    )


def _class_name(model: Classifier, index: int) -> str:
    return model.class_names[index] if model.class_names else f"class {index}"


def _to_bytes(image: Tensor) -> UInt8[ndarray, "3 height width"]:
    return (image.clamp(0, 1) * 255).round().byte().cpu().numpy()


def _shrink(reference: UInt8[ndarray, "3 height width"]) -> UInt8[ndarray, "3 rows cols"]:
    """One pixel for a reference of one color."""
    corner = reference[:, :1, :1]
    return corner if (reference == corner).all() else reference


def _extra(value: Tensor) -> ndarray:
    value = value.detach().cpu()
    return value.float().numpy() if value.is_floating_point() else value.int().numpy()


def _is_json(value: Any) -> bool:
    return isinstance(value, (str, int, float, bool, type(None), list, tuple)) and (
        not isinstance(value, float) or math.isfinite(value)
    )


def _entry_facts(entry: Entry) -> dict[str, Any]:
    arrays = {*_ARRAYS, "extras", "scores"}
    facts = {name: getattr(entry, name) for name in Entry.__dataclass_fields__ if name not in arrays}
    return facts | {"scores": [asdict(score) for score in entry.scores]}


def _entry(facts: dict[str, Any], tensors: dict[str, ndarray]) -> Entry:
    scores = [Score(**score) for score in facts.pop("scores")]
    arrays: dict[str, Any] = {name: tensors[name] for name in _ARRAYS}
    return Entry(**facts, **arrays, scores=scores, extras=_below(tensors, "extras."))


def _below(tensors: dict[str, ndarray], prefix: str) -> dict[str, ndarray]:
    return {name.removeprefix(prefix): value for name, value in tensors.items() if name.startswith(prefix)}


def _read(content: bytes) -> tuple[dict[str, Any], dict[str, ndarray]]:
    """Facts and tensors of a safetensors file; numpy's reader of it gives no metadata."""
    try:
        parts = dict(deserialize(content))
        header = json.loads(content[8 : 8 + int.from_bytes(content[:8], "little")])
        facts = json.loads(header["__metadata__"]["seewhy"])
    except (SafetensorError, KeyError, ValueError) as error:
        raise InputError(f"this is no bundle of the explorer: {error}") from error
    arrays = {
        name: np.frombuffer(part["data"], DTYPES[part["dtype"]]).reshape(part["shape"]) for name, part in parts.items()
    }
    return facts, arrays
