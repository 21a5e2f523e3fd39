"""The training log: one line of JSON per step and per evaluation."""

import json
import math
from pathlib import Path
from typing import Any

from seewhy.runtime.files import write_atomic, write_error


class TrainingLog:
    """A file that lines are appended to; only the process with `enabled` writes."""

    def __init__(self, path: Path, *, enabled: bool = True) -> None:
        self.path, self.enabled = path, enabled

    def append(self, entry: dict[str, Any]) -> None:
        if not self.enabled:
            return
        try:
            with self.path.open("a") as file:
                file.write(json.dumps(entry) + "\n")
        except OSError as error:
            raise write_error(self.path, error, resumes=True) from error

    def truncate(self, step: int) -> None:
        """Drop the entries after a step, which a resumed run repeats."""
        if self.enabled and self.path.is_file():
            lines = [line for line in self.path.read_text().splitlines() if _step_of(line) <= step]
            write_atomic(self.path, "".join(f"{line}\n" for line in lines).encode(), resumes=True)


def _step_of(line: str) -> float:
    try:
        return json.loads(line)["step"]
    except (ValueError, KeyError):
        return math.inf  # half a line of a killed run
