"""Images in tar files, as WebDataset writes them: `000017.jpg` with its label in `000017.cls` (or `000017.json`).

A tar file is scanned once for the positions of its members; an image is then read without touching the others.
"""

import glob
import hashlib
import json
import tarfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from torch import Tensor

from seewhy.data.decode import SUFFIXES, open_stream
from seewhy.data.items import ImageItem, Sample, Subset, file_stamp
from seewhy.errors import ImageError, InputError
from seewhy.models.preprocess import Preprocess
from seewhy.runtime.copies import local_path

LABELS = (".cls", ".json")


@dataclass(frozen=True)
class Member:
    """The position of a file inside a tar file."""

    tar: Path
    name: str
    offset: int
    size: int

    def read(self) -> bytes:
        with local_path(self.tar).open("rb") as file:
            file.seek(self.offset)
            content = file.read(self.size)
        if len(content) < self.size:
            raise ImageError(f"{self.tar}, {self.name}: the tar file ends inside this image; copy it again.")
        return content


@dataclass(frozen=True)
class TarItem:
    """An image in a tar file; its label is in another member."""

    member: Member
    label: Member | None = None

    @property
    def name(self) -> str:
        return self.member.name

    @property
    def source(self) -> Path:
        return self.member.tar

    @cached_property
    def labels(self) -> tuple[int, ...]:
        return () if self.label is None else read_label(self.label)

    def stamp(self) -> str:
        return f"{file_stamp(self.member.tar)}:{self.member.offset}"

    def image_key(self) -> str:
        return hashlib.blake2b(hashlib.blake2b(self.member.read()).digest(), digest_size=10).hexdigest()

    def key(self) -> str:
        return hashlib.blake2b(f"{self.image_key()}|{self.labels}".encode(), digest_size=10).hexdigest()

    def read(self, preprocess: Preprocess) -> Sample:
        return self._decoded().read(preprocess)

    def pixels(self, preprocess: Preprocess) -> Tensor:
        return self._decoded().pixels(preprocess)

    def _decoded(self) -> ImageItem:
        return ImageItem(self.name, open_stream(f"{self.member.tar}, {self.name}", self.member.read()), self.labels)


def read_tars(paths: str | Path | Sequence[str | Path]) -> Subset:
    """The images of tar files: paths, a pattern (`shards/*.tar`), or a list of them."""
    listed = [paths] if isinstance(paths, (str, Path)) else paths
    files = [Path(each) for path in listed for each in sorted(glob.glob(str(path))) or [str(path)]]
    items = [item for file in files for item in _items(file)]
    if not items:
        raise InputError(f"{', '.join(map(str, listed))}: no images in these tar files")
    return Subset(items, tuple(range(len(items))))


def read_label(member: Member) -> tuple[int, ...]:
    """The class index in a `.cls` file or under "label" or "cls" in a `.json` file."""
    try:
        value: Any = json.loads(member.read())
        value = value.get("label", value.get("cls")) if isinstance(value, dict) else value
        return () if value is None else (int(value),)
    except (ValueError, TypeError) as error:
        raise InputError(f"{member.tar}, {member.name}: must hold a class index ({error})") from error


def _items(tar: Path) -> Iterator[TarItem]:
    members = list({each.name: each for each in _members(tar)}.values())  # of equal names the last, as tar extracts it
    labels = {_stem(each.name): each for each in reversed(members) if each.name.endswith(LABELS)}
    for member in members:
        if SUFFIXES.search(member.name):
            yield TarItem(member, labels.get(_stem(member.name)))


def _stem(name: str) -> str:
    """The name without its extensions, which groups the members of an example in a WebDataset."""
    folder, slash, file = name.rpartition("/")
    return f"{folder}{slash}{file.partition('.')[0]}"


def _members(tar: Path) -> Iterator[Member]:
    if not tar.is_file():
        raise InputError(f"{tar}: there is no such file")
    try:
        with tarfile.open(tar, "r:") as file:
            end = tar.stat().st_size
            for info in file:
                if info.isfile():
                    if info.offset_data + info.size > end:
                        raise tarfile.ReadError(f"unexpected end of data in {info.name}")
                    yield Member(tar, info.name, info.offset_data, info.size)
    except (tarfile.TarError, OSError, EOFError) as error:
        raise InputError(
            f"{tar}: the tar file is broken or compressed ({error}). Copy it again, or repack it uncompressed."
        ) from error
