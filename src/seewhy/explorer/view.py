"""The explorer of explanations, for notebooks, scripts and files."""

import os
import sys
import tempfile
import webbrowser
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from seewhy import api
from seewhy.errors import InputError
from seewhy.explanation import Explanation
from seewhy.explorer.bundle import Bundle
from seewhy.explorer.collect import make_bundle
from seewhy.explorer.html import notebook_html, write_html
from seewhy.models.classifier import Classifier
from seewhy.runtime.progress import track

BASELINES = ("random", "center")


@dataclass(frozen=True)
class View:
    """An explorer of some images. A notebook displays it; `save` writes one HTML file, `open` shows it in a browser."""

    bundles: tuple[Bundle, ...]
    height: int = 760  # of the frame in a notebook, in pixels

    def save(self, path: str | Path, *, title: str = "seewhy explorer") -> Path:
        """Write one self-contained HTML file, which opens without a server or network; returns its path."""
        return write_html(self.bundles, path, title=title)

    def open(self) -> Path:
        """Write the file to a temporary folder and open it in a browser, if there is one; returns its path."""
        path = self.save(Path(tempfile.mkdtemp(prefix="seewhy-")) / "explorer.html")
        open_in_browser(path)
        return path

    def _repr_html_(self) -> str:
        return notebook_html(self.bundles, height=self.height)

    def __repr__(self) -> str:
        methods = ", ".join(entry.method for entry in self.bundles[0].entries)
        images = "1 image" if len(self.bundles) == 1 else f"{len(self.bundles)} images"
        return f'View({images}; {methods}): .open() shows it in a browser, .save("explorer.html") writes a file'


def view(
    explanations: Explanation | Sequence[Explanation],
    *,
    model: Classifier | None = None,
    baselines: bool = True,
    height: int = 760,
    **options: Any,
) -> View:
    """The explorer of one or several explanations of the same images: scrub, compare and contrast their maps.

    The model is run along the deletion and insertion curves of every map. Default: the model that made the first
    explanation; pass `model` for one that was loaded from a file. `baselines` adds `random` and `center`, so that
    every map has something to beat. Other options: `references`, `watched`, `protocol`, `metrics`, as for
    `seewhy.explorer.make_bundle`.
    """
    given = [explanations] if isinstance(explanations, Explanation) else list(explanations)
    if not given:
        raise InputError("the explorer needs at least one explanation, got none")
    model = model or given[0].classifier
    if model is None:
        raise InputError(
            "the explorer runs the model along the curves, and this explanation does not hold it (it was loaded, or "
            "its maps were made elsewhere): pass model="
        )
    if baselines:
        given += add_baselines(model, given)
    images = track(range(len(given[0])), "measuring curves")
    return View(tuple(make_bundle(model, given, image, **options) for image in images), height)


def add_baselines(model: Classifier, explanations: Sequence[Explanation]) -> list[Explanation]:
    """Explanations of the same images and classes by `random` and `center`, where they are missing."""
    first, known = explanations[0], {each.method for each in explanations}
    if first.images is None:
        return []  # `make_bundle` says what is missing
    missing = [name for name in BASELINES if name not in known]
    made = [api.explain(model, first.images, name, first.targets) for name in missing]
    return [replace(each, names=first.names) for each in made]


def open_in_browser(path: Path | str) -> bool:
    """Open a file or an address in the default browser; False without a screen, where a text browser would open."""
    linux = sys.platform not in ("darwin", "win32")
    if linux and not any(map(os.environ.get, ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER"))):
        return False
    return webbrowser.open(path if isinstance(path, str) else path.resolve().as_uri())
