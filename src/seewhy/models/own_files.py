"""User-supplied Python files that build a network: their source is pickled with the model, for other processes."""

import hashlib
import sys
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple


class OwnFile(NamedTuple):
    """A file that was executed."""

    path: str
    text: str

    @property
    def module(self) -> str:
        """A module name that is unique and the same in every process."""
        digest = hashlib.blake2b(self.text.encode(), digest_size=6).hexdigest()
        return f"{Path(self.path).stem}_{digest}"


class OwnFiles(tuple[OwnFile, ...]):
    """Files that are executed when unpickled, so that their classes can be unpickled after them."""

    def __reduce__(self) -> tuple[Any, ...]:
        return execute_files, (tuple(self),)


_executed: dict[str, OwnFile] = {}  # by the name of the module


def execute_file(file: OwnFile) -> ModuleType:
    """The module of a file; a file is executed once, unless its source changes."""
    name = file.module
    if name in sys.modules:
        return sys.modules[name]
    module = ModuleType(name)
    module.__file__ = file.path
    sys.path.insert(0, str(Path(file.path).parent))  # the file may import its neighbors
    sys.modules[name] = module
    try:
        exec(compile(file.text, file.path, "exec"), module.__dict__)
    except BaseException:
        del sys.modules[name]
        raise
    finally:
        sys.path.remove(str(Path(file.path).parent))
    _executed[name] = file
    return module


def execute_files(files: Sequence[OwnFile]) -> OwnFiles:
    for file in files:
        execute_file(OwnFile(*file))
    return OwnFiles(files)


def executed_files() -> OwnFiles:
    """All files that this process has executed."""
    return OwnFiles(_executed.values())
