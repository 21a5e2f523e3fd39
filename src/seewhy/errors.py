"""The exceptions of seewhy.

    SeewhyError
    ├── InputError            invalid input                                (also a ValueError)
    │   ├── ImageError        a file or image that cannot be read
    │   ├── TargetError       an unknown or ambiguous class
    │   ├── OptionError       an unknown option or an invalid value
    │   ├── ShapeError        a tensor of the wrong shape
    │   └── UnknownName       an unknown method, metric, model or protocol
    ├── MethodError           a method failed; the cause is chained
    ├── ModelError            the model cannot be used this way
    │   ├── WeightsError      weights that do not fit the architecture
    │   └── UnsupportedModel  a method that needs another kind of model
    └── MissingExtra          an optional dependency is not installed      (also an ImportError)

A result that is probably useless, such as a flat map, raises a `SeewhyWarning`.

On the command line, `InputError` and `MissingExtra` exit with code 2, all others with code 1.
"""

import difflib
from collections.abc import Iterable, Sequence

SHOWN = 12  # known names in a message


class SeewhyError(Exception):
    """Base class of all exceptions of seewhy."""


class InputError(SeewhyError, ValueError):
    """Invalid input."""


class ImageError(InputError):
    """A file or image that cannot be read."""


class TargetError(InputError):
    """An unknown or ambiguous class."""


class OptionError(InputError):
    """An unknown option or an invalid value."""


class ShapeError(InputError):
    """A tensor of the wrong shape."""


class UnknownName(InputError):
    """An unknown method, metric, model or protocol."""

    def __init__(self, kind: str, name: str, known: Iterable[str]) -> None:
        known = sorted(known)
        near = nearest(name, known)
        more = f" and {len(known) - SHOWN} more" if len(known) > SHOWN else ""
        listed = f"Known: {', '.join(known[:SHOWN])}{more}." if known else "There are none."
        super().__init__(f"there is no {kind} called {name!r}. {f'Did you mean {or_list(near)}?' if near else listed}")


class MethodError(SeewhyError):
    """A method failed; the cause is chained."""


class ModelError(SeewhyError):
    """The model cannot be used this way."""


class WeightsError(ModelError):
    """Weights that do not fit the architecture."""


class UnsupportedModel(ModelError):
    """A method that needs another kind of model."""


class MissingExtra(SeewhyError, ImportError):
    """An optional dependency is not installed."""

    def __init__(self, feature: str, extra: str) -> None:
        super().__init__(f"{feature} needs the extra [{extra}]: pip install 'seewhy[{extra}]'")


class SeewhyWarning(UserWarning):
    """A result that is probably useless, such as a flat map."""


def nearest(name: str, known: Iterable[str], most: int = 3) -> list[str]:
    """Known names similar to `name`, best match first, ignoring case."""
    by_lower = {candidate.lower(): candidate for candidate in known}
    return [by_lower[match] for match in difflib.get_close_matches(name.lower(), by_lower, n=most, cutoff=0.5)]


def or_list(names: Iterable[object]) -> str:
    """A list for error messages.

    >>> print(or_list(["a", "b", "c"]))
    'a', 'b' or 'c'
    """
    quoted = [repr(name) for name in names]
    return quoted[0] if len(quoted) == 1 else f"{', '.join(quoted[:-1])} or {quoted[-1]}"


def add_context(error: Exception, method: str, model: str, images: Sequence[str]) -> SeewhyError:
    """The error with method, model and images in front of its message; a foreign one becomes a `MethodError`."""
    names = [name.removeprefix("image ") for name in images]
    shown = f"image {names[0]}" if len(names) == 1 else f"images {names[0]} … {names[-1]}" if names else "images"
    where = f"{method} on {model}, {shown}"
    if isinstance(error, SeewhyError):
        error.args = (f"{where}: {error}",)
        return error
    failed = MethodError(f"{where}: {type(error).__name__}: {error}")
    failed.__cause__ = error
    return failed
