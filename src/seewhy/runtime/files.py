"""Atomic file writes: a full disk or a killed process never leaves a partial file."""

import errno
import io
import os
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from seewhy.errors import SeewhyError


def write_atomic(path: Path, content: bytes, *, resumes: bool = False) -> None:
    """Write to a temporary file, sync, and rename: readers see the old content or the new, never a part of it.

    `resumes`: a rerun resumes the run that the file belongs to; errors then say so.
    """
    part = path.with_name(f"{path.name}.part")
    try:
        with part.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
    except OSError as error:
        part.unlink(missing_ok=True)
        raise write_error(path, error, resumes=resumes) from error


def write_error(path: Path, error: OSError, *, resumes: bool = False) -> SeewhyError:
    """The error to raise where writing `path` failed; the previous file is still there."""
    remedy = "Free disk space" if error.errno == errno.ENOSPC else "Fix the cause"
    reason = error.strerror or error
    return SeewhyError(f"cannot write {path}: {reason}. {remedy} and rerun{'; the run resumes' if resumes else ''}.")


def parquet_bytes(table: pa.Table) -> bytes:
    """The content of a Parquet file."""
    buffer = io.BytesIO()
    pq.write_table(table, buffer, compression="zstd")
    return buffer.getvalue()


def cache_folder() -> Path:
    """The user's folder for files that can be made again; `SEEWHY_CACHE` names another one."""
    return Path(os.environ.get("SEEWHY_CACHE") or Path.home() / ".cache" / "seewhy")
