"""Files that are there whole or not at all, also if the disk is full or the process dies."""

import errno
import os
from pathlib import Path

from seewhy.errors import SeewhyError


def write_atomic(path: Path, content: bytes) -> None:
    """A reader never sees half a file, and a kill leaves the old one."""
    part = path.with_name(f"{path.name}.part")
    try:
        with part.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
    except OSError as error:
        part.unlink(missing_ok=True)
        raise write_error(path, error) from error


def write_error(path: Path, error: OSError) -> SeewhyError:
    remedy = "make room" if error.errno == errno.ENOSPC else "see to that"
    return SeewhyError(
        f"{path} could not be written ({error.strerror or error}). What was there before is untouched: {remedy}, then "
        "run the same again; a training or a benchmark goes on where it was."
    )
