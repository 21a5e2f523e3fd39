"""`seewhy train` and `seewhy export`: an explainer for one's own model, and as one file for elsewhere."""

import logging
import os
import shlex
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

from seewhy.cli import shared
from seewhy.cli.shared import app

SCENES_MODEL = "seewhy/scenes-vit"
Preset = Annotated[str, typer.Option(metavar="NAME", help="small, official (the authors' code) or paper.")]


@app.command()
def train(
    source: Annotated[str, typer.Argument(metavar="FOLDER", help='Images without labels, or "scenes".')],
    out: Annotated[Path, typer.Option(metavar="DIR", help="Where the explainer goes; continues a run found there.")],
    model: shared.OptionalModel = None,
    preset: Preset = "small",
    option: Annotated[
        list[str] | None,
        typer.Option(
            "--option",
            "-o",
            metavar="KEY=VALUE",
            help="epochs=2, batch=16, steps=8 (points of a curve) …; docs/explainers.md lists all.",
        ),
    ] = None,
    size: Annotated[int, typer.Option(metavar="N", min=1, help="Pictures, if the source is scenes.")] = 12_000,
    weights: Annotated[
        str | None, typer.Option(metavar="FILE", help="Safetensors or torch checkpoint; left out: the library's own.")
    ] = None,
    prompt: shared.PromptOption = None,
    device: shared.DeviceOption = None,
) -> None:
    """Train an AHA explainer for a model: afterwards a map costs one forward pass."""
    from seewhy.cli import terminal
    from seewhy.cli.options import parse_options
    from seewhy.train import train_explainer
    from seewhy.train.config import annotation_of

    options = parse_options(option or [], annotation_of)
    refuse_random(weights)
    model = model or (SCENES_MODEL if source == "scenes" else shared.DEFAULT_MODEL)
    classifier = terminal.load(model, weights=weights, prompts=prompt, device=device)
    pictures = scenes(size) if source == "scenes" else source
    try:
        with evaluations_shown():
            train_explainer(classifier, pictures, out=out, preset=preset, **options)
    except KeyboardInterrupt:
        terminal.print_line(f"stopped; the same command continues from the last checkpoint in {out}")
        raise
    if int(os.environ.get("RANK", 0)) == 0:  # of several processes one is enough
        terminal.print_line(f"the explainer is in {out}; its card is {out / 'README.md'}")
        terminal.print_line(f"use it: {command_for(out, model, weights, prompt)}")


@app.command()
def export(
    explainer: Annotated[str, typer.Argument(metavar="DIR", help="Folder of an explainer, or a bundled one's name.")],
    out: Annotated[Path, typer.Option(metavar="FILE", help="The ONNX file.")] = Path("explainer.onnx"),
    model: shared.OptionalModel = None,
    allow_mismatch: Annotated[
        bool, typer.Option("--allow-mismatch", help="Also if the explainer was trained for another model.")
    ] = False,
    weights: shared.WeightsOption = None,
    encoder_weights: Annotated[
        str | None, typer.Option(metavar="FILE", help="Of a timm encoder, if not where they were in training.")
    ] = None,
    prompt: shared.PromptOption = None,
    device: shared.DeviceOption = None,
) -> None:
    """Write an explainer as ONNX, checked with onnxruntime, and a script that uses it without seewhy."""
    from seewhy.cli import terminal
    from seewhy.explainers.network import AHAExplainer, read_facts
    from seewhy.train.export import example_path, export_explainer

    model = model or str(read_facts(explainer)["target"]["name"])
    classifier = terminal.load(model, weights=weights, prompts=prompt, device=device)
    trained = AHAExplainer.load(explainer, classifier, allow_mismatch=allow_mismatch, encoder_weights=encoder_weights)
    path = export_explainer(trained, out)
    terminal.print_line(f"wrote {path} and {example_path(path)}")


def refuse_random(weights: str | None) -> None:
    from seewhy.errors import OptionError

    if weights == "random":
        raise OptionError(
            "--weights random: an explainer is of use for the very model it was trained for alone, and these weights "
            "are lost when the command ends. Give a file of weights, or leave the option out."
        )


@contextmanager
def evaluations_shown() -> Iterator[None]:
    """Print what training logs about its evaluations."""
    from seewhy.cli import terminal

    class Lines(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            terminal.print_line(record.getMessage())

    logger, lines = logging.getLogger("seewhy.train"), Lines()
    level = logger.level
    logger.addHandler(lines)
    logger.setLevel(logging.INFO)
    try:
        yield
    finally:
        logger.removeHandler(lines)
        logger.setLevel(level)


def command_for(out: Path, model: str, weights: str | None, prompts: Sequence[str] | None) -> str:
    """How an explainer is used, ready to be copied: with the very model it was trained for.

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
