"""Output of commands: text, JSON (`--json`), less (`-q`), more (`-v`), and the paths of their files."""

import itertools
import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

from seewhy.errors import InputError
from seewhy.runtime import progress

FIGURE_TYPES = (".png", ".pdf", ".svg", ".jpg")
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


def emit(data: Any) -> None:
    """Print the result of a command as JSON, if requested."""
    if OUTPUT.json:
        typer.echo(json.dumps(data, indent=1, default=str))


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


def check_folder(folder: Path) -> None:
    """Raise unless the folder exists or can be created."""
    existing = next(each for each in (folder, *folder.absolute().parents) if each.exists())
    if not existing.is_dir():
        raise InputError(f"--out: {existing} is a file, not a folder")


def check_figure(path: Path) -> None:
    """Raise unless a figure can be written in the format of the file's name."""
    if path.suffix.lower() not in FIGURE_TYPES:
        raise InputError(f"--out must end in {', '.join(FIGURE_TYPES)}, got {path.name!r}")


def slug(name: str) -> str:
    """A class name as part of a file name.

    >>> slug("Egyptian cat 36%"), slug("St. Bernard, St Bernard")
    ('egyptian_cat_36', 'st_bernard')
    """
    return re.sub(r"[^a-z0-9]+", "_", name.partition(",")[0].lower()).strip("_") or "class"


def _numbered(path: Path) -> Iterable[Path]:
    """`cat.png`, `cat-2.png`, `cat-3.png` …; a suffix that is no file type belongs to the name."""
    kind = path.suffix if path.suffix.lower() in (*FIGURE_TYPES, ".html", ".json", ".jsonl", ".onnx") else ""
    start = path.name.removesuffix(kind)
    return itertools.chain([path], (path.with_name(f"{start}-{number}{kind}") for number in itertools.count(2)))


def _begins(names: Iterable[str], start: str) -> bool:
    return any(name.startswith(f"{start}.") for name in names)
