"""Values of options against their annotations: a signature is the only place that says what an option may be."""

import types
from collections.abc import Sequence
from numbers import Integral, Real
from os import PathLike
from typing import Any, Literal, Union, get_args, get_origin

from seewhy.errors import OptionError, or_list

LOOSE: dict[Any, tuple[type, ...]] = {int: (Integral,), float: (Real,), str: (str, PathLike)}
LISTS = (tuple, list, Sequence)


def fits(value: Any, annotation: Any) -> bool:
    """Whether an option of this annotation may have the value; lists and tuples are the same.

    >>> fits(3, int | None), fits(2.5, int), fits([1, 2], tuple[float, ...]), fits(5, str | tuple[int, ...])
    (True, False, True, False)
    >>> fits([1, 2], tuple[int, int]), fits([1], tuple[int, int])
    (True, False)
    """
    kind, parts = get_origin(annotation) or annotation, get_args(annotation)
    if kind in (Union, types.UnionType):
        return any(fits(value, part) for part in parts)
    if kind is Literal:
        return any(isinstance(value, type(part)) and value == part for part in parts)
    if kind in LISTS:
        if not isinstance(value, (tuple, list)):
            return False
        if kind is tuple and parts and Ellipsis not in parts:
            return len(value) == len(parts) and all(map(fits, value, parts))
        return all(fits(each, parts[0]) for each in value if parts)
    if kind in LOOSE:
        return isinstance(value, LOOSE[kind]) and not isinstance(value, bool)
    if kind is None:
        return value is None
    return isinstance(value, kind) if isinstance(kind, type) else True


def require(rules: dict[str, bool]) -> None:
    """Refuse with the first rule that does not hold; each says what was expected and what came."""
    for rule in (rule for rule, holds in rules.items() if not holds):
        raise OptionError(rule)


def describe(annotation: Any) -> str:
    """What may be given for an option.

    >>> describe(Literal["sum", "max"]), describe(int | None)
    ("'sum' or 'max'", 'a whole number or none')
    >>> describe(tuple[float, float])
    '2 values with a comma between them'
    """
    kind, parts = get_origin(annotation) or annotation, get_args(annotation)
    if kind is Literal:
        return or_list(parts)
    if kind in (Union, types.UnionType):
        return " or ".join(describe(part) for part in parts)
    if kind is tuple and parts and Ellipsis not in parts:
        return f"{len(parts)} values with a comma between them"
    if kind in LISTS:
        return "a list (values with commas between them)"
    names = {int: "a whole number", float: "a number", bool: "yes or no", str: "text", type(None): "none"}
    return names.get(kind) or f"a {getattr(kind, '__name__', kind)}"
