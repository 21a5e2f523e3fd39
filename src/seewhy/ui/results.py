"""Results: explanations of one image with measured curves, in a cache of files, as bundles of the explorer.

Every method of a result is a file of its own, found by what it was computed from: a result that is asked for again, or
with one more method, takes what is there.
"""

import hashlib
import json
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from seewhy.explorer.bundle import Bundle, merge
from seewhy.explorer.html import pack, page_html
from seewhy.ui.errors import ApiError, not_found
from seewhy.ui.files import FileCache

BASELINES = ("random", "center")


@dataclass(frozen=True)
class MethodChoice:
    """A method with its options, as a request names it."""

    name: str
    options: dict[str, Any] = field(default_factory=dict)

    @property
    def label(self) -> str:
        """The method with its options."""
        words = ", ".join(f"{name}={value}" for name, value in self.options.items())
        return f"{self.name}({words})" if words else self.name


@dataclass
class Result:
    """What one job explains; it grows while the job runs."""

    id: str
    model: str
    image: str
    name: str
    request: dict[str, Any]
    references: tuple[str, ...] = ()  # of its curves
    targets: tuple[int, ...] = ()
    methods: list[MethodChoice] = field(default_factory=list)  # those that are finished
    keys: list[str] = field(default_factory=list)  # of their files
    codes: list[str] = field(default_factory=list)
    complete: bool = False

    @property
    def labels(self) -> list[str]:
        """Names of the methods, with their options where one occurs several times."""
        names = [each.name for each in self.methods]
        return [each.label if names.count(each.name) > 1 else each.name for each in self.methods]

    def to_json(self) -> dict[str, Any]:
        entries = [
            {"method": each.name, "options": each.options, "label": label, "code": code}
            for each, label, code in zip(self.methods, self.labels, self.codes, strict=True)
        ]
        facts = {name: getattr(self, name) for name in ("id", "model", "image", "name", "complete", "request")}
        return facts | {"targets": list(self.targets), "entries": entries}


class Results:
    """Results by id, and the files of their methods."""

    def __init__(self, files: FileCache, limit: int) -> None:
        self.files, self.limit = files, limit
        self.results: OrderedDict[str, Result] = OrderedDict()

    def add(self, result: Result) -> Result:
        self.results[result.id] = result
        while len(self.results) > self.limit:
            self.results.popitem(last=False)
        return result

    def get(self, id: str, *, entries: bool = True) -> Result:
        """A result; with `entries` one that has at least one finished method."""
        if id not in self.results:
            raise not_found("result")
        if entries and not self.results[id].keys:
            raise ApiError(409, "no method of this result is finished yet; ask again")
        self.results.move_to_end(id)
        return self.results[id]

    def path(self, key: str, kind: str) -> Path:
        """The file of a method: `bundle` or `zip`."""
        found = self.files.get(f"{key}.{kind}")
        if found is None:
            raise not_found("result")
        return found

    def bundle(self, result: Result) -> Bundle:
        """All finished methods of a result in one bundle."""
        bundles = [Bundle.from_bytes(self.path(key, "bundle").read_bytes()) for key in result.keys]
        merged = merge(bundles)
        about = zip(merged.entries, result.labels, result.codes, strict=True)
        entries = [replace(each, label=label, code=code) for each, label, code in about]
        return replace(merged, name=result.name, entries=tuple(entries))

    def packed(self, result: Result) -> bytes:
        return pack(self.bundle(result), exact=True)  # no file to be kept small

    def html(self, result: Result) -> str:
        return page_html(self.bundle(result), title=f"{result.name} – seewhy")


def entry_key(fingerprint: str, image: str, targets: Sequence[int], method: MethodChoice, protocol: str) -> str:
    """A hash of everything that a method's maps and curves depend on."""
    facts = [fingerprint, image, list(targets), method.name, sorted(method.options.items()), protocol]
    return hashlib.sha256(json.dumps(facts).encode()).hexdigest()[:32]
