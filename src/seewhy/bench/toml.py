"""Environment variables in the strings of a TOML file."""

import os
import re
from typing import Any

from seewhy.errors import OptionError


def expand_variables(value: Any) -> Any:
    """Expand `$NAME` and `~` in every string of a table."""
    if isinstance(value, dict):
        return {key: expand_variables(each) for key, each in value.items()}
    if isinstance(value, list):
        return [expand_variables(each) for each in value]
    if not isinstance(value, str):
        return value
    expanded = os.path.expanduser(os.path.expandvars(value))
    missing = re.search(r"\$(\w+)", expanded)
    if missing:
        raise OptionError(f"{value!r} needs the environment variable {missing[1]}, which is not set")
    return expanded
