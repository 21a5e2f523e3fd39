"""Options are checked against their annotations, and converted to them, here and nowhere else.

    def occlusion(..., *, size: Annotated[int, at_least(1)] = 16, reference: Literal["black", "mean"] = "black")

Signatures of methods and metrics, fields of configurations, arguments of the command line and values of TOML files are
all handled here. Lists and tuples are interchangeable; an int is accepted as a float, a bool is not a number.
"""

import dataclasses
import math
import types
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from numbers import Integral, Real
from os import PathLike
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

from seewhy.errors import OptionError, nearest, or_list

SCALARS: dict[Any, tuple[type, ...]] = {int: (Integral,), float: (Real,), str: (str, PathLike)}
SEQUENCES = (tuple, list, Sequence)
BOOLS = {"true": True, "yes": True, "on": True, "1": True, "false": False, "no": False, "off": False, "0": False}
PYTHON_WORDS = {int: "an int", float: "a number", bool: "a bool", str: "a str", type(None): "None", dict: "a dict"}
TEXT_WORDS = PYTHON_WORDS | {int: "a whole number", bool: "true or false", str: "text", type(None): "none"}


@dataclass(frozen=True)
class Limit:
    """A range that an annotation carries: `Annotated[int, at_least(1)]`; forms read the bounds."""

    text: str
    holds: Callable[[Any], bool]
    low: float | None = None
    high: float | None = None
    exclusive: bool = False  # whether `low` itself is outside


def at_least(low: float) -> Limit:
    return Limit(f"of at least {low}", lambda value: low <= value < math.inf, low)


def above(low: float) -> Limit:
    return Limit(f"above {low}", lambda value: low < value < math.inf, low, exclusive=True)


def between(low: float, high: float) -> Limit:
    return Limit(f"from {low} to {high}", lambda value: low <= value <= high, low, high)


ODD = Limit("that is odd and positive", lambda value: value >= 1 and value % 2 == 1)


def fits(value: Any, annotation: Any) -> bool:
    """Whether an option of this annotation may have the value.

    >>> fits(3, int | None), fits(2.5, int), fits([1, 2], tuple[float, ...]), fits(5, str | tuple[int, ...])
    (True, False, True, False)
    >>> fits([1, 2], tuple[int, int]), fits([1], tuple[int, int]), fits(2, Annotated[float, between(0, 1)])
    (True, False, False)
    """
    kind, parts = get_origin(annotation) or annotation, get_args(annotation)
    if kind is Annotated:
        return fits(value, parts[0]) and all(limit.holds(value) for limit in parts[1:] if isinstance(limit, Limit))
    if kind in (Union, types.UnionType):
        return any(fits(value, part) for part in parts)
    if kind is Literal:
        return any(isinstance(value, type(part)) and value == part for part in parts)
    if kind in SEQUENCES:
        return _fits_sequence(value, kind, parts)
    if kind in SCALARS:
        return isinstance(value, SCALARS[kind]) and not isinstance(value, bool)
    if kind is None:
        return value is None
    return isinstance(value, kind) if isinstance(kind, type) else True


def _fits_sequence(value: Any, kind: Any, parts: tuple[Any, ...]) -> bool:
    if not isinstance(value, (tuple, list)):
        return False
    if kind is tuple and parts and Ellipsis not in parts:
        return len(value) == len(parts) and all(map(fits, value, parts))
    return all(fits(each, parts[0]) for each in value if parts)


def describe(annotation: Any, *, text: bool = False) -> str:
    """Description of the allowed values, for Python callers or (`text=True`) for the command line.

    >>> describe(Literal["sum", "max"]), describe(int | None), describe(int | None, text=True)
    ("'sum' or 'max'", 'an int or None', 'a whole number or none')
    >>> describe(tuple[float, float]), describe(Annotated[int, at_least(1)])
    ('a pair of numbers', 'an int of at least 1')
    >>> describe(tuple[Annotated[int, at_least(1)], ...])
    'a list of ints of at least 1'
    """
    kind, parts = get_origin(annotation) or annotation, get_args(annotation)
    if kind is Annotated:
        return " ".join([describe(parts[0], text=text), *(limit.text for limit in parts[1:])])
    if kind is Literal:
        return or_list(parts)
    if kind in (Union, types.UnionType):
        return " or ".join(describe(part, text=text) for part in parts)
    if kind in SEQUENCES:
        return _describe_sequence(kind, parts, text)
    return (TEXT_WORDS if text else PYTHON_WORDS).get(kind) or f"a {getattr(kind, '__name__', kind)}"


def _describe_sequence(kind: Any, parts: tuple[Any, ...], text: bool) -> str:
    names: dict[Any, str] = {int: "ints", float: "numbers", str: "strings"}
    inner = parts[0] if parts else None
    kind_of, *limits = get_args(inner) if get_origin(inner) is Annotated else (inner,)
    each = " ".join([names.get(kind_of, "values"), *(limit.text for limit in limits)])
    if kind is tuple and parts and Ellipsis not in parts:
        return f"{len(parts)} {each} separated by commas" if text else f"a {_tuple_name(len(parts))} of {each}"
    return f"{each} separated by commas" if text else f"a list of {each}"


def _tuple_name(length: int) -> str:
    return {2: "pair", 3: "triple"}.get(length, f"{length}-tuple")


