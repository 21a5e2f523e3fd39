"""`--option KEY=VALUE` words of the command line as keyword arguments."""

from collections.abc import Callable, Sequence
from typing import Any

from seewhy.errors import OptionError
from seewhy.runtime.options import describe, from_text


def parse_options(words: Sequence[str], annotation_of: Callable[[str], Any]) -> dict[str, Any]:
    """Values by name, converted by their annotations; `annotation_of` raises for a name that does not exist."""
    options = {}
    for word in words:
        key, sign, text = word.partition("=")
        key = key.strip().replace("-", "_")
        if not sign:
            raise OptionError(f"--option takes KEY=VALUE, got {word!r}")
        annotation = annotation_of(key)
        try:
            options[key] = from_text(text.strip(), annotation)
        except ValueError:
            expected = describe(annotation, text=True)
            raise OptionError(f"--option {key} must be {expected}, got {text.strip()!r}") from None
    return options
