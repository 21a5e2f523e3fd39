"""Options: text of the command line as values."""

from collections.abc import Sequence
from typing import Literal

import pytest

from seewhy.runtime.options import from_text


@pytest.mark.parametrize(
    ("text", "annotation", "value"),
    [
        ("3", int, 3),
        ("3", float, 3.0),
        ("3", str | int, 3),
        ("red", int | str, "red"),
        ("None", int | None, None),
        ("on", bool, True),
        ("MAX", Literal["sum", "max"], "max"),
        ("2", Literal[1, 2], 2),
        ("1, 2.5", tuple[float, ...], (1.0, 2.5)),
        ("1,a", tuple[int, str], (1, "a")),
        ("4,5", list[int], [4, 5]),
        ("all", Literal["all"] | Sequence[int | str], "all"),
        ("cat, 5", Literal["all"] | Sequence[int | str], ("cat", 5)),
        ("cat", str | Sequence[int | str], "cat"),
        ("5,", str | tuple[int | str, ...], (5,)),
    ],
)
def test_values_follow_the_annotation(text, annotation, value):
    found = from_text(text, annotation)
    assert found == value
    assert type(found) is type(value)


@pytest.mark.parametrize(("text", "annotation"), [("3.5", int), ("x", float | None), ("1", Literal["a"]), ("2", bool)])
def test_values_that_do_not_fit(text, annotation):
    with pytest.raises(ValueError, match=text):
        from_text(text, annotation)
