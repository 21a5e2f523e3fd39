"""The application: what every command shares, and how errors are answered.

| what happened                           | answer                              | exit code |
|-----------------------------------------|-------------------------------------|-----------|
| wrong use (`InputError`, `MissingExtra`) | one red line                       | 2         |
| failure (any other `SeewhyError`)       | one red line                        | 1         |
| a bug (anything else)                   | one red line; `--debug` for the trace | 1       |
"""

import sys
import warnings
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from seewhy import __version__
from seewhy.errors import InputError, MissingExtra, SeewhyError
from seewhy.runtime.malloc import keep_freed_memory

DEBUG = "--debug"


class Commands(TyperGroup):
    """Accepts `--debug` anywhere, and turns errors raised on purpose into a line and an exit code."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        debug = [DEBUG] if DEBUG in args else []
        return super().parse_args(ctx, [*debug, *(arg for arg in args if arg != DEBUG)])

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except SeewhyError as error:
            if ctx.params.get("debug"):
                raise
            complain(error)
            raise typer.Exit(exit_code(error)) from error


app = typer.Typer(
    name="seewhy",
    cls=Commands,
    help="Why an image classifier decided what it decided.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
    context_settings={"help_option_names": ["-h", "--help"]},
)


def show_version(wanted: bool) -> bool:
    if wanted:
        typer.echo(f"seewhy {__version__}")
        raise typer.Exit
    return wanted


@app.callback()
def every_command(
    version: Annotated[
        bool, typer.Option("--version", callback=show_version, is_eager=True, help="Print the version.")
    ] = False,
    debug: Annotated[bool, typer.Option(DEBUG, help="Show the whole trace of an error.")] = False,
) -> None:
    """Why an image classifier decided what it decided."""


def main() -> None:
    """Entry point of the command `seewhy`."""
    keep_freed_memory()
    warnings.formatwarning = lambda message, *_: f"note: {message}\n"  # a line of our source would explain nothing
    try:
        app()
    except Exception as error:
        if DEBUG in sys.argv:
            raise
        complain(f"{type(error).__name__}: {error}\nThis should not have happened: {DEBUG} shows where it did.")
        sys.exit(1)


def exit_code(error: SeewhyError) -> int:
    return 2 if isinstance(error, (InputError, MissingExtra)) else 1


def complain(problem: object) -> None:
    """One red line on the error stream."""
    from rich.console import Console
    from rich.text import Text

    Console(stderr=True).print(Text.assemble(("error: ", "bold red"), (str(problem), "red")), soft_wrap=True)


# arguments that several commands take

Pictures = Annotated[list[Path], typer.Argument(metavar="IMAGE", help="Image files, or folders of them.")]
_model = typer.Option(
    "--model", "-m", metavar="NAME", help="timm/NAME, torchvision/NAME, hf/NAME or seewhy/NAME (`seewhy list`)."
)
Model = Annotated[str, _model]
AnyModel = Annotated[str | None, _model]  # left out: the one that the other arguments suggest
Weights = Annotated[
    str | None,
    typer.Option(
        metavar="FILE",
        help='Safetensors or torch checkpoint; left out: the library\'s own; "random": untrained.',
    ),
]
Prompts = Annotated[
    list[str] | None,
    typer.Option("--prompt", metavar="TEXT", help="Class of a zero-shot model such as CLIP; once per class."),
]
Targets = Annotated[
    list[str] | None,
    typer.Option("--target", "-t", metavar="CLASS", help="Name or index; may be repeated. Left out: the prediction."),
]
Options = Annotated[
    list[str] | None,
    typer.Option("--option", "-o", metavar="KEY=VALUE", help="Option of the method; may be repeated."),
]
Device = Annotated[str | None, typer.Option(metavar="DEVICE", help="cpu, cuda, cuda:1, mps; left out: the GPU if any.")]

DEFAULT_MODEL = "seewhy/efficientnet-lite0"
