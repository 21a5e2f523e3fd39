"""The application, error handling, and the arguments that several commands share.

| error                                       | output                                    | exit code |
|---------------------------------------------|-------------------------------------------|-----------|
| wrong usage (`InputError`, `MissingExtra`)  | a message                                 | 2         |
| failure (any other `SeewhyError`)           | a message                                 | 1         |
| bug (any other exception)                   | a message; `--debug` prints the traceback | 1         |
"""

import sys
import warnings
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from seewhy import __version__
from seewhy.errors import InputError, MissingExtra, SeewhyError, SeewhyWarning
from seewhy.runtime.malloc import keep_freed_memory

DEBUG = "--debug"


class Commands(TyperGroup):
    """Accepts `--debug` anywhere, and turns a `SeewhyError` into a message and an exit code."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        debug = [DEBUG] if DEBUG in args else []
        return super().parse_args(ctx, [*debug, *(arg for arg in args if arg != DEBUG)])

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except SeewhyError as error:
            if ctx.params.get("debug"):
                raise
            print_error(error)
            raise typer.Exit(exit_code(error)) from error


app = typer.Typer(
    name="seewhy",
    cls=Commands,
    help="Explain the decisions of image classifiers.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
    context_settings={"help_option_names": ["-h", "--help"]},
)


def show_version(requested: bool) -> bool:
    if requested:
        typer.echo(f"seewhy {__version__}")
        raise typer.Exit
    return requested


@app.callback()
def every_command(
    version: Annotated[
        bool, typer.Option("--version", callback=show_version, is_eager=True, help="Print the version.")
    ] = False,
    debug: Annotated[bool, typer.Option(DEBUG, help="Print the traceback of an error.")] = False,
) -> None:
    """Explain the decisions of image classifiers."""


def main() -> None:
    """Entry point of the command `seewhy`."""
    keep_freed_memory()
    warnings.formatwarning = lambda message, *_: (
        f"note: {message}\n"
    )  # without the source line, which users cannot act on
    warnings.simplefilter("ignore", SeewhyWarning)  # failed checks are printed with each result
    try:
        app()
    except Exception as error:
        if DEBUG in sys.argv:
            raise
        print_error(f"{type(error).__name__}: {error}\nThis is a bug. Rerun with {DEBUG} for a traceback.")
        sys.exit(1)


def exit_code(error: SeewhyError) -> int:
    return 2 if isinstance(error, (InputError, MissingExtra)) else 1


def print_error(error: object) -> None:
    """Print a message in red on stderr."""
    from rich.console import Console
    from rich.text import Text

    Console(stderr=True).print(Text.assemble(("error: ", "bold red"), (str(error), "red")), soft_wrap=True)


# arguments of several commands

ImageArguments = Annotated[list[Path], typer.Argument(metavar="IMAGE", help="Image files or folders.")]
_model = typer.Option(
    "--model",
    "-m",
    metavar="NAME",
    help="timm/NAME, torchvision/NAME, hf/NAME, seewhy/NAME (`seewhy list models`), or FILE.py:FUNCTION.",
)
ModelOption = Annotated[str, _model]
OptionalModel = Annotated[str | None, _model]  # the default depends on the other arguments
WeightsOption = Annotated[
    str | None,
    typer.Option(
        metavar="FILE",
        help='Safetensors file or torch checkpoint, or "random" for an untrained network.',
        show_default="pretrained weights",
    ),
]
ClassNamesOption = Annotated[
    Path | None,
    typer.Option(
        "--class-names",
        metavar="FILE",
        help="Names of the classes: a text file with one per line, or JSON.",
        show_default="the library's",
    ),
]
PromptOption = Annotated[
    list[str] | None,
    typer.Option("--prompt", metavar="TEXT", help="Class prompt of a zero-shot model such as CLIP; once per class."),
]
TargetOption = Annotated[
    list[str] | None,
    typer.Option(
        "--target",
        "-t",
        metavar="CLASS",
        help="Class to explain, by name or index; repeatable.",
        show_default="predicted class",
    ),
]
MethodOptions = Annotated[
    list[str] | None,
    typer.Option("--option", "-o", metavar="KEY=VALUE", help="Option of the method; repeatable."),
]
DeviceOption = Annotated[
    str | None, typer.Option(metavar="DEVICE", help="cpu, cuda, cuda:1 or mps.", show_default="GPU if available")
]

DEFAULT_MODEL = "seewhy/efficientnet-lite0"
