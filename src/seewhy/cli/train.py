"""`seewhy train` and `seewhy export`: train an explainer, and write it as an ONNX file."""

import logging
import os
import shlex
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

from seewhy.cli import shared
from seewhy.cli.output import Overwrite, check_folder, emit, free_path
from seewhy.cli.shared import app

SCENES_MODEL = "seewhy/scenes-vit"
Preset = Annotated[str, typer.Option(metavar="NAME", help="small, official (the authors' code) or paper.")]


@app.command()
def train(
    source: Annotated[str, typer.Argument(metavar="FOLDER", help='Folder of images, without labels, or "scenes".')],
    out: Annotated[Path, typer.Option(metavar="DIR", help="Output folder; resumes a run found there.")],
    model: shared.OptionalModel = None,
    preset: Preset = "small",
    option: Annotated[
        list[str] | None,
        typer.Option(
            "--option",
            "-o",
            metavar="KEY=VALUE",
            help="Setting, such as epochs=2, batch=16 or points=8 (of a curve); all are in docs/explainers.md.",
        ),
    ] = None,
    size: Annotated[int, typer.Option(metavar="N", min=1, help="Number of images, for scenes.")] = 12_000,
    weights: Annotated[
        str | None, typer.Option(metavar="FILE", help="Safetensors or torch checkpoint. Default: pretrained.")
    ] = None,
    prompt: shared.PromptOption = None,
    device: shared.DeviceOption = None,
) -> None:
    """Train an AHA explainer for a model; a map then takes one forward pass."""
    from seewhy.cli import terminal
    from seewhy.cli.options import parse_options
    from seewhy.train import train_explainer
    from seewhy.train.config import annotation_of

    options = parse_options(option or [], annotation_of)
    refuse_random(weights)
    check_folder(out)
    model = model or (SCENES_MODEL if source == "scenes" else shared.DEFAULT_MODEL)
    classifier = terminal.load(model, weights=weights, prompts=prompt, device=device)
    images = scenes(size) if source == "scenes" else source
    try:
        with printed_log():
            train_explainer(classifier, images, out=out, preset=preset, **options)
    except KeyboardInterrupt:
        terminal.print_line(f"stopped; the same command resumes from the last checkpoint in {out}")
        raise
    if int(os.environ.get("RANK", 0)) == 0:  # only one of several processes
        terminal.print_line(f"the explainer is in {out}; its card is {out / 'README.md'}")
        terminal.print_line(f"use it: {command_for(out, model, weights, prompt)}")
        emit({"explainer": out, "command": command_for(out, model, weights, prompt)})


@app.command()
def export(
    explainer: Annotated[str, typer.Argument(metavar="DIR", help="Folder or name of an explainer.")],
    out: Annotated[Path, typer.Option(metavar="FILE", help="Output file.")] = Path("explainer.onnx"),
    model: shared.OptionalModel = None,
    joint: Annotated[
        bool, typer.Option("--joint", help="With the classifier: logits and map from one pass; class -1: predicted.")
    ] = False,
    overwrite: Overwrite = False,
    allow_mismatch: Annotated[
        bool, typer.Option("--allow-mismatch", help="Accept an explainer that was trained for another model.")
    ] = False,
    weights: shared.WeightsOption = None,
    encoder_weights: Annotated[
        str | None, typer.Option(metavar="FILE", help="Weights of a timm encoder, if they have moved.")
    ] = None,
    prompt: shared.PromptOption = None,
    device: shared.DeviceOption = None,
) -> None:
    """Export an explainer to ONNX, verified with onnxruntime, with a script that uses it without seewhy."""
    from seewhy.cli import terminal
    from seewhy.explainers.files import read_metadata
    from seewhy.explainers.network import AHAExplainer
    from seewhy.train.export import example_path, export_explainer

    out = free_path(out, overwrite=overwrite)
    model = model or str(read_metadata(explainer)["model"]["name"])
    classifier = terminal.load(model, weights=weights, prompts=prompt, device=device)
    trained = AHAExplainer.load(explainer, classifier, allow_mismatch=allow_mismatch, encoder_weights=encoder_weights)
    path = export_explainer(trained, out, joint=joint)
    terminal.print_line(f"wrote {path} and {example_path(path)}")
    emit({"files": [path, example_path(path)]})


def refuse_random(weights: str | None) -> None:
    from seewhy.errors import OptionError

    if weights == "random":
        raise OptionError(
            "--weights random: an explainer works only for the model it was trained for, and random weights are lost "
            "when the command ends. Pass a file of weights, or omit the option."
        )


@contextmanager
def printed_log() -> Iterator[None]:
    """Print the log messages of the training."""
    from seewhy.cli import terminal

    class Printer(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            terminal.print_line(record.getMessage())

    logger, printer = logging.getLogger("seewhy.train"), Printer()
    level = logger.level
    logger.addHandler(printer)
    logger.setLevel(logging.INFO)
    try:
        yield
    finally:
        logger.removeHandler(printer)
        logger.setLevel(level)


def command_for(out: Path, model: str, weights: str | None, prompts: Sequence[str] | None) -> str:
    """The command that uses an explainer with the model it was trained for.

    >>> command_for(Path("my out"), "timm/test_vit", "w.pt", None)
    "seewhy explain PHOTO --model timm/test_vit --weights w.pt --method aha -o 'explainer=my out'"
    """
    named = ["--weights", weights] if weights else []
    named += [word for prompt in prompts or () for word in ("--prompt", prompt)]
    words = ["seewhy", "explain", "PHOTO", "--model", model, *named, "--method", "aha", "-o", f"explainer={out}"]
    return shlex.join(words)


def scenes(size: int) -> object:
    from seewhy.zoo.scenes import Scenes

    return Scenes("train", size)
