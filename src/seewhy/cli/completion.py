"""Completion of method and class names, without importing torch where that can be avoided."""

import importlib.util
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
    """Class names of the model, as far as they are known without loading it.

    Spaces are underscores, which `--target` takes, too: bash would insert two words.
    """
    wanted = incomplete.lower()
    for name in _class_names(str(ctx.params.get("model") or ""), ctx.params.get("class_names")):
        word = name.replace(" ", "_")
        if word.lower().startswith(wanted):
            yield word


def complete_classes(ctx: typer.Context, incomplete: str) -> Iterator[str]:
    """Class names in a list (`a,b`): the last one is completed."""
    given, comma, last = incomplete.rpartition(",")
    return (f"{given}{comma}{name}" for name in complete_class(ctx, last))


def _class_names(model: str, file: Path | None) -> list[str]:
    if file is not None:
        from seewhy.cli.terminal import read_class_names

        return read_class_names(file)
    if "scenes" in model:
        from seewhy.zoo.scenes.objects import CLASS_NAMES

        return list(CLASS_NAMES)
    if model.startswith(("hf/", "onnx/")) or ".py:" in model:
        return []
    return _imagenet_names()


def _imagenet_names() -> list[str]:
    """The class names of ImageNet in timm's files: importing timm takes seconds."""
    timm = importlib.util.find_spec("timm")
    info = Path(timm.submodule_search_locations[0]) / "data" / "_info"  # type: ignore[index, union-attr]
    lines = (info / "imagenet_synset_to_lemma.txt").read_text().splitlines()
    names = dict(line.split("\t", 1) for line in lines)
    return [names[synset].partition(",")[0] for synset in (info / "imagenet_synsets.txt").read_text().split()]
