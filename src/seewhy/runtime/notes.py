"""Remarks of a computation about its result: warnings that are kept with it."""

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_KEPT: ContextVar[list[str] | None] = ContextVar("kept", default=None)


def note(message: str, *, stacklevel: int = 2) -> None:
    """Warn, and keep the message with the result that is being computed."""
    kept = _KEPT.get()
    if kept is not None and message not in kept:
        kept.append(message)
    warnings.warn(message, stacklevel=stacklevel + 1)


@contextmanager
def keeping_notes() -> Iterator[list[str]]:
    """Inside the context, notes are collected in the list; they are warnings all the same.

    >>> with keeping_notes() as notes, warnings.catch_warnings():
    ...     warnings.simplefilter("ignore")
    ...     note("the blur was too weak")
    >>> notes
    ['the blur was too weak']
    """
    kept: list[str] = []
    token = _KEPT.set(kept)
    try:
        yield kept
    finally:
        _KEPT.reset(token)