def check(condition: bool, message: str) -> None:
    """Raise `OptionError` unless the condition holds; the message says what was expected and what was given."""
    if not condition:
        raise OptionError(message)


def check_value(name: str, value: Any, annotation: Any) -> None:
    """Raise unless the annotation permits the value."""
    check(fits(value, annotation), f"{name} must be {describe(annotation)}, got {value!r}")


def check_fields(config: Any) -> None:
    """Raise unless every field of a dataclass has a value that its annotation permits."""
    kind: Any = type(config)
    for name, annotation in hints(kind).items():
        check_value(name, getattr(config, name), annotation)


@cache
def hints(kind: Any) -> dict[str, Any]:
    """Annotations of a dataclass's fields, limits included."""
    found = get_type_hints(kind, include_extras=True)
    return {field.name: found[field.name] for field in dataclasses.fields(kind)}


def check_names(names: Mapping[str, Any] | Sequence[str], known: Mapping[str, Any], owner: str, what: str) -> None:
    """Raise at the first name that is not known, with the nearest ones."""
    for name in names:
        if name not in known:
            raise OptionError(unknown_name(name, known, owner, what))


def unknown_name(name: str, known: Mapping[str, Any], owner: str, what: str = "option") -> str:
    near = nearest(name, known)
    hint = f"Did you mean {or_list(near)}?" if near else f"Available: {', '.join(known) or 'none'}."
    return f"{owner} has no {what} {name!r}. {hint}"


def from_text(text: str, annotation: Any) -> Any:
    """Parse a value from text; `ValueError` if it does not match the annotation.

    >>> from_text("3", int | None), from_text("none", int | None), from_text("0.5", int | float), from_text("yes", bool)
    (3, None, 0.5, True)
    """
    value = _parse(text, annotation)
    if not fits(value, annotation):
        raise ValueError(text)
    return value


def _parse(text: str, annotation: Any) -> Any:
    kind, parts = get_origin(annotation) or annotation, get_args(annotation)
    if kind is Annotated:
        return _parse(text, parts[0])
    if kind in (Union, types.UnionType):
        return _first_match(text, parts)
    if kind is Literal:
        return {str(value).lower(): value for value in parts}[_one_of(text, parts)]
    if kind in SEQUENCES:
        inner = [part for part in parts if part is not Ellipsis] or [str]
        items = text.rstrip(", ").split(",")
        values = [_parse(item.strip(), inner[min(i, len(inner) - 1)]) for i, item in enumerate(items)]
        return values if kind is list else tuple(values)
    if kind is bool:
        return BOOLS[_one_of(text, BOOLS)]
    if kind in (None, type(None)):
        return {"none": None}[_one_of(text, ["none"])]
    return kind(text) if kind in (int, float) else text


def _first_match(text: str, kinds: Sequence[Any]) -> Any:
    """Text with a comma (also a trailing one, `5,`) is a list; otherwise literals and numbers are tried before text."""

    def order(kind: Any) -> int:
        if get_origin(kind) in SEQUENCES:
            return 0 if "," in text else 3
        return 2 if kind is str else 1

    for kind in sorted(kinds, key=order):
        try:
            return from_text(text, kind)
        except ValueError:
            continue
    raise ValueError(text)


def _one_of(text: str, words: Any) -> str:
    if text.lower() not in {str(word).lower() for word in words}:
        raise ValueError(text)
    return text.lower()


def from_toml(value: Any, annotation: Any, name: str) -> Any:
    """Convert a TOML value to the annotated type: lists become tuples, tables become dataclasses.

    >>> from_toml([1, 2], tuple[float, ...], "fractions")
    (1.0, 2.0)
    """
    kind, parts = get_origin(annotation) or annotation, get_args(annotation)
    if dataclasses.is_dataclass(kind) and isinstance(value, dict):
        return build(kind, value, name)
    if kind is Annotated:
        converted = from_toml(value, parts[0], name)
    elif kind in (Union, types.UnionType):
        fitting = [part for part in parts if fits(value, part) or dataclasses.is_dataclass(part)]
        converted = from_toml(value, fitting[0], name) if fitting else value
    elif kind is tuple and isinstance(value, (list, tuple)):
        fixed = parts and Ellipsis not in parts and len(parts) == len(value)
        inner = parts if fixed else [parts[0] if parts else Any] * len(value)
        converted = tuple(from_toml(each, inner[i], f"{name}[{i}]") for i, each in enumerate(value))
    else:
        converted = float(value) if kind is float and type(value) is int else value
    check_value(name, converted, annotation)
    return converted


def build(kind: Any, table: Any, name: str = "") -> Any:
    """A dataclass from a table, checked key by key; `name` is the table's key path."""
    owner = name or "the file"
    check(isinstance(table, dict), f"{owner} must be a table, got {table!r}")
    fields = {field.name: field for field in dataclasses.fields(kind)}
    check_names(table, fields, owner, "key")
    missing = [
        field.name
        for field in fields.values()
        if field.default is field.default_factory is dataclasses.MISSING and field.name not in table
    ]
    check(not missing, f"{owner} needs {or_list(missing) if missing else ''}")
    prefix, annotations = f"{name}." if name else "", hints(kind)
    return kind(**{key: from_toml(value, annotations[key], f"{prefix}{key}") for key, value in table.items()})
