"""Collect the explorer's data: explanations of one image with their measured curves and scores."""

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import torch
from jaxtyping import Float, Int, UInt8
from numpy import ndarray
from torch import Tensor

from seewhy.errors import InputError, UnknownName
from seewhy.explanation import CHECK_FAILURES, Explanation
from seewhy.explorer.bundle import DIRECTIONS, Bundle, BundledExplanation, BundledReference, BundledScore
from seewhy.metrics import (
    Evidence,
    PredictionCache,
    Protocol,
    choose_metrics,
    collect_evidence,
    get_protocol,
    score_metrics,
)
from seewhy.metrics.cases import Cases
from seewhy.metrics.evidence import Row
from seewhy.metrics.references import ReferencePair, find_references
from seewhy.models.classifier import Classifier
from seewhy.ops.curves import pixel_order, pixel_ranks
from seewhy.papers import bibtex
from seewhy.registry import METHODS, METRICS

WATCHED = 8  # classes whose probabilities are kept along the curves, besides the explained ones
EXTRAS = ("order", "sparse", "path", "objective", "kept")  # of MDA (density), of AHA and refine: (path)
METRICS_SHOWN = ("insertion", "deletion", "ins_del")


def make_bundle(
    model: Classifier,
    explanations: Explanation | Sequence[Explanation],
    image: int = 0,
    *,
    references: Sequence[str] | None = None,
    watched: Sequence[int] | None = None,
    protocol: str | Protocol = "aha",
    metrics: Sequence[str] | str | None = METRICS_SHOWN,
) -> Bundle:
    """Measure the curves of one image's explanations and collect everything that the explorer shows.

    `references` are names of the protocol's references. Default: all of them. `watched` are classes whose
    probabilities are kept along the curves. Default: the likeliest. `metrics` are scored as by `seewhy.evaluate`.
    """
    given = [explanations] if isinstance(explanations, Explanation) else list(explanations)
    _check_same_image(given, image)
    single = [_single(each, image) for each in given]
    pixels, targets = single[0].images.to(model.device), single[0].targets  # type: ignore[union-attr]
    settings = _choose_references(get_protocol(protocol), references)
    clean = model.probabilities(pixels)[0]
    cache = PredictionCache(watched_classes(clean, targets[0], watched))
    evidence = [
        collect_evidence(model, pixels, each.maps.to(pixels), targets, protocol=settings, cache=cache)
        for each in single
    ]
    rows = [score_metrics(each, choose_metrics(each, metrics)) for each in evidence]
    return bundle_evidence(single, evidence, rows, clean)


def bundle_evidence(
    explanations: Sequence[Explanation],
    evidence: Sequence[Evidence],
    rows: Sequence[Sequence[Row]],
    clean: Float[Tensor, " outputs"],
) -> Bundle:
    """The bundle of one image, from its explanations, their evidence, and the rows of their scores.

    The evidence's cache must watch the explained classes; `clean` are the probabilities of the image itself.
    """
    first, about = explanations[0], evidence[0]
    model, pixels, watched = about.model, about.images, about.cache.watched
    curves, cases = about.values("curves", "cases")
    clean = clean.cpu()
    entries = [_entry(model, *each) for each in zip(explanations, evidence, rows, strict=True)]
    shown = {*watched, int(clean.argmax()), *(int(top) for entry in entries for top in np.unique(entry.top1))}
    return Bundle(
        name=_public_name(first.names[0]) if first.names else "image",
        model=model.name,
        fingerprint=model.fingerprint,
        image=_to_bytes(pixels[0]),
        references=_references(cases, curves.settings.pairs),
        targets=tuple(about.targets[0].tolist()),
        watched=watched,
        probabilities=tuple(clean[list(watched)].tolist()),
        prediction=int(clean.argmax()),
        class_names={index: _class_name(model, index) for index in sorted(shown)},
        counts={
            "deletion": tuple(curves.deletion.counts.tolist()),
            "insertion": tuple(curves.insertion.counts.tolist()),
        },
        entries=tuple(entries),
    )


