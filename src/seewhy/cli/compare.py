"""`seewhy compare`: a figure of several methods side by side, their scores, and a verdict (`seewhy.compare`)."""

from pathlib import Path
from typing import Annotated

import typer

from seewhy.cli import shared
from seewhy.cli.completion import complete_method
from seewhy.cli.output import Overwrite, check_suffix, emit, free_path
from seewhy.cli.shared import app


@app.command()
def compare(
    images: shared.ImageArguments,
    model: shared.ModelOption = shared.DEFAULT_MODEL,
    methods: Annotated[
        str | None,
        typer.Option(
            metavar="A,B,...", help="Methods to compare.", show_default="a selection", autocompletion=complete_method
        ),
    ] = None,
    target: shared.TargetOption = None,
    scores: Annotated[
        bool, typer.Option("--scores/--no-scores", help="Score the maps, with a random map as control.")
    ] = True,
    out: Annotated[Path, typer.Option(metavar="FILE", help="Output file.")] = Path("seewhy-compare.png"),
    overwrite: Overwrite = False,
    weights: shared.WeightsOption = None,
    class_names: shared.ClassNamesOption = None,
    prompt: shared.PromptOption = None,
    device: shared.DeviceOption = None,
) -> None:
    """Compare methods: a figure of images (rows) by methods (columns), scores, and a verdict on their differences.

    Maps are of the first target; contrastive methods (var:NAME) also show the winning class at each position.
    Methods that do not fit the model are skipped.
    """
    from seewhy import comparison
    from seewhy.cli import terminal
    from seewhy.data import read_images
    from seewhy.registry import resolve_method

    names = [name.strip() for name in methods.split(",") if name.strip()] if methods else None
    for name in names or []:
        resolve_method(name)
    check_suffix(out)
    out = free_path(out, overwrite=overwrite)
    classifier = terminal.load(model, weights=weights, prompts=prompt, device=device, class_names=class_names)
    batch = read_images([str(path) for path in images], classifier.preprocess, on_error="skip")
    result = comparison.compare(classifier, batch, names, target or None, scores=scores)
    result.plot(out)
    for explanation in result.explanations:
        terminal.print_line(terminal.summary_line(explanation))
    for name, reason in result.skipped.items():
        terminal.print_line(shared.in_flags(f"skipped {name}: {reason}"), style="yellow")
    if scores:
        terminal.console().print(terminal.table("\nScores", *result.table()))
        terminal.console().print(result.verdict)
    terminal.print_line(f"wrote {out}", style="dim")
    terminal.print_errors(batch.problems)
    emit({"figure": out, "methods": result.rows(), "verdict": result.verdict, "skipped": result.skipped})
    if batch.problems:
        raise typer.Exit(2)
