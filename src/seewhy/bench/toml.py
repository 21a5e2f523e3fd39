"""Tables of a TOML file to frozen dataclasses, checked key by key and type by type."""

import dataclasses
import os
import re
import types
from collections.abc import Mapping
from typing import Any, Literal, Union, get_args, get_origin

from seewhy.errors import OptionError, nearest, or_list


def fill_in(value: Any) -> Any:
    """Variables of the environment in every text."""
    if isinstance(value, dict):
        return {key: fill_in(each) for key, each in value.items()}
    if isinstance(value, list):
        return [fill_in(each) for each in value]
    if not isinstance(value, str):
        return value
    filled = os.path.expanduser(os.path.expandvars(value))
    missing = re.search(r"\$(\w+)", filled)
    if missing:
        raise OptionError(f"{value!r} needs the variable {missing[1]} of the environment, which is not set")
    return filled


def build(kind: Any, table: Any, where: str) -> Any:
    """A dataclass from a table, checked key by key."""
    if not isinstance(table, dict):
        raise OptionError(f"{where or 'the file'} must be a table, got {table!r}")
    known = {entry.name: entry for entry in dataclasses.fields(kind)}
    check_keys(table, known, where or "a benchmark", "key")
    needed = [
        name
        for name, entry in known.items()
        if entry.default is dataclasses.MISSING and entry.default_factory is dataclasses.MISSING and name not in table
    ]
    if needed:
        raise OptionError(f"{where or 'a benchmark'} needs {or_list(needed)}")
    prefix = f"{where}." if where else ""
    return kind(**{name: _convert(value, known[name].type, f"{prefix}{name}") for name, value in table.items()})


def check_keys(table: Mapping[str, Any], known: Mapping[str, Any], where: str, what: str) -> None:
    for key in table:
        if key not in known:
            near = nearest(key, known)
            hint = f"Did you mean {or_list(near)}?" if near else f"Known: {', '.join(known) or 'none'}."
            raise OptionError(f"{where} has no {what} {key!r}. {hint}")


def _convert(value: Any, kind: Any, where: str) -> Any:
    """A TOML value as the field's type wants it."""
    if dataclasses.is_dataclass(kind):
        return build(kind, value, where)
    origin = get_origin(kind)
    if origin is tuple:
        if not isinstance(value, (list, tuple)):
            raise OptionError(f"{where} must be a list, got {value!r}")
        return tuple(_convert(each, get_args(kind)[0], f"{where}[{i}]") for i, each in enumerate(value))
    if origin is Literal:
        if value not in get_args(kind):
            raise OptionError(f"{where} must be {or_list(get_args(kind))}, got {value!r}")
        return value
    if origin in (Union, types.UnionType):
        if value is None:
            return None
        part = next(part for part in get_args(kind) if part is not type(None))
        return _convert(value, part, where)
    return _plain(value, origin or kind, where)


def _plain(value: Any, kind: type, where: str) -> Any:
    if kind is float and type(value) is int:
        return float(value)
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        names = {str: "text", int: "a whole number", float: "a number", bool: "true or false", dict: "a table"}
        raise OptionError(f"{where} must be {names.get(kind, kind.__name__)}, got {value!r}")
    return value
