"""`seewhy view`: an interactive HTML file."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from seewhy.cli import shared
from seewhy.cli.completion import complete_class, complete_method
from seewhy.cli.output import Overwrite, emit, free_path
from seewhy.cli.shared import app

if TYPE_CHECKING:
    from seewhy.data import ImageBatch
    from seewhy.models.classifier import Classifier
    from seewhy.store import MapStore

TOP = 2  # classes explained by default, to be contrasted


@app.command()
def view(
    images: shared.ImageArguments,
    model: shared.ModelOption = shared.DEFAULT_MODEL,
    methods: Annotated[
        str,
        typer.Option(
            metavar="A,B,...",
            help="Methods to explore; random and center are added.",
            autocompletion=complete_method,
        ),
    ] = "caap,grad_cam",
    target: Annotated[
        list[str] | None,
        typer.Option(
            "--target",
            "-t",
            metavar="CLASS",
            help="Class to explain, by name or index; repeatable.",
            show_default="the two most probable",
            autocompletion=complete_class,
        ),
    ] = None,
    maps: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Read the maps from this map store, instead of computing --methods."),
    ] = None,
    protocol: Annotated[str, typer.Option(metavar="NAME", help="See `seewhy list protocols`.")] = "aha",
    out: Annotated[Path, typer.Option(metavar="FILE", help="Output file.")] = Path("seewhy-explorer.html"),
    show: Annotated[bool, typer.Option("--open/--no-open", help="Open the file in a browser.")] = True,
    overwrite: Overwrite = False,
    weights: shared.WeightsOption = None,
    class_names: shared.ClassNamesOption = None,
    prompt: shared.PromptOption = None,
    device: shared.DeviceOption = None,
) -> None:
    """Explore maps in a browser: remove pixels along the curve, compare methods, contrast classes.

    Writes one HTML file that needs neither a server nor the network.
    """
    from seewhy.cli import terminal
    from seewhy.data import read_images
    from seewhy.explorer.view import open_in_browser
    from seewhy.metrics import get_protocol
    from seewhy.registry import resolve_method

    pipelines = {name: resolve_method(name) for name in map(str.strip, methods.split(",")) if name}
    get_protocol(protocol)
    out = free_path(out, overwrite=overwrite)
    classifier = terminal.load(model, weights=weights, prompts=prompt, device=device, class_names=class_names)
    for pipeline in pipelines.values() if maps is None else ():
        pipeline.check_model(classifier)
    batch = read_images([str(path) for path in images], classifier.preprocess, on_error="skip")
    if maps is not None:
        path = explore_stored(classifier, batch, terminal.stored_maps(maps, classifier, target), protocol, out)
    else:
        path = explore(classifier, batch, list(pipelines), target, protocol, out)
    terminal.print_line(f"wrote {path} ({path.stat().st_size / 1e6:.1f} MB)", style="dim")
    terminal.print_errors(batch.problems)
    emit({"file": path, "bytes": path.stat().st_size})
    if show:
        open_in_browser(path)
    if batch.problems:
        raise typer.Exit(2)


def explore(
    model: "Classifier", batch: "ImageBatch", methods: list[str], targets: list[str] | None, protocol: str, out: Path
) -> Path:
    """Explain the batch with every method and write the explorer."""
    from seewhy import api
    from seewhy.cli import terminal
    from seewhy.explorer import view
    from seewhy.runtime.progress import track

    probabilities = model.probabilities(batch.images.to(model.device))
    classes = targets or probabilities.topk(min(TOP, probabilities.shape[1])).indices
    explanations = []
    for name in track(methods, "explaining"):
        explanation = api.explain(model, batch.images, name, classes)
        explanations.append(replace(explanation, names=batch.names))
        terminal.print_line(terminal.summary_line(explanation))
    return view(explanations, protocol=protocol).save(out)


def explore_stored(model: "Classifier", batch: "ImageBatch", store: "MapStore", protocol: str, out: Path) -> Path:
    """Write the explorer of the batch with all methods that a map store has for it."""
    from seewhy.explorer import view
    from seewhy.store.lookup import with_images

    images = batch.images.to(model.device)
    stored = store.explanations(batch.names, model)
    return view([with_images(each, images, model) for each in stored], protocol=protocol).save(out)