def watched_classes(
    clean: Float[Tensor, " outputs"], targets: Int[Tensor, " classes"], chosen: Sequence[int] | None = None
) -> tuple[int, ...]:
    """The explained classes, then the chosen ones or the likeliest, each once."""
    likeliest = clean.argsort(descending=True, stable=True).tolist()
    return tuple(dict.fromkeys([*targets.tolist(), *(likeliest if chosen is None else chosen)[:WATCHED]]))


def _single(explanation: Explanation, image: int) -> Explanation:
    """The explanation of one image."""
    chosen = slice(image, image + 1)
    return replace(
        explanation,
        maps=explanation.maps[chosen],
        targets=explanation.targets[chosen],
        images=explanation.images[chosen],  # type: ignore[index]
        probabilities=None if explanation.probabilities is None else explanation.probabilities[chosen],
        names=explanation.names[chosen] or (f"image {image}",),
        extras={name: value[chosen] for name, value in explanation.extras.items()},
    )


def _check_same_image(explanations: list[Explanation], image: int) -> None:
    """All explanations must hold the same image and explain the same classes."""
    if not explanations:
        raise InputError("the explorer needs at least one explanation, got none")
    first = explanations[0]
    classes = first.targets[image].tolist() if 0 <= image < len(first) else []
    if len(set(classes)) < len(classes):
        raise InputError(f"the explorer shows every class once, got the targets {classes}: explain each once")
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


def _choose_references(protocol: Protocol, names: Sequence[str] | None) -> Protocol:
    """The protocol, with only the named ones of its references."""
    if names is None:
        return protocol
    known = protocol_references(protocol)
    for name in names:
        if name not in known:
            raise UnknownName("reference", name, known)
    return protocol.with_options({"curves": {"references": tuple(known[name] for name in names)}})


def protocol_references(protocol: Protocol) -> dict[str, ReferencePair]:
    """The references of a protocol's curves, by name."""
    option = METRICS.get("deletion").needed["curves"].options["references"]
    used = protocol.options.get("curves", {}).get("references", option.default)
    return {pair.name: pair for pair in find_references(used)}


def _entry(model: Classifier, explanation: Explanation, evidence: Evidence, rows: Sequence[Row]) -> BundledExplanation:
    """One explanation with its ranks, curves, scores and metadata."""
    method, (curves, ranked) = explanation.method, evidence.values("curves", "ranked_maps")
    about, citation = _about(method)
    directions = curves.deletion, curves.insertion
    kept = 1 if explanation.class_agnostic else evidence.targets.shape[1]
    ranked = ranked[0, :kept]
    ranks = pixel_ranks(pixel_order(ranked)).view_as(ranked).cpu().numpy()
    return BundledExplanation(
        method=method,
        about=about,
        options={name: value if _is_json(value) else repr(value) for name, value in explanation.options.items()},
        class_agnostic=explanation.class_agnostic,
        cost=asdict(explanation.cost),
        checks={name: passed[0].tolist() for name, passed in explanation.checks.items()},
        scores=_scores(rows),
        citation=citation,
        code=_code(model, explanation),
        maps=explanation.maps[0, :kept].detach().float().cpu().numpy(),
        ranks=ranks.astype(np.uint16 if ranks[0].size <= 2**16 else np.uint32),
        probabilities=_both([direction.watched for direction in directions]),
        top1=_both([direction.top1 for direction in directions]),
        top1_probabilities=_both([direction.top1_probability for direction in directions]),
        extras={name: _extra(name, value[0]) for name, value in explanation.extras.items() if name in EXTRAS},
        notes=[*explanation.notes, *_failures(model, explanation)],
    )


def _failures(model: Classifier, explanation: Explanation) -> Iterator[str]:
    """What failed checks mean, and for which classes if others pass."""
    targets = explanation.targets[0].tolist()
    for name, passed in explanation.checks.items():
        failed = [targets[k] for k in (~passed[0]).nonzero().flatten().tolist()]
        if failed:
            some = ", ".join(_class_name(model, index).partition(",")[0] for index in failed)
            yield CHECK_FAILURES[name] + (f" ({some})" if len(failed) < passed.shape[1] else "")


def _both(measured: Sequence[Tensor]) -> ndarray:
    """What was measured for one image in both directions, one after the other."""
    return _narrow(torch.stack([each[0] for each in measured], dim=1))


