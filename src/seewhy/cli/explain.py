"""`seewhy explain`: overlays and maps of images."""

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
    images: shared.ImageArguments,
    model: shared.ModelOption = shared.DEFAULT_MODEL,
    method: Annotated[str, typer.Option("--method", metavar="NAME", help="See `seewhy list methods`.")] = "caap",
    target: shared.TargetOption = None,
    option: shared.MethodOptions = None,
    out: Annotated[Path, typer.Option(metavar="DIR", help="Output folder.")] = Path("seewhy-out"),
    weights: shared.WeightsOption = None,
    class_names: shared.ClassNamesOption = None,
    prompt: shared.PromptOption = None,
    device: shared.DeviceOption = None,
) -> None:
    """Explain images: writes an overlay (PNG) and the maps (safetensors and JSON) of each image.

    To contrast classes, name several: --method var:grad_cam -t lynx -t cougar.

    Files that cannot be read are reported and skipped; the exit code is then 2.
    """
    from seewhy.cli import terminal
    from seewhy.cli.options import parse_options
    from seewhy.registry import resolve_method
    from seewhy.runtime.progress import track

    options = parse_options(option or [], resolve_method(method).annotation)
    pipeline = resolve_method(method, **options)
    files, errors = terminal.files_in(images)
    classifier = terminal.load(model, weights=weights, prompts=prompt, device=device, class_names=class_names)
    pipeline.check_model(classifier)
    bases = [out / f"{name}.{method.replace(':', '-')}" for name in distinct_names(files)]
    for file, base in track(list(zip(files, bases, strict=True)), "explaining"):
        try:
            _explain_one(classifier, file, method, target, options, base)
        except ImageError as error:
            errors.append(error)
    terminal.print_errors(errors)
    if errors:
        raise typer.Exit(2)


def _explain_one(
    model: Any, file: Path, method: str, targets: list[str] | None, options: dict[str, Any], base: Path
) -> None:
    from seewhy import api
    from seewhy.cli import terminal

    explanation = api.explain(model, file, method, targets or None, **options)
    terminal.print_explanation(explanation, str(file))
    terminal.print_line(f"wrote {', '.join(map(str, write(explanation, base)))}", style="dim")


def write(explanation: "Explanation", base: Path) -> list[Path]:
    """Write overlays (`NAME.png`, `NAME.2.png` …), winning classes (`NAME.classes.png`) if contrasted, and maps."""
    from seewhy.figures import contrasts

    base.parent.mkdir(parents=True, exist_ok=True)
    overlays = [Path(f"{base}{f'.{k + 1}' if k else ''}.png") for k in range(explanation.targets.shape[1])]
    for k, overlay in enumerate(overlays):
        explanation.overlay(0, k).save(overlay)
    if contrasts(explanation):
        overlays.append(Path(f"{base}.classes.png"))
        explanation.plot_classes(overlays[-1])
    maps = explanation.save(f"{base}.safetensors")
    return [*overlays, maps, maps.with_suffix(".json")]


def distinct_names(files: Sequence[Path]) -> list[str]:
    """Output names of files: their stems, numbered where several are equal.

    >>> distinct_names([Path("a/cat.png"), Path("b/cat.jpg"), Path("dog.png")])
    ['cat', 'cat-2', 'dog']
    """
    seen: Counter[str] = Counter()
    names = []
    for file in files:
        seen[file.stem] += 1
        names.append(file.stem if seen[file.stem] == 1 else f"{file.stem}-{seen[file.stem]}")
    return names
