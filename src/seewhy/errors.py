"""Everything seewhy raises on purpose.

    SeewhyError
    ├── InputError            what was handed over cannot be used         (also a ValueError)
    │   ├── ImageError        a file or picture that cannot be read
    │   ├── TargetError       a class that does not exist, or is ambiguous
    │   ├── OptionError       an option or value that does not exist
    │   ├── ShapeError        a tensor of another shape than expected
    │   └── UnknownName       no method, metric, model or protocol of that name
    ├── MethodError           a method failed for a reason that is not the caller's
    ├── ModelError            the model cannot be used as asked
    │   ├── WeightsError      weights that do not fit the architecture
    │   └── UnsupportedModel  a method that needs another kind of model
    └── MissingExtra          an optional dependency is not installed      (also an ImportError)

The command line answers `InputError` and `MissingExtra` with exit code 2, everything else with 1.
"""

import difflib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager


class SeewhyError(Exception):
    """Base of all errors raised on purpose."""


class InputError(SeewhyError, ValueError):
    """What was handed over cannot be used."""


class ImageError(InputError):
    """A file or picture that cannot be read."""


class TargetError(InputError):
    """A class that does not exist, or whose name is ambiguous."""


class OptionError(InputError):
    """An option, or the value of one, that does not exist."""


class ShapeError(InputError):
    """A tensor of another shape than expected."""


class UnknownName(InputError):
    """No method, metric, model or protocol of that name."""

    def __init__(self, kind: str, name: str, known: Iterable[str]) -> None:
        known = sorted(known)
        near = nearest(name, known)
        hint = f"Did you mean {or_list(near)}?" if near else f"Known: {', '.join(known)}."
        super().__init__(f"there is no {kind} called {name!r}. {hint}")


class MethodError(SeewhyError):
    """A method failed; the cause is chained."""


class ModelError(SeewhyError):
    """The model cannot be used as asked."""


class WeightsError(ModelError):
    """Weights that do not fit the architecture."""


class UnsupportedModel(ModelError):
    """A method that needs another kind of model."""


class MissingExtra(SeewhyError, ImportError):
    """An optional dependency is not installed."""

    def __init__(self, what: str, extra: str) -> None:
        super().__init__(f"{what} needs the extra [{extra}]: pip install 'seewhy[{extra}]'")


def nearest(name: str, known: Iterable[str], most: int = 3) -> list[str]:
    """The known names a person may have meant, best first; case does not matter."""
    by_lower = {candidate.lower(): candidate for candidate in known}
    return [by_lower[match] for match in difflib.get_close_matches(name.lower(), by_lower, n=most, cutoff=0.5)]


def or_list(names: Iterable[object]) -> str:
    """`'a', 'b' or 'c'`, for error messages."""
    quoted = [repr(name) for name in names]
    return quoted[0] if len(quoted) == 1 else f"{', '.join(quoted[:-1])} or {quoted[-1]}"


@contextmanager
def error_context(method: str, model: str, images: Sequence[str]) -> Iterator[None]:
    """Name method, model and images in whatever a method raises; any other exception becomes a `MethodError`."""
    shown = f"image {images[0]}" if len(images) == 1 else f"images {images[0]} … {images[-1]}" if images else "images"
    where = f"{method} on {model}, {shown}"
    try:
        yield
    except SeewhyError as error:
        error.args = (f"{where}: {error}",)
        raise
    except Exception as error:
        raise MethodError(f"{where}: {type(error).__name__}: {error}") from error
