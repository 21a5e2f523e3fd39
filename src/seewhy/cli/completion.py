"""Completion of method, metric and class names, without importing torch where that can be avoided."""

from collections.abc import Iterator
from pathlib import Path

import typer

WRAPPER = "base: Callable"  # the fourth parameter of a wrapper's function


def complete_method(incomplete: str) -> Iterator[str]:
    """Names of methods; after `var:` those of the base. In a list (`a,b`) the last one is completed."""
    given, comma, last = incomplete.rpartition(",")
    wrappers, colon, start = last.rpartition(":")
    for file in sorted((Path(__file__).parents[1] / "methods").glob("[!_]*.py")):
        if file.stem.startswith(start):
            end = ":" if WRAPPER in file.read_text() else ""
            yield f"{given}{comma}{wrappers}{colon}{file.stem}{end}"


def complete_class(ctx: typer.Context, incomplete: str) -> Iterator[str]:
    """Class names of the model, as far as they are known without loading it."""
    wanted = incomplete.lower()
    for name in _class_names(str(ctx.params.get("model") or "")):
        if name.lower().startswith(wanted):
            yield name


def _class_names(model: str) -> list[str]:
    if "scenes" in model:
        from seewhy.zoo.scenes.objects import CLASS_NAMES

        return list(CLASS_NAMES)
    if model.startswith("hf/"):
        return []
    from timm.data import ImageNetInfo

    info = ImageNetInfo()
    return [info.index_to_description(index).partition(",")[0] for index in range(info.num_classes())]
