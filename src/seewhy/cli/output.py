"""Output of commands: text, JSON (`--json`), less (`-q`), more (`-v`), and the paths of their files."""

import itertools
import json
import math
import os
import re
import warnings
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

from seewhy.errors import InputError
from seewhy.runtime import progress

FIGURE_TYPES = (".png", ".pdf", ".svg", ".jpg")
IMAGE_TYPES = (".png", ".jpg", ".jpeg", ".webp", ".bmp", ".tif", ".tiff")
Overwrite = Annotated[bool, typer.Option("--overwrite", help="Replace existing files instead of numbering new ones.")]


@dataclass
class Output:
    """Output settings of the running command."""

    json: bool = False
    quiet: bool = False

    @property
    def silent(self) -> bool:
        """Whether nothing but errors and JSON is printed."""
        return self.json or self.quiet


OUTPUT = Output()


def choose_output(*, json: bool, quiet: bool) -> None:
    """Set the output settings of the running command."""
    OUTPUT.json, OUTPUT.quiet = json, quiet
    progress.MODE = "off" if quiet else "lines"
    if quiet:
        warnings.simplefilter("ignore")


def emit(data: Any) -> None:
    """Print the result of a command as JSON, if requested."""
    if OUTPUT.json:
        typer.echo(to_json(data, indent=1))


def to_json(data: Any, *, indent: int | None = None) -> str:
    """JSON that every parser reads: numbers that are not finite become null.

    >>> to_json({"score": float("nan"), "file": Path("a.png")})
    '{"score": null, "file": "a.png"}'
    """
    return json.dumps(_finite(data), indent=indent, default=str, allow_nan=False)


def _finite(data: Any) -> Any:
    if isinstance(data, dict):
        return {key: _finite(value) for key, value in data.items()}
    if isinstance(data, (list, tuple)):
        return [_finite(value) for value in data]
    return None if isinstance(data, float) and not math.isfinite(data) else data


def free_path(path: Path, *, overwrite: bool = False) -> Path:
    """The path, or a numbered one if the file exists; raises unless its folder exists or can be created.

    >>> free_path(Path("no-such-file.png"))
    PosixPath('no-such-file.png')
    """
    if path.is_dir():
        raise InputError(f"--out must be a file, but {path} is a folder")
    check_folder(path.parent)
    return next(each for each in _numbered(path) if overwrite or not each.exists())


def free_base(base: Path, taken: Iterable[str], *, overwrite: bool = False) -> Path:
    """The common start of some file names, numbered where `taken` has files that begin with it."""
    names = list(taken)
    return next(each for each in _numbered(base) if overwrite or not _begins(names, each.name))


def check_folder(folder: Path, flag: str = "--out") -> None:
    """Raise unless the folder of a flag exists or can be created, and can be written."""
    existing = next(each for each in (folder, *folder.absolute().parents) if each.exists())
    if not existing.is_dir():
        raise InputError(f"{flag}: {existing} is a file, not a folder")
    if not os.access(existing, os.W_OK):
        raise InputError(f"{flag}: no permission to write in {existing}")


def check_suffix(path: Path, suffixes: Sequence[str] = FIGURE_TYPES) -> None:
    """Raise unless the file's name ends in one of the suffixes."""
    if path.suffix.lower() not in suffixes:
        raise InputError(f"--out must end in {', '.join(suffixes)}, got {path.name!r}")


def slug(name: str) -> str:
    """A class name as part of a file name.

    >>> slug("Egyptian cat 36%"), slug("St. Bernard, St Bernard")
    ('egyptian_cat_36', 'st_bernard')
    """
    return re.sub(r"[^a-z0-9]+", "_", name.partition(",")[0].lower()).strip("_") or "class"


def _numbered(path: Path) -> Iterable[Path]:
    """`cat.png`, `cat-2.png`, `cat-3.png` …; a suffix that is no file type belongs to the name."""
    known = (*FIGURE_TYPES, *IMAGE_TYPES, ".html", ".json", ".jsonl", ".onnx")
    kind = path.suffix if path.suffix.lower() in known else ""
    start = path.name.removesuffix(kind)
    return itertools.chain([path], (path.with_name(f"{start}-{number}{kind}") for number in itertools.count(2)))


def _begins(names: Iterable[str], start: str) -> bool:
    return any(name.startswith(f"{start}.") for name in names)
