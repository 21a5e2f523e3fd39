"""Words of the command line to values: `--option steps=20` becomes `steps=20` by the annotation in the signature."""

import inspect
import types
from collections.abc import Mapping, Sequence
from typing import Any, Literal, Union, get_args, get_origin

from seewhy.errors import OptionError
from seewhy.runtime.options import LISTS, describe

WORDS = {"true": True, "yes": True, "on": True, "1": True, "false": False, "no": False, "off": False, "0": False}


def parse_options(words: Sequence[str], name: str, known: Mapping[str, inspect.Parameter]) -> dict[str, Any]:
    """Options of the method `name`, each `key=value`; unknown keys answer with the nearest ones."""
    from seewhy.registry import unknown_option

    options = {}
    for word in words:
        key, sign, text = word.partition("=")
        key = key.strip().replace("-", "_")
        if not sign:
            raise OptionError(f"an option is written KEY=VALUE, got {word!r}")
        if key not in known:
            raise OptionError(unknown_option(name, key, known))
        options[key] = _value(key, text.strip(), known[key].annotation)
    return options


def _value(key: str, text: str, annotation: Any) -> Any:
    try:
        return convert(text, annotation)
    except ValueError:
        raise OptionError(f"option {key} must be {describe(annotation)}, got {text!r}") from None


def convert(text: str, annotation: Any) -> Any:
    """The value a text stands for; `ValueError` if it does not fit.

    >>> convert("3", int | None), convert("none", int | None), convert("0.5", int | float), convert("yes", bool)
    (3, None, 0.5, True)
    """
    kind = get_origin(annotation) or annotation
    if kind in (Union, types.UnionType):
        return _first_fit(text, get_args(annotation))
    if kind is Literal:
        return {str(value).lower(): value for value in get_args(annotation)}[_among(text, get_args(annotation))]
    if kind in LISTS:
        parts = [part for part in get_args(annotation) if part is not Ellipsis] or [str]
        values = [
            convert(item.strip(), parts[min(i, len(parts) - 1)]) for i, item in enumerate(text.rstrip(", ").split(","))
        ]
        return values if kind is list else tuple(values)
    if kind is bool:
        return WORDS[_among(text, WORDS)]
    if kind in (None, type(None)):
        return {"none": None}[_among(text, ["none"])]
    if kind in (int, float):
        return kind(text)
    return text


def _first_fit(text: str, kinds: Sequence[Any]) -> Any:
    """A comma makes a list, also at the end (`5,`); else words and numbers are tried before text, and lists last."""

    def order(kind: Any) -> int:
        if get_origin(kind) in LISTS:
            return 0 if "," in text else 3
        return 2 if kind is str else 1

    for kind in sorted(kinds, key=order):
        try:
            return convert(text, kind)
        except ValueError:
            continue
    raise ValueError(text)


def _among(text: str, words: Any) -> str:
    if text.lower() not in {str(word).lower() for word in words}:
        raise ValueError(text)
    return text.lower()
