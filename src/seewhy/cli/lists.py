"""`seewhy list` and `seewhy cite`: available methods, metrics, models and protocols, and their papers."""

from collections.abc import Callable, Mapping
from enum import Enum
from inspect import Parameter
from typing import Annotated, Any

import typer

from seewhy.cli.completion import complete_method
from seewhy.cli.output import OUTPUT, emit
from seewhy.cli.shared import app


class Kind(str, Enum):
    methods = "methods"
    metrics = "metrics"
    evidence = "evidence"
    models = "models"
    protocols = "protocols"


@app.command(name="list")
def list_(
    kind: Annotated[Kind | None, typer.Argument(help="Default: all of them.", show_default=False)] = None,
) -> None:
    """List methods, metrics, evidence, models or protocols."""
    from seewhy.cli import terminal

    chosen = {each: TABLES[each]() for each in ([kind] if kind else list(Kind))}
    emit(
        {
            each.value: [dict(zip(columns, row, strict=True)) for row in rows]
            for each, (_, columns, rows) in chosen.items()
        }
    )
    for number, (title, columns, rows) in enumerate(chosen.values()):
        if number:
            terminal.console().print()
        terminal.console().print(terminal.table(title, columns, rows))


@app.command()
def cite(
    methods: Annotated[
        list[str], typer.Argument(metavar="METHOD", help="Such as caap or var:caap.", autocompletion=complete_method)
    ],
) -> None:
    """Print the BibTeX entries to cite for methods."""
    from seewhy import api

    entries = dict.fromkeys(entry for method in methods for entry in api.cite(method).split("\n\n"))
    emit({"bibtex": list(entries)})
    if not OUTPUT.json:
        typer.echo("\n\n".join(entries))


Rows = tuple[str, list[str], list[tuple[Any, ...]]]


def _methods() -> Rows:
    from seewhy.registry import METHODS

    rows = [
        (
            f"{method.name}:METHOD" if method.wraps else method.name,
            "ViT" if method.needs.__name__ == "ViT" else "any",
            "\n".join([method.summary, *_option_lines(method.options)]),
        )
        for method in METHODS.all()
    ]
    return "Methods", ["name", "model", "description and options"], rows


def _option_lines(options: Mapping[str, Parameter]) -> list[str]:
    return ["  ".join(f"{name}={option.default}" for name, option in options.items())] if options else []


def _metrics() -> Rows:
    from seewhy.registry import METRICS

    rows = [
        (
            metric.name,
            "higher" if metric.higher_is_better else "lower",
            "\n".join([metric.summary, f"from {', '.join(metric.needs)}", *_option_lines(metric.options)]),
        )
        for metric in METRICS.all()
    ]
    return "Metrics", ["name", "better", "description, inputs and options"], rows


def _evidence() -> Rows:
    from seewhy.registry import EVIDENCE

    rows = [
        (evidence.name, "\n".join([evidence.summary, *_option_lines(evidence.options)])) for evidence in EVIDENCE.all()
    ]
    return "Evidence", ["name", "description and options"], rows


def _models() -> Rows:
    from seewhy.registry import MODELS

    rows = [(f"seewhy/{model.name}", model.summary) for model in MODELS.all()]
    rows += [
        ("timm/NAME", "Any timm classifier, such as timm/vit_base_patch16_224."),
        ("torchvision/NAME", "Any torchvision classifier, such as torchvision/resnet50."),
        ("hf/NAME", "Hugging Face image classifiers, CLIP and SigLIP: a hub name or a local folder."),
        ("onnx/FILE", "An ONNX file; methods that need gradients or layers refuse it."),
        ("FILE.py:FUNCTION", "A network that a function of a Python file builds."),
    ]
    return "Models", ["name", "description"], rows


def _protocols() -> Rows:
    from seewhy.metrics.protocols import get_protocol, list_protocols

    rows = [(name, get_protocol(name).about) for name in list_protocols()]
    return "Protocols", ["name", "description"], rows


TABLES: dict[Kind, Callable[[], Rows]] = {
    Kind.methods: _methods,
    Kind.metrics: _metrics,
    Kind.evidence: _evidence,
    Kind.models: _models,
    Kind.protocols: _protocols,
}