def _narrow(value: Tensor) -> ndarray:
    """A tensor as an array of 32-bit numbers."""
    value = value.detach().cpu()
    narrow: ndarray = value.float().numpy() if value.is_floating_point() else value.int().numpy()
    return narrow


@cache
def _higher_is_better(metric: str) -> bool:
    return METRICS.get(metric).higher_is_better


def _scores(rows: Sequence[Row]) -> list[BundledScore]:
    return [
        BundledScore(
            row["metric"],
            row["reference"],
            row["target"],
            row["score"] if math.isfinite(row["score"]) else None,
            _higher_is_better(row["metric"]),
        )
        for row in rows
    ]


def _references(cases: Cases, pairs: Sequence[ReferencePair]) -> tuple[BundledReference, ...]:
    """Reference images as bytes, per class where they depend on it."""
    made = cases.reference_images([getattr(pair, direction) for direction in DIRECTIONS for pair in pairs])
    images = [_shrink(_to_bytes(made.images[index])) for index in made.index]
    half = len(pairs)
    return tuple(
        BundledReference(pair.name, *both) for pair, *both in zip(pairs, images[:half], images[half:], strict=True)
    )


def _about(method: str) -> tuple[str, str]:
    """Summary of a method, and BibTeX of its papers; empty for maps made elsewhere."""
    try:
        parts = [METHODS.get(part) for part in method.split(":")]
    except UnknownName:
        return "", ""
    papers = dict.fromkeys(part.paper for part in parts if part.paper)
    return parts[0].summary, "\n\n".join(map(bibtex, papers))


def _public_name(name: str) -> str:
    """A file's name; without its folders where they are those of this machine."""
    return Path(name).name if Path(name).is_absolute() else name


def _code(model: Classifier, explanation: Explanation) -> str:
    """Python code that reproduces the explanation."""
    indices = explanation.targets[0].tolist()
    named = [_class_name(model, index).partition(",")[0] for index in indices] if model.class_names else indices
    options = "".join(f", {name}={value!r}" for name, value in explanation.options.items())
    return (
        f"{load_code(model)}{image_code(explanation.names[0] if explanation.names else 'image 0')}"
        f"explanation = seewhy.explain(model, image, {explanation.method!r}, targets={named!r}{options})\n"
        "explanation.view()\n"
    )


def image_code(name: str) -> str:
    """The line of code that says which image."""
    path = f"{_public_name(name)!r}  # its path"
    return f"image = {'...  # what was explained' if re.fullmatch(r'image [0-9]+', name) else path}\n"


def rename_image(code: str, name: str) -> str:
    """The same code for an image whose name has changed."""
    return re.sub(r"^image = .*\n", lambda _: image_code(name), code, flags=re.MULTILINE)


def load_code(model: Classifier) -> str:
    """Python code that loads the model. Files are shared, so it names no folder of this machine."""
    weights = f", weights={_public_name(model.weights)!r}" if model.weights else ""
    path = "  # weights: their path" if Path(model.weights).is_absolute() else ""
    return f"import seewhy\n\nmodel = seewhy.load_model({model.name!r}{weights}){path}\n"


def _class_name(model: Classifier, index: int) -> str:
    return model.class_names[index] if model.class_names else f"class {index}"


def _to_bytes(images: Float[Tensor, "*batch 3 height width"]) -> UInt8[ndarray, "*batch 3 height width"]:
    return (images.clamp(0, 1) * 255).round().byte().cpu().numpy()


def _shrink(references: UInt8[ndarray, "classes 3 height width"]) -> UInt8[ndarray, "rows 3 y x"]:
    """Reference images without redundancy: one if all classes share it, one pixel if it is a single color."""
    if (references == references[:1]).all():
        references = references[:1]
    corner = references[..., :1, :1]
    return corner if (references == corner).all() else references


def _extra(name: str, value: Tensor) -> ndarray:
    """An extra as an array; the maps along a refinement path, which would dominate the file, in half precision."""
    return _narrow(value.bfloat16() if name == "path" else value)


def _is_json(value: Any) -> bool:
    return isinstance(value, (str, int, float, bool, type(None), list, tuple)) and (
        not isinstance(value, float) or math.isfinite(value)
    )
