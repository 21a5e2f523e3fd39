"""The course of a run: one line of JSON per step and per evaluation."""

import json
import math
from pathlib import Path
from typing import Any

from seewhy.runtime.files import write_atomic, write_error


class Log:
    """Lines are added at the end; only one of several processes `writes`."""

    def __init__(self, path: Path, *, writes: bool = True) -> None:
        self.path, self.writes = path, writes

    def add(self, entry: dict[str, Any]) -> None:
        if not self.writes:
            return
        try:
            with self.path.open("a") as file:
                file.write(json.dumps(entry) + "\n")
        except OSError as error:
            raise write_error(self.path, error) from error

    def cut(self, step: int) -> None:
        """Leave out what was logged after a step: it happens again."""
        if self.writes and self.path.is_file():
            lines = [line for line in self.path.read_text().splitlines() if _step_of(line) <= step]
            write_atomic(self.path, "".join(f"{line}\n" for line in lines).encode())


def _step_of(line: str) -> float:
    try:
        return json.loads(line)["step"]
    except (ValueError, KeyError):
        return math.inf  # half a line, of a run that was killed
