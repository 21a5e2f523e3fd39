"""`seewhy train` and `seewhy export`: an explainer for one's own model, and as one file for elsewhere."""

from dataclasses import fields
from inspect import Parameter
from pathlib import Path
from typing import Annotated

import typer

from seewhy.cli import shared
from seewhy.cli.shared import app

Preset = Annotated[str, typer.Option(metavar="NAME", help="small, official (the authors' code) or paper.")]


@app.command()
def train(
    source: Annotated[str, typer.Argument(metavar="FOLDER", help='Images without labels, or "scenes".')],
    out: Annotated[Path, typer.Option(metavar="DIR", help="Where the explainer goes; continues a run found there.")],
    model: shared.Model = shared.DEFAULT_MODEL,
    preset: Preset = "small",
    option: Annotated[
        list[str] | None,
        typer.Option("--option", "-o", metavar="KEY=VALUE", help="epochs=2, batch=16, learning_rate=1e-3 …"),
    ] = None,
    size: Annotated[int, typer.Option(metavar="N", help="Pictures, if the source is scenes.")] = 12_000,
    weights: shared.Weights = None,
    prompt: shared.Prompts = None,
    device: shared.Device = None,
) -> None:
    """Train an AHA explainer for a model: afterwards a map costs one forward pass."""
    from seewhy.cli import terminal
    from seewhy.cli.options import parse_options
    from seewhy.train import train_explainer

    options = parse_options(option or [], "seewhy train", known_options())
    classifier = terminal.load(model, weights=weights, prompts=prompt, device=device)
    pictures = scenes(size) if source == "scenes" else source
    train_explainer(classifier, pictures, out=out, preset=preset, **options)
    terminal.say(f"wrote the explainer to {out}; its card is {out / 'README.md'}")
    terminal.say(f"use it: seewhy explain PHOTO --model {model} --method aha -o explainer={out}")


@app.command()
def export(
    explainer: Annotated[str, typer.Argument(metavar="DIR", help="Folder of an explainer, or a bundled one's name.")],
    out: Annotated[Path, typer.Option(metavar="FILE", help="The ONNX file.")] = Path("explainer.onnx"),
    model: shared.Model = shared.DEFAULT_MODEL,
    weights: shared.Weights = None,
    prompt: shared.Prompts = None,
    device: shared.Device = None,
) -> None:
    """Write an explainer as ONNX, checked with onnxruntime, and a script that uses it without seewhy."""
    from seewhy.cli import terminal
    from seewhy.models.explainer import AHAExplainer
    from seewhy.train.export import export_explainer

    classifier = terminal.load(model, weights=weights, prompts=prompt, device=device)
    path = export_explainer(AHAExplainer.load(explainer, classifier), out)
    terminal.say(f"wrote {path} and {path.with_suffix('.py')}")


def scenes(size: int) -> object:
    from seewhy.zoo.scenes import Scenes

    return Scenes("train", size)


def known_options() -> dict[str, Parameter]:
    """Every field of the configuration, as if it were an option of a function."""
    from seewhy.models.decoder import Shape
    from seewhy.models.explainer import ExplainerConfig
    from seewhy.models.explainer_loss import LossConfig
    from seewhy.train.config import TrainConfig

    kinds = (LossConfig, Shape, ExplainerConfig, TrainConfig)
    return {
        entry.name: Parameter(entry.name, Parameter.KEYWORD_ONLY, annotation=entry.type)
        for kind in kinds
        for entry in fields(kind)
        if entry.name not in ("explainer", "shape", "loss")
    }
