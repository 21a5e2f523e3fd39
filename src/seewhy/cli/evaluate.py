"""`seewhy evaluate`: scores of maps, made here or elsewhere."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from seewhy.cli import shared
from seewhy.cli.shared import app

if TYPE_CHECKING:
    from seewhy.explanation import Explanation
    from seewhy.models.classifier import Classifier


@app.command()
def evaluate(
    images: shared.Pictures,
    maps: Annotated[
        list[Path], typer.Option("--maps", metavar="FILE", help=".npy, .npz or safetensors; may be repeated.")
    ],
    model: shared.Model = shared.DEFAULT_MODEL,
    metrics: Annotated[
        str | None, typer.Option(metavar="A,B,...", help="Left out: those of the protocol. `seewhy list metrics`.")
    ] = None,
    protocol: Annotated[str, typer.Option(help="`seewhy list protocols` names them.")] = "aha",
    target: shared.Targets = None,
    out: Annotated[Path | None, typer.Option(metavar="FILE", help="Also write the rows, as JSON lines.")] = None,
    weights: shared.Weights = None,
    prompt: shared.Prompts = None,
    device: shared.Device = None,
) -> None:
    """Score maps: one map per image and class, in the order of the images.

    Classes are those stored with the maps, else --target, else the prediction of each image.
    """
    from seewhy import api
    from seewhy.cli import terminal
    from seewhy.data import read_images
    from seewhy.metrics import get_protocol
    from seewhy.registry import METRICS

    get_protocol(protocol)
    chosen = [name.strip() for name in metrics.split(",") if name.strip()] if metrics else None
    for name in chosen or []:
        METRICS.get(name)
    classifier = terminal.load(model, weights=weights, prompts=prompt, device=device)
    batch = read_images([str(path) for path in images], classifier.preprocess)
    pictures = batch.images.to(classifier.device)
    explanations = [_read(path, classifier, pictures, target) for path in maps]
    rows = api.evaluate(classifier, pictures, explanations, chosen, protocol=protocol)
    rows = [{**row, "image": batch.names[row["image"]]} for row in rows]
    terminal.console().print(_summary(rows, protocol))
    if out is not None:
        out.write_text("".join(json.dumps(row) + "\n" for row in rows))
        terminal.console().print(f"wrote {out}", style="dim", soft_wrap=True)


def _read(path: Path, model: "Classifier", images: Any, target: list[str] | None) -> "Explanation":
    """Maps of a file as an explanation of these images."""
    from dataclasses import replace

    from seewhy.data.maps import read_maps
    from seewhy.errors import ShapeError
    from seewhy.targets import resolve_targets

    wanted = resolve_targets(target or None, model.probabilities(images), model.class_names)
    explanation = read_maps(path, wanted.cpu())
    if len(explanation) != len(images):
        raise ShapeError(f"{path}: holds maps of {len(explanation)} images, but {len(images)} images were given")
    return replace(explanation, method=path.name)


def _summary(rows: list[dict[str, Any]], protocol: str) -> Any:
    """Means over images and classes: metrics down, files across."""
    from math import isnan

    from seewhy.bench.tables import arrow, show_number
    from seewhy.cli import terminal

    files = list(dict.fromkeys(row["method"] for row in rows))
    lines = []
    for metric in dict.fromkeys(row["metric"] for row in rows):
        cells = []
        for file in files:
            own = [row for row in rows if (row["metric"], row["method"], row["reference"]) == (metric, file, "all")]
            scores = [row["score"] for row in own if not isnan(row["score"])]
            reason = next((row["error"] for row in own if row["error"]), "")
            cells.append(show_number(sum(scores) / len(scores)) if scores else reason)
        lines.append((f"{metric} {arrow(metric)}", *cells))
    return terminal.listing(f"Protocol {protocol}", ["metric", *files], lines)
