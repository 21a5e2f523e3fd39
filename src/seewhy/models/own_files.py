"""Python files of one's own that build a network: their text travels with the model to other processes and machines."""

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
        """A name that no installed module has, the same in every process."""
        digest = hashlib.blake2b(self.text.encode(), digest_size=6).hexdigest()
        return f"{Path(self.path).stem}_{digest}"


class OwnFiles(tuple[OwnFile, ...]):
    """Files that are executed again where they are unpickled, so that the classes in them are found."""

    def __reduce__(self) -> tuple[Any, ...]:
        return execute_files, (tuple(self),)


_executed: dict[str, OwnFile] = {}  # by the name of the module


def execute_file(file: OwnFile) -> ModuleType:
    """The module of a file; one whose text has not changed is executed once."""
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
