"""`seewhy explain`: a map per image, over the photo and as data."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from seewhy.cli import shared
from seewhy.cli.shared import app
from seewhy.errors import ImageError

if TYPE_CHECKING:
    from seewhy.explanation import Explanation


@app.command()
def explain(
    images: shared.Pictures,
    model: shared.Model = shared.DEFAULT_MODEL,
    method: Annotated[str, typer.Option("--method", metavar="NAME", help="`seewhy list methods` names them.")] = "caap",
    target: shared.Targets = None,
    option: shared.Options = None,
    out: Annotated[Path, typer.Option(metavar="DIR", help="Where the files go.")] = Path("seewhy-out"),
    weights: shared.Weights = None,
    prompt: shared.Prompts = None,
    device: shared.Device = None,
) -> None:
    """Explain images: writes an overlay (PNG) and the maps (safetensors, JSON) of each.

    "Why a lynx and not a cougar?" is --method var:grad_cam -t lynx -t cougar; one more picture shows who wins where.

    A file that cannot be read is reported, the others are explained all the same; the exit code is then 2.
    """
    from seewhy.cli import terminal
    from seewhy.cli.options import parse_options
    from seewhy.registry import resolve_method
    from seewhy.runtime.progress import track

    options = parse_options(option or [], resolve_method(method).annotation)
    pipeline = resolve_method(method, **options)
    files, problems = terminal.files_in(images)
    classifier = terminal.load(model, weights=weights, prompts=prompt, device=device)
    pipeline.check_model(classifier)
    bases = [out / f"{name}.{method.replace(':', '-')}" for name in distinct_names(files)]
    for file, base in track(list(zip(files, bases, strict=True)), "explaining"):
        try:
            _explain_one(classifier, file, method, target, options, base)
        except ImageError as error:
            problems.append(error)
    terminal.report(problems)
    if problems:
        raise typer.Exit(2)


def _explain_one(model: Any, file: Path, method: str, targets: list[str] | None, options: dict, base: Path) -> None:
    from seewhy import api
    from seewhy.cli import terminal

    explanation = api.explain(model, file, method, targets or None, **options)
    terminal.show(explanation, str(file))
    terminal.say(f"wrote {', '.join(map(str, write(explanation, base)))}", style="dim")


def write(explanation: "Explanation", base: Path) -> list[Path]:
    """One overlay per class, `NAME.png`, `NAME.2.png` …, who wins where (`NAME.classes.png`), then maps and facts."""
    from seewhy.figures import contrasts

    base.parent.mkdir(parents=True, exist_ok=True)
    pictures = [Path(f"{base}{f'.{k + 1}' if k else ''}.png") for k in range(explanation.targets.shape[1])]
    for k, picture in enumerate(pictures):
        explanation.overlay(0, k).save(picture)
    if contrasts(explanation):
        pictures.append(Path(f"{base}.classes.png"))
        explanation.plot_classes(pictures[-1])
    maps = explanation.save(f"{base}.safetensors")
    return [*pictures, maps, maps.with_suffix(".json")]


def distinct_names(files: Sequence[Path]) -> list[str]:
    """Names for what belongs to each file; files of the same name in different folders are numbered.

    >>> distinct_names([Path("a/cat.png"), Path("b/cat.jpg"), Path("dog.png")])
    ['cat', 'cat-2', 'dog']
    """
    seen: Counter[str] = Counter()
    names = []
    for file in files:
        seen[file.stem] += 1
        names.append(file.stem if seen[file.stem] == 1 else f"{file.stem}-{seen[file.stem]}")
    return names
