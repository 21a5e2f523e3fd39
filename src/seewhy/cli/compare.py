"""`seewhy compare`: a figure of several methods side by side."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from seewhy.cli import shared
from seewhy.cli.shared import app

if TYPE_CHECKING:
    from seewhy.data import ImageBatch
    from seewhy.explanation import Explanation
    from seewhy.models.classifier import Classifier

# The default: fast methods of different kinds, as far as the model supports them.
SHOWCASE = ("caap", "var:caap", "t_attr", "rollout", "grad_cam", "var:grad_cam", "layer_cam", "integrated_gradients")
COLUMNS = 6  # most methods chosen by default


@app.command()
def compare(
    images: shared.ImageArguments,
    model: shared.ModelOption = shared.DEFAULT_MODEL,
    methods: Annotated[
        str | None,
        typer.Option(metavar="A,B,...", help="Methods to compare.", show_default="a selection"),
    ] = None,
    target: shared.TargetOption = None,
    out: Annotated[Path, typer.Option(metavar="FILE", help="Output file.")] = Path("seewhy-compare.png"),
    weights: shared.WeightsOption = None,
    class_names: shared.ClassNamesOption = None,
    prompt: shared.PromptOption = None,
    device: shared.DeviceOption = None,
) -> None:
    """Compare methods in one figure: images (rows) by methods (columns).

    Maps are of the first target; contrastive methods (var:NAME) also show the winning class at each position.
    """
    from seewhy.cli import terminal
    from seewhy.data import read_images
    from seewhy.registry import resolve_method

    names = [name.strip() for name in methods.split(",") if name.strip()] if methods else []
    for name in names:
        resolve_method(name)
    classifier = terminal.load(model, weights=weights, prompts=prompt, device=device, class_names=class_names)
    batch = read_images([str(path) for path in images], classifier.preprocess, on_error="skip")
    explanations = compare_methods(classifier, batch, names, target, out)
    for explanation in explanations:
        terminal.print_line(terminal.summary(explanation))
    terminal.print_line(f"wrote {out}", style="dim")
    terminal.print_errors(batch.problems)
    if batch.problems:
        raise typer.Exit(2)


def compare_methods(
    model: "Classifier", batch: "ImageBatch", names: list[str], targets: list[str] | None, out: Path
) -> list["Explanation"]:
    """Explain the batch with the given methods or, by default, a selection that works, and save the figure."""
    from seewhy.cli import terminal
    from seewhy.errors import ModelError
    from seewhy.figures import compare_figure
    from seewhy.registry import fit_method
    from seewhy.runtime.progress import track

    for name in names:
        fit_method(model, name)
    explanations = []
    for name in track(names or showcase(model), "comparing"):
        try:
            explanations.append(_explain(model, batch, name, targets))
        except ModelError as error:
            if names:
                raise
            terminal.print_line(f"skipped {name}: {error}", style="yellow")
        if not names and len(explanations) == COLUMNS:
            break
    compare_figure(explanations, out)
    return explanations


def showcase(model: "Classifier") -> list[str]:
    """Methods of `SHOWCASE` that support the model."""
    from seewhy.errors import UnknownName
    from seewhy.registry import resolve_method

    fitting = []
    for name in SHOWCASE:
        try:
            fitting += [name] if resolve_method(name).supports(model) else []
        except UnknownName:
            continue
    return fitting


def _explain(model: "Classifier", batch: "ImageBatch", method: str, targets: list[str] | None) -> "Explanation":
    from seewhy import api

    explanation = api.explain(model, batch.images, method, targets or None)
    return replace(explanation, names=batch.names, originals=batch.originals, boxes=batch.boxes)
