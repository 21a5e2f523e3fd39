"""Forms of methods: what they cost, and the kinds of values that an option takes, derived from its annotation.

An option that may name a file has no such kind here: the page never reads a path that a client chose.
"""

import csv
import inspect
import re
import types
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from seewhy.models.vit import ViT
from seewhy.registry import METHODS, Method, Parameters, Pipeline, resolve_method
from seewhy.runtime.options import ODD, SEQUENCES, Limit, describe, fits
from seewhy.types import Color

TEXT_OPTIONS = ("blocks", "classes", "layer", "prior")  # free text that is never opened as a file
TEXT = re.compile(r"[\w.:,\- ]{1,64}")
SIMPLE = {bool: "boolean", int: "integer", float: "number", type(None): "null", None: "null"}

Kind = dict[str, Any]


def method_form(name: str, model: Any = None) -> dict[str, Any]:
    """Facts and options of a method, composed ones included; `model` decides whether it fits."""
    if name in METHODS and METHODS.get(name).wraps:
        methods: tuple[Method, ...] = (METHODS.get(name),)
        options = dict(methods[0].options)
    else:
        pipeline = resolve_method(name)
        methods, options = pipeline.methods, pipeline.options
    docs = "\n\n".join(inspect.getdoc(each.function) or "" for each in methods)
    return {
        "name": name,
        "wraps": methods[-1].wraps,
        "fits": model is None or _fits(methods, model),
        "class_agnostic": methods[-1].class_agnostic,
        "summary": methods[0].summary,
        "doc": docs,
        "paper": methods[0].paper,
        "passes": None if len(methods) > 1 else usual_passes().get((name, _network(model))),
        "options": option_forms(options, docs),
    }


@cache
def usual_passes() -> dict[tuple[str, str], float]:
    """Passes of a map by method and kind of network, as measured by `benchmarks/method_passes.py`."""
    return {
        (row["method"], row["network"]): float(row["forwards"]) + float(row["backwards"]) for row in _rows("passes.csv")
    }


@cache
def usual_meanings() -> dict[str, str]:
    """What options mean, by their names, where a docstring does not say it."""
    return {row["option"]: row["meaning"] for row in _rows("options.csv")}


def _rows(file: str) -> list[dict[str, str]]:
    return list(csv.DictReader((files("seewhy.ui") / file).read_text().splitlines()))


def _network(model: Any) -> str:
    return "vit" if isinstance(model, type) and issubclass(model, ViT) else "cnn"


def _fits(methods: tuple[Method, ...], model: Any) -> bool:
    return all(issubclass(model, method.needs) for method in methods)


def option_forms(options: Parameters, docs: str) -> list[dict[str, Any]]:
    """The options that a form can offer."""
    made = []
    for name, option in options.items():
        kinds = option_kinds(name, option.annotation)
        if any(kind["type"] != "null" for kind in kinds):
            words = describe_kinds(name, option.annotation)
            default = option.default if _is_plain(option.default) else None
            made.append({"name": name, "default": default, "words": words, "doc": _about(name, docs), "kinds": kinds})
    return made


def option_kinds(name: str, annotation: Any) -> list[Kind]:
    """The kinds of values that a client may give.

    >>> option_kinds("steps", Annotated[int, Limit("of at least 1", bool, low=1)] | None)
    [{'type': 'integer', 'minimum': 1}, {'type': 'null'}]
    """
    return [_kind(name, part) for part in _alternatives(name, annotation)]


def describe_kinds(name: str, annotation: Any) -> str:
    return " or ".join(describe(part, text=True) for part in _alternatives(name, annotation))


def _alternatives(name: str, annotation: Any) -> list[Any]:
    """The parts of an annotation that JSON can express and that name no file."""
    kind, parts = get_origin(annotation) or annotation, get_args(annotation)
    if kind in (Union, types.UnionType):
        return [each for part in parts for each in _alternatives(name, part)]
    bare = parts[0] if kind is Annotated else annotation
    if bare is str:
        return [str] if kind is not Annotated and name.rpartition(".")[2] in TEXT_OPTIONS else []
    known = bare in SIMPLE or kind is Literal or (get_origin(bare) or bare) in SEQUENCES
    return [annotation] if known else []


def _kind(name: str, annotation: Any) -> Kind:
    kind, parts = get_origin(annotation) or annotation, get_args(annotation)
    if kind is Annotated:
        limits = [part for part in parts[1:] if isinstance(part, Limit)]
        return _kind(name, parts[0]) | {key: value for limit in limits for key, value in _bounds(limit).items()}
    if annotation == Color and name.endswith("reference"):
        return {"type": "color"}
    if kind is Literal:
        return {"type": "choice", "choices": list(parts)}
    if kind in SEQUENCES:
        inner = [part for part in parts if part is not Ellipsis]
        fixed = len(parts) if kind is tuple and Ellipsis not in parts else None
        return {"type": "list", "items": option_kinds(name, inner[0]) if inner else [], "length": fixed}
    return {"type": "text"} if kind is str else {"type": SIMPLE[kind]}


def _bounds(limit: Limit) -> Kind:
    if limit is ODD:
        return {"minimum": 1, "odd": True}
    bounds = {"above" if limit.exclusive else "minimum": limit.low, "maximum": limit.high}
    return {name: value for name, value in bounds.items() if value is not None}


def check_options(pipeline: Pipeline, options: Mapping[str, Any]) -> None:
    """Raise `ValueError` for what a form does not offer; `Pipeline.with_options` checks the rest."""
    for name, value in options.items():
        alternatives = _alternatives(name, pipeline.annotation(name))
        if not any(fits(value, each) for each in alternatives) or not _is_safe(value):
            expected = " or ".join(describe(part) for part in alternatives) or "left at its default here"
            raise ValueError(f"{pipeline.name}: {name} must be {expected}, got {value!r}")


def _is_safe(value: Any) -> bool:
    if isinstance(value, (list, tuple)):
        return len(value) <= 64 and all(map(_is_safe, value))
    return not isinstance(value, str) or (TEXT.fullmatch(value) is not None and ".." not in value)


def _is_plain(value: Any) -> bool:
    return isinstance(value, (str, int, float, bool, type(None), list, tuple))


def _about(name: str, docs: str) -> str:
    """The sentences of a docstring that mention an option, or what it usually means."""
    bare = name.rpartition(".")[2]
    sentences = re.split(r"(?<=[.;])\s+", " ".join(docs.split()))
    found = [each for each in sentences if re.search(rf"`{re.escape(bare)}\b", each)]
    return " ".join(found) or usual_meanings().get(bare, "")
