"""Parse `--option KEY=VALUE` arguments."""

from collections.abc import Callable, Sequence
from typing import Any

from seewhy.errors import OptionError
from seewhy.runtime.options import describe, from_text


def parse_options(arguments: Sequence[str], annotation_of: Callable[[str], Any]) -> dict[str, Any]:
    """Option values by name, converted as annotated; `annotation_of` raises for an unknown name."""
    options = {}
    for argument in arguments:
        key, sign, text = argument.partition("=")
        key = key.strip().replace("-", "_")
        if not sign:
            raise OptionError(f"--option must be KEY=VALUE, got {argument!r}")
        annotation = annotation_of(key)
        try:
            options[key] = from_text(text.strip(), annotation)
        except ValueError:
            expected = describe(annotation, text=True)
            raise OptionError(f"--option {key} must be {expected}, got {text.strip()!r}") from None
    return options
