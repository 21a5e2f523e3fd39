"""`seewhy compare`: many methods side by side in one figure."""

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

# What a figure shows where nobody chose: quick methods of different kinds, those that the model allows.
SHOWCASE = ("caap", "var:caap", "t_attr", "rollout", "grad_cam", "var:grad_cam", "layer_cam", "integrated_gradients")
COLUMNS = 6  # methods of it in a figure


@app.command()
def compare(
    images: shared.Pictures,
    model: shared.Model = shared.DEFAULT_MODEL,
    methods: Annotated[
        str | None, typer.Option(metavar="A,B,...", help="Methods across; left out: some that fit the model.")
    ] = None,
    target: shared.Targets = None,
    out: Annotated[Path, typer.Option(metavar="FILE", help="The figure.")] = Path("seewhy-compare.png"),
    weights: shared.Weights = None,
    prompt: shared.Prompts = None,
    device: shared.Device = None,
) -> None:
    """Compare methods: one figure, images down and methods across, saved as PNG.

    Of several targets the first is drawn; methods var:NAME also show which of them wins where.
    """
    from seewhy.cli import terminal
    from seewhy.data import read_images
    from seewhy.registry import resolve_method

    wanted = [name.strip() for name in methods.split(",") if name.strip()] if methods else []
    for name in wanted:
        resolve_method(name)
    classifier = terminal.load(model, weights=weights, prompts=prompt, device=device)
    batch = read_images([str(path) for path in images], classifier.preprocess, on_error="skip")
    compared = compare_methods(classifier, batch, wanted, target, out)
    for explanation in compared:
        terminal.say(terminal.facts(explanation))
    terminal.say(f"wrote {out}", style="dim")
    terminal.report(batch.problems)
    if batch.problems:
        raise typer.Exit(2)


def compare_methods(
    model: "Classifier", batch: "ImageBatch", wanted: list[str], targets: list[str] | None, out: Path
) -> list["Explanation"]:
    """Explain the batch with every method, or with those of the showcase that work, and draw the figure."""
    from seewhy.cli import terminal
    from seewhy.errors import ModelError
    from seewhy.figures import compare_figure
    from seewhy.registry import resolve_method
    from seewhy.runtime.progress import track

    for name in wanted:
        resolve_method(name).check_model(model)
    explanations = []
    for name in track(wanted or showcase(model), "comparing"):
        try:
            explanations.append(_explain(model, batch, name, targets))
        except ModelError as error:
            if wanted:
                raise
            terminal.say(f"left out {name}: {error}", style="yellow")
        if not wanted and len(explanations) == COLUMNS:
            break
    compare_figure(explanations, out)
    return explanations


def showcase(model: "Classifier") -> list[str]:
    """Methods of `SHOWCASE` that exist and fit the model."""
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
